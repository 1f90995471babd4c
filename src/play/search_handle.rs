//! A search as its owner holds it.

use super::SearchId;
use super::report::RootStatusCell;
use crate::search::clock::TimeBudget;
use crate::search::{RootStatus, StopToken};
use crate::types::Moment;

/// One search: its id, its stop token and its clock. Dropping it does not end the search.
#[derive(Clone, Debug)]
pub struct SearchHandle {
    id: SearchId,
    stop: StopToken,
    root_status: RootStatusCell,
}

impl SearchHandle {
    pub(super) fn new(id: SearchId, stop: StopToken, root_status: RootStatusCell) -> SearchHandle {
        SearchHandle { id, stop, root_status }
    }

    /// The id that the events of this search bear.
    pub const fn id(&self) -> SearchId {
        self.id
    }

    /// The token that ends the search.
    pub(super) fn stop_token(&self) -> StopToken {
        self.stop.clone()
    }

    /// Ends the search. It reports its best move so far as [`super::SearchEvent::Finished`].
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Limits the time from `now` on, also of a search that already runs, as on a ponder hit.
    pub fn start_clock(&self, now: Moment, budget: TimeBudget) {
        self.stop.set_time_limits(now, budget.soft, budget.hard);
    }

    /// Where the search stands at the root, if it has begun an iteration and has not ended.
    pub fn root_status(&self) -> Option<RootStatus> {
        self.root_status.get()
    }
}
