//! Games between two players: how they begin, the record of a game, how it ended, and PGN.
//!
//! The runner of matches writes records; resuming and grading read them.

mod ending;
pub mod openings;
mod record;

pub use ending::{AdjudicatedBy, Forfeit, ForfeitKind, GameEnding};
pub use record::{GameRecord, MoveRecord, PlayerRecord, without_figures};
