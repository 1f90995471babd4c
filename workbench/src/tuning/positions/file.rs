//! Reads and writes files of training positions.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::PositionsError;
use super::header::{BLOCK, FAMILY, Header, MAGIC, MAX_HEADER, Part};
use super::position::{POSITION_BYTES, TrainingPosition};
use crate::files;
use trebuchet::fnv;

/// Writes the positions of one part, block after block.
///
/// # Errors
/// If they cannot be read or written.
pub fn write_blocks(
    file: &mut impl Write,
    positions: impl IntoIterator<Item = io::Result<TrainingPosition>>,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(BLOCK * POSITION_BYTES + 8);
    let mut write = |bytes: &mut Vec<u8>| {
        bytes.extend(fnv::hash(bytes).to_le_bytes());
        let written = file.write_all(bytes);
        bytes.clear();
        written
    };
    for position in positions {
        bytes.extend(position?.to_bytes());
        if bytes.len() == BLOCK * POSITION_BYTES {
            write(&mut bytes)?;
        }
    }
    if bytes.is_empty() { Ok(()) } else { write(&mut bytes) }
}

/// A file of positions, of which blocks can be read in any order.
#[derive(Debug)]
pub struct PositionFile {
    path: PathBuf,
    file: File,
    header: Header,
    /// Where the first block begins, in bytes.
    start: u64,
}

impl PositionFile {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// If it cannot be read, holds something else, its header is damaged, or its length is wrong.
    pub fn open(path: &Path) -> Result<PositionFile, PositionsError> {
        let at = |source| PositionsError::Io { path: path.to_owned(), source };
        files::check_plain(path).map_err(at)?;
        let mut file = files::open(path).map_err(at)?;
        let mut bytes = Vec::new();
        (&mut file).take(MAX_HEADER as u64).read_to_end(&mut bytes).map_err(at)?;
        if bytes.starts_with(b"TREBGAM") {
            return Err(PositionsError::Games { path: path.to_owned() });
        }
        if bytes.starts_with(FAMILY) && !bytes.starts_with(MAGIC) {
            return Err(PositionsError::OtherVersion { path: path.to_owned() });
        }
        let Some((header, start)) = Header::read(&bytes) else {
            return Err(PositionsError::NotPositions { path: path.to_owned() });
        };
        let start = start as u64;
        let wanted = start + header.length(Part::Training) + header.length(Part::Validation);
        let found = file.metadata().map_err(at)?.len();
        if found != wanted {
            return Err(PositionsError::Length { path: path.to_owned(), found, wanted });
        }
        Ok(PositionFile { path: path.to_owned(), file, header, start })
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Adds the positions of a block to `positions`. `block` must be below [`Header::blocks`].
    ///
    /// # Errors
    /// If they cannot be read, or are damaged.
    pub fn read(
        &mut self,
        part: Part,
        block: u64,
        positions: &mut Vec<TrainingPosition>,
    ) -> Result<(), PositionsError> {
        let before = match part {
            Part::Training => 0,
            Part::Validation => self.header.length(Part::Training),
        };
        let first = block * BLOCK as u64;
        let offset = self.start + before + first * POSITION_BYTES as u64 + block * 8;
        let count = self.header.count(part).saturating_sub(first).min(BLOCK as u64) as usize;
        let mut bytes = vec![0; count * POSITION_BYTES + 8];
        self.file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(|source| PositionsError::Io { path: self.path.clone(), source })?;
        let (body, sum) = bytes.split_at(count * POSITION_BYTES);
        let known = positions.len();
        if fnv::hash(body).to_le_bytes() == sum {
            let packed = body.as_chunks().0.iter();
            positions.extend(packed.map_while(TrainingPosition::from_bytes));
        }
        if positions.len() - known != count {
            return Err(PositionsError::Damaged { path: self.path.clone(), offset });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tuning::provenance::provenance;
    use trebuchet::board::Position;
    use trebuchet::types::Score;
    use trebuchet::variants::Standard;

    fn position(score: i32) -> TrainingPosition {
        TrainingPosition::without_result(&Position::<Standard>::start(), Score::cp(score))
    }

    /// A file with this many positions for training and validation, all different.
    fn file(counts: [i32; 2]) -> Vec<u8> {
        let header = Header {
            variants: vec!["normal".to_owned()],
            training: counts[0] as u64,
            validation: counts[1] as u64,
            fingerprint: 77,
            settings: provenance([("lambda", "0.9".to_owned())]),
        };
        let mut bytes = header.write();
        write_blocks(&mut bytes, (0..counts[0]).map(|n| Ok(position(n % 1000)))).unwrap();
        write_blocks(&mut bytes, (0..counts[1]).map(|n| Ok(position(-n % 1000)))).unwrap();
        bytes
    }

    #[test]
    fn blocks_are_read_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.positions");
        let bytes = file([BLOCK as i32 + 10, 3]);
        fs::write(&path, &bytes).unwrap();
        let mut file = PositionFile::open(&path).unwrap();
        assert_eq!(file.header().settings, provenance([("lambda", "0.9".to_owned())]));
        assert_eq!(
            [Part::Training, Part::Validation].map(|part| file.header().blocks(part)),
            [2, 1]
        );
        let mut read = |part, block| {
            let mut positions = Vec::new();
            file.read(part, block, &mut positions).unwrap();
            positions
        };
        assert_eq!(read(Part::Validation, 0), [position(0), position(-1), position(-2)]);
        let second: Vec<_> = (0..10).map(|n| position((BLOCK as i32 + n) % 1000)).collect();
        assert_eq!(read(Part::Training, 1), second);
        let first = read(Part::Training, 0);
        assert_eq!((first.len(), first[999]), (BLOCK, position(999)));
    }

    #[test]
    fn damage_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.positions");
        let good = file([3, 2]);
        let start = good.len() - 5 * POSITION_BYTES - 16;
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 16;
            fs::write(&path, &bytes).unwrap();
            let error = PositionFile::open(&path).and_then(|mut file| {
                assert!(at >= start);
                file.read(Part::Training, 0, &mut Vec::new())?;
                file.read(Part::Validation, 0, &mut Vec::new())
            });
            match error.unwrap_err() {
                PositionsError::NotPositions { .. } => assert!(at < start),
                // The last of the first bytes is the version.
                PositionsError::OtherVersion { .. } => assert_eq!(at, MAGIC.len() - 1),
                PositionsError::Damaged { offset, .. } => {
                    let second = start + 3 * POSITION_BYTES + 8;
                    assert_eq!(offset as usize, if at < second { start } else { second });
                }
                error => panic!("{error}"),
            }
        }
        fs::write(&path, &good[..good.len() - 1]).unwrap();
        let error = PositionFile::open(&path).unwrap_err();
        assert!(matches!(error, PositionsError::Length { .. }), "{error}");
        for (bytes, message) in [
            (&b"TREBGAM3 and games"[..], "is a file of games: `data pack` makes"),
            (b"1. e4", "is not a file of positions"),
            (b"TREBPOS1", "is a file of positions of another version"),
            (b"", "is not a file of positions"),
        ] {
            fs::write(&path, bytes).unwrap();
            let error = PositionFile::open(&path).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
