//! Searches under way, as the owner of an engine keeps them: for a move, or on the opponent's time.

use super::{Choice, SearchHandle, SearchId};
use crate::search::Progress;
use crate::search::time_management::TimeBudget;
use crate::types::{Moment, Move};

/// A search under way.
#[derive(Clone, Debug)]
pub struct RunningSearch {
    pub handle: SearchHandle,
    /// From when its time counts.
    pub since: Moment,
    /// Its last report of the best line.
    pub latest: Option<Progress>,
    /// `latest` was reported while pondering, when GUIs discard thinking lines.
    pub needs_repost: bool,
}

impl RunningSearch {
    pub const fn new(handle: SearchHandle, since: Moment) -> RunningSearch {
        RunningSearch { handle, since, latest: None, needs_repost: false }
    }

    /// The id that the events of this search bear.
    pub const fn id(&self) -> SearchId {
        self.handle.id()
    }

    /// The best move so far.
    pub fn best(&self) -> Option<Move> {
        self.latest.as_ref()?.pv.first().copied()
    }
}

/// A search of the position after the expected move of the opponent.
#[derive(Clone, Debug)]
pub struct Ponder {
    pub search: RunningSearch,
    /// The expected move.
    pub guess: Move,
    /// What the search has decided, if it has ended by itself.
    pub choice: Option<Choice>,
}

impl Ponder {
    pub const fn new(search: RunningSearch, guess: Move) -> Ponder {
        Ponder { search, guess, choice: None }
    }

    /// The opponent has made the expected move: the search becomes that for the engine's move, with this time. Also
    /// returns what it has decided, if it has ended already.
    pub fn hit(self, now: Moment, budget: TimeBudget) -> (RunningSearch, Option<Choice>) {
        let Ponder { mut search, choice, .. } = self;
        search.handle.start_clock(budget.start_at_hit(search.since, now), budget);
        search.since = now;
        search.needs_repost = true;
        (search, choice)
    }
}
