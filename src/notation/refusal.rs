//! Why a move is refused: a reason for the person or program that sent it. This file only explains;
//! the board decides what is legal.

use thiserror::Error;

use super::grammar::{PieceMove, Written};
use crate::board::{Position, Rules};
use crate::types::{CastlingSide, Color, Move, PieceKind, Square, Step};

/// Why a text is not a legal move. xboard misreads an `Illegal move (…)` line that contains certain
/// words, so the messages avoid them. The test beside the list of those words checks that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    #[error("not understood")]
    Unreadable,
    #[error("more than one piece can go there")]
    Ambiguous,
    #[error("no such piece")]
    NoSuchPiece,
    #[error("no such piece in hand")]
    NotInHand,
    #[error("no pawn is dropped on the first or last rank")]
    PawnDropOnBackRank,
    #[error("no such promotion")]
    NoSuchPromotion,
    #[error("not your turn")]
    NotYourTurn,
    #[error("the piece does not move like that")]
    WrongWay,
    #[error("blocked")]
    Blocked,
    #[error("castling is not possible")]
    CannotCastle,
    /// The king's target alone does not say that castling is meant.
    #[error("to castle, write O-O or O-O-O")]
    CastlingNotation,
    #[error("leaves king in check")]
    LeavesKingInCheck,
    /// The capture would take the king of its own side, too.
    #[error("own king explodes")]
    OwnKingExplodes,
    /// Legal in chess, but not in this game.
    #[error("{0}")]
    Forbidden(&'static str),
    #[error("game over")]
    GameOver,
}

/// Can a piece reach a square, leaving aside the safety of its own king?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    No,
    Blocked,
    Yes,
}

/// Why `written` is refused. It must not mean a legal move.
pub(super) fn reason<R: Rules>(position: &Position<R>, written: &Written) -> MoveError {
    let piece_move = match written {
        Written::Piece(piece_move) => piece_move,
        Written::Castling(_) => return MoveError::CannotCastle,
        Written::Drop(kind, to) => return reason_against_drop(position, *kind, *to),
    };
    let us = position.side_to_move();
    let theirs = piece_move
        .from()
        .and_then(|from| position.piece_at(from))
        .is_some_and(|piece| piece.color() != us);
    if theirs {
        return MoveError::NotYourTurn;
    }
    let best = position
        .all_pieces(us)
        .filter(|&(from, kind)| {
            piece_move.comes_from(from) && piece_move.kind.is_none_or(|wanted| wanted == kind)
        })
        .map(|(from, kind)| {
            (
                reach(position, us, kind, from, piece_move.to),
                looks_like_castling(position, piece_move, kind, from),
            )
        })
        .max();
    match best {
        None => MoveError::NoSuchPiece,
        _ if piece_move.promotion.is_some_and(|kind| !R::PROMOTIONS.contains(&kind)) => {
            MoveError::NoSuchPromotion
        }
        Some((_, true)) if may_castle_to(position, piece_move.to) => MoveError::CastlingNotation,
        Some((_, true)) => MoveError::CannotCastle,
        Some((Reach::Yes, _))
            if piece_move.promotion.is_some() && !may_promote(position, piece_move) =>
        {
            MoveError::WrongWay
        }
        Some((Reach::Yes, _)) if explodes_own_king(position, piece_move.to) => {
            MoveError::OwnKingExplodes
        }
        Some((Reach::Yes, _)) => MoveError::LeavesKingInCheck,
        Some((Reach::Blocked, _)) => MoveError::Blocked,
        Some((Reach::No, _)) => MoveError::WrongWay,
    }
}

/// Is castling legal with the king or its rook on this square?
fn may_castle_to<R: Rules>(position: &Position<R>, to: Square) -> bool {
    let us = position.side_to_move();
    let leads_to = |side, mv: Move| mv.to() == to || position.castling_rook(us, side) == to;
    position
        .legal_moves()
        .iter()
        .any(|&mv| mv.castling_side().is_some_and(|side| leads_to(side, mv)))
}

/// Does a pawn that the text may mean stand before its last rank, and is that the target?
fn may_promote<R: Rules>(position: &Position<R>, piece_move: &PieceMove) -> bool {
    let us = position.side_to_move();
    piece_move.to.rank_for(us) == 7
        && position
            .pieces(us, PieceKind::Pawn)
            .any(|from| piece_move.comes_from(from) && from.rank_for(us) == 6)
}

/// Does a capture on this square blow up the king of the side to move?
fn explodes_own_king<R: Rules>(position: &Position<R>, to: Square) -> bool {
    let us = position.side_to_move();
    let is_capture = position.cell(to).belongs_to(!us) || is_passed_over(position, to);
    R::CAPTURES_EXPLODE && is_capture && position.king(us).distance(to) <= 1
}

/// Has the last move, two steps of a pawn from its second rank, passed over this square? The position itself
/// knows only the square of a legal capture en passant.
fn is_passed_over<R: Rules>(position: &Position<R>, square: Square) -> bool {
    let them = !position.side_to_move();
    let (back, forward) = (square.step((!them).forward()), square.step(them.forward()));
    let (Some(from), Some(to), Some(last)) = (back, forward, position.last_move()) else {
        return false;
    };
    from.rank_for(them) == 1
        && (last.from(), last.to()) == (from, to)
        && position.cell(to).holds(them, PieceKind::Pawn)
}

fn reason_against_drop<R: Rules>(position: &Position<R>, kind: PieceKind, to: Square) -> MoveError {
    let us = position.side_to_move();
    if position.hands().is_none_or(|hands| hands.count(us, kind) == 0) {
        MoveError::NotInHand
    } else if !position.cell(to).is_empty() {
        MoveError::Blocked
    } else if kind == PieceKind::Pawn && matches!(to.rank(), 0 | 7) {
        MoveError::PawnDropOnBackRank
    } else {
        MoveError::LeavesKingInCheck
    }
}

fn looks_like_castling<R: Rules>(
    position: &Position<R>,
    piece_move: &PieceMove,
    kind: PieceKind,
    from: Square,
) -> bool {
    let us = position.side_to_move();
    let takes_own_rook = position.cell(piece_move.to).holds(us, PieceKind::Rook);
    let steps_twice =
        from.file() == CastlingSide::king_home(us).file() && from.distance(piece_move.to) == 2;
    kind == PieceKind::King
        && from.rank() == us.back_rank()
        && from.rank() == piece_move.to.rank()
        && (takes_own_rook || steps_twice)
}

fn reach<R: Rules>(
    position: &Position<R>,
    us: Color,
    kind: PieceKind,
    from: Square,
    to: Square,
) -> Reach {
    match kind {
        PieceKind::Pawn => pawn_reach(position, us, from, to),
        PieceKind::Knight => leap(position, us, &Step::KNIGHT, from, to),
        PieceKind::King => leap(position, us, &Step::ROYAL, from, to),
        PieceKind::Bishop => slide(position, us, &Step::BISHOP, from, to),
        PieceKind::Rook => slide(position, us, &Step::ROOK, from, to),
        PieceKind::Queen => slide(position, us, &Step::ROYAL, from, to),
    }
}

/// A leap is blocked only by a piece of the same colour on the target.
fn landing<R: Rules>(position: &Position<R>, us: Color, to: Square) -> Reach {
    if position.piece_at(to).is_some_and(|piece| piece.color() == us) {
        Reach::Blocked
    } else {
        Reach::Yes
    }
}

fn leap<R: Rules>(
    position: &Position<R>,
    us: Color,
    steps: &[Step],
    from: Square,
    to: Square,
) -> Reach {
    if steps.contains(&(to - from)) { landing(position, us, to) } else { Reach::No }
}

fn slide<R: Rules>(
    position: &Position<R>,
    us: Color,
    steps: &[Step],
    from: Square,
    to: Square,
) -> Reach {
    for &step in steps {
        let mut clear = true;
        let mut next = from.step(step);
        while let Some(sq) = next {
            if sq == to {
                return if clear { landing(position, us, to) } else { Reach::Blocked };
            }
            clear &= position.piece_at(sq).is_none();
            next = sq.step(step);
        }
    }
    Reach::No
}

fn pawn_reach<R: Rules>(position: &Position<R>, us: Color, from: Square, to: Square) -> Reach {
    let forward = us.forward();
    let taken = position.piece_at(to);
    let way = to - from;
    if way == forward {
        return if taken.is_none() { Reach::Yes } else { Reach::Blocked };
    }
    let may_leap =
        from.rank_for(us) == 1 || from.rank() == us.back_rank() && R::has_back_rank_pawns(us);
    if way == forward + forward && may_leap {
        let clear = taken.is_none() && position.piece_at(from + forward).is_none();
        return if clear { Reach::Yes } else { Reach::Blocked };
    }
    let captures = way == forward + Step::EAST || way == forward + Step::WEST;
    match taken {
        Some(piece) if captures && piece.color() != us => Reach::Yes,
        None if captures && is_passed_over(position, to) => Reach::Yes,
        _ => Reach::No,
    }
}
