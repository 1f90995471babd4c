//! Horde: White has thirty-six pawns and no king. White wins by mate, Black by taking all of White's men.

use crate::board::{Many, Position, PositionError, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::EvalRules;
use crate::search::SearchRules;
use crate::types::{Color, MoveList, Outcome, PieceKind, Reason};

use super::Names;

/// Horde.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Horde;

/// How Black wins, for result comments.
const TAKES_HORDE: &str = "takes the whole horde";

/// The side of the horde.
const HORDE: Color = Color::White;

impl Rules for Horde {
    type State = ();
    type Men = Many<36, 16>;
    const START_FEN: &'static str =
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
    const ENDINGS: &'static [&'static str] = &[TAKES_HORDE];

    #[inline(always)]
    fn is_royal(color: Color) -> bool {
        color != HORDE
    }

    #[inline(always)]
    fn has_back_rank_pawns(color: Color) -> bool {
        color == HORDE
    }

    #[inline(always)]
    fn outcome(pos: &Position<Horde>) -> Option<Outcome> {
        let is_gone = pos.count_all(HORDE) == 0;
        is_gone.then_some(Outcome::win(!HORDE, Reason::Variant(TAKES_HORDE)))
    }

    fn check_position(pos: &Position<Horde>) -> Result<(), PositionError> {
        if pos.count(HORDE, PieceKind::King) > 0 {
            return Err(PositionError::NoKing(HORDE));
        }
        match pos.count_legal_moves() > MoveList::CAPACITY as u64 {
            true => Err(PositionError::MoveCount),
            false => Ok(()),
        }
    }

    /// Never: Black can take what is left.
    fn is_insufficient_material(_: &Position<Horde>) -> bool {
        false
    }

    /// Black always can. White cannot mate a bare king with one man.
    fn can_win(pos: &Position<Horde>, color: Color) -> bool {
        color != HORDE || pos.count_all(HORDE) > 1 || !pos.is_bare(!HORDE)
    }
}

impl BookRules for Horde {
    const KEY_NAME: Option<&'static str> = Some(Horde::NAME);
    const REPERTOIRE: &'static str = include_str!("../../variants/horde/repertoire.tsv");
}

impl EvalRules for Horde {
    const WEIGHTS: &'static str = include_str!("../../variants/horde/eval.params");
    const NETWORK_GAME: &'static str = Horde::NAME;
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../variants/horde/net.nnue"));
}

impl SearchRules for Horde {}

impl CoachRules for Horde {
    fn describe_last_step(pos: &Position<Horde>, color: Color) -> Option<&'static str> {
        (color != HORDE && pos.count_all(HORDE) == 1).then_some("has one more man to take")
    }
}

impl Names for Horde {
    const NAME: &'static str = "horde";
    const OTHER_NAMES: &'static [&'static str] = &["hordechess"];
    const TITLE: &'static str = "Horde";
    const RULES: &'static str = "White has thirty-six pawns and no king; pawns on the first rank may go two \
        squares, too. White wins by mate, and Black by taking all of White's men: the whole horde.";
    const LESSON: Option<&'static str> = Some("teachhorde");
    const XBOARD_PARENT: Option<&'static str> = Some("fairy");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    #[test]
    fn the_last_man_of_the_horde_ends_the_game() {
        let mut pos = Position::<Horde>::from_fen("4k3/8/8/8/8/8/r7/P7 b - - 0 1").unwrap();
        assert_eq!((pos.outcome(), pos.in_check()), (None, false));
        assert!(!Horde::can_win(&pos, HORDE) || !pos.is_bare(!HORDE));
        let mv = pos.legal_moves().iter().copied().find(|mv| mv.is_capture()).unwrap();
        pos.make_move(mv);
        let won = Outcome::win(Color::Black, Reason::Variant(TAKES_HORDE));
        assert_eq!(pos.outcome(), Some(won));
        pos.unmake_move();
        assert_eq!(pos.outcome(), None);
    }

    #[test]
    fn a_leap_from_the_first_rank_cannot_be_taken_in_passing() {
        let mut pos = Position::<Horde>::from_fen("4k3/8/8/8/8/1p6/8/P1P5 w - - 0 1").unwrap();
        let leap = |pos: &Position<Horde>, from: &str, to: &str| {
            let squares = [from, to].map(|sq| Square::parse(sq).unwrap());
            pos.legal_moves().iter().copied().find(|mv| [mv.from(), mv.to()] == squares)
        };
        let mv = leap(&pos, "a1", "a3").unwrap();
        pos.make_move(mv);
        assert_eq!(pos.en_passant(), None);
        assert_eq!(pos.fen(), "4k3/8/8/8/8/Pp6/8/2P5 b - - 0 1");
        let pos = Position::<Horde>::from_fen("4k3/8/8/8/8/8/1p6/P1P5 w - - 0 1").unwrap();
        assert!(leap(&pos, "c1", "c3").is_some() && leap(&pos, "c1", "c4").is_none());
    }

    #[test]
    fn the_horde_has_no_king_and_its_pawns_fill_four_ranks() {
        let read = |fen: &str| Position::<Horde>::from_fen(fen).map(|_| ());
        assert_eq!(read(Horde::START_FEN), Ok(()));
        let king = "4k3/8/8/8/8/8/8/P3K3 w - - 0 1";
        assert_eq!(read(king).unwrap_err(), PositionError::NoKing(HORDE).into());
        let back_rank = "4k2p/8/8/8/8/8/8/P7 w - - 0 1";
        assert_eq!(read(back_rank).unwrap_err(), PositionError::PawnRank.into());
        let crowd = "4k3/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w - - 0 1";
        assert_eq!(read(crowd).unwrap_err(), PositionError::PieceCount(HORDE).into());
    }
}
