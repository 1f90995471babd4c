//! Moves of knights, bishops, rooks, queens, and kings, without castling.

use super::generator::{Generator, Sink, Wanted};
use crate::board::{Rules, bitboards};
use crate::types::{MoveKind, PieceKind, Square, Step};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    #[inline(always)]
    pub(super) fn knights<const EVADE: bool>(&mut self) {
        let theirs = self.pos.squares_of(!self.us);
        for id in self.pos.ids_of(self.us, PieceKind::Knight) {
            if self.legality.is_pinned(id) {
                continue;
            }
            let from = self.pos.square_of(id);
            if W::NOISY_ALONE && bitboards::KNIGHT[from.index64()] & theirs == 0 {
                continue;
            }
            for step in Step::KNIGHT {
                self.step_to::<EVADE>(from, from + step);
            }
        }
    }

    #[inline(always)]
    pub(super) fn sliders<const EVADE: bool>(&mut self) {
        if W::NOISY_ALONE {
            self.slider_captures::<EVADE>();
            return;
        }
        for id in self.pos.ids_of(self.us, PieceKind::Bishop) {
            self.slide::<EVADE, 4>(id, Step::BISHOP);
        }
        for id in self.pos.ids_of(self.us, PieceKind::Rook) {
            self.slide::<EVADE, 4>(id, Step::ROOK);
        }
        for id in self.pos.ids_of(self.us, PieceKind::Queen) {
            self.slide::<EVADE, 8>(id, Step::ROYAL);
        }
    }

    /// Adds the moves of one slider in these directions.
    #[inline(always)]
    fn slide<const EVADE: bool, const N: usize>(&mut self, id: u8, steps: [Step; N]) {
        let from = self.pos.square_of(id);
        for step in steps {
            if !self.legality.may_move_along(id, from, step) {
                continue;
            }
            let mut to = from + step;
            while self.pos.cell(to).is_empty() {
                if W::QUIET && (!EVADE || self.legality.answers_check(to)) {
                    self.add(from, to, MoveKind::Quiet);
                }
                to = to + step;
            }
            if W::NOISY
                && self.pos.cell(to).belongs_to(!self.us)
                && (!EVADE || self.legality.answers_check(to))
            {
                self.add(from, to, MoveKind::Capture);
            }
        }
    }

    /// Adds the captures of all sliders, in the order of [`Generator::slide`].
    #[inline(always)]
    fn slider_captures<const EVADE: bool>(&mut self) {
        let answers = if EVADE { self.legality.answers() } else { !0 };
        let (targets, occupied) = (self.pos.squares_of(!self.us) & answers, self.pos.occupied());
        for id in self.pos.ids_of(self.us, PieceKind::Bishop) {
            let at = self.pos.square_of(id).index64();
            self.take_along(id, bitboards::bishop(at, occupied), Step::BISHOP, targets);
        }
        for id in self.pos.ids_of(self.us, PieceKind::Rook) {
            let at = self.pos.square_of(id).index64();
            self.take_along(id, bitboards::rook(at, occupied), Step::ROOK, targets);
        }
        for id in self.pos.ids_of(self.us, PieceKind::Queen) {
            let at = self.pos.square_of(id).index64();
            self.take_along(id, bitboards::rook(at, occupied), Step::ROOK, targets);
            self.take_along(id, bitboards::bishop(at, occupied), Step::BISHOP, targets);
        }
    }

    /// Adds the captures of one slider in four directions. Each ray reaches one target at most.
    #[inline(always)]
    fn take_along(&mut self, id: u8, rays: [u64; 4], steps: [Step; 4], targets: u64) {
        let [a, b, c, d] = rays;
        if (a | b | c | d) & targets == 0 {
            return;
        }
        let from = self.pos.square_of(id);
        for (ray, step) in rays.into_iter().zip(steps) {
            let target = ray & targets;
            if target != 0 && self.legality.may_move_along(id, from, step) {
                let to = Square::from_index64(target.trailing_zeros() as usize);
                self.add(from, to, MoveKind::Capture);
            }
        }
    }

    /// Adds the move of a knight, or of a king that is not royal.
    #[inline(always)]
    fn step_to<const EVADE: bool>(&mut self, from: Square, to: Square) {
        let cell = self.pos.cell(to);
        let kind = if cell.is_empty() {
            if !W::QUIET {
                return;
            }
            MoveKind::Quiet
        } else if W::NOISY && cell.belongs_to(!self.us) {
            MoveKind::Capture
        } else {
            return;
        };
        if !EVADE || self.legality.answers_check(to) {
            self.add(from, to, kind);
        }
    }

    /// Adds the king's moves to squares that are not attacked; all moves of kings for
    /// whose safety other rules hold.
    #[inline(always)]
    pub(super) fn king(&mut self) {
        if !R::is_royal(self.us) || R::CAPTURES_EXPLODE {
            for from in self.pos.pieces(self.us, PieceKind::King) {
                for step in Step::ROYAL {
                    self.step_to::<false>(from, from + step);
                }
            }
            return;
        }
        let from = self.pos.king(self.us);
        let theirs = self.pos.squares_of(!self.us);
        if W::NOISY_ALONE && bitboards::KING[from.index64()] & theirs == 0 {
            return;
        }
        for step in Step::ROYAL {
            let to = from + step;
            let cell = self.pos.cell(to);
            let kind = if cell.is_empty() {
                MoveKind::Quiet
            } else if cell.belongs_to(!self.us) {
                MoveKind::Capture
            } else {
                continue;
            };
            let wanted = if kind == MoveKind::Quiet { W::QUIET } else { W::NOISY };
            if wanted && !self.pos.is_attacked_through_king(to, !self.us) {
                self.add(from, to, kind);
            }
        }
    }
}
