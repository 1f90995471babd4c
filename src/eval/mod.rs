//! The static evaluation: what a position is worth without looking ahead.
//!
//! The search knows only [`Evaluator`]. Its implementation is `classic`, a hand-written evaluation.
//! A neural network belongs beside it, in `network`: the evaluator would hold the accumulators, one
//! for each ply, and `Worker::make_move` in the search is the one place that would tell it about
//! each move. The board takes no part in that.
//!
//! Imports `board` and `types`. It never searches, and it never asks which variant it serves: the
//! variant answers through [`EvalRules`].

pub mod classic;
mod rules;

use crate::board::Position;
use crate::types::Score;

use classic::Classic;

pub use rules::{EvalRules, ExtraTerm, MAX_EXTRA_VALUES, MAX_RACE_LEVELS};

/// Evaluates positions of one variant. It caches parts of its work, so each thread has its own.
pub struct Evaluator<V: EvalRules> {
    classic: Classic<V>,
}

impl<V: EvalRules> Evaluator<V> {
    /// An evaluator with the variant's built-in weights.
    pub fn new() -> Evaluator<V> {
        Evaluator { classic: Classic::new() }
    }

    /// The score in centipawns from the side to move, within ± [`Score::EVAL_LIMIT`]. The side to
    /// move should not be in check: the evaluation does not see checks.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position<V>) -> Score {
        self.classic.evaluate(pos)
    }
}

impl<V: EvalRules> Default for Evaluator<V> {
    fn default() -> Evaluator<V> {
        Evaluator::new()
    }
}
