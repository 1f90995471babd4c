//! `pause` and `resume`: the engine stands still, uses no processor, and then goes on.
//!
//! A search cannot be frozen: it is stopped, and started again on `resume`. Its results stay in the
//! transposition table.

use super::{CecpSession, Mode};

impl CecpSession {
    pub(super) fn pause(&mut self) {
        if matches!(self.mode, Mode::Paused { .. }) {
            return;
        }
        let from = std::mem::replace(&mut self.mode, Mode::Forced);
        match &from {
            Mode::Thinking(search) | Mode::Analyzing(Some(search)) => search.handle.stop(),
            Mode::Pondering(ponder) => ponder.search.handle.stop(),
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
            Mode::Thinking(search) => self.think_on(since.since(search.since)),
            Mode::Pondering(ponder) if ponder.choice.is_none() => self.ponder(Some(ponder.guess)),
            Mode::Analyzing(_) => self.analyze(),
            other => self.mode = other,
        }
    }
}
