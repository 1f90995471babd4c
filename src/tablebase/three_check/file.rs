//! The file of a table: `KQvKR.t3c`.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | contents |
//! |---|---|---|
//! | 0 | 8 | `TREBT3C` and a zero byte |
//! | 8 | 4 | version: 1 |
//! | 12 | 12 | the name of the ending, filled up with zero bytes |
//! | 24 | 4 | the number of blocks |
//! | 28 | 4 | the longest win, in plies |
//! | 32 | 24 | how many positions the side to move wins, draws and loses |
//! | 56 | 8 | checksum: FNV-1a, 64 bits, of all other bytes |
//! | 64 | 133 | the code: lengths of the code words, two in a byte, the lower half first |
//! | 197 | 4 (blocks + 1) | where each block begins, counted from the end of this list |
//! | | | the blocks |
//!
//! The values are ordered by White's checks left, Black's checks left, side to move, and placement
//! (see `index`); every 4096 of them are a block (see `packing`). Without pawns, blocks with the white
//! king above the long diagonal are empty, because the mirrored position has the same value.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::ending::Ending;
use super::index::{BLOCK, Index};
use super::men::MenSquares;
use super::packing::{CODE_BYTES, Unpacker, pack};
use super::solver::Solved;
use super::value::Code;
use crate::fnv::{FNV_START, fnv_1a};
use crate::types::Color;

/// The extension of the files.
pub const EXTENSION: &str = "t3c";

/// The first bytes of a file.
pub const FAMILY: &str = "TREBT3C";

/// The same with the zero byte.
const MAGIC: [u8; 8] = *b"TREBT3C\0";
const VERSION: u32 = 1;
const CHECKSUM_AT: usize = 56;
const CODE_AT: usize = 64;
const DIRECTORY_AT: usize = CODE_AT + CODE_BYTES;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableFileError {
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0}: not a table of this version")]
    Header(PathBuf),
    #[error("{0}: damaged, the checksum is wrong")]
    Checksum(PathBuf),
    #[error("{0}: the name of the file and that of the ending in it differ")]
    Name(PathBuf),
    #[error("{0}: damaged, the contents make no sense")]
    Contents(PathBuf),
}

/// No table is larger than this, in bytes. What is larger, or is no plain file, is not read.
const GREATEST_FILE: u64 = 1 << 30;

/// The table of one ending, in memory. Blocks are unpacked at their first use and kept.
pub struct Table {
    index: Index,
    longest: u16,
    counts: [u64; 3],
    unpacker: Unpacker,
    starts: Vec<u32>,
    data: Vec<u8>,
    blocks: Vec<OnceLock<Option<Box<[u8]>>>>,
}

/// The name of an ending's file.
pub fn file_name(ending: &Ending) -> String {
    format!("{ending}.{EXTENSION}")
}

/// The extension of a file that is being written. Its writer holds a lock on it.
const UNFINISHED: &str = "part";

/// Removes what writers have left in a folder that were killed.
///
/// # Errors
/// If the folder cannot be read.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        // ENDING.PROCESS.part
        let mut parts = path.file_name().and_then(|name| name.to_str()).unwrap_or("").split('.');
        let is_ours = parts.next().is_some_and(|name| name.parse::<Ending>().is_ok())
            && parts.next().is_some_and(|process| process.parse::<u32>().is_ok())
            && parts.eq([UNFINISHED])
            && path.symlink_metadata().is_ok_and(|found| found.is_file());
        let is_in_use = || {
            let lock = File::options().write(true).open(&path).map(|file| file.try_lock());
            matches!(lock, Ok(Err(TryLockError::WouldBlock)))
        };
        if is_ours && !is_in_use() {
            // Best effort: it does no harm.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

/// Writes the table of an ending into a folder: first under another name, which is then changed, so
/// that a file with the right name is always complete. Returns its size in bytes.
///
/// # Errors
/// If the file cannot be written.
pub fn write(ending: &Ending, solved: &Solved, folder: &Path) -> Result<u64, TableFileError> {
    let per_side = solved.index.size() / BLOCK;
    let values = solved.layers.iter().flatten().flat_map(|values| values.chunks_exact(BLOCK));
    let blocks = values.enumerate().map(|(number, block)| {
        let is_left_out = solved.index.is_left_out(number % per_side);
        (!is_left_out).then_some(block)
    });
    let packed = pack(blocks);
    let mut bytes = Vec::with_capacity(DIRECTORY_AT + 4 * packed.starts.len() + packed.data.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    let mut name = [0; 12];
    for (to, from) in name.iter_mut().zip(ending.to_string().bytes()) {
        *to = from;
    }
    bytes.extend(name);
    bytes.extend((packed.starts.len() as u32 - 1).to_le_bytes());
    bytes.extend(u32::from(solved.longest()).to_le_bytes());
    solved.counts().iter().for_each(|count| bytes.extend(count.to_le_bytes()));
    bytes.extend([0; 8]);
    bytes.extend(packed.code);
    packed.starts.iter().for_each(|start| bytes.extend(start.to_le_bytes()));
    bytes.extend(packed.data);
    let sum = checksum(&bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());

    let path = folder.join(file_name(ending));
    let unfinished = folder.join(format!("{ending}.{}.{UNFINISHED}", std::process::id()));
    let renamed = File::create(&unfinished).and_then(|mut file| {
        // Best effort: some file systems know no locks.
        let _ = file.try_lock();
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, &path)
    });
    if renamed.is_err() {
        // Best effort: the disk may be full.
        let _ = fs::remove_file(&unfinished);
    }
    renamed.map(|()| bytes.len() as u64).map_err(|error| TableFileError::Io(path, error))
}

/// The checksum of a file: over all bytes but its own.
fn checksum(bytes: &[u8]) -> u64 {
    let (before, rest) = bytes.split_at(CHECKSUM_AT.min(bytes.len()));
    let after = rest.get(8..).unwrap_or_default();
    fnv_1a(FNV_START, before.iter().chain(after).copied())
}

impl Table {
    /// Reads a table, and checks that it is whole.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or holds another ending.
    pub fn read(path: &Path, ending: &Ending) -> Result<Table, TableFileError> {
        let here = || path.to_owned();
        let io_error = |error| TableFileError::Io(here(), error);
        let metadata = fs::metadata(path).map_err(io_error)?;
        if !metadata.is_file() || metadata.len() > GREATEST_FILE {
            return Err(TableFileError::Header(here()));
        }
        let bytes = fs::read(path).map_err(io_error)?;
        let number = |at: usize| {
            let field: Option<&[u8; 4]> = bytes.get(at..).and_then(<[u8]>::first_chunk);
            field.map(|field| u32::from_le_bytes(*field))
        };
        let long = |at: usize| {
            let field: Option<&[u8; 8]> = bytes.get(at..).and_then(<[u8]>::first_chunk);
            field.map(|field| u64::from_le_bytes(*field))
        };
        if bytes.get(..8) != Some(&MAGIC) || number(8) != Some(VERSION) {
            return Err(TableFileError::Header(here()));
        }
        if long(CHECKSUM_AT) != Some(checksum(&bytes)) {
            return Err(TableFileError::Checksum(here()));
        }
        let name = bytes.get(12..24).unwrap_or_default().split(|&byte| byte == 0).next();
        if name != Some(ending.to_string().as_bytes()) {
            return Err(TableFileError::Name(here()));
        }
        let table = || {
            let index = Index::new(ending);
            let blocks = number(24)? as usize;
            if blocks != 2 * index.layers() * index.size() / BLOCK {
                return None;
            }
            let unpacker = Unpacker::new(bytes.get(CODE_AT..)?.first_chunk()?)?;
            let data_at = DIRECTORY_AT + 4 * (blocks + 1);
            let directory = bytes.get(DIRECTORY_AT..data_at)?;
            let data = bytes.get(data_at..)?.to_vec();
            let starts: Vec<u32> = directory
                .chunks_exact(4)
                .map(|start| start.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte)))
                .collect();
            let fits =
                starts.is_sorted() && starts.last().is_some_and(|&n| n as usize == data.len());
            fits.then_some(Table {
                index,
                longest: number(28)? as u16,
                counts: [long(32)?, long(40)?, long(48)?],
                unpacker,
                starts,
                data,
                blocks: std::iter::repeat_with(OnceLock::new).take(blocks).collect(),
            })
        };
        table().ok_or_else(|| TableFileError::Contents(here()))
    }

    /// The value of a placement of the ending's men; `None` if the block is damaged. An illegal
    /// position has any value.
    pub fn code(&self, squares: MenSquares, side: Color, left: [u8; 2]) -> Option<Code> {
        let place = self.index.of(self.index.squares_in_file(squares));
        let number = (2 * self.index.layer(left) + side.index()) * self.index.size() + place;
        let block = number / BLOCK;
        let values = self.blocks.get(block)?.get_or_init(|| {
            let range = self.starts[block] as usize..self.starts[block + 1] as usize;
            self.unpacker.unpack(self.data.get(range)?)
        });
        values.as_ref().map(|values| Code(values[number % BLOCK]))
    }

    /// The numbering of the positions.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The longest win, in plies.
    pub fn longest(&self) -> u16 {
        self.longest
    }

    /// How many positions the side to move wins, draws and loses.
    pub fn counts(&self) -> [u64; 3] {
        self.counts
    }
}
