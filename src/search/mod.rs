//! The search: iterative deepening of an alpha-beta negamax, one for all variants.
//!
//! Imports `eval` and what is below it. Never prints, never reads stdin.

pub mod clock;
mod limits;

pub use limits::{Bound, Limits, Progress, RootStatus, StopToken};

use crate::board::{Position, Rules};
use crate::types::{Depth, Move, Score};

/// What a search asks a variant.
pub trait SearchRules: Rules {}
impl<R: Rules> SearchRules for R {}

/// Hears from a running search, on the search's thread.
pub trait Observer {
    /// An iteration, or a part of one that is worth showing, is done.
    fn line(&mut self, progress: Progress);
    /// The search turns to another root move.
    fn root(&mut self, status: RootStatus);
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// None only when there is no legal move that is not excluded.
    pub best: Option<Move>,
    pub ponder: Option<Move>,
    pub score: Score,
    /// The last finished iteration, in plies.
    pub depth: Depth,
    pub nodes: u64,
}

/// All that searches of one variant keep between them: the transposition table, histories, and
/// settings.
pub struct Search<V: SearchRules> {
    variant: std::marker::PhantomData<V>,
}

impl<V: SearchRules> Search<V> {
    pub fn new() -> Search<V> {
        Search { variant: std::marker::PhantomData }
    }

    /// Searches until a limit or the token ends it.
    pub fn run(
        &mut self,
        pos: &Position<V>,
        limits: &Limits,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let moves = pos.legal_moves();
        let best = moves.iter().copied().find(|mv| !limits.excluded.contains(mv));
        observer.line(Progress {
            depth: 1,
            seldepth: 1,
            score: Score::ZERO,
            bound: Bound::Exact,
            time: stop.elapsed(),
            nodes: 1,
            tablebase_hits: 0,
            line: 0,
            pv: best.into_iter().collect(),
        });
        while limits.infinite && !stop.is_stopped() && !stop.has_clock() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        SearchResult { best, ponder: None, score: Score::ZERO, depth: 1, nodes: 1 }
    }

    /// Sets the size of the transposition table in MiB, or the greatest below that can be had.
    pub fn set_hash(&mut self, _mebibytes: usize) {}

    /// Sets the number of threads, 1 or more.
    pub fn set_threads(&mut self, _threads: usize) {}

    /// Sets how many centipawns a draw is worse than an even position.
    pub fn set_contempt(&mut self, _contempt: Score) {}

    /// Forgets everything learnt.
    pub fn clear(&mut self) {}

    /// The static evaluation.
    pub fn evaluate(&mut self, _pos: &Position<V>) -> Score {
        Score::ZERO
    }

    /// Sets a constant by name; false if there is none of this name.
    pub fn set_parameter(&mut self, _name: &str, _value: i32) -> bool {
        false
    }
}

impl<V: SearchRules> Default for Search<V> {
    fn default() -> Search<V> {
        Search::new()
    }
}
