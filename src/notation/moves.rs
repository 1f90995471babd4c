//! Reads the legal move that a text means.

use super::grammar::{self, PieceMove, Written};
use super::refusal::{self, MoveError};
use crate::board::{Position, Rules};
use crate::types::{Move, PieceKind};

/// The legal move that `text` means, in coordinate notation (`e2e4`, `e7e8q`) or SAN, short or
/// long, drops as `N@f3`. Castling may also be written as the king taking its own rook, as in Chess960: PyChess does
/// so in every game. A promotion without a piece means a queen.
///
/// # Errors
/// A [`MoveError`] that says why the text is not a legal move.
#[inline(never)]
pub fn parse_move<R: Rules>(position: &Position<R>, text: &str) -> Result<Move, MoveError> {
    let written = grammar::read(text).ok_or(MoveError::Unreadable)?;
    let legal = position.legal_moves();
    let mut fitting = legal.iter().copied().filter(|&mv| means(position, &written, mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous),
        (None, _) if legal.is_empty() => Err(MoveError::GameOver),
        (None, _) => Err(match position.objection(|mv| means(position, &written, mv)) {
            Some(objection) => MoveError::Forbidden(objection),
            None => refusal::reason(position, &written),
        }),
    }
}

/// A move in CECP's coordinate notation: `e2e4`, `e7e8q`, castling `e1g1`. In Chess960 castling is
/// `O-O`, because the king may already stand on its target or next to it.
pub fn coordinate<R: Rules>(mv: Move) -> String {
    match mv.castling_side() {
        Some(side) if R::CHESS960_CASTLING => side.san().to_owned(),
        _ => mv.to_string(),
    }
}

/// Does the text mean the legal move `mv`?
fn means<R: Rules>(position: &Position<R>, written: &Written, mv: Move) -> bool {
    match written {
        Written::Castling(side) => mv.castling_side() == Some(*side),
        Written::Piece(piece_move) => piece_move_means(position, piece_move, mv),
        Written::Drop(kind, to) => mv == Move::drop(*kind, *to),
    }
}

fn piece_move_means<R: Rules>(position: &Position<R>, piece_move: &PieceMove, mv: Move) -> bool {
    let Some(from) = position.origin(mv) else { return false };
    let promotes_so = match piece_move.promotion {
        Some(_) => piece_move.promotion == mv.promotion(),
        None => mv.promotion().is_none_or(|kind| kind == PieceKind::Queen),
    };
    let goes_there = match mv.castling_side() {
        None => piece_move.to == mv.to(),
        // A king's move to a neighbouring square is not castling, although in Chess960 castling may
        // lead there too.
        Some(side) => {
            piece_move.to == position.castling_rook(position.side_to_move(), side)
                || piece_move.to == mv.to() && from.distance(mv.to()) > 1
        }
    };
    let kind = position.piece_at(from).map(|piece| piece.kind());
    goes_there
        && piece_move.comes_from(from)
        && promotes_so
        // `Kg1` is a plain king move. Castling needs both squares or `O-O`.
        && (!mv.is_castling() || piece_move.from().is_some())
        && (piece_move.kind.is_none() || piece_move.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Atomic, Standard, ThreeCheck};

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
        assert_eq!(read(fen, "a7a8k"), Err(MoveError::NoSuchPromotion));
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
        for text in ["Kg1", "Kc1", "Kh1", "Kxh1"] {
            assert_eq!(read(fen, text), Err(MoveError::CastlingNotation), "{text}");
        }
        let without_rights = fen.replace("KQkq", "-");
        for text in ["Kg1", "Kc1", "e1g1", "O-O"] {
            assert_eq!(read(&without_rights, text), Err(MoveError::CannotCastle), "{text}");
        }
        assert!(read(fen, "h1").is_err());
    }

    #[test]
    fn an_illegal_capture_en_passant_is_told_from_a_wrong_step() {
        fn refusal<R: Rules>(fen: &str, first: &str, then: &str) -> MoveError {
            let mut position = Position::<R>::from_fen(fen).unwrap();
            position.make_move(parse_move(&position, first).unwrap());
            parse_move(&position, then).unwrap_err()
        }
        let pinned = "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1";
        for text in ["e5d6", "exd6"] {
            assert_eq!(refusal::<Standard>(pinned, "d5", text), MoveError::LeavesKingInCheck);
        }
        assert_eq!(refusal::<Standard>(pinned, "d5", "exf6"), MoveError::WrongWay);
        assert_eq!(refusal::<Standard>(pinned, "d6", "e5d6"), MoveError::LeavesKingInCheck);
        let near = "4k3/3p4/8/2K1P3/8/8/8/7r b - - 0 1";
        assert_eq!(refusal::<Atomic>(near, "d5", "exd6"), MoveError::OwnKingExplodes);
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
        // The pawn on d2 is pinned.
        let pawns = "4k3/8/8/8/1b3n2/PN2n1n1/2PP1PPP/4K3 w - - 0 1";
        for (text, reason) in [
            ("d2e3", MoveError::LeavesKingInCheck),
            ("d2d3", MoveError::LeavesKingInCheck),
            ("d2d4", MoveError::LeavesKingInCheck),
            ("d2c3", MoveError::WrongWay),
            ("f2f4", MoveError::Blocked),
            ("g2g3", MoveError::Blocked),
            ("g2g4", MoveError::Blocked),
            ("h2h5", MoveError::WrongWay),
            ("a3a5", MoveError::WrongWay),
            ("c2b3", MoveError::WrongWay),
            ("c2d1", MoveError::WrongWay),
            ("c2e3", MoveError::WrongWay),
        ] {
            assert_eq!(read(pawns, text), Err(reason), "{text}");
        }
        let pinned = "4rk2/8/8/8/8/3b1b2/4P3/4K3 w - - 0 1";
        for text in ["e2d3", "e2f3"] {
            assert_eq!(read(pinned, text), Err(MoveError::LeavesKingInCheck), "{text}");
        }
        // A king far from home does not castle.
        assert_eq!(read("7k/8/8/8/4K3/8/8/8 w - - 0 1", "e4g4"), Err(MoveError::WrongWay));
        let rook = "1k6/8/8/8/8/8/8/RN2K3 w - - 0 1";
        assert_eq!(read(rook, "Ra8=Q"), Err(MoveError::WrongWay));
        assert_eq!(read("4k3/8/8/8/8/8/4P3/N1N1K3 w - - 0 1", "Nb3"), Err(MoveError::Ambiguous));
        assert_eq!(read("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "Kg8"), Err(MoveError::GameOver));
        let over = Position::<ThreeCheck>::from_fen("7k/8/8/8/8/8/8/K6R b - - 0+3 0 1").unwrap();
        assert_eq!(parse_move(&over, "Kg7"), Err(MoveError::GameOver));
    }
}
