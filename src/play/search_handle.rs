//! A search as its owner holds it.

use super::SearchId;
use super::report::{HeldEnd, RootStatusCell};
use crate::search::time_management::TimeBudget;
use crate::search::{RootStatus, StopToken};
use crate::types::Moment;

/// One search: its id, its stop token and its clock. Dropping it does not end the search.
#[derive(Clone, Debug)]
pub struct SearchHandle {
    id: SearchId,
    stop: StopToken,
    root_status: RootStatusCell,
    held_end: HeldEnd,
}

impl SearchHandle {
    pub(super) fn new(id: SearchId, stop: StopToken, root_status: RootStatusCell) -> SearchHandle {
        SearchHandle { id, stop, root_status, held_end: HeldEnd::default() }
    }

    /// The id that the events of this search bear.
    pub const fn id(&self) -> SearchId {
        self.id
    }

    /// The token that ends the search.
    pub(super) fn stop_token(&self) -> StopToken {
        self.stop.clone()
    }

    /// Where the end of the search waits if it may not end by itself.
    pub(super) fn held_end(&self) -> HeldEnd {
        self.held_end.clone()
    }

    /// Ends the search. It reports its best move so far as [`super::SearchEvent::Finished`].
    pub fn stop(&self) {
        self.stop.stop();
        self.held_end.release();
    }

    /// Has [`SearchHandle::stop`] been called?
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Limits the time, counted from this moment, also of a search that already runs, as on a ponder hit.
    pub fn start_clock(&self, from: Moment, budget: TimeBudget) {
        self.stop.set_time_limits(from, budget.soft, budget.hard);
        self.held_end.release();
    }

    /// Where the search stands at the root, if it has begun an iteration and has not ended.
    pub fn root_status(&self) -> Option<RootStatus> {
        self.root_status.get()
    }
}
