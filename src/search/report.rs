//! What a search reports while it runs, and the trait that receives the reports.
//!
//! Plain data, the trait that receives the data, and the rule which lines are worth showing.

use std::time::Duration;

use crate::types::{Depth, Move, Score};

use super::window::Bound;

/// Receives the reports of a running search, on the search's thread.
pub trait Observer {
    /// A line of thinking: an iteration is finished, or its best line has changed.
    fn line(&mut self, progress: Progress);
    /// The search has moved on to another root move, or some time has passed.
    fn root(&mut self, status: RootStatus);
}

/// Ignores all reports.
pub struct Silent;

impl Observer for Silent {
    fn line(&mut self, _: Progress) {}
    fn root(&mut self, _: RootStatus) {}
}

/// A line of thinking.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The deepest line searched, in plies.
    pub seldepth: Depth,
    /// In centipawns, from the side to move at the root.
    pub score: Score,
    pub bound: Bound,
    /// Since the search began.
    pub time: Duration,
    /// Of all threads.
    pub nodes: u64,
    pub tablebase_hits: u64,
    /// How full the transposition table is with entries of this search, in thousandths.
    pub hashfull: u32,
    /// 0 for the best line, 1 for the second best, and so on (MultiPV).
    pub line: usize,
    pub pv: Vec<Move>,
}

/// The progress of a search at the root: the answer to CECP's `.`.
#[derive(Clone, Debug)]
pub struct RootStatus {
    pub time: Duration,
    pub nodes: u64,
    pub depth: Depth,
    /// Root moves still to be searched in this iteration.
    pub moves_left: usize,
    pub moves_total: usize,
    /// The root move being searched.
    pub current: Option<Move>,
}

/// The bound of a window that is finished before this time is not reported, nor is the root move that is searched
/// shown. Of the bounds that are reported, [`LineFilter`] passes those of iterations that have run for
/// [`LONG_ITERATION`].
pub const LONG_SEARCH: Duration = Duration::from_secs(3);
/// How long an iteration must run before its bounds are shown.
const LONG_ITERATION: Duration = Duration::from_secs(1);

/// Decides which of the lines that a search reports to show. A line with a bound is short and soon replaced, so it
/// is shown only in an iteration that takes long. Each iteration that finishes ends with an exact line.
#[derive(Clone, Debug, Default)]
pub struct LineFilter {
    /// The iteration that runs, in plies.
    depth: Depth,
    /// When it began, since the start of the search.
    began: Duration,
    /// The last iteration with an exact line.
    finished: Depth,
    /// The first move of the last line shown.
    shown: Option<Move>,
    /// The last line not shown.
    withheld: Option<Progress>,
}

impl LineFilter {
    /// Notes an iteration of this depth, `time` after the start of the search.
    pub fn iteration(&mut self, depth: Depth, time: Duration) {
        if depth != self.depth {
            self.depth = depth;
            self.began = time;
        }
    }

    /// The line, if it is to be shown.
    pub fn pass(&mut self, progress: Progress) -> Option<Progress> {
        let is_exact = progress.bound == Bound::Exact;
        self.iteration(progress.depth, progress.time);
        let is_long = progress.time.saturating_sub(self.began) >= LONG_ITERATION;
        if is_exact || is_long && progress.depth > self.finished {
            self.withheld = None;
            if is_exact {
                self.finished = progress.depth;
            }
            if progress.line == 0 {
                self.shown = progress.pv.first().copied();
            }
            return Some(progress);
        }
        if progress.line == 0 {
            self.withheld = Some(progress);
        }
        None
    }

    /// The line to show at the end of a search that chose `best`: one that was not shown, if no line
    /// shown begins with this move.
    pub fn last(&mut self, best: Option<Move>) -> Option<Progress> {
        let withheld = self.withheld.take()?;
        (best != self.shown && best == withheld.pv.first().copied()).then_some(withheld)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn mv(from: &str, to: &str) -> Move {
        let square = |name| Square::parse(name).unwrap();
        Move::new(square(from), square(to), MoveKind::Quiet)
    }

    fn line(depth: Depth, bound: Bound, millis: u64, best: Move) -> Progress {
        Progress {
            depth,
            seldepth: depth,
            score: Score::ZERO,
            bound,
            time: Duration::from_millis(millis),
            nodes: 0,
            tablebase_hits: 0,
            hashfull: 0,
            line: 0,
            pv: vec![best],
        }
    }

    #[test]
    fn bounds_are_shown_after_a_second_of_their_iteration() {
        let (e4, mut filter) = (mv("e2", "e4"), LineFilter::default());
        for (depth, bound, millis, is_shown) in [
            (20, Bound::Exact, 4_000, true),
            (21, Bound::Upper, 4_999, false),
            (21, Bound::Lower, 5_000, true),
            (21, Bound::Upper, 6_000, true),
            (21, Bound::Exact, 6_001, true),
            // The iteration is finished.
            (21, Bound::Lower, 9_000, false),
            // The next one has run for half a second.
            (22, Bound::Upper, 9_500, false),
            (22, Bound::Exact, 9_600, true),
        ] {
            filter.iteration(depth, Duration::from_millis(if depth == 22 { 9_000 } else { 4_000 }));
            let line = line(depth, bound, millis, e4);
            assert_eq!(filter.pass(line).is_some(), is_shown, "{depth} {bound:?} {millis}");
        }
    }

    #[test]
    fn the_move_that_is_played_has_a_line() {
        let (e4, d4) = (mv("e2", "e4"), mv("d2", "d4"));
        let mut filter = LineFilter::default();
        assert!(filter.pass(line(9, Bound::Exact, 100, e4)).is_some());
        assert!(filter.pass(line(10, Bound::Lower, 200, d4)).is_none());
        assert!(filter.clone().last(Some(e4)).is_none());
        let last = filter.last(Some(d4)).unwrap();
        assert_eq!((last.depth, last.bound, last.pv), (10, Bound::Lower, vec![d4]));
        // A line with this move was shown since.
        assert!(filter.pass(line(10, Bound::Lower, 200, d4)).is_none());
        assert!(filter.pass(line(10, Bound::Exact, 250, d4)).is_some());
        assert!(filter.last(Some(d4)).is_none());
    }
}
