//! A file that a run replaces again and again, and that no other run uses meanwhile.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{check_output, check_plain, is_at, read_text, replace_with, try_lock};

/// A file of this run. No other run holds it as long as this lives.
#[derive(Debug)]
pub struct HeldFile {
    path: PathBuf,
    /// It did not exist, and nothing has been written yet.
    is_new: bool,
    /// What now has this name. Each replacement has a lock of its own.
    lock: Option<File>,
}

impl HeldFile {
    /// Opens a file, or makes an empty one.
    ///
    /// # Errors
    /// If that fails, if it is something else than a file, or another run uses it.
    pub fn open(path: &Path) -> io::Result<HeldFile> {
        // To open a pipe would wait for its other end.
        check_plain(path)?;
        check_output(path, [""; 0])?;
        let existed = path.exists();
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let lock = lock(&file)?;
        // Another run may have replaced it before it was locked.
        if !is_at(&file, path) {
            return Err(in_use());
        }
        let is_new = !existed && file.metadata()?.len() == 0;
        Ok(HeldFile { path: path.to_owned(), is_new, lock })
    }

    /// # Errors
    /// As [`read_text`].
    pub fn read_text(&self, limit: u64) -> io::Result<String> {
        read_text(&self.path, limit)
    }

    /// Replaces the file as a whole.
    ///
    /// # Errors
    /// If it cannot be written; the old one is then still there.
    pub fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut new = None;
        replace_with(&self.path, |file| {
            // Before it takes the place of the old one.
            new = lock(file)?;
            file.write_all(bytes)
        })?;
        self.lock = new;
        self.is_new = false;
        Ok(())
    }
}

impl Drop for HeldFile {
    /// A run that has written nothing leaves no file.
    fn drop(&mut self) {
        if self.is_new {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Locks a file as long as the result lives. `None` if it is not locked: some file systems know no locks, and on
/// Windows no file is replaced that is open.
fn lock(file: &File) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    match try_lock(file) {
        Ok(()) => file.try_clone().map(Some),
        Err(TryLockError::WouldBlock) => Err(in_use()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn in_use() -> io::Error {
    io::Error::other("another run uses it")
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::process::Command;

    use super::super::MAX_SETTINGS;
    use super::*;

    #[cfg(unix)]
    #[test]
    fn one_run_at_a_time_holds_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut first = HeldFile::open(&path).unwrap();
        let refused = || HeldFile::open(&path).unwrap_err().to_string();
        assert_eq!(refused(), "another run uses it");
        for text in ["one", "two"] {
            first.replace(text.as_bytes()).unwrap();
            assert_eq!(refused(), "another run uses it");
        }
        drop(first);
        assert_eq!(HeldFile::open(&path).unwrap().read_text(MAX_SETTINGS).unwrap(), "two");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(HeldFile::open(&pipe).unwrap_err().to_string(), "not a file");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_run_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".trebuchet-abc123.new");
        fs::write(&left, "a part").unwrap();
        HeldFile::open(&folder.path().join("a")).unwrap();
        assert!(!left.exists());
    }

    #[test]
    fn a_file_in_which_nothing_is_written_is_not_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        drop(HeldFile::open(&path).unwrap());
        assert!(!path.exists());
        fs::write(&path, "").unwrap();
        drop(HeldFile::open(&path).unwrap());
        assert!(path.exists());
    }
}
