//! The types that all modules use: colours, pieces, squares, moves, scores, keys, outcomes, times.
//!
//! Imports no other module of the crate and knows the rules of no game.

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
mod time;

pub use castling::CastlingSide;
pub use color::Color;
pub use key::Key;
pub use moves::{Move, MoveKind, MoveList, bring_to_front};
pub use outcome::{Outcome, Reason};
pub use piece::{Cell, Piece, PieceKind};
pub use result::GameResult;
pub use score::{MAX_PLY, Score};
pub use square::Square;
pub use step::Step;
pub use time::{Moment, TimeSource};

/// A remaining search depth, in plies. Zero or negative in quiescence search.
pub type Depth = i32;

/// A distance from the root or from the start of the game, in plies.
pub type Ply = usize;
