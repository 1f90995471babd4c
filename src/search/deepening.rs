//! Iterative deepening: one depth after the other until a limit is reached, each in an aspiration
//! window around the score of the last.
//!
//! The main worker also reports lines and manages the time: it decides after each iteration whether
//! another one is worth it.

use std::sync::atomic::Ordering::Relaxed;

use crate::types::{Depth, MAX_PLY, Move, Score};

use super::node::Root;
use super::report::{LONG_SEARCH, Progress};
use super::root::RootProgress;
use super::rules::SearchRules;
use super::window::{Bound, Window};
use super::worker::{FinishedIteration, Stopped, Worker};

/// The deepest iteration, in plies.
const MAX_DEPTH: Depth = MAX_PLY as Depth - 8;
/// With only one move to search and time to save, the search ends at this depth in plies.
const DEPTH_OF_ONLY_MOVE: Depth = 6;

/// How the best move and its score change over the iterations.
#[derive(Default)]
struct Trend {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    stable: i32,
    /// A moving average of the score.
    average: Option<Score>,
}

impl<V: SearchRules> Worker<'_, V> {
    /// Searches depth after depth and returns the depth of the last finished iteration. The main
    /// worker ends the search of all threads.
    pub fn iterate(&mut self) -> Depth {
        let limit = self.shared.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut trend = Trend::default();
        while self.finished_depth < limit && !self.root.is_empty() {
            let depth = self.finished_depth + 1;
            if self.check_limits().is_err() || self.search_depth(depth).is_err() {
                break;
            }
            self.finished_depth = depth;
            if self.is_main() && self.is_enough(depth, &mut trend) {
                break;
            }
        }
        self.root.finish();
        self.share_nodes();
        if self.is_main() {
            self.shared.over.store(true, Relaxed);
        }
        self.finished_depth
    }

    /// One iteration: all lines that the limits ask for.
    fn search_depth(&mut self, depth: Depth) -> Result<(), Stopped> {
        self.root_depth = depth;
        self.seldepth = 0;
        self.root.start_iteration();
        self.root_progress = RootProgress { moves_left: self.root.len(), current: None };
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

    /// Searches one line in an aspiration window around an earlier score of its first move, as a rule that of the last
    /// iteration but one; a window around the last score gained nothing (`docs/experiments.md`). A move without a score
    /// gets the full window. The window widens until the score lies within it.
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
                reduction = (reduction + 1).min(params.aspiration_reduced);
                Bound::Lower
            } else {
                return Ok(());
            };
            if self.shared.stop.elapsed() > LONG_SEARCH {
                self.report_line(line, depth, bound);
            }
            delta = delta * 2;
            if score.is_decisive() || delta > Score::cp(params.aspiration_widest) {
                window = Window::FULL;
            }
        }
    }

    /// An iteration was broken off in this line: reports the move that will be played, if it differs from the
    /// last reported one and has a score. `bound` is the bound of the line's last finished window.
    fn report_unfinished(&mut self, line: usize, depth: Depth, bound: Bound) {
        let Some(best) = self.root.get(0) else { return };
        if Some(best.mv) == self.last_reported {
            return;
        }
        // A move with a score has raised alpha in the unfinished window, or its line is finished: the score is exact.
        let is_exact = line > 0 || best.score != -Score::INFINITE;
        self.root.finish();
        if self.root.get(0).is_some_and(|best| best.score != -Score::INFINITE) {
            self.report_line(0, depth, if is_exact { Bound::Exact } else { bound });
        }
    }

    /// Reports a line to the observer, if there is one.
    fn report_line(&mut self, line: usize, depth: Depth, bound: Bound) {
        let nodes = self.all_nodes();
        let (Some(observer), Some(entry)) = (&mut self.observer, self.root.get(line)) else {
            return;
        };
        if line == 0 {
            self.last_reported = Some(entry.mv);
        }
        observer.line(Progress {
            depth,
            seldepth: entry.seldepth,
            score: entry.shown_score(),
            bound,
            time: self.shared.stop.elapsed(),
            nodes,
            tablebase_hits: self.shared.tablebase_hits.load(Relaxed),
            hashfull: self.shared.tt.hashfull(nodes),
            line,
            pv: entry.pv.clone(),
        });
    }

    /// May the search not end by itself? Time limits that are set later, at a ponder hit, end that.
    fn is_held(&self) -> bool {
        self.shared.limits.infinite && !self.shared.stop.has_time_limits()
    }

    /// Does this score after an iteration of `depth` end the search? It is that of a forced end of the game.
    fn is_wanted_end(&self, score: Score, depth: Depth) -> bool {
        let Some(moves) = score.moves_to_end() else { return false };
        match self.shared.limits.mate {
            Some(most) if moves > 0 => moves.unsigned_abs() <= most,
            _ => self.shared.limits.lines <= 1 && score.is_settled_at(depth),
        }
    }

    /// Is the search finished after this iteration?
    fn is_enough(&mut self, depth: Depth, trend: &mut Trend) -> bool {
        let Some(best) = self.root.get(0) else { return true };
        // The other lines leave the best move out, and take about as many nodes each.
        let lines = self.shared.limits.lines.clamp(1, self.root.len()) as f64;
        let share_of_nodes = (best.nodes as f64 * lines / self.nodes().max(1) as f64).min(1.0);
        let score = best.score;
        let fall = trend.update(best.mv, score);
        let is_end = self.is_wanted_end(score, depth);
        let is_only_move = self.root.len() == 1 && depth >= DEPTH_OF_ONLY_MOVE;
        let enough = if is_only_move { 0.0 } else { self.enough_time(share_of_nodes, fall, trend) };
        self.last_iteration =
            Some(FinishedIteration { at: self.shared.stop.elapsed(), is_end, enough });
        !self.is_held() && (is_end || self.has_thought_enough())
    }

    /// The share of the soft limit that is enough after an iteration: the less, the more nodes the best move had and the
    /// longer it has been the best; the more, the further its score has fallen, in centipawns.
    fn enough_time(&self, share_of_nodes: f64, fall: f64, trend: &Trend) -> f64 {
        let params = self.shared.params;
        let percent = |value: i32| f64::from(value) / 100.0;
        let by_nodes =
            percent(params.time_share_base) - percent(params.time_share) * share_of_nodes;
        let by_stability = percent(
            params.time_stability_base
                - params.time_stability * trend.stable.min(params.time_stable_most),
        );
        let by_fall = 1.0
            + percent(params.time_falling)
                * (fall / f64::from(params.time_full_fall)).clamp(0.0, 1.0);
        by_nodes.clamp(percent(params.time_share_least), percent(params.time_share_most))
            * by_stability
            * by_fall
    }
}

impl Trend {
    /// Adds an iteration. Returns by how many centipawns its score is below the average.
    fn update(&mut self, best: Move, score: Score) -> f64 {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        let average = self.average.unwrap_or(score);
        self.average = Some((average + score) / 2);
        f64::from((average - score).value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::variants::Standard;

    #[test]
    fn the_trend_follows_the_best_move_and_its_score() {
        let legal = Position::<Standard>::start().legal_moves();
        let mut trend = Trend::default();
        let mut update = |mv: usize, cp| {
            let fall = trend.update(legal[mv], Score::cp(cp));
            (fall, trend.stable)
        };
        assert_eq!(update(0, 60), (0.0, 0), "the first score is the average");
        assert_eq!(update(0, 20), (40.0, 1), "the average is now 40");
        assert_eq!(update(0, 100), (-60.0, 2));
        assert_eq!(update(1, 70), (0.0, 0), "another move");
        assert_eq!(update(1, 30), (40.0, 1));
    }
}
