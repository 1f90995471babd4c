//! The board: a position with its history, and questions about it.
//!
//! A 0x88 mailbox with walls, and bitboards. Imports `types` only. It asks the
//! variant through `Rules` and does not know which one it is. It generates no moves.

pub mod attacks;
pub mod bitboards;
mod castling;
mod castling_rights;
mod checks;
mod draws;
mod explosions;
pub mod fen;
mod hands;
mod make;
mod position;
mod rules;
mod setup;
mod verify;
pub mod zobrist;

pub use castling_rights::CastlingRights;
pub use checks::Checks;
pub use draws::FIFTY_MOVES;
pub use fen::FenError;
pub use hands::Hands;
pub use position::Position;
pub use rules::{EndgameTables, Rules};
pub use setup::{MOST_PIECES, MOST_QUEENS_AND_PAWNS, PositionError, Setup};
