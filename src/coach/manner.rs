//! How a game is won by mate: on the back rank, or by a drop.

use crate::board::Position;
use crate::types::{PieceKind, Reason, Square, Step};

use super::line_of_play::LineOfPlay;
use super::rules::CoachRules;

/// What is special about the last move of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Plain,
    /// The king that is mated stands behind its own men on its first rank.
    BackRank,
    /// The man that mates was dropped.
    Drop,
    /// The same, and the bad move let the opponent have that man.
    GivenDrop(PieceKind),
}

/// What is special about the last move of a won line.
pub(super) fn manner<V: CoachRules>(play: &LineOfPlay<V>, reason: Reason) -> Manner {
    let last = play.moves[play.moves.len() - 1];
    match last.dropped() {
        Some(kind) if play.in_hand(0, kind) == 0 => Manner::GivenDrop(kind),
        Some(_) => Manner::Drop,
        None if reason == Reason::Checkmate && is_back_rank_mate(play.last()) => Manner::BackRank,
        None => Manner::Plain,
    }
}

/// Is the king that is mated shut in behind its own men, on its first rank?
fn is_back_rank_mate<V: CoachRules>(pos: &Position<V>) -> bool {
    let loser = pos.side_to_move();
    let Some(king) = pos.royal_king(loser) else { return false };
    let ahead = king + loser.forward();
    let is_shut_in = [-1, 0, 1].into_iter().all(|aside| {
        let square = ahead + Step::new(aside);
        let is_own = pos.cell(square).belongs_to(loser) && !pos.is_attacked(square, !loser);
        !square.is_on_board() || is_own
    });
    let is_on_rank = |(at, kind): (Square, PieceKind)| {
        at.rank() == king.rank()
            && matches!(kind, PieceKind::Rook | PieceKind::Queen)
            && pos.is_path_clear(at, king)
    };
    king.rank_for(loser) == 0 && is_shut_in && pos.all_pieces(!loser).any(is_on_rank)
}
