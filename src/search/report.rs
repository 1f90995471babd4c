//! What a search tells while it runs.

use super::limits::{Bound, Progress, RootStatus};
use super::rules::SearchRules;
use super::worker::Worker;

use crate::types::{Depth, Move};

/// Hears from a running search, on the search's thread.
pub trait Observer {
    /// An iteration, or a part of one that is worth showing, is done.
    fn line(&mut self, progress: Progress);
    /// Where the search stands at the root has changed.
    fn root(&mut self, status: RootStatus);
}

/// Hears nothing.
pub struct Silent;

impl Observer for Silent {
    fn line(&mut self, _: Progress) {}
    fn root(&mut self, _: RootStatus) {}
}

/// Where the main worker stands at the root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    pub moves_left: usize,
    pub current: Option<Move>,
}

impl<V: SearchRules> Worker<'_, V> {
    /// Tells the observer, if there is one, where the search stands at the root.
    pub(super) fn report_root(&mut self) {
        let status = RootStatus {
            time: self.shared.stop.elapsed(),
            nodes: self.all_nodes(),
            depth: self.root_depth,
            moves_left: self.standing.moves_left,
            moves_total: self.root.len(),
            current: self.standing.current,
        };
        if let Some(observer) = &mut self.observer {
            observer.root(status);
        }
    }

    /// Tells the observer, if there is one, of a line.
    pub(super) fn report_line(&mut self, line: usize, depth: Depth, bound: Bound) {
        let nodes = self.all_nodes();
        let (Some(observer), Some(entry)) = (&mut self.observer, self.root.get(line)) else {
            return;
        };
        if line == 0 {
            self.told = Some(entry.mv);
        }
        observer.line(Progress {
            depth,
            seldepth: entry.seldepth,
            score: entry.score,
            bound,
            time: self.shared.stop.elapsed(),
            nodes,
            tablebase_hits: 0,
            line,
            pv: entry.pv.clone(),
        });
    }
}
