//! Which moves of one position give check, for callers that ask about many of them.

use std::cell::OnceCell;

use super::attacks::step_towards;
use super::bitboards::{self, Squares, more_than_one};
use super::{Position, Rules};
use crate::types::Move;

/// The checks that the side to move can give in one position. Computed at the first question.
#[derive(Default)]
pub struct Checks(OnceCell<CheckSquares>);

impl Checks {
    /// Does a legal move give check? As [`Position::gives_check`], but faster. The position must be
    /// the same in every call.
    #[inline(always)]
    pub fn gives_check<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        self.squares(pos).gives_check(pos, mv)
    }

    /// Does a legal move open a line from another piece to the king? Castling and en passant are left
    /// out.
    pub fn gives_discovered_check<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        pos.origin(mv).is_some() && !mv.is_castling() && self.squares(pos).uncovers(pos, mv)
    }

    /// The squares and pieces from which the side to move gives check.
    #[inline(always)]
    pub(crate) fn squares<R: Rules>(&self, pos: &Position<R>) -> &CheckSquares {
        self.0.get_or_init(|| CheckSquares::new(pos))
    }
}

/// The squares and pieces from which the side to move gives check.
pub(crate) struct CheckSquares {
    /// By [`PieceKind::index`](crate::types::PieceKind::index): the squares from which such a piece gives check,
    /// as a bitboard.
    pub(crate) from: [u64; 8],
    /// The squares of the pieces that give a discovered check when they leave their line to the king, as
    /// a bitboard.
    pub(crate) covering: u64,
}

impl CheckSquares {
    #[inline]
    fn new<R: Rules>(pos: &Position<R>) -> CheckSquares {
        let us = pos.side_to_move();
        if !R::is_royal(!us) {
            return CheckSquares { from: [0; 8], covering: 0 };
        }
        let king = pos.king(!us);
        let (at, ours, occupied) = (king.index64(), pos.squares_of(us), pos.occupied());
        let reached = |rays| bitboards::union(rays) & !ours;
        let straight = reached(bitboards::rook(at, occupied));
        let diagonal = reached(bitboards::bishop(at, occupied));
        let pawn = bitboards::PAWN_ORIGINS[us.index()][at];
        // A piece that stands alone between one of its sliders and the king.
        let covering = Squares(pos.sliders_to(king) & ours)
            .map(|slider| bitboards::BETWEEN[at][slider.index64()] & occupied)
            .filter(|&blockers| !more_than_one(blockers))
            .fold(0, |covering, blocker| covering | blocker & ours);
        CheckSquares {
            from: [0, pawn, bitboards::KNIGHT[at], diagonal, straight, straight | diagonal, 0, 0],
            covering,
        }
    }

    #[inline(always)]
    fn gives_check<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        if R::CAPTURES_EXPLODE || mv.is_special() {
            return pos.gives_check(mv);
        }
        if R::HAS_DROPS
            && let Some(kind) = mv.dropped()
        {
            return mv.to().is_in(self.from[kind.index()]);
        }
        mv.to().is_in(self.from[pos.cell(mv.from()).kind_index()]) || self.uncovers(pos, mv)
    }

    /// Does the moving piece leave its line between one of its sliders and the king?
    #[inline(always)]
    fn uncovers<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        mv.from().is_in(self.covering) && {
            let king = pos.king(!pos.side_to_move());
            step_towards(king, mv.from()) != step_towards(king, mv.to())
        }
    }
}
