//! Drops of men in hand.

use super::Legality;
use super::generator::{Generator, Sink, Wanted};
use crate::board::bitboards::{self, Squares};
use crate::board::{Hands, Position, Rules};
use crate::types::{Color, Move, MoveKind, PieceKind, Square};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    /// Generates the drops. `EVADE`: only those that answer a single check.
    #[inline(always)]
    pub(super) fn drops<const EVADE: bool>(&mut self) {
        if !R::HAS_DROPS || !W::QUIET {
            return;
        }
        let Some(&hands) = self.pos.hands() else { return };
        let us = self.us;
        let wanted = !self.occupied & if EVADE { self.legality.answers() } else { !0 };
        for kind in Hands::KINDS.into_iter().filter(|&kind| hands.count(us, kind) > 0) {
            for to in Squares(wanted & places_for(kind)) {
                self.add(Move::drop(kind, to).from(), to, MoveKind::DoublePush);
            }
        }
    }
}

impl<R: Rules> Position<R> {
    /// Is it legal to drop a man of this kind on this square?
    pub(super) fn is_legal_drop(&self, kind: PieceKind, to: Square, legality: &Legality) -> bool {
        self.hands().is_some_and(|hands| hands.count(self.side_to_move(), kind) > 0)
            && to.is_in(!self.occupied() & places_for(kind))
            && (!legality.in_check() || !legality.is_double_check() && legality.answers_check(to))
    }
}

/// The squares on which a man of this kind can stand, as a bitboard: no pawn stands on a first rank.
#[inline(always)]
fn places_for(kind: PieceKind) -> u64 {
    let first_ranks = Color::ALL.map(|color| bitboards::rank_for(color, 0));
    if kind == PieceKind::Pawn { !(first_ranks[0] | first_ranks[1]) } else { !0 }
}
