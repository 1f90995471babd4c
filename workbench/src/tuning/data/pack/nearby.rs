//! Positions near those of the games, valued by this program (knowledge distillation).
//!
//! Games show few positions, and hardly any in which a side has just blundered, but a search evaluates
//! millions of those. So the network also learns what a teacher says about them: the classic evaluation,
//! or a short search.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::tuning::datagen::store::StoredGame;
use crate::tuning::positions::TrainingPosition;
use crate::tuning::selection::{Selection, is_decided};
use crate::tuning::selfplay::{NodeLimits, SelfPlayer, rng_of_game};
use trebuchet::board::Position;
use trebuchet::eval::Evaluator;
use trebuchet::types::{Move, Score};
use trebuchet::variants::Variant;

/// How many random moves lead away from a game.
const RANDOM_MOVES: std::ops::RangeInclusive<usize> = 1..=3;
/// How many winning captures may follow until a position is quiet.
const CAPTURES: usize = 8;
/// The transposition table of a search, in MiB.
const HASH: usize = 1;

/// Finds positions near others.
pub struct Neighbourhood<V: Variant> {
    teacher: Teacher<V>,
    random: Xoshiro256PlusPlus,
    selection: Selection,
}

/// Who says what a position is worth.
enum Teacher<V: Variant> {
    Classic(Box<Evaluator<V>>),
    Search(Box<SelfPlayer<V>>),
}

impl<V: Variant> Teacher<V> {
    /// A search of this many nodes; 0 is the classic evaluation without a search.
    fn new(nodes: u64) -> Teacher<V> {
        match nodes {
            0 => Teacher::Classic(Evaluator::new(None).into()),
            _ => Teacher::Search(SelfPlayer::teacher(NodeLimits::from_soft(nodes), HASH).into()),
        }
    }

    /// The score of a quiet position; `None` if it is not for training.
    fn score(&mut self, pos: &Position<V>, selection: Selection) -> Option<Score> {
        match self {
            Teacher::Classic(classic) => {
                let score = classic.evaluate_alone(pos);
                (!is_decided(score)).then_some(score)
            }
            Teacher::Search(player) => {
                let best = player.choose(pos)?;
                selection.refuses(pos, best).is_none().then_some(best.score)
            }
        }
    }
}

impl<V: Variant> Neighbourhood<V> {
    /// Positions of this selection, valued by a search of this many nodes; 0 is the classic evaluation
    /// without a search.
    pub fn new(selection: Selection, nodes: u64) -> Neighbourhood<V> {
        Neighbourhood { teacher: Teacher::new(nodes), random: rng_of_game(0, 0), selection }
    }

    /// Goes to a game. What is found near its positions depends on its moves and the seed alone.
    pub fn enter(&mut self, seed: u64, game: &StoredGame) {
        // Not the random numbers with which the game itself was played.
        self.random = rng_of_game(!seed, game.hash() as u32);
        if let Teacher::Search(player) = &mut self.teacher {
            player.search_mut().clear();
        }
    }

    /// A position near this one for training; `None` if none was found.
    pub fn sample(&mut self, start: &Position<V>) -> Option<TrainingPosition> {
        let pos = self.wander(start)?;
        let score = self.teacher.score(&pos, self.selection)?;
        Some(TrainingPosition::without_result(&pos, score))
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
            let mv = *pos.legal_moves().sorted().choose(&mut self.random)?;
            play(&mut pos, mv)?;
        }
        for _ in 0..CAPTURES {
            let Some(mv) = winning_capture(&pos) else { break };
            play(&mut pos, mv)?;
        }
        (!pos.in_check() && winning_capture(&pos).is_none()).then_some(pos)
    }
}

/// The capture or promotion that wins most at once, of those that win material, if there is one. Where captures are
/// compulsory, that is every capture.
fn winning_capture<V: Variant>(pos: &Position<V>) -> Option<Move> {
    let moves = pos.legal_moves();
    let winning =
        moves.iter().copied().filter(|&mv| mv.is_noisy() && V::gains_at_least(pos, mv, 1));
    winning.max_by_key(|&mv| V::gain(pos, mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::variants::{Antichess, Atomic, Standard, ThreeCheck};

    const FEN: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 w - - 3+2 0 10";

    /// The neighbourhood in a game, with a search of this many nodes.
    fn neighbourhood(nodes: u64) -> Neighbourhood<ThreeCheck> {
        let mut near = Neighbourhood::new(Selection::default(), nodes);
        let fen = FEN.to_owned();
        near.enter(1, &StoredGame { number: 7, fen, winner: None, moves: Vec::new() });
        near
    }

    #[test]
    fn winning_captures_are_played_until_the_position_is_quiet() {
        fn taken<V: Variant>(fen: &str) -> Option<String> {
            winning_capture(&Position::<V>::from_fen(fen).unwrap()).map(|mv| mv.to_string())
        }
        let hanging = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 1";
        assert_eq!(taken::<Standard>(hanging).as_deref(), Some("c3d5"));
        let guarded = "4k3/2p5/3p4/8/8/8/8/3RK3 w - - 0 1";
        assert_eq!(taken::<Standard>(guarded), None);
        assert_eq!(taken::<Standard>("4k3/7P/8/8/8/8/8/4K3 w - - 0 1").as_deref(), Some("h7h8q"));
        // The bishop goes, too, and with it the knight beside it.
        let bad_explosion = "4k3/8/8/2N5/3p4/8/5B2/4K3 w - - 0 1";
        assert_eq!(taken::<Standard>(bad_explosion).as_deref(), Some("f2d4"));
        assert_eq!(taken::<Atomic>(bad_explosion), None);
        assert_eq!(taken::<Antichess>(guarded).as_deref(), Some("d1d6"));
    }

    #[test]
    fn positions_nearby_are_quiet_and_have_the_value_of_the_classic_evaluation() {
        let start = Position::<ThreeCheck>::from_fen(FEN).unwrap();
        let (mut near, mut again) = (neighbourhood(0), neighbourhood(0));
        let mut found = 0;
        for _ in 0..200 {
            let sample = near.sample(&start);
            assert_eq!(sample, again.sample(&start));
            found += usize::from(sample.is_some());
        }
        assert!(found > 100, "{found}");
        let (mut near, mut same) = (neighbourhood(0), neighbourhood(0));
        for _ in 0..200 {
            let (Some(pos), sample) = (near.wander(&start), same.sample(&start)) else { continue };
            assert!(!pos.in_check() && winning_capture(&pos).is_none(), "{}", pos.fen());
            assert_ne!(pos.fen(), start.fen());
            let score = Evaluator::<ThreeCheck>::new(None).evaluate_alone(&pos);
            if let Some(sample) = sample {
                assert_eq!(sample, TrainingPosition::without_result(&pos, score));
                assert_eq!(sample.result(), None);
            }
        }
    }

    #[test]
    fn a_search_values_the_same_positions_by_what_follows() {
        let start = Position::<ThreeCheck>::from_fen(FEN).unwrap();
        let (mut near, mut same) = (neighbourhood(50), neighbourhood(50));
        let mut player = SelfPlayer::<ThreeCheck>::new(NodeLimits::from_soft(50), HASH);
        player.search_mut().clear();
        let mut found = 0;
        for _ in 0..100 {
            let (pos, sample) = (near.wander(&start), same.sample(&start));
            let Some(best) = pos.as_ref().and_then(|pos| player.choose(pos)) else { continue };
            if let Some(sample) = sample {
                let pos = pos.as_ref().unwrap();
                assert_eq!(sample, TrainingPosition::without_result(pos, best.score));
                assert!(!best.mv.is_noisy());
                found += 1;
            }
        }
        assert!(found > 30, "{found}");
    }
}
