//! Checks and pins: what decides which moves are legal.

use crate::board::attacks::step_towards;
use crate::board::bitboards::{self, Squares, more_than_one};
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Square, Step};

/// The checks and pins of a position. With them, every generated move is legal, and no move has to
/// be made to find out.
#[derive(Clone, Copy)]
pub struct Legality {
    /// The squares of the pieces that give check, as a bitboard; where captures explode, any square if there is one.
    checkers: u64,
    /// The squares to which a piece other than the king can go to answer a single check: the
    /// checker's and those between. A bitboard.
    answers: u64,
    /// The squares of the pieces pinned to their own king, as a bitboard.
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
            (found.checkers, found.answers) = (u64::from(pos.in_check()), !0);
            return found;
        }
        found.king = pos.king(us);
        found.find_leapers(pos, us);
        found.find_sliders(pos, us);
        found
    }

    #[inline(always)]
    fn find_leapers<R: Rules>(&mut self, pos: &Position<R>, us: Color) {
        let at = self.king.index64();
        let knights = bitboards::KNIGHT[at] & pos.squares_with(PieceKind::Knight);
        let pawns = bitboards::PAWN_ORIGINS[(!us).index()][at] & pos.squares_with(PieceKind::Pawn);
        self.checkers = (knights | pawns) & pos.squares_of(!us);
    }

    #[inline(always)]
    fn find_sliders<R: Rules>(&mut self, pos: &Position<R>, us: Color) {
        let (ours, occupied) = (pos.squares_of(us), pos.occupied());
        for slider in Squares(pos.sliders_to(self.king) & pos.squares_of(!us)) {
            let between = bitboards::BETWEEN[self.king.index64()][slider.index64()];
            let blockers = between & occupied;
            // Without branches: which of them it is, no processor foretells.
            let (checker, line) = if blockers == 0 { (slider.bit(), between) } else { (0, 0) };
            self.checkers |= checker;
            self.answers |= line;
            self.pinned |= if more_than_one(blockers) { 0 } else { blockers & ours };
        }
        self.answers |= self.checkers;
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
        self.checkers != 0
    }

    /// Is it a double check? Only king moves answer one.
    pub fn is_double_check(&self) -> bool {
        more_than_one(self.checkers)
    }

    /// Does a move to this square answer a single check? Not for the king, nor for en passant
    /// captures.
    #[inline(always)]
    pub(super) fn answers_check(&self, to: Square) -> bool {
        to.is_in(self.answers)
    }

    /// The squares that answer a single check, as a bitboard.
    #[inline(always)]
    pub(super) fn answers(&self) -> u64 {
        self.answers
    }

    /// Is the piece on this square pinned to its king?
    #[inline(always)]
    pub(super) fn is_pinned(&self, sq: Square) -> bool {
        sq.is_in(self.pinned)
    }

    /// Can the piece on this square move in this direction without exposing its king? True for pieces
    /// that are not pinned.
    #[inline(always)]
    pub(super) fn may_move_along(&self, from: Square, step: Step) -> bool {
        !self.is_pinned(from) || {
            let pin = step_towards(self.king, from);
            step == pin || step == -pin
        }
    }
}
