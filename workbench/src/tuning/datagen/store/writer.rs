//! Appends to a file of games.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::header::{Description, FileHeader, MAX_HEADER};
use super::reader::{GameReader, Gap};
use super::record::{Framing, StoredGame};
use crate::files;

/// What the user allows when a file is continued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Continuation {
    /// The file may have been begun with other settings.
    pub mixes_settings: bool,
    /// The file may be damaged.
    pub skips_damage: bool,
}

/// Appends games to a file, and keeps other writers away from it.
#[derive(Debug)]
pub struct GameWriter {
    path: PathBuf,
    file: File,
    framing: Framing,
    /// The header, if the file does not have it yet.
    header: Vec<u8>,
    /// Where the next game goes, in bytes.
    end: u64,
    gaps: Vec<Gap>,
}

impl GameWriter {
    /// Opens a file to append games, or creates it. Calls `show` for every game in it. A file that has
    /// games is not changed before the first [`GameWriter::write`].
    ///
    /// # Errors
    /// If the file cannot be used, another process writes to it, it holds something else, or what
    /// `allowed` does not allow.
    pub fn open(
        path: &Path,
        variant: &'static str,
        description: &Description,
        allowed: Continuation,
        show: &mut dyn FnMut(&StoredGame),
    ) -> Result<GameWriter, StoreError> {
        let at = |source| StoreError::Io { path: path.to_owned(), source };
        // A pipe would wait for games that nobody writes.
        files::check_plain(path).map_err(at)?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(path).map_err(at)?;
        match files::try_lock(&file) {
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::InUse { path: path.to_owned() });
            }
            // Best effort: some file systems know no locks.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let header = FileHeader::write(description);
        let mut start = Vec::new();
        (&mut file).take(MAX_HEADER as u64).read_to_end(&mut start).map_err(at)?;
        let mut writer = GameWriter {
            path: path.to_owned(),
            file,
            framing: Framing::CheckedLength,
            header: Vec::new(),
            end: 0,
            gaps: Vec::new(),
        };
        if header.starts_with(&start) && start.len() < header.len() {
            // New, or its writer was killed within the header.
            writer.header = header;
            return Ok(writer);
        }
        writer.file.seek(SeekFrom::Start(0)).map_err(at)?;
        // The reader uses the same handle: Windows lets no other one read a locked file.
        let mut reader = GameReader::new(&writer.file, path, variant, allowed.skips_damage)?;
        let difference = description.difference(reader.description());
        if let Some(difference) = difference.filter(|_| !allowed.mixes_settings) {
            return Err(StoreError::OtherSettings { path: path.to_owned(), difference });
        }
        for game in reader.by_ref() {
            show(&game?);
        }
        (writer.framing, writer.end) = (reader.framing(), reader.end());
        writer.gaps = reader.gaps().to_vec();
        Ok(writer)
    }

    /// What was skipped when the file was opened. The first write cuts off a torn tail.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Appends a game, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, game: &StoredGame) -> Result<(), StoreError> {
        let bytes = [self.header.as_slice(), &self.framing.write(game)].concat();
        let written = self.append(&bytes);
        if written.is_err() {
            // Best effort: a part of a game that stays is cut off later.
            let _ = self.file.set_len(self.end);
        }
        written.map_err(|source| StoreError::Io { path: self.path.clone(), source })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(bytes)?;
        self.header.clear();
        self.end += bytes.len() as u64;
        Ok(())
    }
}
