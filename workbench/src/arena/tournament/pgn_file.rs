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
    /// If the file cannot be written.
    pub fn open(path: &Path, whole: usize) -> io::Result<PgnFile> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let file = PgnFile { path: path.to_owned(), file, length: whole as u64 };
        file.cut_off()?;
        Ok(file)
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
