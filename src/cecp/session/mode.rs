//! What the engine is doing in a session, and its running searches.

use crate::play::{Choice, SearchHandle, SearchId};
use crate::search::Progress;
use crate::types::{Moment, Move};

/// A search under way.
#[derive(Clone, Debug)]
pub(super) struct RunningSearch {
    pub(super) handle: SearchHandle,
    /// When its time began to count.
    pub(super) since: Moment,
    /// Its last report of the best line.
    pub(super) latest: Option<Progress>,
    /// `latest` was reported while pondering, when GUIs discard thinking lines.
    pub(super) needs_repost: bool,
}

impl RunningSearch {
    pub(super) const fn new(handle: SearchHandle, since: Moment) -> RunningSearch {
        RunningSearch { handle, since, latest: None, needs_repost: false }
    }

    pub(super) const fn id(&self) -> SearchId {
        self.handle.id()
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<Move> {
        self.latest.as_ref()?.pv.first().copied()
    }
}

/// A search of the position after the expected move of the opponent.
#[derive(Clone, Debug)]
pub(super) struct Ponder {
    pub(super) search: RunningSearch,
    /// The expected move.
    pub(super) guess: Move,
    /// What the search has decided, if it has ended by itself.
    pub(super) choice: Option<Choice>,
}

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
