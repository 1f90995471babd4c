//! The PGN file of a match: continued after an earlier run, and never left with a part of a game.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A PGN file to which whole games are appended.
#[derive(Debug)]
pub struct PgnFile {
    path: PathBuf,
    file: File,
    /// In bytes.
    length: u64,
}

impl PgnFile {
    /// Opens the file or creates it. Cuts off all but the first `whole` bytes.
    ///
    /// # Errors
    /// If the file cannot be written, or another match writes it.
    pub fn open(path: &Path, whole: usize) -> io::Result<PgnFile> {
        let mut file = PgnFile::lock(path)?;
        file.shorten(whole)?;
        Ok(file)
    }

    /// Opens the file or creates it. From then on, no other match writes it.
    ///
    /// # Errors
    /// As [`PgnFile::open`].
    pub fn lock(path: &Path) -> io::Result<PgnFile> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        // Elsewhere a lock keeps everybody from reading. Best effort: some file systems know no locks.
        #[cfg(unix)]
        if matches!(crate::files::try_lock(&file), Err(std::fs::TryLockError::WouldBlock)) {
            return Err(io::Error::other("another match writes it"));
        }
        let length = file.metadata()?.len();
        Ok(PgnFile { path: path.to_owned(), file, length })
    }

    /// Cuts off all but the first `whole` bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn shorten(&mut self, whole: usize) -> io::Result<()> {
        self.length = whole as u64;
        self.cut_off()
    }

    /// Appends text, as a whole or not at all. If the process is killed, a part may stay.
    ///
    /// # Errors
    /// If the text cannot be written, for example because the disk is full.
    pub fn append(&mut self, text: &str) -> io::Result<()> {
        let written = self.file.write_all(text.as_bytes());
        match &written {
            Ok(()) => self.length += text.len() as u64,
            // Best effort: a part of a game that stays is cut off when the match is continued.
            Err(_) => drop(self.cut_off()),
        }
        written
    }

    /// Cuts off what follows the text.
    fn cut_off(&self) -> io::Result<()> {
        let has_more = self.file.metadata()?.len() > self.length;
        // A pipe or a terminal has no length that could be set. Windows cuts off nothing through a
        // handle that can only append.
        if has_more {
            OpenOptions::new().write(true).open(&self.path)?.set_len(self.length)
        } else {
            Ok(())
        }
    }
}

/// Checks that a file can be written at the end of the match. Changes no file.
///
/// # Errors
/// If it cannot.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match path.metadata() {
        // To open a pipe might block.
        Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
        Ok(_) => OpenOptions::new().append(true).open(path).map(drop),
        Err(_) => {
            OpenOptions::new().append(true).create_new(true).open(path)?;
            std::fs::remove_file(path)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn two_matches_do_not_write_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut first = PgnFile::open(&path, 0).unwrap();
        first.append("a game").unwrap();
        let error = PgnFile::open(&path, 0).unwrap_err();
        assert_eq!(error.to_string(), "another match writes it");
        assert_eq!(std::fs::read(&path).unwrap(), b"a game");
        drop(first);
        assert!(PgnFile::open(&path, 6).is_ok());
    }
}
