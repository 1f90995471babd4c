//! Suicide: antichess in which stalemate wins for the side with fewer men, as xboard and the Free Internet
//! Chess Server play it.

use std::cmp::Ordering;

use crate::board::{Position, Rules};
use crate::types::{Color, Outcome, PieceKind, Reason};

use super::Names;
use super::antichess::{self, Antichess, GivesAway};

/// Suicide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suicide;

/// How the side with fewer men wins if one cannot move, for result comments.
const HAS_FEWER: &str = "has fewer men in stalemate";

impl Rules for Suicide {
    type State = ();
    const START_FEN: &'static str = Antichess::START_FEN;
    const MUST_CAPTURE: bool = true;
    const PROMOTIONS: &'static [PieceKind] = Antichess::PROMOTIONS;
    const FORBIDDEN: Option<&'static str> = Antichess::FORBIDDEN;
    const ENDINGS: &'static [&'static str] = &[antichess::LOSES_ALL, HAS_FEWER];

    #[inline(always)]
    fn is_royal(_: Color) -> bool {
        false
    }

    #[inline(always)]
    fn variant_outcome(pos: &Position<Suicide>) -> Option<Outcome> {
        antichess::win_without_men(pos)
    }

    fn stalemate(pos: &Position<Suicide>) -> Outcome {
        let [white, black] = Color::ALL.map(|color| pos.count_all(color));
        let reason = Reason::Variant(HAS_FEWER);
        match white.cmp(&black) {
            Ordering::Less => Outcome::win(Color::White, reason),
            Ordering::Equal => Outcome::draw(Reason::Stalemate),
            Ordering::Greater => Outcome::win(Color::Black, reason),
        }
    }

    /// Bishops alone that can never meet.
    fn is_insufficient_material(pos: &Position<Suicide>) -> bool {
        !Color::ALL.into_iter().any(|color| Suicide::can_win(pos, color))
    }

    fn can_win(pos: &Position<Suicide>, color: Color) -> bool {
        antichess::can_lose_all(pos, color)
    }
}

impl GivesAway for Suicide {}

impl Names for Suicide {
    const NAME: &'static str = "suicide";
    const OTHER_NAMES: &'static [&'static str] = &["suicidechess"];
    const TITLE: &'static str = "Suicide";
    const RULES: &'static str = "Whoever gives away the last man wins; if a side cannot move, whoever has fewer \
        men in stalemate wins, and equal numbers are a draw. A side that can capture must capture. There is no \
        check and no castling, the king is a man like others, and a pawn may become a king, too.";
    const LESSON: Option<&'static str> = Some("teachlose");
    const IS_DEAD_MATERIAL_KNOWN_TO_XBOARD: bool = false;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_stalemate_the_side_with_fewer_men_wins() {
        let won = |color| Some(Outcome::win(color, Reason::Variant(HAS_FEWER)));
        for (fen, outcome) in [
            ("8/8/8/8/p7/P7/8/8 w - - 0 1", Some(Outcome::draw(Reason::Stalemate))),
            ("8/p7/8/8/p7/P7/8/8 w - - 0 1", won(Color::White)),
            ("8/8/8/8/p7/P7/P7/8 w - - 0 1", won(Color::Black)),
            ("8/8/8/8/p7/P7/P7/8 b - - 0 1", won(Color::Black)),
            ("8/p7/8/8/p7/P7/8/8 b - - 0 1", None),
            (
                "8/8/8/8/8/8/P7/8 b - - 0 1",
                Some(Outcome::win(Color::Black, Reason::Variant(antichess::LOSES_ALL))),
            ),
        ] {
            assert_eq!(Position::<Suicide>::from_fen(fen).unwrap().outcome(), outcome, "{fen}");
        }
    }

    #[test]
    fn no_king_castles() {
        let pos = Position::<Suicide>::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        assert_eq!(pos.fen(), "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
    }
}
