//! From text to the legal move it means.

use super::grammar::{self, Written, WrittenMan};
use super::refusal::{self, MoveError};
use crate::board::{Position, Rules};
use crate::types::{Move, PieceKind};

/// The legal move that `text` means: coordinate notation (`e2e4`, `e7e8q`) or SAN, short or long.
/// Castling may be written as the king going to the rook, as in Chess960: PyChess does so in every
/// game. A promotion without a piece is one to a queen.
pub fn parse_move<R: Rules>(position: &Position<R>, text: &str) -> Result<Move, MoveError> {
    let written = grammar::read(text).ok_or(MoveError::Unreadable)?;
    let legal = position.legal_moves();
    let mut fitting = legal.iter().copied().filter(|&mv| means(position, &written, mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous),
        (None, _) if legal.is_empty() => Err(MoveError::GameOver),
        (None, _) => Err(refusal::reason(position, &written)),
    }
}

/// A move in the coordinate notation of CECP: `e2e4`, `e7e8q`, castling `e1g1`; in Chess960 castling
/// is `O-O`, since the king may stand next to its target or on it.
pub fn coordinate<R: Rules>(mv: Move) -> String {
    match mv.castling_side() {
        Some(side) if R::CHESS960_CASTLING => side.san().to_owned(),
        _ => mv.to_string(),
    }
}

/// May `written` mean the legal move `mv`?
fn means<R: Rules>(position: &Position<R>, written: &Written, mv: Move) -> bool {
    match written {
        Written::Castling(side) => mv.castling_side() == Some(*side),
        Written::Man(man) => man_means(position, man, mv),
    }
}

fn man_means<R: Rules>(position: &Position<R>, man: &WrittenMan, mv: Move) -> bool {
    let promotes_so = match man.promotion {
        Some(_) => man.promotion == mv.promotion(),
        None => mv.promotion().is_none_or(|kind| kind == PieceKind::Queen),
    };
    let goes_there = match mv.castling_side() {
        None => man.to == mv.to(),
        // A single step is the king's own move; in Chess960 it might be castling, too.
        Some(side) => {
            man.to == position.castling_rook(position.side_to_move(), side)
                || man.to == mv.to() && mv.from().distance(mv.to()) > 1
        }
    };
    goes_there
        && man.comes_from(mv.from())
        && promotes_so
        // `Kg1` is a step; castling is written with both squares or as `O-O`.
        && (!mv.is_castling() || man.from().is_some())
        && man.kind.is_none_or(|kind| position.piece_at(mv.from()).is_some_and(|piece| piece.kind() == kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    fn read(fen: &str, text: &str) -> Result<String, MoveError> {
        let position = Position::<Standard>::from_fen(fen).unwrap();
        parse_move(&position, text).map(|mv| mv.to_string())
    }

    #[test]
    fn a_missing_promotion_piece_is_a_queen() {
        let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
        for text in ["a7a8", "a8", "a8=Q", "a7a8Q", "a7-a8=q"] {
            assert_eq!(read(fen, text), Ok("a7a8q".to_owned()), "{text}");
        }
        assert_eq!(read(fen, "axb8=N"), Ok("a7b8n".to_owned()));
        assert_eq!(read(fen, "ab8R"), Ok("a7b8r".to_owned()));
    }

    #[test]
    fn castling_is_written_with_letters_or_by_the_king() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["O-O", "0-0", "o-o", "e1g1", "Ke1-g1", "e1h1"] {
            assert_eq!(read(fen, text), Ok("e1g1".to_owned()), "{text}");
        }
        for text in ["O-O-O", "e1a1"] {
            assert_eq!(read(fen, text), Ok("e1c1".to_owned()), "{text}");
        }
        for text in ["Kg1", "Kh1", "h1"] {
            assert!(read(fen, text).is_err(), "{text}");
        }
    }

    #[test]
    fn refusals_say_why() {
        let middle = "r1bqk2r/pppp1ppp/2n2n2/4p3/1b2P3/2NP4/PPP2PPP/R1BQKBNR w KQkq - 0 5";
        for (text, reason) in [
            ("hello", MoveError::Unreadable),
            ("Nxc6", MoveError::WrongWay),
            ("e4e6", MoveError::WrongWay),
            ("d1d8", MoveError::Blocked),
            ("Bf1c4", MoveError::Blocked),
            ("d1d3", MoveError::Blocked),
            ("c3d5", MoveError::LeavesKingInCheck),
            ("e5e4", MoveError::NotYourTurn),
            ("e6e7", MoveError::NoSuchPiece),
            ("O-O", MoveError::CannotCastle),
            ("e1g1", MoveError::CannotCastle),
            ("e4e5", MoveError::Blocked),
            ("e4f5", MoveError::WrongWay),
            ("Ne2q", MoveError::WrongWay),
        ] {
            assert_eq!(read(middle, text), Err(reason), "{text}");
        }
        assert_eq!(read("4k3/8/8/8/8/8/4P3/N1N1K3 w - - 0 1", "Nb3"), Err(MoveError::Ambiguous));
        assert_eq!(read("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "Kg8"), Err(MoveError::GameOver));
        let over = Position::<ThreeCheck>::from_fen("7k/8/8/8/8/8/8/K6R b - - 0+3 0 1").unwrap();
        assert_eq!(parse_move(&over, "Kg7"), Err(MoveError::GameOver));
    }
}
