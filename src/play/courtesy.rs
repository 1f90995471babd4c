//! Studies give way to other work of the engine.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::{SearchEvent, SearchHandle};

/// How often a study that gives way looks whether it must.
const LOOK: Duration = Duration::from_millis(10);

/// Is the engine wanted for something that matters more than a study?
pub type IsWanted = Arc<dyn Fn() -> bool + Send + Sync>;

/// Whether studies give way to other work.
#[derive(Default)]
pub(super) struct Courtesy {
    is_wanted: Option<IsWanted>,
    /// The studies of now give way.
    gives_way: bool,
    /// One of them has.
    has_given_way: bool,
}

impl Courtesy {
    pub(super) fn set_is_wanted(&mut self, is_wanted: IsWanted) {
        self.is_wanted = Some(is_wanted);
    }

    /// From now on, studies give way.
    pub(super) const fn begin(&mut self) {
        self.gives_way = true;
    }

    /// From now on, studies go on to their ends. Has one given way until now?
    pub(super) const fn end(&mut self) -> bool {
        self.gives_way = false;
        std::mem::replace(&mut self.has_given_way, false)
    }

    /// Must a study end, or not begin?
    pub(super) fn must_end(&mut self) -> bool {
        let is_wanted = || self.is_wanted.as_ref().is_some_and(|is_wanted| is_wanted());
        self.has_given_way |= self.gives_way && is_wanted();
        self.has_given_way
    }

    /// The next event of a study; `None` after the last one. Stops the study if it must end.
    pub(super) fn event(
        &mut self,
        events: &Receiver<SearchEvent>,
        handle: &SearchHandle,
    ) -> Option<SearchEvent> {
        // Where there is nobody to ask, there may be no clock for a wait of a limited time either.
        if !self.gives_way || self.is_wanted.is_none() {
            return events.recv().ok();
        }
        loop {
            if self.must_end() {
                handle.stop();
            }
            match events.recv_timeout(LOOK) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
