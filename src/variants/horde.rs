//! Horde: White has thirty-six pawns and no king. White wins by mate, Black by taking all of White's men.

use crate::board::{Position, PositionError, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::EvalRules;
use crate::search::{Params, SearchRules, WinRate};
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
    const MOST_MEN: [usize; 2] = [36, 16];
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
    fn variant_outcome(pos: &Position<Horde>) -> Option<Outcome> {
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

    /// Black always can.
    fn can_win(pos: &Position<Horde>, color: Color) -> bool {
        color != HORDE || can_mate(Men::of(pos, HORDE), Men::of(pos, !HORDE))
    }
}

/// The numbers of a side's men, without the king.
#[derive(Clone, Copy)]
struct Men {
    pawns: usize,
    knights: usize,
    /// On dark and on light squares.
    bishops: [usize; 2],
    rooks: usize,
    queens: usize,
}

impl Men {
    fn of(pos: &Position<Horde>, color: Color) -> Men {
        use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
        let count = |kind| pos.count(color, kind);
        let light = pos.pieces(color, Bishop).filter(|sq| sq.is_light()).count();
        Men {
            pawns: count(Pawn),
            knights: count(Knight),
            bishops: [count(Bishop) - light, light],
            rooks: count(Rook),
            queens: count(Queen),
        }
    }

    fn total(&self) -> usize {
        let bishops: usize = self.bishops.iter().sum();
        self.pawns + self.knights + bishops + self.rooks + self.queens
    }
}

/// Can the horde mate, if Black helps as well as it can? The rule of Lichess: four men always can, and fewer need
/// men of Black that shut in their own king.
fn can_mate(horde: Men, black: Men) -> bool {
    // More than two bishops on one colour are no better than two.
    let bishops: usize = horde.bishops.iter().map(|&count| count.min(2)).sum();
    let has_bishop_pair = horde.bishops.iter().all(|&count| count > 0);
    let size = horde.pawns + horde.knights + bishops + horde.rooks + horde.queens;
    // Black's bishops on the colour of the horde's bishop and on the other one.
    let light = usize::from(horde.bishops[1] > 0);
    let (same, other) = (black.bishops[light], black.bishops[1 - light]);
    match size {
        0 => false,
        1 => can_mate_alone(horde, black, other),
        2 | 3 if horde.pawns + horde.queens > 0 => true,
        2 if horde.rooks == 1 && bishops == 1 => black.total() > same,
        2 | 3 if horde.rooks > 0 => true,
        2 if black.total() == 0 => false,
        2 if horde.knights == 2 => black.pawns + black.knights + same + other > 0,
        2 if has_bishop_pair => {
            black.pawns + same + other > 0 || black.knights > 0 && black.rooks + black.queens > 0
        }
        2 if horde.knights == 1 => black.pawns + other > 0 || black.total() >= same + 2,
        2 => black.pawns + black.knights + other >= 2,
        // With two bishops on one colour and a knight, Black needs a move to spare.
        3 => horde.knights >= 2 || has_bishop_pair || black.total() > 0,
        _ => true,
    }
}

/// Can a horde of one man mate? `other` are Black's bishops that do not stand on the colour of the horde's bishop.
fn can_mate_alone(horde: Men, black: Men, other: usize) -> bool {
    let Men { pawns, knights, bishops, rooks, .. } = black;
    if horde.pawns == 1 {
        let promoted = Men { pawns: 0, ..horde };
        can_mate(Men { queens: 1, ..promoted }, black)
            || can_mate(Men { knights: 1, ..promoted }, black)
    } else if horde.queens == 1 {
        pawns + rooks > 0 || bishops.iter().any(|&count| count >= 2)
    } else if horde.rooks == 1 {
        pawns + knights.min(1) + rooks.min(1) >= 2
    } else if horde.knights == 1 {
        // A smothered mate: three men around the king, and not too many of them bishops on one colour.
        let kinds = [pawns, knights, bishops.iter().sum(), rooks];
        let has_two_kinds = kinds.iter().filter(|&&count| count > 0).count() >= 2;
        let others = |count: usize| black.total() - count;
        black.total() >= 3
            && (pawns >= 2 || knights >= 2 || has_two_kinds)
            && bishops.iter().all(|&count| count < 2 || others(count) >= 2)
    } else {
        pawns + other >= 2
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

impl SearchRules for Horde {
    /// Fitted as [`WinRate::STANDARD`], to 1777 games.
    const WIN_RATE: WinRate = WinRate { half: 69.0, scale: 433.0 };

    /// Smaller evaluations of endgames gained nothing that 350 games could show.
    fn params() -> Params {
        Params { endgame_scale: 100, mate_lead: 20_000, ..Params::STANDARD }
    }
}

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
