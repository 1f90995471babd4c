//! Opening files that a user names.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// If it cannot be read, or is a folder, a pipe or a device: opening a pipe waits for its other end, and a
/// device has no end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Ask first: opening a pipe already waits.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_refused() {
        let error = open_regular(&std::env::temp_dir()).unwrap_err();
        assert_eq!(error.to_string(), "not a regular file");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_refused_at_once() {
        use std::process::Command;

        assert!(open_regular(Path::new("/dev/zero")).is_err());
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(open_regular(&pipe).unwrap_err().to_string(), "not a regular file");
    }
}
