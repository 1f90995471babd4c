//! Moves of knights, bishops, rooks, queens, and kings, without castling.

use super::generator::{Generator, Sink, Wanted};
use crate::board::Rules;
use crate::board::bitboards::{self, Squares};
use crate::types::{MoveKind, PieceKind, Square, Step};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    #[inline(always)]
    pub(super) fn knights<const EVADE: bool>(&mut self) {
        for from in Squares(self.own(PieceKind::Knight)) {
            if !self.legality.is_pinned(from) {
                self.add_reached::<EVADE>(from, bitboards::KNIGHT[from.index64()]);
            }
        }
    }

    #[inline(always)]
    pub(super) fn sliders<const EVADE: bool>(&mut self) {
        for from in Squares(self.own(PieceKind::Bishop)) {
            let reached = self.diagonals(from);
            self.add_reached::<EVADE>(from, reached);
        }
        for from in Squares(self.own(PieceKind::Rook)) {
            let reached = self.straights(from);
            self.add_reached::<EVADE>(from, reached);
        }
        for from in Squares(self.own(PieceKind::Queen)) {
            let reached = self.straights(from) | self.diagonals(from);
            self.add_reached::<EVADE>(from, reached);
        }
    }

    /// The squares that a piece reaches as a bishop without exposing its king.
    #[inline(always)]
    fn diagonals(&self, from: Square) -> u64 {
        self.along(from, bitboards::bishop(from.index64(), self.occupied), Step::BISHOP)
    }

    /// The squares that a piece reaches as a rook without exposing its king.
    #[inline(always)]
    fn straights(&self, from: Square) -> u64 {
        self.along(from, bitboards::rook(from.index64(), self.occupied), Step::ROOK)
    }

    /// The squares of the rays along which the piece may move.
    #[inline(always)]
    fn along(&self, from: Square, rays: [u64; 4], steps: [Step; 4]) -> u64 {
        if !self.legality.is_pinned(from) {
            return bitboards::union(rays);
        }
        rays.into_iter()
            .zip(steps)
            .filter(|&(_, step)| self.legality.may_move_along(from, step))
            .fold(0, |all, (ray, _)| all | ray)
    }

    /// Adds the moves of a piece to those of these squares that are wanted and not its own side's.
    #[inline(always)]
    fn add_reached<const EVADE: bool>(&mut self, from: Square, reached: u64) {
        let reached = if EVADE { reached & self.legality.answers() } else { reached };
        if W::NOISY {
            for to in Squares(reached & self.theirs) {
                self.add(from, to, MoveKind::Capture);
            }
        }
        if W::QUIET {
            for to in Squares(reached & !self.occupied) {
                self.add(from, to, MoveKind::Quiet);
            }
        }
    }

    /// Adds the king's moves to squares that are not attacked; all moves of kings for
    /// whose safety other rules hold.
    #[inline(always)]
    pub(super) fn king(&mut self) {
        if !R::is_royal(self.us) || R::CAPTURES_EXPLODE {
            for from in Squares(self.own(PieceKind::King)) {
                self.add_reached::<false>(from, bitboards::KING[from.index64()]);
            }
            return;
        }
        let from = self.pos.king(self.us);
        let mut wanted = 0;
        if W::NOISY {
            wanted |= self.theirs;
        }
        if W::QUIET {
            wanted |= !self.occupied;
        }
        let is_safe = |to: &Square| !self.pos.is_attacked_through_king(*to, !self.us);
        let safe = Squares(bitboards::KING[from.index64()] & wanted)
            .filter(is_safe)
            .fold(0, |safe, to| safe | to.bit());
        self.add_reached::<false>(from, safe);
    }
}
