//! Games between two players: the record of a game, how it ended, and both as PGN.
//!
//! The runner of matches writes records; resuming and grading read them.

mod ending;
mod record;

pub use ending::{AdjudicatedBy, Forfeit, ForfeitKind, GameEnding};
pub use record::{GameRecord, MoveRecord, PlayerRecord, RecordError};
