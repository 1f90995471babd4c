//! Pawn moves: pushes, captures, promotions, en passant.

use super::generator::{Generator, Sink, Wanted};
use crate::board::Rules;
use crate::board::bitboards::{Squares, ahead, east, rank_for, west};
use crate::types::{MoveKind, PieceKind, Step};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    /// Adds all pawn moves. `EVADE`: only those that answer a single check.
    #[inline(always)]
    pub(super) fn pawns<const EVADE: bool>(&mut self) {
        let (us, step) = (self.us, self.us.forward());
        let pawns = self.own(PieceKind::Pawn);
        let answers = if EVADE { self.legality.answers() } else { !0 };
        let (last_rank, free) = (rank_for(us, 7), !self.occupied);
        if W::NOISY {
            for (aside, reached) in [(Step::WEST, west(pawns)), (Step::EAST, east(pawns))] {
                let targets = ahead(us, reached) & self.theirs & answers;
                self.advance(targets & last_rank, step + aside, None);
                self.advance(targets & !last_rank, step + aside, Some(MoveKind::Capture));
            }
        }
        let pushes = ahead(us, pawns) & free;
        if W::NOISY {
            self.advance(pushes & last_rank & answers, step, None);
        }
        if W::QUIET {
            self.advance(pushes & !last_rank & answers, step, Some(MoveKind::Quiet));
            let beyond = |rank| ahead(us, pushes & rank_for(us, rank)) & free & answers;
            self.advance_two(beyond(2), step, MoveKind::DoublePush);
            if R::has_back_rank_pawns(us) {
                self.advance_two(beyond(1), step, MoveKind::Quiet);
            }
        }
        if W::NOISY {
            self.en_passant(step);
        }
    }

    /// Adds the moves of pawns to these squares, each by this step; without a kind, the promotions.
    #[inline(always)]
    fn advance(&mut self, targets: u64, step: Step, kind: Option<MoveKind>) {
        for to in Squares(targets) {
            let from = to + -step;
            if !self.legality.may_move_along(from, step) {
                continue;
            }
            if let Some(kind) = kind {
                self.add(from, to, kind);
            } else {
                let captures = step != self.us.forward();
                for &kind in R::PROMOTIONS {
                    self.add(from, to, MoveKind::promotion(kind, captures));
                }
            }
        }
    }

    /// Adds the moves of pawns to these squares, each by two steps.
    #[inline(always)]
    fn advance_two(&mut self, targets: u64, step: Step, kind: MoveKind) {
        for to in Squares(targets) {
            let from = to + -step + -step;
            if self.legality.may_move_along(from, step) {
                self.add(from, to, kind);
            }
        }
    }

    /// Adds en passant captures. They are rare and can expose the king in special ways, so each one
    /// is checked on the board.
    #[inline(always)]
    fn en_passant(&mut self, step: Step) {
        let Some(to) = self.pos.en_passant() else { return };
        for aside in [Step::WEST, Step::EAST] {
            let from = to + -step + aside;
            if self.pos.cell(from).holds(self.us, PieceKind::Pawn)
                && self.pos.is_en_passant_safe(self.us, from, to)
            {
                self.add(from, to, MoveKind::EnPassant);
            }
        }
    }
}
