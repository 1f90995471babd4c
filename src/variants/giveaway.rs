//! Giveaway: antichess with castling, as xboard and the Internet Chess Club play it.

use crate::board::{Position, Rules};
use crate::types::{Color, Outcome, PieceKind, Reason};

use super::Names;
use super::antichess::{self, Antichess, GivesAway};

/// Giveaway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Giveaway;

impl Rules for Giveaway {
    type State = ();
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const MUST_CAPTURE: bool = true;
    const PROMOTIONS: &'static [PieceKind] = Antichess::PROMOTIONS;
    const FORBIDDEN: Option<&'static str> = Antichess::FORBIDDEN;
    const ENDINGS: &'static [&'static str] = Antichess::ENDINGS;

    #[inline(always)]
    fn is_royal(_: Color) -> bool {
        false
    }

    #[inline(always)]
    fn may_castle(_: Color) -> bool {
        true
    }

    #[inline(always)]
    fn variant_outcome(pos: &Position<Giveaway>) -> Option<Outcome> {
        antichess::win_without_men(pos)
    }

    fn stalemate(pos: &Position<Giveaway>) -> Outcome {
        Outcome::win(pos.side_to_move(), Reason::Variant(antichess::HAS_NO_MOVE))
    }

    /// Bishops alone that can never meet.
    fn is_insufficient_material(pos: &Position<Giveaway>) -> bool {
        !Color::ALL.into_iter().any(|color| Giveaway::can_win(pos, color))
    }

    fn can_win(pos: &Position<Giveaway>, color: Color) -> bool {
        antichess::can_lose_all(pos, color)
    }
}

impl GivesAway for Giveaway {}

impl Names for Giveaway {
    const NAME: &'static str = "giveaway";
    const OTHER_NAMES: &'static [&'static str] = &["giveawaychess", "wild26"];
    const TITLE: &'static str = "Giveaway";
    const RULES: &'static str = "Antichess with castling: whoever gives away the last man wins, and so does a \
        side in stalemate. A side that can capture must capture. There is no check, the king is a man like \
        others that castles through attacked squares, too, and a pawn may become a king.";
    const LESSON: Option<&'static str> = Some("teachgive");
    const IS_DEAD_MATERIAL_KNOWN_TO_XBOARD: bool = false;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::Legality;
    use crate::notation::{MoveError, parse_move};

    fn position(fen: &str) -> Position<Giveaway> {
        Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    fn after(fen: &str, moves: &str) -> String {
        let mut pos = position(fen);
        for text in moves.split_whitespace() {
            let mv = parse_move(&pos, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            pos.make_move(mv);
        }
        let end = pos.fen();
        (0..pos.ply_count()).for_each(|_| pos.unmake_move());
        assert_eq!(pos.fen(), position(fen).fen());
        end
    }

    #[test]
    fn a_king_castles_through_attacked_squares() {
        // The rook attacks f1, and the bishop e1.
        let fen = "r3k3/4p3/8/8/1b6/4PrP1/2P5/4K2R w Kq - 0 1";
        let castling = parse_move(&position(fen), "O-O").unwrap();
        let is_legal = |pos: &Position<Giveaway>| pos.is_legal(castling, &Legality::new(pos));
        assert!(is_legal(&position(fen)));
        let fen = "r3k3/4p3/2n5/8/8/1p6/2P5/4K2R w Kq - 0 1";
        assert_eq!(
            parse_move(&position(fen), "O-O"),
            Err(MoveError::Forbidden("a capture is compulsory"))
        );
        assert!(!is_legal(&position(fen)));
        let fen = "r3k3/4p3/2n5/8/8/8/2P5/4K2R b Kq - 0 1";
        assert_eq!(after(fen, "O-O-O O-O"), "2kr4/4p3/2n5/8/8/8/2P5/5RK1 b - - 2 2");
    }

    #[test]
    fn only_a_king_at_home_keeps_the_right_to_castle() {
        // A king that was a pawn stands on another square, and the rights are not its own.
        let fen = "4k2r/8/8/8/8/8/8/K3K2R w Kk - 0 1";
        assert_eq!(position(fen).fen(), fen);
        assert_eq!(
            position("4k2r/8/8/8/8/8/8/K6R w Kk - 0 1").fen(),
            "4k2r/8/8/8/8/8/8/K6R w k - 0 1"
        );
        assert_eq!(
            after("4k2r/7p/8/8/8/8/7P/K3K2R b Kk - 0 1", "Kd8 Kb1"),
            "3k3r/7p/8/8/8/8/7P/1K2K2R b K - 2 2"
        );
    }
}
