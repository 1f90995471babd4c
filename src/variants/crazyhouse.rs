//! Crazyhouse: captured men change sides, and their captor drops them on empty squares.

use crate::board::{Hands, Position, PositionError, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::{EvalRules, ExtraTerm};
use crate::search::{Params, SearchRules, WinRate, see};
use crate::types::{Color, Key, Move, PieceKind};

use super::Names;

/// Crazyhouse, by the rules of lichess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crazyhouse;

/// The men of a game, those in hand included.
const MEN: usize = 32;

impl Rules for Crazyhouse {
    type State = Hands;
    const MOST_MEN: [usize; 2] = [32, 32];
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";
    const HAS_DROPS: bool = true;
    const HAS_FIFTY_MOVE_RULE: bool = false;

    #[inline(always)]
    fn hands(state: &Hands) -> Option<&Hands> {
        Some(state)
    }

    #[inline(always)]
    fn hands_mut(state: &mut Hands) -> Option<&mut Hands> {
        Some(state)
    }

    #[inline(always)]
    fn key(state: &Hands) -> Key {
        state.key()
    }

    fn check_position(pos: &Position<Crazyhouse>) -> Result<(), PositionError> {
        match pos.total_count() + pos.state().total_count() > MEN {
            true => Err(PositionError::MenInHand),
            false => Ok(()),
        }
    }

    /// Never: men come back.
    fn is_insufficient_material(_: &Position<Crazyhouse>) -> bool {
        false
    }

    /// Always: every man can change sides.
    fn can_win(_: &Position<Crazyhouse>, _: Color) -> bool {
        true
    }
}

impl BookRules for Crazyhouse {
    const KEY_NAME: Option<&'static str> = Some(Crazyhouse::NAME);
    const REPERTOIRE: &'static str = include_str!("../../variants/crazyhouse/repertoire.tsv");
}

impl EvalRules for Crazyhouse {
    const WEIGHTS: &'static str = include_str!("../../variants/crazyhouse/eval.params");
    const NETWORK_GAME: &'static str = Crazyhouse::NAME;
    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../variants/crazyhouse/net.nnue"));
    const EXTRA_TERMS: &'static [ExtraTerm] =
        &[ExtraTerm::new("hand", 5), ExtraTerm::new("danger_hand", 5)];

    /// `hand` is the worth of a man in hand, from pawn to queen.
    fn count_extra_terms(
        pos: &Position<Crazyhouse>,
        us: Color,
        add: &mut impl FnMut(usize, usize, i32),
    ) {
        count_hand(pos, us, |index, count| add(0, index, count));
    }

    /// `danger_hand` is the danger from a man in the attacker's hand.
    fn count_extra_dangers(
        pos: &Position<Crazyhouse>,
        us: Color,
        add: &mut impl FnMut(usize, usize, i32),
    ) {
        count_hand(pos, !us, |index, count| add(1, index, count));
    }
}

/// Calls `add` with 0 for pawns to 4 for queens and the number of such men in hand, if there are any.
#[inline(always)]
fn count_hand(pos: &Position<Crazyhouse>, us: Color, mut add: impl FnMut(usize, i32)) {
    for kind in Hands::KINDS {
        let count = pos.state().count(us, kind) as i32;
        if count > 0 {
            add(kind.index() - 1, count);
        }
    }
}

impl SearchRules for Crazyhouse {
    const CHECKS_ADVANCE: bool = true;

    /// Fitted as [`WinRate::STANDARD`], to 1640 games.
    const WIN_RATE: WinRate = WinRate { half: 4.0, scale: 511.0 };

    /// Many checks are drops that are simply taken, so the order does not prefer checks.
    fn params() -> Params {
        Params { order_check: 0, endgame_scale: 100, ..Params::STANDARD }
    }

    /// A check advances if it loses nothing.
    #[inline(always)]
    fn check_advances(pos: &Position<Crazyhouse>, mv: Move) -> bool {
        Crazyhouse::gains_at_least(pos, mv, 0)
    }

    /// The captured man changes sides: what one loses, the other gains.
    #[inline(always)]
    fn gain(pos: &Position<Crazyhouse>, mv: Move) -> i32 {
        let victim = pos.victim(mv);
        let in_hand =
            if pos.state().is_promoted(mv.to()) { PieceKind::Pawn.index() } else { victim };
        see::VALUES[victim] + see::VALUES[in_hand] + see::promotion_gain(mv)
    }

    /// In an exchange, every man that is lost counts twice.
    #[inline(always)]
    fn gains_at_least(pos: &Position<Crazyhouse>, mv: Move, threshold: i32) -> bool {
        see::gains_at_least(pos, mv, (threshold + 1).div_euclid(2))
    }

    /// With a man to drop, passing is never the best move.
    fn null_move_ok(pos: &Position<Crazyhouse>) -> bool {
        let us = pos.side_to_move();
        pos.has_non_pawn_material(us)
            || Hands::KINDS.iter().any(|&kind| pos.state().count(us, kind) > 0)
    }
}

impl CoachRules for Crazyhouse {
    const EXTRA_NAME: &'static str = "men in hand";

    fn describe_state(state: &Hands) -> Option<String> {
        if state.total_count() == 0 {
            return None;
        }
        let text = |color| {
            let letters = state.letters(color).to_ascii_uppercase();
            format!("{color} {}", if letters.is_empty() { "-" } else { &letters })
        };
        Some(format!("In hand: {}, {}", text(Color::White), text(Color::Black)))
    }
}

impl Names for Crazyhouse {
    const NAME: &'static str = "crazyhouse";
    const OTHER_NAMES: &'static [&'static str] = &["house", "wild23", "zh"];
    const TITLE: &'static str = "Crazyhouse";
    const RULES: &'static str = "A captured man changes sides: its captor may drop it on an empty square instead \
        of making a move, a pawn not on the first or last rank. A promoted man that is captured becomes a pawn \
        again. Mate wins, and fifty moves without a capture are no draw.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{MoveError, parse_move, san};
    use crate::types::{Outcome, Reason};

    fn position(fen: &str) -> Position<Crazyhouse> {
        Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    fn play(pos: &mut Position<Crazyhouse>, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = parse_move(pos, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            pos.make_move(mv);
        }
    }

    #[test]
    fn nobody_castles_with_a_promoted_rook() {
        let pos = position("r3k2r/8/8/8/8/8/8/R3K2R~[] w KQkq - 0 1");
        assert_eq!(pos.fen(), "r3k2r/8/8/8/8/8/8/R3K2R~[] w Qkq - 0 1");
    }

    #[test]
    fn captured_men_change_sides_and_promoted_ones_are_pawns_again() {
        let mut pos = position("1n2k3/P7/8/8/8/8/8/4K3[] w - - 0 1");
        play(&mut pos, "axb8=Q");
        assert_eq!(pos.fen(), "1Q~2k3/8/8/8/8/8/8/4K3[N] b - - 0 1");
        let after_capture = pos.clone();
        play(&mut pos, "Kd7 Qb7 Kd8 N@c6 Ke8 Qb8 Kd7 Kf2");
        assert_eq!(pos.fen(), "1Q~6/3k4/2N5/8/8/8/5K2/8[] b - - 8 5");
        (0..8).for_each(|_| pos.unmake_move());
        assert_eq!((pos.fen(), pos.key()), (after_capture.fen(), after_capture.key()));
        let mut pos = position("8/8/8/8/8/1k6/2Q~5/K7[] b - - 3 1");
        play(&mut pos, "Kxc2");
        assert_eq!(pos.fen(), "8/8/8/8/8/8/2k5/K7[p] w - - 0 2");
    }

    #[test]
    fn every_dialect_of_the_men_in_hand_is_read() {
        let board = "4k3/8/8/8/8/8/8/4K3";
        for hands in ["[QNp]", "[pNQ]", "/QNp"] {
            assert_eq!(
                position(&format!("{board}{hands} w - - 0 1")).fen(),
                format!("{board}[QNp] w - - 0 1")
            );
        }
        for hands in ["", "[]", "[-]", "/"] {
            assert_eq!(
                position(&format!("{board}{hands} w - - 0 1")).fen(),
                format!("{board}[] w - - 0 1")
            );
        }
        for fen in [
            "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3[x] w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3[Q w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3Q] w - - 0 1",
            "4k3/8/8/8/8/8/P~7/4K3[] w - - 0 1",
            "4k3/8/8/8/8/8/8~/4K3[] w - - 0 1",
            "4k3/8/8/8/8/8/Q~~7/4K3[] w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3[PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP] w - - 0 1",
        ] {
            assert!(Position::<Crazyhouse>::from_fen(fen).is_err(), "{fen}");
        }
    }

    #[test]
    fn drops_are_written_and_read() {
        let pos = position("4k3/8/8/8/8/8/8/4KN2[QNPqnp] w - - 0 1");
        for (text, written) in
            [("N@g3", "N@g3"), ("n@g3", "N@g3"), ("@e4", "P@e4"), ("Q@e7", "Q@e7+")]
        {
            let mv = parse_move(&pos, text).unwrap();
            assert_eq!(san(&pos, mv), written);
        }
        // The knight on the board needs no more letters because of the one in hand.
        assert_eq!(san(&pos, parse_move(&pos, "f1g3").unwrap()), "Ng3");
        for (text, error) in [
            ("P@e8", MoveError::Blocked),
            ("P@d8", MoveError::PawnDropOnBackRank),
            ("R@d4", MoveError::NotInHand),
            ("N@e1", MoveError::Blocked),
        ] {
            assert_eq!(parse_move(&pos, text), Err(error), "{text}");
        }
        let in_check = position("4k3/8/8/8/8/4r3/8/4K3[N] w - - 0 1");
        assert_eq!(parse_move(&in_check, "N@d4"), Err(MoveError::LeavesKingInCheck));
        assert!(parse_move(&in_check, "N@e2").is_ok());
    }

    #[test]
    fn mate_is_mate_if_no_drop_stands_between() {
        let mated = "R5k1/5ppp/8/8/8/8/8/4K3";
        let outcome = |hands| position(&format!("{mated}{hands} b - - 0 1")).outcome();
        let win = Some(Outcome::win(Color::White, Reason::Checkmate));
        assert_eq!(outcome("[]"), win);
        assert_eq!(outcome("[Q]"), win, "White's man in hand helps Black nothing");
        assert_eq!(outcome("[n]"), None);
        assert_eq!(outcome("[p]"), win, "a pawn cannot be dropped on the last rank");
    }

    #[test]
    fn a_position_recurs_across_captures_and_drops() {
        // White gives a knight away and wins it back, twice.
        let mut pos = position("k7/8/8/8/8/8/8/K7[N] w - - 0 1");
        let start = pos.key();
        for round in 1..=2 {
            play(&mut pos, "N@b7 Kxb7 Ka2 N@b1 Kxb1 Kb8 Ka1 Ka8");
            assert_eq!((pos.key(), pos.repetitions()), (start, round));
        }
        assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::Repetition)));
        // With other men in hand it is another position.
        assert_ne!(position("k7/8/8/8/8/8/8/K7[B] w - - 0 1").key(), start);
        assert_ne!(position("k7/8/8/8/8/8/8/K7[n] w - - 0 1").key(), start);
        // Without the right to castle it is another position.
        let mut pos = position("4k3/8/8/8/8/8/8/4K2R[] w K - 0 1");
        play(&mut pos, "Kd1 Kd8 Ke1 Ke8");
        assert_eq!(pos.repetitions(), 0);
        play(&mut pos, "Kd1 Kd8 Ke1 Ke8");
        assert_eq!(pos.repetitions(), 1);
    }

    #[test]
    fn there_is_no_fifty_move_rule_and_always_enough_material() {
        let pos = position("4k3/8/8/8/8/8/8/4K3[] w - - 150 200");
        assert_eq!(pos.outcome(), None);
        assert!(Color::ALL.into_iter().all(|color| Crazyhouse::can_win(&pos, color)));
    }

    #[test]
    fn exchanges_count_twice() {
        let pos = position("4k3/8/2p5/3n4/8/4N3/8/4K3[] w - - 0 1");
        let take = parse_move(&pos, "Nxd5").unwrap();
        assert!(Crazyhouse::gains_at_least(&pos, take, 0));
        assert!(!Crazyhouse::gains_at_least(&pos, take, 1));
        let free = position("4k3/8/8/3n4/8/4N3/8/4K3[] w - - 0 1");
        assert!(Crazyhouse::gains_at_least(&free, take, 2 * see::VALUES[2]));
        assert_eq!(Crazyhouse::gain(&free, take), 2 * see::VALUES[2]);
        // A knight dropped where a pawn takes it is lost, and the opponent gets it.
        let pos = position("4k3/8/2p5/8/8/8/8/4K3[N] w - - 0 1");
        let drop = parse_move(&pos, "N@d5").unwrap();
        assert!(Crazyhouse::gains_at_least(&pos, drop, -2 * see::VALUES[2]));
        assert!(!Crazyhouse::gains_at_least(&pos, drop, 1 - 2 * see::VALUES[2]));
    }

    #[test]
    fn a_dropped_rook_cannot_castle() {
        let mut pos = position("4k3/8/8/8/8/8/8/4K3[R] w K - 0 1");
        play(&mut pos, "R@h1 Kd8");
        assert_eq!(parse_move(&pos, "O-O"), Err(MoveError::CannotCastle));
        assert_eq!(pos.fen(), "3k4/8/8/8/8/8/8/4K2R[] w - - 2 2");
    }

    #[test]
    fn a_dropped_pawn_may_go_two_squares() {
        let mut pos = position("4k3/8/8/8/5p2/8/8/4K3[P] w - - 0 1");
        play(&mut pos, "P@e2 Kd8 e2e4 fxe3");
        assert_eq!(pos.fen(), "3k4/8/8/8/8/4p3/8/4K3[p] w - - 0 3");
    }
}
