//! Moves and games as text: coordinate notation, SAN, EPD, PGN.
//!
//! Imports `movegen` and what is below it. It knows neither search nor protocols, and reads and
//! writes no files.

mod epd;
mod grammar;
mod moves;
pub mod pgn;
mod refusal;
mod san;

pub use epd::{Epd, Operation};
pub use moves::{coordinate, parse_move};
pub use refusal::MoveError;
pub use san::san;
