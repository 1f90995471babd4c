//! The static evaluation: what a position is worth without looking ahead.
//!
//! The search knows only [`Evaluator`]. It has two ways: `network`, a neural network that is updated
//! move by move, where the variant has one; and `classic`, a hand-written evaluation, which also explains
//! positions to people.
//!
//! Imports `board` and `types`. It never searches, and it never asks which variant it serves: the
//! variant answers through [`EvalRules`].

pub mod classic;
pub mod network;
mod rules;

use std::sync::Arc;

use crate::board::Position;
use crate::types::{Move, Ply, Score};

use classic::Classic;
use network::{Network, NetworkEvaluator};

pub use rules::{EvalRules, ExtraTerm, MAX_EXTRA_VALUES, MAX_RACE_LEVELS};

/// Evaluates positions of one variant. It caches parts of its work, so each thread has its own.
///
/// A search tells it of every move, so that the network's neurons can follow: [`Evaluator::reset`] at the
/// root, which is ply 0, and [`Evaluator::note_move`] before each move.
pub struct Evaluator<V: EvalRules> {
    classic: Classic<V>,
    network: Option<NetworkEvaluator>,
}

impl<V: EvalRules> Evaluator<V> {
    /// An evaluator with the variant's built-in network, or its weights if it has none.
    pub fn new() -> Evaluator<V> {
        let network = V::NETWORK.map(|bytes| {
            let network = network::read(bytes, V::NAME);
            Arc::from(network.expect("the tests read the built-in networks"))
        });
        Evaluator { classic: Classic::new(), network: network.map(NetworkEvaluator::new) }
    }

    /// Evaluates with this network from now on, or without one.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network.map(NetworkEvaluator::new);
    }

    /// A line begins at ply 0 with another position.
    pub fn reset(&mut self) {
        if let Some(network) = &mut self.network {
            network.reset();
        }
    }

    /// A legal move is about to be made at this ply.
    #[inline(always)]
    pub fn note_move(&mut self, pos: &Position<V>, mv: Move, ply: Ply) {
        if let Some(network) = &mut self.network {
            network.note_move(pos, mv, ply);
        }
    }

    /// A null move is about to be made at this ply.
    #[inline(always)]
    pub fn note_null_move(&mut self, ply: Ply) {
        if let Some(network) = &mut self.network {
            network.note_null_move(ply);
        }
    }

    /// The score of the position at this ply, in centipawns from the side to move, within ±
    /// [`Score::EVAL_LIMIT`]. The side to move should not be in check: the evaluation does not see checks.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position<V>, ply: Ply) -> Score {
        match &mut self.network {
            Some(network) => network.evaluate(pos, ply),
            None => self.classic.evaluate(pos),
        }
    }

    /// The score of a position apart from any line.
    pub fn evaluate_alone(&mut self, pos: &Position<V>) -> Score {
        self.reset();
        self.evaluate(pos, 0)
    }
}

impl<V: EvalRules> Default for Evaluator<V> {
    fn default() -> Evaluator<V> {
        Evaluator::new()
    }
}
