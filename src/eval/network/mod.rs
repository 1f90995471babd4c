//! The evaluation by a small neural network that is updated move by move (NNUE).
//!
//! `architecture` says what the network sees, `weights` holds it and is the plain evaluation that all
//! else must agree with, `file` reads and writes it. `accumulator` keeps the hidden neurons along the
//! line of a search, and `kernels` does the arithmetic. Files import one another in this order:
//! architecture, kernels, weights; then accumulator and file.

mod accumulator;
pub mod architecture;
mod file;
mod kernels;
mod weights;

use std::sync::Arc;

use crate::board::{Position, Rules};
use crate::types::{Move, Ply, Score};

use super::rules::EvalRules;
use accumulator::Accumulator;
use architecture::Hidden;

pub use file::{FAMILY, NetworkError, load, read, write};
pub use kernels::Kernels;
pub use weights::{MAX_BIAS, MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT, Network};

/// Evaluates the positions of one line of moves.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    accumulator: Accumulator,
    kernels: Kernels,
}

impl NetworkEvaluator {
    pub fn new(network: Arc<Network>) -> NetworkEvaluator {
        NetworkEvaluator::with_kernels(network, Kernels::best)
    }

    /// An evaluator that uses these kernels, which are chosen by the size of the hidden layer. All kernels
    /// give the same values.
    pub fn with_kernels(
        network: Arc<Network>,
        kernels: impl Fn(Hidden) -> Kernels,
    ) -> NetworkEvaluator {
        let kernels = kernels(network.hidden());
        NetworkEvaluator { accumulator: Accumulator::new(&network, kernels), network, kernels }
    }

    /// A line begins at ply 0 with another position.
    pub fn reset(&mut self) {
        self.accumulator.reset();
    }

    /// A legal move is about to be made at this ply.
    #[inline(always)]
    pub fn note_move<R: Rules>(&mut self, pos: &Position<R>, mv: Move, ply: Ply) {
        self.accumulator.note_move(pos, mv, ply);
    }

    /// A null move is about to be made at this ply.
    pub fn note_null_move(&mut self, ply: Ply) {
        self.accumulator.note_null_move(ply);
    }

    /// The score of the position at this ply, in centipawns from the side to move, within ±
    /// [`Score::EVAL_LIMIT`].
    #[inline(always)]
    pub fn evaluate<V: EvalRules>(&mut self, pos: &Position<V>, ply: Ply) -> Score {
        let neurons = self.accumulator.neurons(&self.network, pos, ply);
        self.network.score(pos, neurons, self.kernels)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::types::{Color, MAX_PLY};
    use crate::variants::{
        Antichess, Atomic, Chess960, Crazyhouse, Horde, KingOfTheHill, RacingKings, Standard,
        ThreeCheck,
    };

    /// Plays random moves, sometimes null moves, and takes some back. Positions are evaluated now and
    /// then; each value must be that of the plain evaluation.
    fn play_at_random<V: EvalRules>(start: Position<V>, seed: u64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let hidden = Hidden::ALL[seed as usize % Hidden::ALL.len()];
        let network = Arc::new(Network::random(hidden, seed));
        let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
        let mut pos = start;
        evaluator.reset();
        let mut line: Vec<bool> = Vec::new();
        for _ in 0..400 {
            let moves = pos.legal_moves();
            let is_long = line.len() + 2 >= MAX_PLY;
            if moves.is_empty()
                || pos.variant_outcome().is_some()
                || is_long
                || random.random_bool(0.3)
            {
                // Take back, or start a new line here.
                if random.random_bool(0.05) && !is_long && !moves.is_empty() {
                    line.clear();
                    evaluator.reset();
                } else {
                    match line.pop() {
                        Some(true) => pos.unmake_null_move(),
                        Some(false) => pos.unmake_move(),
                        None if moves.is_empty() => return,
                        None => {}
                    }
                }
            } else if random.random_bool(0.1) && !pos.in_check() {
                evaluator.note_null_move(line.len());
                pos.make_null_move();
                line.push(true);
            } else {
                let mv = moves[random.random_range(0..moves.len())];
                evaluator.note_move(&pos, mv, line.len());
                pos.make_move(mv);
                line.push(false);
            }
            if random.random_bool(0.5) {
                assert_eq!(
                    evaluator.evaluate(&pos, line.len()),
                    network.evaluate(&pos),
                    "{} after {} plies",
                    pos.fen(),
                    line.len()
                );
            }
        }
    }

    #[test]
    fn updated_neurons_are_those_of_the_position() {
        for seed in 0..60 {
            play_at_random(Position::<Standard>::start(), seed);
            play_at_random(Position::<ThreeCheck>::start(), seed);
            play_at_random(Position::<KingOfTheHill>::start(), seed);
            play_at_random(Position::<Chess960>::numbered_start(seed as usize * 16), seed);
            play_at_random(Position::<Antichess>::start(), seed);
            play_at_random(Position::<Atomic>::start(), seed);
            play_at_random(Position::<Crazyhouse>::start(), seed);
            play_at_random(Position::<Horde>::start(), seed);
            play_at_random(Position::<RacingKings>::start(), seed);
        }
        // Castling, promotions, en passant and kings on the middle files.
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            for seed in 0..40 {
                play_at_random(Position::<Standard>::from_fen(fen).unwrap(), seed);
                play_at_random(Position::<ThreeCheck>::from_fen(fen).unwrap(), seed);
            }
        }
    }

    #[test]
    fn every_kernel_gives_the_same() {
        for seed in 0..50 {
            for hidden in Hidden::ALL {
                let network = Network::random(hidden, seed);
                let pos = Position::<ThreeCheck>::start();
                let [white, black] = Color::ALL.map(|side| network.neurons(&pos, side));
                let score = |kernels| network.score(&pos, [&white, &black], kernels);
                assert_eq!(score(Kernels::plain(hidden)), score(Kernels::best(hidden)));
            }
        }
    }

    /// The FEN with colours and ranks exchanged.
    fn flipped(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        let ranks: Vec<String> =
            fields[0].split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        format!("{} {side} - - 0 1", ranks.join("/"))
    }

    #[test]
    fn scores_are_the_same_for_both_sides_and_both_wings() {
        let network = Network::random(Hidden::H128, 3);
        let score = |fen: &str| network.evaluate(&Position::<Standard>::from_fen(fen).unwrap());
        for fen in
            ["1k1r4/pp3p2/8/3N4/8/2q5/PP3P2/1K1R4 w - - 0 1", "4k3/8/8/8/8/8/PPP5/2K5 b - - 0 1"]
        {
            assert_eq!(score(fen), score(&flipped(fen)), "{fen}");
            let placement = fen.split(' ').next().unwrap();
            let mirrored: Vec<String> =
                placement.split('/').map(|rank| rank.chars().rev().collect()).collect();
            let mirrored = fen.replacen(placement, &mirrored.join("/"), 1);
            assert_eq!(score(fen), score(&mirrored), "{fen}");
        }
    }
}
