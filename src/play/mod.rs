//! A game as it is played: the position with its history, and the player, in one of three stages.
//!
//! Here the type of the variant is erased: the protocol sees a `Box<dyn Game>`.

mod game;
mod stage;
mod table;

pub use game::{Choice, Game, Reporter, SearchEvent, SearchId};
pub use stage::{Stage, UnknownStage};
pub use table::new_game;
