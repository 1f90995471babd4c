//! Pawn moves: pushes, captures, promotions, en passant.

use super::generator::{Generator, Sink, Wanted};
use crate::board::Rules;
use crate::board::bitboards::{self, rank_for};
use crate::types::{MoveKind, PieceKind, Square, Step};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    /// Adds all pawn moves. `EVADE`: only those that answer a single check.
    #[inline(always)]
    pub(super) fn pawns<const EVADE: bool>(&mut self) {
        let ahead = self.us.forward();
        // The squares from which a pawn can take or promote.
        let active =
            bitboards::pawn_attacks(!self.us, self.pos.squares_of(!self.us)) | rank_for(self.us, 6);
        for id in self.pos.ids_of(self.us, PieceKind::Pawn) {
            let from = self.pos.square_of(id);
            if W::NOISY_ALONE && active >> from.index64() & 1 == 0 {
                continue;
            }
            if W::NOISY {
                for aside in [Step::WEST, Step::EAST] {
                    let step = ahead + aside;
                    let to = from + step;
                    if self.pos.cell(to).belongs_to(!self.us)
                        && self.legality.may_move_along(id, from, step)
                        && (!EVADE || self.legality.answers_check(to))
                    {
                        self.advance(from, to, true);
                    }
                }
            }
            if self.legality.may_move_along(id, from, ahead) {
                self.push::<EVADE>(from, ahead);
            }
        }
        if W::NOISY {
            self.en_passant(ahead);
        }
    }

    /// Adds the single and the double push.
    #[inline(always)]
    fn push<const EVADE: bool>(&mut self, from: Square, ahead: Step) {
        let to = from + ahead;
        if !self.pos.cell(to).is_empty() {
            return;
        }
        if !EVADE || self.legality.answers_check(to) {
            self.advance(from, to, false);
        }
        if !W::QUIET {
            return;
        }
        let beyond = to + ahead;
        let kind = match from.rank_for(self.us) {
            1 => MoveKind::DoublePush,
            0 if R::has_back_rank_pawns(self.us) => MoveKind::Quiet,
            _ => return,
        };
        if self.pos.cell(beyond).is_empty() && (!EVADE || self.legality.answers_check(beyond)) {
            self.add(from, beyond, kind);
        }
    }

    /// Adds a single push or a capture; on the last rank, the promotions.
    #[inline(always)]
    fn advance(&mut self, from: Square, to: Square, captures: bool) {
        if to.rank_for(self.us) == 7 {
            if W::NOISY {
                for &kind in R::PROMOTIONS {
                    self.add(from, to, MoveKind::promotion(kind, captures));
                }
            }
        } else if captures {
            self.add(from, to, MoveKind::Capture);
        } else if W::QUIET {
            self.add(from, to, MoveKind::Quiet);
        }
    }

    /// Adds en passant captures. They are rare and can expose the king in special ways, so each one
    /// is checked on the board.
    #[inline(always)]
    fn en_passant(&mut self, ahead: Step) {
        let Some(to) = self.pos.en_passant() else { return };
        for aside in [Step::WEST, Step::EAST] {
            let from = to + -ahead + aside;
            if self.pos.cell(from).holds(self.us, PieceKind::Pawn)
                && self.pos.is_en_passant_safe(self.us, from, to)
            {
                self.add(from, to, MoveKind::EnPassant);
            }
        }
    }
}
