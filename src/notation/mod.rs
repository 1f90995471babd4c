//! Text to moves and games, and back: coordinate notation, SAN, EPD, PGN.
//!
//! A side room: uses movegen and what is below it, knows nothing of search or protocols, and never
//! reads or writes a file itself.

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
