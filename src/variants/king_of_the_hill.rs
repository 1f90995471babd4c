//! King of the Hill: a player wins at once by moving the king to d4, e4, d5 or e5.

use crate::board::{Checks, Position, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::{EvalRules, ExtraTerm};
use crate::movegen::Legality;
use crate::search::{SearchRules, WinRate};
use crate::types::{Color, Move, Outcome, Reason, Square, Step};

use super::Names;

/// King of the Hill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KingOfTheHill;

/// How a king on the hill wins, for result comments.
const REACHES_HILL: &str = "reaches the hill";

/// Is it one of the four squares of the hill: d4, e4, d5, e5?
#[inline(always)]
const fn is_hill(sq: Square) -> bool {
    matches!(sq.file(), 3 | 4) && matches!(sq.rank(), 3 | 4)
}

/// The number of king's moves to the hill on an empty board, 0 to 3.
#[inline(always)]
fn distance_to_hill(sq: Square) -> usize {
    let beyond = |at: u8| usize::from(3u8.saturating_sub(at).max(at.saturating_sub(4)));
    beyond(sq.file()).max(beyond(sq.rank()))
}

impl Rules for KingOfTheHill {
    type State = ();
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ENDINGS: &'static [&'static str] = &[REACHES_HILL];
    const GOAL: u64 = 0x18_1800_0000;

    #[inline(always)]
    fn variant_outcome(pos: &Position<KingOfTheHill>) -> Option<Outcome> {
        let winner = Color::ALL.into_iter().find(|&color| is_hill(pos.king(color)))?;
        Some(Outcome::win(winner, Reason::Variant(REACHES_HILL)))
    }

    /// Never: even a bare king can reach the hill.
    fn is_insufficient_material(_: &Position<KingOfTheHill>) -> bool {
        false
    }

    /// Always, for the same reason.
    fn can_win(_: &Position<KingOfTheHill>, _: Color) -> bool {
        true
    }
}

impl BookRules for KingOfTheHill {
    const KEY_NAME: Option<&'static str> = Some(KingOfTheHill::NAME);
    const REPERTOIRE: &'static str = include_str!("../../variants/king_of_the_hill/repertoire.tsv");
}

impl EvalRules for KingOfTheHill {
    const WEIGHTS: &'static str = include_str!("../../variants/king_of_the_hill/eval.params");
    const NETWORK_GAME: &'static str = KingOfTheHill::NAME;
    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../variants/king_of_the_hill/net.nnue"));

    const EXTRA_TERMS: &'static [ExtraTerm] =
        &[ExtraTerm::new("hill_distance", 3), ExtraTerm::new("hill_way", 3)];

    /// Two terms, each with a value for a king 1, 2 or 3 moves from the hill: `hill_distance`
    /// counts once, `hill_way` once for each open square that is nearer to the hill.
    fn count_extra_terms(
        pos: &Position<KingOfTheHill>,
        us: Color,
        add: &mut impl FnMut(usize, usize, i32),
    ) {
        if let Some(index) = distance_to_hill(pos.king(us)).checked_sub(1) {
            add(0, index, 1);
            add(1, index, steps_nearer(pos, us));
        }
    }
}

/// The number of squares nearer to the hill to which the king can move.
fn steps_nearer(pos: &Position<KingOfTheHill>, us: Color) -> i32 {
    let king = pos.king(us);
    let is_open = |&sq: &Square| {
        distance_to_hill(sq) < distance_to_hill(king)
            && !pos.cell(sq).belongs_to(us)
            && !pos.is_attacked_through_king(sq, !us)
    };
    Step::ROYAL.into_iter().filter_map(|step| king.step(step)).filter(is_open).count() as i32
}

impl SearchRules for KingOfTheHill {
    /// Fitted as [`WinRate::STANDARD`], to 1923 games.
    const WIN_RATE: WinRate = WinRate { half: 17.0, scale: 206.0 };

    /// A move of the king to the hill.
    fn winning_move(
        pos: &Position<KingOfTheHill>,
        legality: &Legality,
        _checks: &Checks,
    ) -> Option<Move> {
        let king = pos.king(pos.side_to_move());
        if distance_to_hill(king) != 1 {
            return None;
        }
        pos.find_move(legality, |mv| mv.from() == king && is_hill(mv.to()))
    }
}

impl CoachRules for KingOfTheHill {
    const EXTRA_NAME: &'static str = "the way to the hill";

    fn describe_last_step(pos: &Position<KingOfTheHill>, color: Color) -> Option<&'static str> {
        (distance_to_hill(pos.king(color)) == 1).then_some("stands next to the hill")
    }
}

impl Names for KingOfTheHill {
    const NAME: &'static str = "kingofthehill";
    const OTHER_NAMES: &'static [&'static str] = &["koth"];
    const TITLE: &'static str = "King of the Hill";
    const RULES: &'static str = "The rules of chess, and one more way to win: a player whose king \
        reaches the hill, the squares d4, e4, d5 and e5, wins at once. The king may not go there into \
        check. Even a bare king can win.";
    const LESSON: Option<&'static str> = Some("teachking");
    const XBOARD_PARENT: Option<&'static str> = Some("fairy");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    /// Can White, with a bare king, and Black, with a pawn, still win?
    fn can_win<R: Rules>() -> [bool; 2] {
        let fen = "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1";
        let pos = Position::<R>::from_fen(fen).unwrap();
        Color::ALL.map(|color| R::can_win(&pos, color))
    }

    #[test]
    fn the_goal_is_the_hill() {
        for square in Square::all() {
            assert_eq!(square.is_in(KingOfTheHill::GOAL), is_hill(square), "{square}");
        }
    }

    #[test]
    fn only_on_the_hill_a_bare_king_can_win() {
        assert_eq!(can_win::<Standard>(), [false, true]);
        assert_eq!(can_win::<ThreeCheck>(), [false, true]);
        assert_eq!(can_win::<KingOfTheHill>(), [true, true]);
    }
}
