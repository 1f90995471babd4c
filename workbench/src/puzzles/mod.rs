//! `trebuchet puzzles`: positions from games in which one move, and no other, wins.
//!
//! `source` reads the games, `solver` is the engine that searches and plays at every strength, `proof` tells
//! whether a position is a puzzle, `themes` what it is about, and `confirm` asks a second engine.
//!
//! Imports the engine and, for the files of games and the second engine, `arena` and `tuning`.

mod command;
mod confirm;
mod proof;
mod solver;
mod source;
mod themes;

pub use command::{PuzzlesArgs, PuzzlesError, run};
