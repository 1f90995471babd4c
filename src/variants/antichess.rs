//! Antichess: who has no men left or no legal move wins. Captures are compulsory, and kings are men like
//! others. Giveaway and Suicide differ in castling and stalemate alone, and take the rest from here.

use crate::board::{Position, Rules, Sixteen};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::{EvalRules, ExtraTerm};
use crate::search::{Params, SearchRules};
use crate::types::{Color, Move, Outcome, PieceKind, Reason, Square};

use super::Names;

/// Antichess, by the rules of lichess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Antichess;

/// How a side without men wins, for result comments.
pub(super) const LOSES_ALL: &str = "gives the last man";
/// How a side that cannot move wins.
pub(super) const HAS_NO_MOVE: &str = "reaches stalemate";

/// The win of a side without men.
#[inline(always)]
pub(super) fn win_without_men<R: Rules>(pos: &Position<R>) -> Option<Outcome> {
    let winner = Color::ALL.into_iter().find(|&color| pos.count_all(color) == 0)?;
    Some(Outcome::win(winner, Reason::Variant(LOSES_ALL)))
}

/// Can this side still lose all its men? Not with bishops alone of which one stands on a colour of squares
/// that the opponent's bishops never reach.
pub(super) fn can_lose_all<R: Rules>(pos: &Position<R>, color: Color) -> bool {
    let bishops = |color| pos.count(color, PieceKind::Bishop);
    if bishops(Color::White) + bishops(Color::Black) < pos.total_count() {
        return true;
    }
    let stand_on = |color, light: bool| {
        pos.pieces(color, PieceKind::Bishop).filter(move |sq: &Square| sq.is_light() == light)
    };
    let is_safe_from =
        |light| stand_on(color, light).next().is_some() && stand_on(!color, light).next().is_none();
    !is_safe_from(true) && !is_safe_from(false)
}

/// `king` is the worth of a king, of which a side may have several.
#[inline(always)]
pub(super) fn count_kings<R: Rules>(
    pos: &Position<R>,
    us: Color,
    add: &mut impl FnMut(usize, usize, i32),
) {
    add(0, 0, pos.count(us, PieceKind::King) as i32);
}

impl Rules for Antichess {
    type State = ();
    type Men = Sixteen;
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const MUST_CAPTURE: bool = true;
    const PROMOTIONS: &'static [PieceKind] =
        &[PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::King];
    const FORBIDDEN: Option<&'static str> = Some("a capture is compulsory");
    const ENDINGS: &'static [&'static str] = &[LOSES_ALL, HAS_NO_MOVE];

    #[inline(always)]
    fn is_royal(_: Color) -> bool {
        false
    }

    #[inline(always)]
    fn outcome(pos: &Position<Antichess>) -> Option<Outcome> {
        win_without_men(pos)
    }

    fn stalemate(pos: &Position<Antichess>) -> Outcome {
        Outcome::win(pos.side_to_move(), Reason::Variant(HAS_NO_MOVE))
    }

    /// Bishops alone that can never meet.
    fn is_insufficient_material(pos: &Position<Antichess>) -> bool {
        !Color::ALL.into_iter().any(|color| Antichess::can_win(pos, color))
    }

    fn can_win(pos: &Position<Antichess>, color: Color) -> bool {
        can_lose_all(pos, color)
    }
}

/// The last step to the win by giving away.
pub(super) fn describe_last_man<R: Rules>(pos: &Position<R>, color: Color) -> Option<&'static str> {
    (pos.count_all(color) == 1).then_some("has one more man to give away")
}

impl BookRules for Antichess {
    const KEY_NAME: Option<&'static str> = Some(Antichess::NAME);
    const REPERTOIRE: &'static str = include_str!("../../variants/antichess/repertoire.tsv");
}

impl EvalRules for Antichess {
    const WEIGHTS: &'static str = include_str!("../../variants/antichess/eval.params");
    const NETWORK_GAME: &'static str = Antichess::NAME;
    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../variants/antichess/net.nnue"));
    const EXTRA_TERMS: &'static [ExtraTerm] = &[ExtraTerm::new("king", 1)];

    fn count_extra_terms(
        pos: &Position<Antichess>,
        us: Color,
        add: &mut impl FnMut(usize, usize, i32),
    ) {
        count_kings(pos, us, add);
    }
}

impl SearchRules for Antichess {
    const STALEMATE_DECIDES: bool = true;

    /// Games are short, so a move may take more of the clock.
    fn params() -> Params {
        Params { clock_soft: 100, endgame_scale: 100, ..Params::STANDARD }
    }

    /// Whoever offers a man has lost nothing.
    #[inline(always)]
    fn gains_at_least(_: &Position<Antichess>, _: Move, _: i32) -> bool {
        true
    }

    /// Never: with few moves, passing is often the best move.
    fn null_move_ok(_: &Position<Antichess>) -> bool {
        false
    }
}

impl CoachRules for Antichess {
    const EXTRA_NAME: &'static str = "kings";

    fn describe_last_step(pos: &Position<Antichess>, color: Color) -> Option<&'static str> {
        describe_last_man(pos, color)
    }
}

impl Names for Antichess {
    const NAME: &'static str = "antichess";
    const OTHER_NAMES: &'static [&'static str] = &["anti"];
    const TITLE: &'static str = "Antichess";
    const RULES: &'static str = "Whoever gives away the last man wins, and so does a side in stalemate. A side \
        that can capture must capture. There is no check and no castling, the king is a man like others, and a \
        pawn may become a king, too.";
    const LESSON: Option<&'static str> = Some("teachanti");
    const XBOARD_PARENT: Option<&'static str> = Some("giveaway");
}
