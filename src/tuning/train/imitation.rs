//! Positions near those of the games, with the value that the classic evaluation gives them (knowledge
//! distillation).
//!
//! Games show few positions, and hardly any in which a side has just blundered, but a search evaluates
//! millions of those. So the network also learns what the classic evaluation says about them.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::positions::TrainingPosition;
use crate::board::Position;
use crate::eval::Evaluator;
use crate::search::see;
use crate::tuning::selfplay::rng_of_game;
use crate::types::Move;
use crate::variants::Variant;

/// How many random moves lead away from a game.
const RANDOM_MOVES: std::ops::RangeInclusive<usize> = 1..=3;
/// How many winning captures may follow until a position is quiet.
const CAPTURES: usize = 8;

/// Finds positions near others.
pub struct Neighbourhood<V: Variant> {
    classic: Evaluator<V>,
    random: Xoshiro256PlusPlus,
    max_score: i32,
}

impl<V: Variant> Neighbourhood<V> {
    /// A position with a score of `max_score` centipawns or more is left out.
    pub fn new(max_score: i32) -> Neighbourhood<V> {
        let classic = Evaluator::new(None);
        Neighbourhood { classic, random: rng_of_game(0, 0), max_score }
    }

    /// Goes to the game with this number. What is found near its positions depends on it and the seed
    /// alone.
    pub fn enter(&mut self, seed: u64, game: u32) {
        // Not the random numbers with which the game itself was played.
        self.random = rng_of_game(!seed, game);
    }

    /// A position near this one for training; `None` if none was found.
    pub fn sample(&mut self, start: &Position<V>) -> Option<TrainingPosition> {
        let pos = self.wander(start)?;
        let score = self.classic.evaluate_alone(&pos);
        let is_open = score.value().abs() < self.max_score;
        is_open.then(|| TrainingPosition::without_result(&pos, score))
    }

    /// Goes away from a position by random moves, and then plays the captures that win material until the
    /// position is quiet. `None` if it does not become quiet, or the game ends.
    fn wander(&mut self, start: &Position<V>) -> Option<Position<V>> {
        let mut pos = start.clone();
        let play = |pos: &mut Position<V>, mv: Move| {
            pos.make_move(mv);
            pos.outcome().is_none().then_some(())
        };
        for _ in 0..self.random.random_range(RANDOM_MOVES) {
            let mv = *pos.legal_moves().choose(&mut self.random)?;
            play(&mut pos, mv)?;
        }
        for _ in 0..CAPTURES {
            let Some(mv) = winning_capture(&pos) else { break };
            play(&mut pos, mv)?;
        }
        (!pos.in_check() && winning_capture(&pos).is_none()).then_some(pos)
    }
}

/// The capture or promotion that wins most at once, of those that win material, if there is one.
fn winning_capture<V: Variant>(pos: &Position<V>) -> Option<Move> {
    let gain = |mv: Move| {
        let promoted = mv.promotion().map_or(0, |kind| see::VALUES[kind.index()]);
        see::VALUES[pos.cell(mv.to()).kind_index()] + promoted
    };
    let moves = pos.legal_moves();
    let winning =
        moves.iter().copied().filter(|&mv| mv.is_noisy() && see::gains_at_least(pos, mv, 1));
    winning.max_by_key(|&mv| gain(mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    #[test]
    fn winning_captures_are_played_until_the_position_is_quiet() {
        let pos = |fen| Position::<Standard>::from_fen(fen).unwrap();
        let taken = |fen| winning_capture(&pos(fen)).map(|mv| mv.to_string());
        let hanging = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 1";
        assert_eq!(taken(hanging).as_deref(), Some("c3d5"));
        assert_eq!(taken("4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1"), None);
        assert_eq!(taken("4k3/7P/8/8/8/8/8/4K3 w - - 0 1").as_deref(), Some("h7h8q"));
    }

    #[test]
    fn positions_nearby_are_quiet_and_have_the_value_of_the_classic_evaluation() {
        let fen = "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 w - - 3+2 0 10";
        let start = Position::<ThreeCheck>::from_fen(fen).unwrap();
        let new = || {
            let mut near = Neighbourhood::<ThreeCheck>::new(3000);
            near.enter(1, 7);
            near
        };
        let (mut near, mut again) = (new(), new());
        let mut found = 0;
        for _ in 0..200 {
            let sample = near.sample(&start);
            assert_eq!(sample, again.sample(&start));
            found += usize::from(sample.is_some());
        }
        assert!(found > 100, "{found}");
        let (mut near, mut same) = (new(), new());
        for _ in 0..200 {
            let (Some(pos), sample) = (near.wander(&start), same.sample(&start)) else { continue };
            assert!(!pos.in_check() && winning_capture(&pos).is_none(), "{}", pos.fen());
            assert_ne!(pos.fen(), start.fen());
            let score = Evaluator::<ThreeCheck>::new(None).evaluate_alone(&pos);
            if let Some(sample) = sample {
                assert_eq!((sample.score(), sample.result()), (score.value() as f32, None));
            }
        }
    }
}
