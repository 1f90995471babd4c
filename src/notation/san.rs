//! Writes moves in standard algebraic notation (SAN).

use std::fmt::Write;

use crate::board::{Position, Rules};
use crate::types::{Move, PieceKind};

/// The legal move `mv` in SAN: `Nbd7`, `exd8=Q+`, `O-O-O#`, the drops `N@f3` and `P@e4`. As on lichess, `#` marks
/// every move that decides the game at once, also for the opponent: mate, and the ends that a variant adds. Other
/// checks are marked `+`.
#[inline(never)]
pub fn san<R: Rules>(position: &Position<R>, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    match mv.castling_side() {
        Some(side) => text.push_str(side.san()),
        None if mv.is_drop() => text.push_str(&mv.to_string()),
        None => write_piece(&mut text, position, mv),
    }
    let gives_check = position.gives_check(mv);
    // Without an end of its own, a game is decided by a check alone.
    if (gives_check || !R::ENDINGS.is_empty()) && decides(position, mv) {
        text.push('#');
    } else if gives_check {
        text.push('+');
    }
    text
}

/// Has one of the sides won after the move?
fn decides<R: Rules>(position: &Position<R>, mv: Move) -> bool {
    let after = position.after(mv);
    after.outcome().is_some_and(|outcome| outcome.winner.is_some())
}

fn write_piece<R: Rules>(text: &mut String, position: &Position<R>, mv: Move) {
    let kind = position.piece_at(mv.from()).map_or(PieceKind::Pawn, |piece| piece.kind());
    if kind == PieceKind::Pawn {
        if mv.is_capture() {
            text.push(file_letter(mv));
        }
    } else {
        text.push(kind.letter());
        text.push_str(&origin(position, mv, kind));
    }
    if mv.is_capture() {
        text.push('x');
    }
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", mv.to());
    if let Some(kind) = mv.promotion() {
        text.push('=');
        text.push(kind.letter());
    }
}

/// The part of the from-square that distinguishes `mv` from other moves of such a piece to the same
/// square: nothing, the file, the rank, or both.
fn origin<R: Rules>(position: &Position<R>, mv: Move, kind: PieceKind) -> String {
    let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
    for other in position.legal_moves().iter() {
        let is_rival = other.to() == mv.to()
            && other.from() != mv.from()
            && !other.is_castling()
            && !other.is_drop()
            && position.piece_at(other.from()).is_some_and(|piece| piece.kind() == kind);
        if is_rival {
            rivals = true;
            same_file |= other.from().file() == mv.from().file();
            same_rank |= other.from().rank() == mv.from().rank();
        }
    }
    match (rivals, same_file, same_rank) {
        (false, ..) => String::new(),
        (true, false, _) => file_letter(mv).to_string(),
        (true, true, false) => (mv.from().rank() + 1).to_string(),
        (true, true, true) => mv.from().to_string(),
    }
}

fn file_letter(mv: Move) -> char {
    (b'a' + mv.from().file()) as char
}
