//! Castling.

use super::generator::{Generator, Sink, Wanted};
use crate::board::Rules;
use crate::types::{CastlingSide, MoveKind};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    /// Generates castling on both sides. Not to be called in check.
    #[inline(always)]
    pub(super) fn castling(&mut self) {
        if !W::QUIET || !self.pos.castling().has_any(self.us) {
            return;
        }
        let from = self.pos.castling_king(self.us);
        for side in CastlingSide::ALL {
            if self.pos.can_castle(self.us, side) {
                self.add(from, side.king_target(self.us), MoveKind::castling(side));
            }
        }
    }
}
