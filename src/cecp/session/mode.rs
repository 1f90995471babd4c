//! What the engine is doing in a session.

use crate::play::{Ponder, RunningSearch};
use crate::types::Moment;

/// What the engine is doing.
#[derive(Debug)]
pub(super) enum Mode {
    /// It plays neither side.
    Forced,
    /// It plays a side and is idle: it waits for the opponent's move or for `go`.
    Waiting,
    /// It thinks about its move.
    Thinking(RunningSearch),
    /// The opponent thinks; the engine searches the answer to the expected move.
    Pondering(Ponder),
    /// It analyses; `None` where no move can be searched.
    Analyzing(Option<RunningSearch>),
    /// It is paused since a moment and goes on with `from`.
    Paused { since: Moment, from: Box<Mode> },
    /// The game has ended; moves are taken as in force mode.
    Over,
}

/// Stops the search of a mode, and gives the mode without it.
pub(super) fn without_search(mode: Mode) -> Mode {
    match mode {
        Mode::Thinking(search) | Mode::Pondering(Ponder { search, .. }) => {
            search.handle.stop();
            Mode::Waiting
        }
        Mode::Analyzing(search) => {
            search.inspect(|search| search.handle.stop());
            Mode::Analyzing(None)
        }
        Mode::Paused { from, .. } => without_search(*from),
        Mode::Forced | Mode::Waiting | Mode::Over => mode,
    }
}
