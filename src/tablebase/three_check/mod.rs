//! Endgame tables of three-check: who wins endings of three and four men, and in how many plies.
//!
//! `solver` computes an ending by retrograde analysis, `packing` and `file` store it, and
//! [`ThreeCheckTables`] answers questions from the files of some folders. The values leave the fifty-move
//! rule aside, castling, and en passant: no ending with pawns on both sides is made.
//!
//! The generator has rules of its own (`men`), because it needs them much faster than a
//! position with history can be. The tests compare both, position by position.

mod ending;
mod file;
mod index;
mod men;
mod packing;
mod solver;
mod value;
mod verify;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

pub use ending::{Ending, MOST_MEN, UnknownEnding};
pub use file::{EXTENSION, FAMILY, Table, TableFileError, file_name, remove_unfinished, write};
pub use index::Index;
pub use men::Men;
pub use solver::{SolveError, Solved, SubTables, memory_needed, solve};
pub use value::{CheckValue, Code};
pub use verify::{VerifyError, verify};

use crate::threads::lock;
use crate::types::Color;

/// The tables in some folders. A file is read when its ending is first asked for.
pub struct ThreeCheckTables {
    /// By [`Ending::key`].
    slots: Vec<Option<Slot>>,
    most_men: usize,
    /// What is wrong with files, for people.
    notices: Mutex<Vec<String>>,
}

/// The file of an ending, and its table once it is read; `None` if it cannot be.
struct Slot {
    ending: Ending,
    path: PathBuf,
    table: OnceLock<Option<Table>>,
}

impl ThreeCheckTables {
    /// The tables of a folder and those of the next ones that it does not have. Their files are not
    /// read yet.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn open(folders: &[&Path]) -> io::Result<ThreeCheckTables> {
        let mut tables = ThreeCheckTables {
            slots: std::iter::repeat_with(|| None).take(Ending::KEYS).collect(),
            most_men: 0,
            notices: Mutex::default(),
        };
        for folder in folders {
            for entry in fs::read_dir(folder)? {
                tables.add(&entry?.path());
            }
        }
        Ok(tables)
    }

    /// Adds a file if its name is that of a table.
    fn add(&mut self, path: &Path) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_table = path.extension().is_some_and(|extension| extension == EXTENSION);
        if is_table
            && let Ok(ending) = stem.parse::<Ending>()
            && ending.to_string() == stem
        {
            let slot = &mut self.slots[ending.key()];
            if slot.is_none() {
                self.most_men = self.most_men.max(ending.men());
                let path = path.to_owned();
                *slot = Some(Slot { ending, path, table: OnceLock::new() });
            }
        }
    }

    /// The number of men in the greatest table; 0 if there is no table.
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// The endings for which there is a file.
    pub fn endings(&self) -> impl Iterator<Item = &Ending> {
        self.slots.iter().flatten().map(|slot| &slot.ending)
    }

    /// The table of an ending. Reads its file at the first call.
    pub fn table(&self, ending: &Ending) -> Option<&Table> {
        let slot = self.slots[ending.key()].as_ref()?;
        let read = || {
            Table::read(&slot.path, &slot.ending)
                .map_err(|error| lock(&self.notices).push(error.to_string()))
                .ok()
        };
        slot.table.get_or_init(read).as_ref()
    }

    /// The value of a position for the side to move; `None` if no table has it. `left` are the checks
    /// that White and Black still have to give, 1 to 3 each.
    pub fn value(&self, men: &Men, side: Color, left: [u8; 2]) -> Option<CheckValue> {
        self.code(men, side, left).map(Code::value)
    }

    /// What is wrong with files, each sentence once.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notices))
    }
}

impl SubTables for ThreeCheckTables {
    fn code(&self, men: &Men, side: Color, left: [u8; 2]) -> Option<Code> {
        let Some((ending, squares, is_swapped)) = index::normalise(men) else {
            return Some(Code::DRAW);
        };
        let table = self.table(&ending)?;
        let [white, black] = left;
        let (side, left) = if is_swapped { (!side, [black, white]) } else { (side, left) };
        table.code(squares, side, left)
    }
}

#[cfg(test)]
mod tests;
