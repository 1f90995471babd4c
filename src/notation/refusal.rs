//! Why a move that is written correctly cannot be played: a word for the person or program that
//! asked. The board decides what is legal; this only explains.

use thiserror::Error;

use super::grammar::{Written, WrittenMan};
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Square, Step};

/// Why a text is not a legal move. The messages avoid the words by which xboard misreads an
/// `Illegal move (…)` line; a test beside the list of those words checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    #[error("not understood")]
    Unreadable,
    #[error("more than one piece can go there")]
    Ambiguous,
    #[error("no such piece")]
    NoSuchPiece,
    #[error("not your turn")]
    NotYourTurn,
    #[error("the piece does not move so")]
    WrongWay,
    #[error("blocked")]
    Blocked,
    #[error("castling is not possible")]
    CannotCastle,
    #[error("leaves king in check")]
    LeavesKingInCheck,
    #[error("game over")]
    GameOver,
}

/// How far a man gets towards a square if its own king's safety is left aside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    No,
    Blocked,
    Yes,
}

/// The reason why `written`, which means no legal move, is refused.
pub(super) fn reason<R: Rules>(position: &Position<R>, written: &Written) -> MoveError {
    let Written::Man(man) = written else { return MoveError::CannotCastle };
    let us = position.side_to_move();
    let theirs = man
        .from()
        .and_then(|from| position.piece_at(from))
        .is_some_and(|piece| piece.color() != us);
    if theirs {
        return MoveError::NotYourTurn;
    }
    let best = position
        .all_pieces(us)
        .filter(|&(from, kind)| {
            man.comes_from(from) && man.kind.is_none_or(|wanted| wanted == kind)
        })
        .map(|(from, kind)| {
            (
                reach(position, us, kind, from, man.to),
                looks_like_castling(position, man, kind, from),
            )
        })
        .max();
    match best {
        None => MoveError::NoSuchPiece,
        Some((_, true)) => MoveError::CannotCastle,
        // A promotion piece where nothing promotes, or none where it must: the way itself is fine.
        Some((Reach::Yes, _)) if man.promotion.is_some() && man.to.rank() % 7 != 0 => {
            MoveError::WrongWay
        }
        Some((Reach::Yes, _)) => MoveError::LeavesKingInCheck,
        Some((Reach::Blocked, _)) => MoveError::Blocked,
        Some((Reach::No, _)) => MoveError::WrongWay,
    }
}

fn looks_like_castling<R: Rules>(
    position: &Position<R>,
    man: &WrittenMan,
    kind: PieceKind,
    from: Square,
) -> bool {
    let us = position.side_to_move();
    let takes_own_rook = position.cell(man.to).holds(us, PieceKind::Rook);
    let steps_twice = from.file() == 4 && from.distance(man.to) == 2;
    kind == PieceKind::King && from.rank() == man.to.rank() && (takes_own_rook || steps_twice)
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

/// Landing on one's own man is the only thing that blocks a leap.
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
    if way == forward + forward && from.rank_for(us) == 1 {
        let clear = taken.is_none() && position.piece_at(from + forward).is_none();
        return if clear { Reach::Yes } else { Reach::Blocked };
    }
    let captures = way == forward + Step::EAST || way == forward + Step::WEST;
    match taken {
        Some(piece) if captures && piece.color() != us => Reach::Yes,
        _ => Reach::No,
    }
}
