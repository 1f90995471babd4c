//! `trebuchet puzzles`: positions from games in which one move, and no other, wins.
//!
//! `source` reads the games, `solver` is the engine that searches and plays at every strength, `proof` tells
//! whether a position is a puzzle, `themes` what it is about, `confirm` asks a second engine, and `collection` is the
//! file of puzzles.
//!
//! Imports the engine; for the files of games and the second engine `arena` and `tuning`, `report` for the standard
//! output, `files` and `counts`.

mod collection;
mod command;
mod confirm;
mod error;
mod proof;
mod solver;
mod source;
mod themes;

pub use command::{PuzzlesArgs, run};
pub use error::PuzzlesError;
