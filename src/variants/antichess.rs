//! Antichess: who has no men left or no legal move wins. Captures are compulsory, and kings are men like
//! others. Giveaway and Suicide differ in castling and stalemate alone, and take the rest from here ([`GivesAway`]).

use crate::board::{Position, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::{EvalRules, ExtraTerm};
use crate::search::{Params, SearchRules, WinRate};
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

impl Rules for Antichess {
    type State = ();
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
    fn variant_outcome(pos: &Position<Antichess>) -> Option<Outcome> {
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

/// A game of this family: book moves, evaluation, search and coach are those of Antichess.
pub(super) trait GivesAway: Rules<State = ()> + Names {}

impl GivesAway for Antichess {}

impl<V: GivesAway> BookRules for V {
    const KEY_NAME: Option<&'static str> = Some(V::NAME);
    const REPERTOIRE: &'static str = include_str!("../../variants/antichess/repertoire.tsv");
}

impl<V: GivesAway> EvalRules for V {
    const WEIGHTS: &'static str = include_str!("../../variants/antichess/eval.params");
    const NETWORK_GAME: &'static str = Antichess::NAME;
    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../variants/antichess/net.nnue"));
    const EXTRA_TERMS: &'static [ExtraTerm] = &[ExtraTerm::new("king", 1)];

    /// A king, of which a side may have several, has a worth of its own.
    fn count_extra_terms(pos: &Position<V>, us: Color, add: &mut impl FnMut(usize, usize, i32)) {
        add(0, 0, pos.count(us, PieceKind::King) as i32);
    }
}

impl<V: GivesAway> SearchRules for V {
    const STALEMATE_DECIDES: bool = true;

    /// Fitted as [`WinRate::STANDARD`], to 2287 games.
    const WIN_RATE: WinRate = WinRate { half: 106.0, scale: 193.0 };

    /// Games are short, so a move may take more of the clock.
    fn params() -> Params {
        Params { clock_soft: 100, endgame_scale: 100, ..Params::STANDARD }
    }

    /// Whoever offers a man has lost nothing.
    #[inline(always)]
    fn gains_at_least(_: &Position<V>, _: Move, _: i32) -> bool {
        true
    }

    /// Never: with few moves, passing is often the best move.
    fn null_move_ok(_: &Position<V>) -> bool {
        false
    }
}

impl<V: GivesAway> CoachRules for V {
    const EXTRA_NAME: &'static str = "kings";

    /// The last step to the win by giving away.
    fn describe_last_step(pos: &Position<V>, color: Color) -> Option<&'static str> {
        (pos.count_all(color) == 1).then_some("has one more man to give away")
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
    const IS_DEAD_MATERIAL_KNOWN_TO_XBOARD: bool = false;
}
