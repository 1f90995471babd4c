//! Iterative deepening: one depth after the other, each in an aspiration window around the score
//! of the last, until a limit is reached.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use crate::types::{Depth, MAX_PLY, Move, Score};

use super::limits::Bound;
use super::node::Root;
use super::report::Standing;
use super::rules::SearchRules;
use super::window::Window;
use super::worker::{Stopped, Worker};

/// The deepest iteration.
const MAX_DEPTH: Depth = MAX_PLY as Depth - 8;
/// Bounds found while a window is widened are reported only in searches that take longer than this.
const LONG_SEARCH: Duration = Duration::from_secs(3);
/// How often a finished search that may not end by itself looks whether it may.
const WAIT: Duration = Duration::from_millis(1);
/// With one legal move and a clock, deeper iterations tell nothing that is worth the time.
const DEPTH_OF_ONLY_MOVE: Depth = 6;

/// How the best move and its score have gone over the iterations.
#[derive(Default)]
struct Trend {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    stable: i32,
    /// The average score, the later iterations counting more.
    average: Option<Score>,
}

impl<V: SearchRules> Worker<'_, V> {
    /// Searches deeper and deeper; returns the depth of the last finished iteration. The main
    /// worker ends the search for all.
    pub fn iterate(&mut self) -> Depth {
        let limit = self.shared.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut finished = 0;
        let mut trend = Trend::default();
        while finished < limit && !self.root.is_empty() {
            if self.check_limits().is_err() || self.search_depth(finished + 1).is_err() {
                break;
            }
            finished += 1;
            if self.is_main() && self.is_enough(finished, &mut trend) {
                break;
            }
        }
        self.root.finish();
        self.share_nodes();
        if self.is_main() {
            while self.is_held() && !self.shared.stop.is_stopped() {
                thread::sleep(WAIT);
            }
            self.shared.over.store(true, Relaxed);
        }
        finished
    }

    /// One iteration: each line that is asked for.
    fn search_depth(&mut self, depth: Depth) -> Result<(), Stopped> {
        self.root_depth = depth;
        self.seldepth = 0;
        self.root.start_iteration();
        self.standing = Standing { moves_left: self.root.len(), current: None };
        self.report_root();
        let lines = self.shared.limits.lines.clamp(1, self.root.len());
        for line in 0..lines {
            self.aspirate(line, depth)?;
            self.root.settle();
        }
        for line in 0..lines {
            self.report_line(line, depth, Bound::Exact);
        }
        Ok(())
    }

    /// Searches one line in a window around its last score, which widens until it holds the score.
    fn aspirate(&mut self, line: usize, depth: Depth) -> Result<(), Stopped> {
        let params = self.shared.params;
        let mut delta = Score::cp(params.aspiration_delta);
        let expected = self.root.get(line).map(|entry| entry.previous);
        let expected = expected.filter(|score| !score.is_decisive());
        let mut window = match expected {
            Some(score) if depth >= params.aspiration_depth => {
                Window::new(score - delta, score + delta)
            }
            _ => Window::FULL,
        };
        let mut reduction = 0;
        let mut bound = Bound::Exact;
        loop {
            self.root.start_pass();
            let found = self.negamax::<Root>(window, (depth - reduction).max(1), 0, false);
            self.root.sort_open();
            let Ok(score) = found else {
                self.report_unfinished(line, depth, bound);
                return Err(Stopped);
            };
            bound = if score <= window.alpha {
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = score - delta;
                reduction = 0;
                Bound::Upper
            } else if score >= window.beta {
                window.beta = score + delta;
                reduction = (reduction + 1).min(3);
                Bound::Lower
            } else {
                return Ok(());
            };
            if self.shared.stop.elapsed() > LONG_SEARCH {
                self.report_line(line, depth, bound);
            }
            delta = delta * 2;
            if score.is_decisive() || delta > Score::cp(800) {
                window = Window::FULL;
            }
        }
    }

    /// An iteration was broken off: the move that will be played is told if it is another than that
    /// of the last finished one. `bound` is what the last window that was finished says of it.
    fn report_unfinished(&mut self, line: usize, depth: Depth, bound: Bound) {
        let Some(best) = self.root.get(line) else { return };
        if line == 0 && Some(best.mv) != self.told {
            // A move with a score has raised alpha in the window that was not finished.
            let bound = if best.score == -Score::INFINITE { bound } else { Bound::Exact };
            self.root.finish();
            self.report_line(line, depth, bound);
        }
    }

    /// May the search not end by itself? A clock that is set later, at a ponder hit, frees it.
    fn is_held(&self) -> bool {
        self.shared.limits.infinite && !self.shared.stop.has_clock()
    }

    /// Would another iteration be a waste?
    fn is_enough(&mut self, depth: Depth, trend: &mut Trend) -> bool {
        let Some(best) = self.root.get(0) else { return true };
        let share_of_nodes = best.nodes as f64 / self.nodes().max(1) as f64;
        let score = best.score;
        let fall = trend.update(best.mv, score);
        if self.is_held() {
            return false;
        }
        // A forced end that lies well within the depth is the nearest one.
        let plies_to_end = Score::MATE.value() - score.value().abs();
        if score.is_decisive() && self.shared.limits.lines <= 1 && depth >= 2 * plies_to_end {
            return true;
        }
        if !self.shared.stop.has_clock() {
            return false;
        }
        if self.root.len() == 1 && depth >= DEPTH_OF_ONLY_MOVE {
            return true;
        }
        let params = self.shared.params;
        let percent = |value: i32| f64::from(value) / 100.0;
        let by_nodes =
            percent(params.time_share_base) - percent(params.time_share) * share_of_nodes;
        let by_stability =
            percent(params.time_stability_base - params.time_stability * trend.stable.min(10));
        let by_fall = 1.0 + percent(params.time_falling) * (fall / 50.0).clamp(0.0, 1.0);
        self.shared.stop.soft_share() >= by_nodes.clamp(0.4, 2.3) * by_stability * by_fall
    }
}

impl Trend {
    /// Takes in an iteration; returns by how many centipawns its score lies below the average.
    fn update(&mut self, best: Move, score: Score) -> f64 {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        let average = self.average.unwrap_or(score);
        self.average = Some((average + score) / 2);
        f64::from((average - score).value())
    }
}
