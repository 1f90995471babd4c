//! Lines of thinking.

use std::time::Duration;

use super::{CecpSession, Mode};
use crate::cecp::wire::{Reply, Thinking};
use crate::play::SearchId;
use crate::search::Progress;

impl CecpSession {
    /// Shows a thinking line of the running search.
    pub(super) fn show_progress(&mut self, id: SearchId, progress: &Progress) {
        let search = match &mut self.mode {
            Mode::Thinking(search) | Mode::Analyzing(Some(search)) => search,
            Mode::Pondering(ponder) => &mut ponder.search,
            _ => return,
        };
        if search.id() != id {
            return;
        }
        if progress.line == 0 {
            search.latest = Some(progress.clone());
            search.needs_repost = false;
        }
        self.post(progress);
    }

    /// Prints a thinking line, if the GUI wants them.
    pub(super) fn post(&mut self, progress: &Progress) {
        if self.gui.post {
            let mut thinking = Thinking::new(progress, |mv| self.engine.game().coordinate(mv));
            if let Some(rate) = self.clock.node_rate() {
                thinking.time = time_of(progress.nodes, rate);
            }
            self.say(Reply::Thinking(thinking));
        }
    }
}

/// The time that nodes count as, at `rate` nodes per second.
pub(super) fn time_of(nodes: u64, rate: u32) -> Duration {
    Duration::from_secs_f64(nodes as f64 / f64::from(rate))
}
