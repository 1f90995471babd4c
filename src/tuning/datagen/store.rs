//! Files of games for training: how they are written, resumed and read.
//!
//! A file begins with a header, all numbers little-endian:
//!
//! ```text
//! 8 bytes  "TREBGAM2"
//! u32      length of the description
//! text     the description: lines `KEY VALUE`, first `variant NAME` with the CECP name
//! ```
//!
//! Files of version 1 have a header of 16 bytes: `TREBGAM1` and the variant's name, padded with
//! zeros. They can still be read and continued.
//!
//! Then come the games:
//!
//! ```text
//! u32  length of the rest, without the checksum     u8  result: 0 Black won, 1 draw, 2 White won
//! u32  number of the game in its run                u8  length of the FEN, then the FEN
//! ( u16  move as Move::bits    i16  score in centipawns from the mover )  for each ply
//! u32  checksum of the rest
//! ```
//!
//! Games are appended whole. If the writer is killed, the file may end with a part of a game, which
//! is cut off when the file is opened to write more.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::tuning::selfplay::ScoredMove;
use crate::types::{Color, Move, Score};

const MAGIC: [u8; 8] = *b"TREBGAM2";
const OLD_MAGIC: [u8; 8] = *b"TREBGAM1";
/// The longest description, in bytes.
const MAX_DESCRIPTION: u32 = 1 << 16;
/// The longest game, in bytes: about 64 Ki plies.
const MAX_GAME: u32 = 1 << 18;

/// A game of the engine against itself, from the end of its opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The number of the game in its run.
    pub number: u32,
    pub fen: String,
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub moves: Vec<ScoredMove>,
}

/// What is wrong with a file of games.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is not a file of games")]
    NotGames { path: PathBuf },
    #[error("{path} has games of another variant, not of {variant}")]
    OtherVariant { path: PathBuf, variant: &'static str },
    #[error("{path}: the game at byte {offset} is damaged")]
    Damaged { path: PathBuf, offset: u64 },
}

impl StoredGame {
    fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(6 + self.fen.len() + 4 * self.moves.len());
        body.extend(self.number.to_le_bytes());
        body.push(match self.winner {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        });
        let fen = &self.fen.as_bytes()[..self.fen.len().min(255)];
        body.push(fen.len() as u8);
        body.extend(fen);
        for ScoredMove { mv, score } in &self.moves {
            body.extend(mv.bits().to_le_bytes());
            body.extend((score.value() as i16).to_le_bytes());
        }
        let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
        bytes.extend(&body);
        bytes.extend(checksum(&body).to_le_bytes());
        bytes
    }

    fn from_body(body: &[u8]) -> Option<StoredGame> {
        let (number, rest) = body.split_first_chunk()?;
        let (&[result, fen_length], rest) = rest.split_first_chunk()?;
        let (fen, moves) = rest.split_at_checked(fen_length.into())?;
        let winner = match result {
            0 => Some(Color::Black),
            1 => None,
            2 => Some(Color::White),
            _ => return None,
        };
        let moves = moves.chunks(4).map(|bytes| {
            let &[a, b, c, d] = bytes else { return None };
            let mv = Move::from_bits(u16::from_le_bytes([a, b]))?;
            Some(ScoredMove { mv, score: Score::cp(i16::from_le_bytes([c, d]).into()) })
        });
        Some(StoredGame {
            number: u32::from_le_bytes(*number),
            fen: std::str::from_utf8(fen).ok()?.to_owned(),
            winner,
            moves: moves.collect::<Option<_>>()?,
        })
    }
}

/// The FNV-1a hash.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The header of a new file.
fn header(variant: &str) -> Vec<u8> {
    let description = format!("variant {variant}\n");
    let length = (description.len() as u32).to_le_bytes();
    [&MAGIC[..], &length, description.as_bytes()].concat()
}

/// What a header of either version says.
struct FileHeader {
    variant: String,
    /// In bytes.
    length: u64,
}

impl FileHeader {
    /// Reads a header; `None` if the bytes are not one.
    fn read(file: &mut impl Read) -> io::Result<Option<FileHeader>> {
        let mut magic = [0; 8];
        file.read_exact(&mut magic)?;
        if magic == OLD_MAGIC {
            let mut name = [0; 8];
            file.read_exact(&mut name)?;
            let variant = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
            return Ok(Some(FileHeader { variant, length: 16 }));
        }
        let mut word = [0; 4];
        file.read_exact(&mut word)?;
        let length = u32::from_le_bytes(word);
        if magic != MAGIC || length > MAX_DESCRIPTION {
            return Ok(None);
        }
        let mut description = vec![0; length as usize];
        file.read_exact(&mut description)?;
        let Ok(description) = String::from_utf8(description) else { return Ok(None) };
        let variant = description.lines().find_map(|line| line.strip_prefix("variant "));
        let header = |variant: &str| FileHeader {
            variant: variant.to_owned(),
            length: 12 + u64::from(length),
        };
        Ok(variant.map(header))
    }
}

/// Reads the games of a file one after the other.
pub struct GameReader {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next game begins, in bytes.
    offset: u64,
    failed: bool,
}

impl GameReader {
    /// # Errors
    /// If the file cannot be read or does not hold games of this variant.
    pub fn open(path: &Path, variant: &'static str) -> Result<GameReader, StoreError> {
        let at = |source| StoreError::Io { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(at)?);
        let header = match FileHeader::read(&mut file) {
            Ok(Some(header)) => header,
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(at(error)),
            _ => return Err(StoreError::NotGames { path: path.to_owned() }),
        };
        if header.variant != variant {
            return Err(StoreError::OtherVariant { path: path.to_owned(), variant });
        }
        Ok(GameReader { path: path.to_owned(), file, offset: header.length, failed: false })
    }

    /// The next game; `None` at the end of the file, also within a game that was not written whole.
    fn read(&mut self) -> Result<Option<StoredGame>, StoreError> {
        match self.read_whole() {
            Ok(Some(game)) => Ok(Some(game)),
            Ok(None) => Err(StoreError::Damaged { path: self.path.clone(), offset: self.offset }),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(source) => Err(StoreError::Io { path: self.path.clone(), source }),
        }
    }

    /// `None` if the bytes are not a game.
    fn read_whole(&mut self) -> io::Result<Option<StoredGame>> {
        let mut word = [0; 4];
        self.file.read_exact(&mut word)?;
        let length = u32::from_le_bytes(word);
        if length > MAX_GAME {
            return Ok(None);
        }
        let mut body = vec![0; length as usize];
        self.file.read_exact(&mut body)?;
        self.file.read_exact(&mut word)?;
        if u32::from_le_bytes(word) != checksum(&body) {
            return Ok(None);
        }
        let game = StoredGame::from_body(&body);
        if game.is_some() {
            self.offset += 8 + u64::from(length);
        }
        Ok(game)
    }
}

impl Iterator for GameReader {
    type Item = Result<StoredGame, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let item = self.read().transpose();
        self.failed = !matches!(item, Some(Ok(_)));
        item
    }
}

/// Appends games to a file.
pub struct GameWriter {
    path: PathBuf,
    file: File,
}

impl GameWriter {
    /// Opens a file to append games, or creates it. Calls `show` for every game in it. A part of a
    /// game at the end is cut off.
    ///
    /// # Errors
    /// If the file cannot be written, holds something else, or is damaged before its end.
    pub fn open(
        path: &Path,
        variant: &'static str,
        mut show: impl FnMut(&StoredGame),
    ) -> Result<GameWriter, StoreError> {
        let at = |source| StoreError::Io { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(path).map_err(at)?;
        let header = header(variant);
        let mut start = Vec::new();
        (&mut file).take(header.len() as u64).read_to_end(&mut start).map_err(at)?;
        let end = if start.len() < header.len() && header.starts_with(&start) {
            // New, or its writer was killed within the header.
            file.write_all(&header[start.len()..]).map_err(at)?;
            header.len() as u64
        } else {
            let mut reader = GameReader::open(path, variant)?;
            for game in reader.by_ref() {
                show(&game?);
            }
            reader.offset
        };
        file.set_len(end).map_err(at)?;
        file.seek(SeekFrom::Start(end)).map_err(at)?;
        Ok(GameWriter { path: path.to_owned(), file })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, game: &StoredGame) -> Result<(), StoreError> {
        let written = self.file.write_all(&game.to_bytes());
        written.map_err(|source| StoreError::Io { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn game(number: u32) -> StoredGame {
        let mv = Move::new(Square::new(4, 0), Square::new(3, 0), MoveKind::Quiet);
        let scored = |n| ScoredMove { mv, score: Score::cp(31_990 - 500 * n) };
        let moves = (0..number as i32).map(scored).collect();
        let winner = [Some(Color::White), None, Some(Color::Black)][number as usize % 3];
        StoredGame { number, fen: "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(), winner, moves }
    }

    fn temporary(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("trebuchet-{}-{name}", std::process::id()))
    }

    fn read_all(path: &Path) -> Vec<StoredGame> {
        GameReader::open(path, "normal").unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let path = temporary("round-trip");
        let games: Vec<StoredGame> = (0..100).map(game).collect();
        let mut writer = GameWriter::open(&path, "normal", |_| panic!("a new file")).unwrap();
        for game in &games[..60] {
            writer.write(game).unwrap();
        }
        drop(writer);
        let mut shown = Vec::new();
        let mut writer =
            GameWriter::open(&path, "normal", |game| shown.push(game.clone())).unwrap();
        assert_eq!(shown, games[..60]);
        for game in &games[60..] {
            writer.write(game).unwrap();
        }
        assert_eq!(read_all(&path), games);
        assert!(matches!(GameReader::open(&path, "3check"), Err(StoreError::OtherVariant { .. })));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn names_may_have_any_length() {
        let path = temporary("long-name");
        let name = "a-variant-with-a-long-name";
        drop(GameWriter::open(&path, name, |_| ()).unwrap());
        assert_eq!(GameReader::open(&path, name).unwrap().count(), 0);
        let shorter = GameReader::open(&path, "a-variant");
        assert!(matches!(shorter, Err(StoreError::OtherVariant { .. })));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn files_of_version_1_are_read_and_continued() {
        let path = temporary("version-1");
        let old = [b"TREBGAM1normal\0\0", game(4).to_bytes().as_slice()].concat();
        std::fs::write(&path, &old).unwrap();
        let mut writer = GameWriter::open(&path, "normal", |_| ()).unwrap();
        writer.write(&game(5)).unwrap();
        assert_eq!(read_all(&path), [game(4), game(5)]);
        assert!(std::fs::read(&path).unwrap().starts_with(&old));
        assert!(matches!(GameReader::open(&path, "3check"), Err(StoreError::OtherVariant { .. })));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_torn_tail_is_cut_off() {
        let path = temporary("torn");
        let mut writer = GameWriter::open(&path, "normal", |_| ()).unwrap();
        writer.write(&game(5)).unwrap();
        let whole = std::fs::metadata(&path).unwrap().len();
        writer.write(&game(7)).unwrap();
        let all = std::fs::read(&path).unwrap();
        for length in 0..all.len() {
            std::fs::write(&path, &all[..length]).unwrap();
            let mut writer = GameWriter::open(&path, "normal", |_| ()).unwrap();
            writer.write(&game(9)).unwrap();
            let kept = if (length as u64) < whole { vec![] } else { vec![game(5)] };
            assert_eq!(read_all(&path), [kept, vec![game(9)]].concat(), "{length}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn damage_is_reported() {
        let path = temporary("damage");
        let mut writer = GameWriter::open(&path, "normal", |_| ()).unwrap();
        writer.write(&game(5)).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let start = header("normal").len();
        bytes[start + 20] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let mut reader = GameReader::open(&path, "normal").unwrap();
        let Some(Err(StoreError::Damaged { offset, .. })) = reader.next() else { panic!() };
        assert_eq!(offset, start as u64);
        assert!(reader.next().is_none());
        for other in ["1. e4", "[Event \"?\"] a game of another kind"] {
            std::fs::write(&path, other).unwrap();
            let error = GameWriter::open(&path, "normal", |_| ()).err();
            assert!(matches!(error, Some(StoreError::NotGames { .. })));
            assert_eq!(std::fs::read(&path).unwrap(), other.as_bytes());
        }
        std::fs::remove_file(&path).unwrap();
    }
}
