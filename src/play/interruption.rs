//! Studies are interrupted by other work of the engine.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::{SearchEvent, SearchHandle};

/// How often a study that may be interrupted looks whether it must end.
const LOOK: Duration = Duration::from_millis(10);

/// Is the engine wanted for something that matters more than a study?
pub type IsWanted = Arc<dyn Fn() -> bool + Send + Sync>;

/// Whether studies are interrupted by other work.
#[derive(Default)]
pub(super) struct Interruption {
    is_wanted: Option<IsWanted>,
    /// The studies of now may be interrupted.
    is_allowed: bool,
    /// One of them has been.
    has_happened: bool,
}

impl Interruption {
    pub(super) fn set_is_wanted(&mut self, is_wanted: IsWanted) {
        self.is_wanted = Some(is_wanted);
    }

    /// From now on, studies may be interrupted.
    pub(super) const fn allow(&mut self) {
        self.is_allowed = true;
    }

    /// From now on, studies go on to their ends. Has one been interrupted until now?
    pub(super) const fn forbid(&mut self) -> bool {
        self.is_allowed = false;
        std::mem::replace(&mut self.has_happened, false)
    }

    /// Must a study end, or not begin?
    pub(super) fn must_end(&mut self) -> bool {
        let is_wanted = || self.is_wanted.as_ref().is_some_and(|is_wanted| is_wanted());
        self.has_happened |= self.is_allowed && is_wanted();
        self.has_happened
    }

    /// The next event of a study; `None` after the last one. Stops the study if it must end.
    pub(super) fn event(
        &mut self,
        events: &Receiver<SearchEvent>,
        handle: &SearchHandle,
    ) -> Option<SearchEvent> {
        // Where there is nobody to ask, there may be no clock for a wait of a limited time either.
        if !self.is_allowed || self.is_wanted.is_none() {
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
