//! Legal move generation. Checks and pins are found once for a position, then only legal moves are
//! generated. No move is made to see whether it leaves the king in check.
//!
//! Imports `board` and `types`. Allocates nothing.

mod castling;
mod checks;
mod drops;
mod generator;
mod legal;
mod legality;
mod pawns;
pub mod perft;
mod pieces;

pub use legality::Legality;
