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
        return Err(not_regular());
    }
    File::open(path)
}

/// Opens a regular file to write at its end, or makes it.
///
/// # Errors
/// If it cannot be written, or is a folder, a pipe or a device: writing to a pipe can wait for ever.
pub fn append_regular(path: &Path) -> io::Result<File> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(not_regular());
    }
    File::options().create(true).append(true).open(path)
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_refused() {
        let error = open_regular(&std::env::temp_dir()).unwrap_err();
        assert_eq!(error.to_string(), "not a regular file");
        assert!(append_regular(&std::env::temp_dir()).is_err());
    }

    #[test]
    fn text_is_added_to_a_file() {
        use std::io::Write;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        for text in ["a", "b"] {
            append_regular(&path).unwrap().write_all(text.as_bytes()).unwrap();
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"ab");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_refused_at_once() {
        use std::process::Command;

        assert!(open_regular(Path::new("/dev/zero")).is_err());
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for error in [open_regular(&pipe).unwrap_err(), append_regular(&pipe).unwrap_err()] {
            assert_eq!(error.to_string(), "not a regular file");
        }
    }
}
