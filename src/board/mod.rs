//! The board: one position, its history, and the facts one can read off it.
//!
//! A 0x88 mailbox with walls and a list of pieces with fixed ids. Imports `types` only. It asks a
//! variant through `Rules` and never learns which one it serves. It generates no moves.

pub mod attacks;
mod castling;
mod castling_rights;
mod checks;
mod draws;
pub mod fen;
mod make;
mod position;
mod rules;
mod setup;
mod verify;
pub mod zobrist;

pub use castling_rights::CastlingRights;
pub use checks::Checks;
pub use fen::FenError;
pub use position::Position;
pub use rules::Rules;
pub use setup::{PositionError, Setup};
