//! The three stages of play, and how the first two choose their moves.

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Game;
use crate::types::{Move, PieceKind};
use crate::variants::VariantId;

/// How the engine chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stage {
    /// Only pawns move, unless the rules demand another capture.
    Pawns,
    /// Any legal move at random.
    Random,
    /// Search.
    #[default]
    Full,
}

impl Stage {
    pub const ALL: [Stage; 3] = [Stage::Pawns, Stage::Random, Stage::Full];

    pub const fn name(self) -> &'static str {
        match self {
            Stage::Pawns => "pawns",
            Stage::Random => "random",
            Stage::Full => "full",
        }
    }

    /// Does this stage search? If not, [`Stage::choose`] decides.
    pub const fn searches(self) -> bool {
        matches!(self, Stage::Full)
    }

    /// Why this stage can play no move in any position of a game, if it cannot.
    pub fn problem(self, variant: VariantId) -> Option<String> {
        let is_possible = self != Stage::Pawns || variant.has_pawns();
        let title = variant.title();
        (!is_possible).then(|| format!("{title} has no pawns: the stage {self} cannot play it"))
    }

    /// The move of this stage among the `legal` moves; of a stage that searches, the first of them.
    pub(super) fn choose(
        self,
        game: &dyn Game,
        legal: &[Move],
        random: &mut impl Rng,
    ) -> Option<Move> {
        match self {
            Stage::Pawns => first_pawn_move(game, legal).or_else(|| compulsory(game, legal)),
            Stage::Random => random_move(legal, random),
            Stage::Full => legal.first().copied(),
        }
    }
}

/// The first pawn move: captures before pushes, these before drops, and pawns in the order of the squares
/// from a1 to h8. A promotion makes a queen.
fn first_pawn_move(game: &dyn Game, legal: &[Move]) -> Option<Move> {
    legal
        .iter()
        .copied()
        .filter(|&mv| game.mover(mv).is_some_and(|man| man.kind() == PieceKind::Pawn))
        .filter(|mv| mv.promotion().is_none_or(|kind| kind == PieceKind::Queen))
        .min_by_key(|mv| (!mv.is_capture(), mv.is_drop(), mv.from(), mv.to()))
}

/// The first capture that the rules demand, by its squares from a1 to h8.
fn compulsory(game: &dyn Game, legal: &[Move]) -> Option<Move> {
    let captures = legal.iter().copied().filter(|mv| mv.is_capture());
    captures.min_by_key(|mv| (mv.from(), mv.to())).filter(|_| game.variant().must_capture())
}

/// Castling if it is legal, else en passant, else any move. Each promotion piece is equally likely. The same for
/// the same random numbers, in whatever order the moves come.
fn random_move(legal: &[Move], random: &mut impl Rng) -> Option<Move> {
    let mut legal = legal.to_vec();
    legal.sort_unstable_by_key(|mv| mv.bits());
    let castlings: Vec<Move> = legal.iter().copied().filter(|mv| mv.is_castling()).collect();
    let en_passants: Vec<Move> = legal.iter().copied().filter(|mv| mv.is_en_passant()).collect();
    [castlings, en_passants, legal].into_iter().find_map(|moves| moves.choose(random).copied())
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(text: &str) -> Result<Stage, UnknownStage> {
        Stage::ALL
            .into_iter()
            .find(|stage| stage.name() == text)
            .ok_or_else(|| UnknownStage(text.to_owned()))
    }
}

/// A word that names no stage.
#[derive(Debug, thiserror::Error)]
#[error("no such stage: {0} ({stages})", stages = Stage::ALL.map(Stage::name).join(", "))]
pub struct UnknownStage(String);

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::play::new_game;

    fn choose(stage: Stage, fen: &str, seed: u64) -> Option<String> {
        let mut game = new_game(VariantId::Standard);
        game.set_board(fen).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        stage.choose(&*game, &game.legal_moves(), &mut random).map(|mv| mv.to_string())
    }

    #[test]
    fn pawns_capture_before_they_push_in_board_order() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(choose(Stage::Pawns, start, 0).as_deref(), Some("a2a3"));
        let capture = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
        assert_eq!(choose(Stage::Pawns, capture, 0).as_deref(), Some("e4d5"));
    }

    #[test]
    fn a_pawn_on_the_last_rank_becomes_a_queen() {
        let fen = "4k3/8/8/8/8/8/1p6/4K3 b - - 0 1";
        assert_eq!(choose(Stage::Pawns, fen, 0).as_deref(), Some("b2b1q"));
    }

    #[test]
    fn a_game_without_pawns_is_none_for_the_stage_of_pawns() {
        for &variant in VariantId::ALL {
            for stage in [Stage::Random, Stage::Full] {
                assert_eq!(stage.problem(variant), None);
            }
            let has_problem = variant == VariantId::RacingKings;
            assert_eq!(Stage::Pawns.problem(variant).is_some(), has_problem, "{variant:?}");
        }
        let problem = Stage::Pawns.problem(VariantId::RacingKings);
        let text = "Racing Kings has no pawns: the stage pawns cannot play it";
        assert_eq!(problem.as_deref(), Some(text));
    }

    #[test]
    fn without_a_pawn_move_there_is_none() {
        assert_eq!(choose(Stage::Pawns, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 0), None);
        // A check that no pawn answers.
        assert_eq!(choose(Stage::Pawns, "4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1", 0), None);
    }

    #[test]
    fn a_pawn_in_hand_is_dropped_if_none_on_the_board_moves() {
        let play = |fen: &str| {
            let mut game = new_game(VariantId::Crazyhouse);
            game.set_board(fen).unwrap();
            let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
            let legal = game.legal_moves();
            Stage::Pawns.choose(&*game, &legal, &mut random).map(|mv| mv.to_string())
        };
        assert_eq!(play("4k3/8/8/8/8/8/P7/4K3[P] w - - 0 1").as_deref(), Some("a2a3"));
        assert_eq!(play("4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1").as_deref(), Some("P@a2"));
        assert_eq!(play("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"), None);
    }

    #[test]
    fn random_castles_first_then_takes_en_passant() {
        for seed in 0..20 {
            let castle = choose(Stage::Random, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", seed);
            assert_eq!(castle.as_deref(), Some("e1g1"));
            let take = choose(Stage::Random, "4k3/8/8/3pP3/8/8/8/4K2R w - d6 0 1", seed);
            assert_eq!(take.as_deref(), Some("e5d6"));
            let both = choose(Stage::Random, "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", seed);
            assert_eq!(both.as_deref(), Some("e1g1"));
        }
    }

    #[test]
    fn random_repeats_itself_for_a_seed_and_promotes_to_every_piece() {
        let fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        let play = |seed| choose(Stage::Random, fen, seed);
        assert_eq!(play(7), play(7));
        for kind in ["q", "r", "b", "n"] {
            assert!((0..200).any(|seed| play(seed) == Some(format!("a7a8{kind}"))), "{kind}");
        }
    }
}
