//! Checks and pins: what decides which moves are legal.

use crate::board::attacks::{aims_at, step_towards};
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Square, Step};

/// The checks and pins of a position. With them, every generated move is legal, and no move has to
/// be made to find out.
#[derive(Clone, Copy)]
pub struct Legality {
    checkers: u8,
    /// The squares to which a piece other than the king can go to answer a single check: the
    /// checker's and those between. Bits by [`Square::index64`].
    answers: u64,
    /// The ids of the pieces pinned to their own king, as bits.
    pinned: u64,
    /// The square of the king; meaningless if it is not royal.
    king: Square,
    /// See [`Legality::must_capture`].
    must_capture: bool,
}

impl Legality {
    /// The checks and pins against the side to move.
    #[inline]
    pub fn new<R: Rules>(pos: &Position<R>) -> Legality {
        let us = pos.side_to_move();
        let must_capture = R::MUST_CAPTURE && pos.can_capture();
        let king = Square::A1;
        let mut found = Legality { checkers: 0, answers: 0, pinned: 0, king, must_capture };
        if !R::is_royal(us) {
            return found;
        }
        if R::CAPTURES_EXPLODE {
            // Neither checkers nor pins tell which moves are legal: every move is tested.
            (found.checkers, found.answers) = (u8::from(pos.in_check()), !0);
            return found;
        }
        found.king = pos.king(us);
        found.find_leapers(pos, us);
        found.find_sliders(pos, us);
        found
    }

    #[inline(always)]
    fn find_leapers<R: Rules>(&mut self, pos: &Position<R>, us: Color) {
        let king = self.king;
        let mut add = |from: Square| {
            self.checkers += 1;
            self.answers |= 1 << from.index64();
        };
        for from in pos.pieces(!us, PieceKind::Knight) {
            if aims_at(pos.cell(from), from, king) {
                add(from);
            }
        }
        for aside in [Step::WEST, Step::EAST] {
            let from = king + us.forward() + aside;
            if pos.cell(from).holds(!us, PieceKind::Pawn) {
                add(from);
            }
        }
    }

    #[inline(always)]
    fn find_sliders<R: Rules>(&mut self, pos: &Position<R>, us: Color) {
        let king = self.king;
        for id in pos.slider_ids(!us) {
            let slider = pos.square_of(id);
            if !aims_at(pos.cell(slider), slider, king) {
                continue;
            }
            let step = step_towards(king, slider);
            let first = pos.first_piece(king, step);
            if first == slider {
                self.checkers += 1;
                let mut sq = king;
                while sq != slider {
                    sq = sq + step;
                    self.answers |= 1 << sq.index64();
                }
            } else if pos.cell(first).belongs_to(us) && pos.first_piece(first, step) == slider {
                self.pinned |= 1 << pos.id_on(first);
            }
        }
    }

    /// Must the side to move capture, by the rules of the game?
    #[inline(always)]
    pub fn must_capture(&self) -> bool {
        self.must_capture
    }

    /// Must the side to move answer a check or capture? Then it has no free choice, and what the
    /// position is worth shows only after the answer.
    #[inline(always)]
    pub fn is_forced(&self) -> bool {
        self.in_check() || self.must_capture
    }

    /// Is the side to move in check?
    pub fn in_check(&self) -> bool {
        self.checkers > 0
    }

    /// Is it a double check? Only king moves answer one.
    pub fn is_double_check(&self) -> bool {
        self.checkers > 1
    }

    /// Does a move to this square answer a single check? Not for the king, nor for en passant
    /// captures.
    #[inline(always)]
    pub(super) fn answers_check(&self, to: Square) -> bool {
        self.answers >> to.index64() & 1 != 0
    }

    /// The squares that answer a single check, as bits by [`Square::index64`].
    #[inline(always)]
    pub(super) fn answers(&self) -> u64 {
        self.answers
    }

    /// Is the piece with this id pinned to its king?
    #[inline(always)]
    pub(super) fn is_pinned(&self, id: u8) -> bool {
        self.pinned >> id & 1 != 0
    }

    /// Can the piece with this id, which stands on `from`, move in this direction without exposing its
    /// king? True for pieces that are not pinned.
    #[inline(always)]
    pub(super) fn may_move_along(&self, id: u8, from: Square, step: Step) -> bool {
        !self.is_pinned(id) || {
            let pin = step_towards(self.king, from);
            step == pin || step == -pin
        }
    }
}
