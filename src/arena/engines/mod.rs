//! Drives other engines, or our own, as child processes: the player's side of CECP and UCI.
//!
//! Knows no rules of any game: whether a move is legal or a claim true is for whoever uses it.

pub mod budget;
mod cecp;
pub mod journal;
pub mod player;
pub mod process;
pub mod spec;
mod uci;

pub use budget::{Budget, Clock, Pace};
pub use cecp::Features;
pub use player::{Action, Answer, GameStart, Patience, Player, Thought, Turn};
pub use process::{Errors, Interrupt, Line, Process, Trouble};
pub use spec::{EngineSpec, FenDialect, Protocol};
