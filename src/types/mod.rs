//! The words everyone uses: colours, pieces, squares, moves, scores, keys, outcomes.
//!
//! Imports nothing of this crate; knows no rules of any game.

mod castling;
mod color;
mod key;
mod moves;
mod outcome;
mod piece;
mod result;
mod score;
mod square;
mod step;

pub use castling::CastlingSide;
pub use color::Color;
pub use key::Key;
pub use moves::{Move, MoveKind, MoveList};
pub use outcome::{Outcome, Reason};
pub use piece::{Cell, Piece, PieceKind};
pub use result::GameResult;
pub use score::{MAX_PLY, Score};
pub use square::Square;
pub use step::Step;

/// A remaining search depth, in plies. May be negative in quiescence.
pub type Depth = i32;

/// A distance from the root or from the start of the game, in plies.
pub type Ply = usize;
