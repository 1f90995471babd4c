//! Drops of men in hand.

use super::Legality;
use super::generator::{Generator, Sink, Wanted};
use crate::board::{Hands, Position, Rules};
use crate::types::{Move, MoveKind, PieceKind, Square};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    /// Generates the drops. `EVADE`: only those that answer a single check.
    #[inline(always)]
    pub(super) fn drops<const EVADE: bool>(&mut self) {
        if !R::HAS_DROPS || !W::QUIET {
            return;
        }
        let Some(&hands) = self.pos.hands() else { return };
        let us = self.us;
        for kind in Hands::KINDS.into_iter().filter(|&kind| hands.count(us, kind) > 0) {
            for to in Square::all() {
                if self.pos.can_stand(kind, to) && (!EVADE || self.legality.answers_check(to)) {
                    self.add(Move::drop(kind, to).from(), to, MoveKind::DoublePush);
                }
            }
        }
    }
}

impl<R: Rules> Position<R> {
    /// Is it legal to drop a man of this kind on this square?
    pub(super) fn is_legal_drop(&self, kind: PieceKind, to: Square, legality: &Legality) -> bool {
        self.hands().is_some_and(|hands| hands.count(self.side_to_move(), kind) > 0)
            && self.can_stand(kind, to)
            && (!legality.in_check() || !legality.is_double_check() && legality.answers_check(to))
    }

    /// Is the square empty, and can a man of this kind stand there?
    #[inline(always)]
    fn can_stand(&self, kind: PieceKind, sq: Square) -> bool {
        self.cell(sq).is_empty() && (kind != PieceKind::Pawn || !matches!(sq.rank(), 0 | 7))
    }
}
