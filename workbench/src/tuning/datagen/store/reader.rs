//! Reads a file of games.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::header::{Description, FileHeader, MAX_HEADER};
use super::record::{Framing, MAX_RECORD, Record, StoredGame};
use super::window::Window;
use crate::files;

/// A part of a file that is not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// In bytes.
    pub length: u64,
    pub is_torn_tail: bool,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Gap { offset, length, is_torn_tail } = self;
        if *is_torn_tail {
            write!(f, "the last {length} bytes, from byte {offset} on, are a part of a game")
        } else {
            write!(f, "{length} damaged bytes from byte {offset} on are skipped")
        }
    }
}

/// Reads the games of a file one after the other.
pub struct GameReader<R = File> {
    path: PathBuf,
    window: Window<R>,
    description: Description,
    framing: Framing,
    /// Where the next game begins, in bytes.
    offset: u64,
    gaps: Vec<Gap>,
    skips_damage: bool,
    has_ended: bool,
}

impl GameReader {
    /// With `skip_damage`, damage is a [`Gap`] instead of an error.
    ///
    /// # Errors
    /// If the file cannot be read, does not hold games of this variant, or its header is damaged.
    pub fn open(
        path: &Path,
        variant: &'static str,
        skip_damage: bool,
    ) -> Result<GameReader, StoreError> {
        let file = files::open(path);
        let file = file.map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
        GameReader::new(file, path, variant, skip_damage)
    }
}

/// What the header of a file of games says.
///
/// # Errors
/// If the file cannot be read, holds something else, or its header is damaged.
pub fn description_of(path: &Path) -> Result<Description, StoreError> {
    let at = |source| StoreError::Io { path: path.to_owned(), source };
    // The file is opened again to read its games: a pipe would have lost its beginning by then.
    files::check_plain(path).map_err(at)?;
    let mut start = Vec::new();
    files::open(path)
        .and_then(|file| file.take(MAX_HEADER as u64).read_to_end(&mut start))
        .map_err(at)?;
    let header = FileHeader::read(&start);
    let header = header.ok_or_else(|| StoreError::NotGames { path: path.to_owned() })?;
    header.description.ok_or_else(|| StoreError::DamagedHeader { path: path.to_owned() })
}

impl<R: Read> GameReader<R> {
    /// Reads from a file that is open already. `path` is its name in error messages.
    pub fn new(
        file: R,
        path: &Path,
        variant: &'static str,
        skip_damage: bool,
    ) -> Result<GameReader<R>, StoreError> {
        let mut window = Window::new(file);
        let header = window.get(0, MAX_HEADER);
        let header = header.map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
        let header = FileHeader::read(header);
        let header = header.ok_or_else(|| StoreError::NotGames { path: path.to_owned() })?;
        let mut reader = GameReader {
            path: path.to_owned(),
            window,
            description: Description::default(),
            framing: header.framing,
            offset: header.length as u64,
            gaps: Vec::new(),
            skips_damage: skip_damage,
            has_ended: false,
        };
        match header.description {
            Some(description) if description.variant == variant => reader.description = description,
            Some(_) => return Err(StoreError::OtherVariant { path: path.to_owned(), variant }),
            None => reader.pass_damage()?,
        }
        Ok(reader)
    }

    /// What the header says; empty if it is damaged.
    pub fn description(&self) -> &Description {
        &self.description
    }

    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// What has been skipped so far.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Where the last game ends or, if damage follows it, the file: in bytes.
    pub fn end(&self) -> u64 {
        self.offset
    }

    /// The next game; `None` at the end of the file or before a torn tail.
    fn read(&mut self) -> Result<Option<StoredGame>, StoreError> {
        loop {
            let bytes = self.window.get(self.offset, MAX_RECORD);
            let bytes =
                bytes.map_err(|source| StoreError::Io { path: self.path.clone(), source })?;
            if bytes.is_empty() {
                return Ok(None);
            }
            match self.framing.read(bytes) {
                Record::Game(game, length) => {
                    self.offset += length as u64;
                    return Ok(Some(game));
                }
                Record::TornTail => {
                    let length = bytes.len() as u64;
                    self.gaps.push(Gap { offset: self.offset, length, is_torn_tail: true });
                    return Ok(None);
                }
                Record::Damage => self.pass_damage()?,
            }
        }
    }

    /// Skips damage if that is wanted.
    fn pass_damage(&mut self) -> Result<(), StoreError> {
        let offset = self.offset;
        if !self.skips_damage {
            return Err(StoreError::Damaged { path: self.path.clone(), offset });
        }
        self.offset = self
            .find_game()
            .map_err(|source| StoreError::Io { path: self.path.clone(), source })?;
        self.gaps.push(Gap { offset, length: self.offset - offset, is_torn_tail: false });
        Ok(())
    }

    /// Where the next whole game begins, or the file ends.
    fn find_game(&mut self) -> io::Result<u64> {
        let mut offset = self.offset;
        loop {
            let bytes = self.window.get(offset, 2 * MAX_RECORD)?;
            // A game that begins in the second half may be cut off by the end of the window.
            let tried = if bytes.len() < 2 * MAX_RECORD { bytes.len() } else { MAX_RECORD };
            let found = (0..tried).find(|&at| self.framing.read_whole(&bytes[at..]).is_some());
            offset += found.unwrap_or(tried) as u64;
            if found.is_some() || tried == 0 {
                return Ok(offset);
            }
        }
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<StoredGame, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let item = self.read().transpose();
        self.has_ended = !matches!(item, Some(Ok(_)));
        item
    }
}
