//! The static evaluation: what a position is worth without looking ahead.
//!
//! The search knows only `Evaluator`. It has two ways: `network`, a neural network whose neurons
//! follow the moves, where the variant has one; and `classic`, a hand-written evaluation, which also explains
//! positions to people. Where one side has only its king, `bare_king` answers instead of both, or in some games
//! the classic evaluation alone. In standard chess neither gives an advantage to a side that cannot win
//! (`endgames`), and king and pawn against king are known (`king_pawn`).
//!
//! Imports `board` and `types`. It never searches, and it never asks which variant it serves: the
//! variant answers through `EvalRules`.

mod bare_king;
pub mod classic;
mod endgames;
mod king_pawn;
pub mod network;
mod rules;

use std::path::Path;
use std::sync::Arc;

use crate::board::Position;
use crate::types::{Color, Move, Ply, Score};

use classic::Classic;
use network::{Network, NetworkError, NetworkEvaluator};

pub use endgames::is_drawn_by_bare_king;
pub use rules::{EvalRules, ExtraTerm, MAX_EXTRA_VALUES, MAX_RACE_LEVELS};

/// Evaluates positions of one variant. It caches parts of its work, so each thread has its own.
///
/// A search tells it of every move, so that the network's neurons can follow: [`Evaluator::reset`] at the
/// root, which is ply 0, and [`Evaluator::note_move`] or [`Evaluator::note_null_move`] before each move.
pub struct Evaluator<V: EvalRules> {
    classic: Classic<V>,
    network: Option<NetworkEvaluator>,
}

/// Which evaluation the engine uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvalKind {
    /// The network; in a variant without one, the classic evaluation.
    #[default]
    Network,
    /// The hand-written evaluation.
    Classic,
}

impl EvalKind {
    pub const ALL: [EvalKind; 2] = [EvalKind::Network, EvalKind::Classic];

    /// The word for it in options.
    pub const fn name(self) -> &'static str {
        match self {
            EvalKind::Network => "network",
            EvalKind::Classic => "classic",
        }
    }
}

/// The built-in network of a variant, if it has one.
pub fn built_in_network<V: EvalRules>() -> Option<Arc<Network>> {
    let network = network::read(V::NETWORK?, V::NETWORK_GAME);
    Some(Arc::new(network.expect("the tests read the built-in networks")))
}

/// Reads the network of a variant from a file.
///
/// # Errors
/// If the file cannot be read or is not a network for this variant.
pub fn load_network<V: EvalRules>(file: &str) -> Result<Arc<Network>, NetworkError> {
    network::load(Path::new(file), V::NETWORK_GAME).map(Arc::new)
}

impl<V: EvalRules> Evaluator<V> {
    /// An evaluator with this network, or with the classic evaluation alone.
    pub fn new(network: Option<Arc<Network>>) -> Evaluator<V> {
        Evaluator { classic: Classic::new(), network: network.map(NetworkEvaluator::new) }
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
        if V::HAS_DRAWN_ENDGAMES
            && let Some(score) = bare_king::score(pos)
        {
            return score;
        }
        match &mut self.network {
            Some(network) if !(V::HAS_WAY_AGAINST_BARE_KING && has_bare_king(pos)) => {
                without_false_advantage(pos, network.evaluate(pos, ply))
            }
            _ => self.classic.evaluate(pos),
        }
    }

    /// The score of a position apart from any line.
    pub fn evaluate_alone(&mut self, pos: &Position<V>) -> Score {
        self.reset();
        self.evaluate(pos, 0)
    }
}

/// A score of the position from the side to move, or zero instead of an advantage with which a side cannot win.
#[inline(always)]
pub fn without_false_advantage<V: EvalRules>(pos: &Position<V>, score: Score) -> Score {
    let us = pos.side_to_move();
    let strong = if score > Score::ZERO { us } else { !us };
    let is_false = V::HAS_DRAWN_ENDGAMES && endgames::hardly_wins(pos, strong);
    if is_false { Score::ZERO } else { score }
}

/// Has one side only its king?
#[inline(always)]
fn has_bare_king<V: EvalRules>(pos: &Position<V>) -> bool {
    pos.is_bare(Color::White) || pos.is_bare(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::Standard;

    #[test]
    fn neither_evaluation_gives_an_advantage_that_cannot_win() {
        let score = |network, fen: &str| {
            let pos = Position::<Standard>::from_fen(fen).unwrap();
            Evaluator::<Standard>::new(network).evaluate_alone(&pos).value()
        };
        for network in [None, built_in_network::<Standard>()] {
            for (fen, loses) in [
                ("7k/8/8/8/7P/3B4/8/4K3 w - - 0 1", false),
                ("7k/8/8/8/7P/3B4/8/4K3 b - - 0 1", false),
                ("4k3/8/8/8/8/8/8/1NNK4 b - - 0 1", false),
                ("7k/8/8/8/7P/4B3/8/4K3 b - - 0 1", true),
            ] {
                let score = score(network.clone(), fen);
                assert!(if loses { score < -200 } else { score == 0 }, "{fen}: {score}");
            }
        }
    }
}
