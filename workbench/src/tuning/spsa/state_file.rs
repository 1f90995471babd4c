//! The file in which a run is kept. It is replaced after each pair, and one run at a time uses it.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files;

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 20;

/// The file of a run. No other run uses it as long as this lives.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    /// What now has this name. Each replacement has a lock of its own.
    _lock: Option<File>,
}

impl StateFile {
    /// Opens a file, or makes an empty one.
    ///
    /// # Errors
    /// If that fails, if it is something else than a file, or another run uses it.
    pub fn open(path: &Path) -> io::Result<StateFile> {
        // To open a pipe would wait for its other end.
        files::check_plain(path)?;
        files::check_output(path, [""; 0])?;
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let lock = lock(&file)?;
        // Another run may have replaced it before it was locked.
        if !files::is_at(&file, path) {
            return Err(in_use());
        }
        Ok(StateFile { path: path.to_owned(), _lock: lock })
    }

    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> io::Result<String> {
        files::read_text(&self.path, LARGEST)
    }

    /// Replaces the file as a whole.
    ///
    /// # Errors
    /// If it cannot be written; the old one is then still there.
    pub fn replace(&mut self, text: &str) -> io::Result<()> {
        let mut new = None;
        files::replace_with(&self.path, |file| {
            // Before it takes the place of the old one.
            new = lock(file)?;
            file.write_all(text.as_bytes())
        })?;
        self._lock = new;
        Ok(())
    }
}

/// Locks a file as long as the result lives. `None` if it is not locked: some file systems know no locks, and on
/// Windows no file is replaced that is open.
fn lock(file: &File) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    match files::try_lock(file) {
        Ok(()) => file.try_clone().map(Some),
        Err(TryLockError::WouldBlock) => Err(in_use()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn in_use() -> io::Error {
    io::Error::other("another run uses it")
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn one_run_at_a_time_uses_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let mut first = StateFile::open(&path).unwrap();
        let refused = || StateFile::open(&path).unwrap_err().to_string();
        assert_eq!(refused(), "another run uses it");
        for text in ["one", "two"] {
            first.replace(text).unwrap();
            assert_eq!(refused(), "another run uses it");
        }
        drop(first);
        assert_eq!(StateFile::open(&path).unwrap().read().unwrap(), "two");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn what_a_killed_run_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".trebuchet-abc123.new");
        std::fs::write(&left, "a part").unwrap();
        StateFile::open(&folder.path().join("run.json")).unwrap();
        assert!(!left.exists());
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(StateFile::open(&pipe).unwrap_err().to_string(), "not a file");
    }
}
