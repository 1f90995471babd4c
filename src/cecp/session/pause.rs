//! `pause` and `resume`: everything stands still, at no cost, and then goes on where it was.
//!
//! A search cannot be frozen, so it is ended and later begun again; what it has found is in the
//! tables.

use super::{Mode, Session};

impl Session {
    pub(super) fn pause(&mut self) {
        if matches!(self.mode, Mode::Paused { .. }) {
            return;
        }
        let from = std::mem::replace(&mut self.mode, Mode::Forced);
        match &from {
            Mode::Thinking(search) | Mode::Analyzing(Some(search)) => search.stop.stop(),
            Mode::Pondering(ponder) => ponder.search.stop.stop(),
            _ => {}
        }
        self.mode = Mode::Paused { since: self.now, from: Box::new(from) };
        self.answer_pings();
    }

    pub(super) fn resume(&mut self) {
        if !matches!(self.mode, Mode::Paused { .. }) {
            return;
        }
        let Mode::Paused { since, from } = std::mem::replace(&mut self.mode, Mode::Waiting) else {
            return;
        };
        match *from {
            Mode::Thinking(search) => {
                self.think_as_if_since(since.saturating_duration_since(search.since))
            }
            Mode::Pondering(ponder) if ponder.choice.is_none() => self.ponder(Some(ponder.guess)),
            Mode::Analyzing(_) => self.analyze(),
            other => self.mode = other,
        }
    }
}
