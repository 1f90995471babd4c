//! Files of games for training: how they are written, resumed and read.
//!
//! A file begins with `MAGIC` and the variant's CECP name in 8 bytes, padded with zeros. Then come
//! game records, all numbers little-endian:
//!
//! ```text
//! u32  length of the rest, checksum excluded     u8  result: 0 Black won, 1 draw, 2 White won
//! u32  number of the game in its run             u8  length of the FEN, then the FEN
//! ( u16  move as Move::bits    i16  score in centipawns from the mover )  for each ply
//! u32  checksum of the rest
//! ```
//!
//! Records are appended whole. A file whose writer was killed may end in a part of one; it is cut
//! off when the file is opened for more.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::types::{Color, Move, Score};

const MAGIC: [u8; 8] = *b"TREBGAM1";
const HEADER_LENGTH: u64 = 16;
/// No game is longer, in bytes: 64 Ki plies are enough for anyone.
const LONGEST: u32 = 1 << 18;

/// A game of engine against engine, from the position that the opening led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of the game in its run.
    pub number: u32,
    pub fen: String,
    /// Who won, if anyone.
    pub winner: Option<Color>,
    /// The moves, each with its score from the side that made it.
    pub plies: Vec<(Move, Score)>,
}

/// What can be wrong with a file of games.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is not a file of games")]
    NotGames { path: PathBuf },
    #[error("{path} has games of another variant than {variant}")]
    OtherVariant { path: PathBuf, variant: &'static str },
    #[error("{path}: the game at byte {offset} is damaged")]
    Damaged { path: PathBuf, offset: u64 },
}

impl Record {
    fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(6 + self.fen.len() + 4 * self.plies.len());
        body.extend(self.number.to_le_bytes());
        body.push(match self.winner {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        });
        let fen = &self.fen.as_bytes()[..self.fen.len().min(255)];
        body.push(fen.len() as u8);
        body.extend(fen);
        for (mv, score) in &self.plies {
            body.extend(mv.bits().to_le_bytes());
            body.extend((score.value() as i16).to_le_bytes());
        }
        let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
        bytes.extend(&body);
        bytes.extend(checksum(&body).to_le_bytes());
        bytes
    }

    fn from_body(body: &[u8]) -> Option<Record> {
        let (number, rest) = body.split_first_chunk()?;
        let (&[result, fen_length], rest) = rest.split_first_chunk()?;
        let (fen, plies) = rest.split_at_checked(fen_length.into())?;
        let winner = match result {
            0 => Some(Color::Black),
            1 => None,
            2 => Some(Color::White),
            _ => return None,
        };
        let plies = plies.chunks(4).map(|ply| {
            let &[a, b, c, d] = ply else { return None };
            let mv = Move::from_bits(u16::from_le_bytes([a, b]))?;
            Some((mv, Score::cp(i16::from_le_bytes([c, d]).into())))
        });
        Some(Record {
            number: u32::from_le_bytes(*number),
            fen: std::str::from_utf8(fen).ok()?.to_owned(),
            winner,
            plies: plies.collect::<Option<_>>()?,
        })
    }
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

fn header(variant: &str) -> [u8; HEADER_LENGTH as usize] {
    let mut header = [0; HEADER_LENGTH as usize];
    header[..8].copy_from_slice(&MAGIC);
    for (byte, letter) in header[8..].iter_mut().zip(variant.bytes()) {
        *byte = letter;
    }
    header
}

/// Reads the games of a file one after the other.
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next record begins.
    offset: u64,
    failed: bool,
}

impl Reader {
    /// # Errors
    /// If the file cannot be read or does not hold games of this variant.
    pub fn open(path: &Path, variant: &'static str) -> Result<Reader, StoreError> {
        let at = |source| StoreError::Io { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(at)?);
        let mut found = [0; HEADER_LENGTH as usize];
        file.read_exact(&mut found).map_err(at)?;
        if found[..8] != MAGIC {
            return Err(StoreError::NotGames { path: path.to_owned() });
        }
        if found != header(variant) {
            return Err(StoreError::OtherVariant { path: path.to_owned(), variant });
        }
        Ok(Reader { path: path.to_owned(), file, offset: HEADER_LENGTH, failed: false })
    }

    /// The next game; none at the end of the file or where its writer was cut off.
    fn read(&mut self) -> Result<Option<Record>, StoreError> {
        match self.read_whole() {
            Ok(Some(record)) => Ok(Some(record)),
            Ok(None) => Err(StoreError::Damaged { path: self.path.clone(), offset: self.offset }),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(source) => Err(StoreError::Io { path: self.path.clone(), source }),
        }
    }

    /// `None` if the bytes are there and are not a record.
    fn read_whole(&mut self) -> io::Result<Option<Record>> {
        let mut word = [0; 4];
        self.file.read_exact(&mut word)?;
        let length = u32::from_le_bytes(word);
        if length > LONGEST {
            return Ok(None);
        }
        let mut body = vec![0; length as usize];
        self.file.read_exact(&mut body)?;
        self.file.read_exact(&mut word)?;
        if u32::from_le_bytes(word) != checksum(&body) {
            return Ok(None);
        }
        let record = Record::from_body(&body);
        if record.is_some() {
            self.offset += 8 + u64::from(length);
        }
        Ok(record)
    }
}

impl Iterator for Reader {
    type Item = Result<Record, StoreError>;

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
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Opens a file for more games, or makes it; shows every game that is there already. What is
    /// not a whole game at the end is cut off.
    ///
    /// # Errors
    /// If the file cannot be written, holds something else, or is damaged in its middle.
    pub fn open(
        path: &Path,
        variant: &'static str,
        mut show: impl FnMut(&Record),
    ) -> Result<Writer, StoreError> {
        let at = |source| StoreError::Io { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(path).map_err(at)?;
        let length = file.metadata().map_err(at)?.len();
        let mut end = HEADER_LENGTH;
        if length < HEADER_LENGTH {
            let mut start = Vec::new();
            file.read_to_end(&mut start).map_err(at)?;
            if !header(variant).starts_with(&start) {
                return Err(StoreError::NotGames { path: path.to_owned() });
            }
            file.write_all(&header(variant)[start.len()..]).map_err(at)?;
        } else {
            let mut reader = Reader::open(path, variant)?;
            for record in reader.by_ref() {
                show(&record?);
            }
            end = reader.offset;
            file.set_len(end).map_err(at)?;
        }
        file.seek(SeekFrom::Start(end)).map_err(at)?;
        Ok(Writer { path: path.to_owned(), file })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, record: &Record) -> Result<(), StoreError> {
        let written = self.file.write_all(&record.to_bytes());
        written.map_err(|source| StoreError::Io { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn record(number: u32) -> Record {
        let mv = Move::new(Square::new(4, 0), Square::new(3, 0), MoveKind::Quiet);
        let plies = (0..number as i32).map(|n| (mv, Score::cp(31_990 - 500 * n))).collect();
        let winner = [Some(Color::White), None, Some(Color::Black)][number as usize % 3];
        Record { number, fen: "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(), winner, plies }
    }

    fn temporary(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("trebuchet-{}-{name}", std::process::id()))
    }

    fn read_all(path: &Path) -> Vec<Record> {
        Reader::open(path, "normal").unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let path = temporary("round-trip");
        let games: Vec<Record> = (0..100).map(record).collect();
        let mut writer = Writer::open(&path, "normal", |_| panic!("a new file")).unwrap();
        for game in &games[..60] {
            writer.write(game).unwrap();
        }
        drop(writer);
        let mut shown = Vec::new();
        let mut writer = Writer::open(&path, "normal", |game| shown.push(game.clone())).unwrap();
        assert_eq!(shown, games[..60]);
        for game in &games[60..] {
            writer.write(game).unwrap();
        }
        assert_eq!(read_all(&path), games);
        assert!(matches!(Reader::open(&path, "3check"), Err(StoreError::OtherVariant { .. })));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_torn_tail_is_cut_off() {
        let path = temporary("torn");
        let mut writer = Writer::open(&path, "normal", |_| ()).unwrap();
        writer.write(&record(5)).unwrap();
        let whole = std::fs::metadata(&path).unwrap().len();
        writer.write(&record(7)).unwrap();
        let all = std::fs::read(&path).unwrap();
        for length in 0..all.len() {
            std::fs::write(&path, &all[..length]).unwrap();
            let mut writer = Writer::open(&path, "normal", |_| ()).unwrap();
            writer.write(&record(9)).unwrap();
            let kept = if (length as u64) < whole { vec![] } else { vec![record(5)] };
            assert_eq!(read_all(&path), [kept, vec![record(9)]].concat(), "{length}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn damage_is_reported() {
        let path = temporary("damage");
        let mut writer = Writer::open(&path, "normal", |_| ()).unwrap();
        writer.write(&record(5)).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[HEADER_LENGTH as usize + 20] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let mut reader = Reader::open(&path, "normal").unwrap();
        assert!(matches!(reader.next(), Some(Err(StoreError::Damaged { offset: 16, .. }))));
        assert!(reader.next().is_none());
        for other in ["1. e4", "[Event \"?\"] a game of another kind"] {
            std::fs::write(&path, other).unwrap();
            let error = Writer::open(&path, "normal", |_| ()).err();
            assert!(matches!(error, Some(StoreError::NotGames { .. })));
            assert_eq!(std::fs::read(&path).unwrap(), other.as_bytes());
        }
        std::fs::remove_file(&path).unwrap();
    }
}
