//! Crazyhouse: captured men change sides, and their captor drops them on empty squares.

use crate::board::{Hands, Position, PositionError, Rules, ThirtyTwo};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::{EvalRules, ExtraTerm};
use crate::search::{SearchRules, see};
use crate::types::{Color, Key, Move, MoveList};

use super::Names;

/// Crazyhouse, by the rules of lichess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crazyhouse;

/// The men of a game, those in hand included.
const MEN: usize = 32;

impl Rules for Crazyhouse {
    type State = Hands;
    type Men = ThirtyTwo;
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
        if pos.total_count() + pos.state().total_count() > MEN {
            return Err(PositionError::MenInHand);
        }
        match pos.count_legal_moves() > MoveList::CAPACITY as u64 {
            true => Err(PositionError::MoveCount),
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

    /// The captured man changes sides: what one loses, the other gains.
    #[inline(always)]
    fn gain(pos: &Position<Crazyhouse>, mv: Move) -> i32 {
        let value = |index: usize| see::VALUES[index];
        let victim = if mv.is_en_passant() { 1 } else { pos.cell(mv.to()).kind_index() };
        let in_hand = if pos.state().is_promoted(mv.to()) { 1 } else { victim };
        let promoted = mv.promotion().map_or(0, |kind| value(kind.index()) - value(1));
        value(victim) + value(in_hand) + promoted
    }

    /// In an exchange, every man that is lost counts twice.
    #[inline(always)]
    fn gains_at_least(pos: &Position<Crazyhouse>, mv: Move, threshold: i32) -> bool {
        see::gains_at_least(pos, mv, (threshold + 1).div_euclid(2))
    }

    /// With a man to drop, passing is never the best move.
    fn null_move_ok(pos: &Position<Crazyhouse>) -> bool {
        let us = pos.side_to_move();
        pos.has_pieces(us) || Hands::KINDS.iter().any(|&kind| pos.state().count(us, kind) > 0)
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
    const OTHER_NAMES: &'static [&'static str] = &["house", "zh"];
    const TITLE: &'static str = "Crazyhouse";
    const RULES: &'static str = "A captured man changes sides: its captor may drop it on an empty square instead \
        of making a move, a pawn not on the first or last rank. A promoted man that is captured becomes a pawn \
        again. Mate wins, and fifty moves without a capture are no draw.";
}
