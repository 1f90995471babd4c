//! Captures that explode: see [`Rules::CAPTURES_EXPLODE`].
//!
//! An explosion takes the capturing man and all men next to the target that are not pawns. So a king cannot
//! capture, and a king that touches the other one cannot be captured: both would explode.

use super::attacks::{aims_at, is_path_clear_over};
use super::{Position, Rules, bitboards};
use crate::types::{CastlingSide, Cell, Color, Move, Piece, PieceKind, Square};

/// A man that an explosion took, besides the captured one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exploded {
    pub(super) cell: Cell,
    pub(super) square: Square,
    /// The number of moves made when it happened.
    pub(super) ply: usize,
}

impl<R: Rules> Position<R> {
    /// The squares that a capture empties, as a bitboard.
    pub fn blast(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let around = bitboards::KING[to.index64()] & self.occupied();
        from.bit()
            | to.bit()
            | mv.victim_square().bit()
            | around & !self.squares_with(PieceKind::Pawn)
    }

    /// The squares that the explosion of the last move has emptied, as a bitboard: its target, that
    /// of a pawn taken en passant, and those of the men around. None if the last move was no such capture.
    pub fn exploded(&self) -> u64 {
        let Some(mv) = self.last_move().filter(|mv| R::CAPTURES_EXPLODE && mv.is_capture()) else {
            return 0;
        };
        let ply = self.history.len();
        let latest = self.exploded.iter().rev().take_while(|man| man.ply == ply);
        let around = latest.filter(|man| man.square != mv.from());
        let target = mv.to().bit() | mv.victim_square().bit();
        around.fold(target, |gone, man| gone | man.square.bit())
    }

    /// Does a capture blow up the king of this side?
    pub fn explodes_king(&self, mv: Move, color: Color) -> bool {
        mv.is_capture() && self.king(color).is_in(self.blast(mv))
    }

    /// Is the king of this side on the board and attacked, if captures explode? Not while the kings touch.
    pub(super) fn is_king_attacked_by_exploding_men(&self, color: Color) -> bool {
        let king = self.king(color);
        self.count(color, PieceKind::King) > 0
            && self.count(!color, PieceKind::King) > 0
            && !self.is_safe_for_king(king, color, 0, None)
    }

    /// May the king stand on this square, as far as the other side's men are concerned? `gone` and `put`
    /// as in [`Position::is_attacked_after`].
    fn is_safe_for_king(&self, sq: Square, us: Color, gone: u64, put: Option<Square>) -> bool {
        sq.distance(self.king(!us)) <= 1 || !self.is_attacked_after(sq, !us, gone, put)
    }

    /// May the king castle on this side, as far as the other side's men are concerned? It leaves its square: while
    /// the kings touch, a line that it shuts gives no check yet.
    pub(super) fn is_castling_safe(&self, us: Color, side: CastlingSide) -> bool {
        let (gone, crossed) = (self.king(us).bit(), side.rook_target(us));
        self.is_safe_for_king(crossed, us, gone, None)
            && self.is_safe_for_king(side.king_target(us), us, gone, Some(crossed))
    }

    /// Does the move of a man leave the king of its side on the board and unattacked, or blow up the other
    /// king alone? The men must be able to move so; not for castling.
    pub(crate) fn keeps_king_from_exploding(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to, king) = (mv.from(), mv.to(), self.king(us));
        if mv.is_capture() {
            let gone = self.blast(mv);
            return !king.is_in(gone)
                && (self.king(!us).is_in(gone) || self.is_safe_for_king(king, us, gone, None));
        }
        let king = if from == king { to } else { king };
        self.is_safe_for_king(king, us, from.bit(), Some(to))
    }

    /// Does a legal move attack the other king, if captures explode?
    pub(super) fn gives_check_by_exploding_men(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to, king) = (mv.from(), mv.to(), self.king(!us));
        let own_king = if from == self.king(us) { to } else { self.king(us) };
        if own_king.distance(king) <= 1 {
            return false;
        }
        if mv.is_capture() {
            let gone = self.blast(mv);
            return !king.is_in(gone) && self.is_attacked_after(king, us, gone, None);
        }
        let gone = from.bit();
        if let Some(side) = mv.castling_side() {
            // If the kings touched, any man may attack now.
            let gone = gone | self.castling_rook(us, side).bit();
            return self.castling_gives_check(us, side, king)
                || self.is_attacked_after(king, us, gone, Some(side.rook_target(us)));
        }
        let arriving = match mv.promotion() {
            Some(kind) => Cell::of(Piece::new(us, kind)),
            None => self.cell(from),
        };
        aims_at(arriving, to, king) && is_path_clear_over(to, king, self.occupied() & !gone)
            || self.is_attacked_after(king, us, gone, Some(to))
    }

    /// Does a man of a side attack a square after the squares in `gone` have become empty and a man has come
    /// to `put`? What comes there does not count as an attacker.
    fn is_attacked_after(&self, target: Square, by: Color, gone: u64, put: Option<Square>) -> bool {
        let put = put.map_or(0, Square::bit);
        self.attackers(target, by, self.occupied() & !gone | put) & !gone != 0
    }
}
