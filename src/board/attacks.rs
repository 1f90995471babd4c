//! Attacks and checks: a table by the difference of two squares, and walks along lines.
//!
//! The difference of two 0x88 squares tells which kinds of pieces attack from one to the other on
//! an empty board, and in which direction. For pawns, knights and kings that settles it. Sliders
//! also need a clear path.

use super::{Position, Rules};
use crate::types::{CastlingSide, Cell, Color, Move, MoveKind, Piece, PieceKind, Square, Step};

/// A set of kinds of pieces, as bits.
#[derive(Clone, Copy)]
struct AttackerKinds(u8);

impl AttackerKinds {
    const WHITE_PAWN: u8 = 1;
    const BLACK_PAWN: u8 = 2;
    const KNIGHT: u8 = 4;
    const DIAGONAL: u8 = 8;
    const STRAIGHT: u8 = 16;
    const KING: u8 = 32;
}

/// By the bits of a cell: the bit of the kind that stands on it. A queen has two bits.
const ATTACKER_BITS: [u8; 32] = {
    let mut table = [0; 32];
    let mut color = 8;
    while color <= 16 {
        table[color + 1] =
            if color == 8 { AttackerKinds::WHITE_PAWN } else { AttackerKinds::BLACK_PAWN };
        table[color + 2] = AttackerKinds::KNIGHT;
        table[color + 3] = AttackerKinds::DIAGONAL;
        table[color + 4] = AttackerKinds::STRAIGHT;
        table[color + 5] = AttackerKinds::DIAGONAL | AttackerKinds::STRAIGHT;
        table[color + 6] = AttackerKinds::KING;
        color += 8;
    }
    table
};

/// By `target - attacker`: the kinds that attack over this difference on an empty board, and the
/// step towards the target.
static DIFFERENCES: [(AttackerKinds, Step); 256] = {
    let mut table = [(AttackerKinds(0), Step::NONE); 256];
    let mut i = 0;
    while i < 8 {
        let step = Step::ROYAL[i];
        let kind = if i < 4 { AttackerKinds::STRAIGHT } else { AttackerKinds::DIAGONAL };
        let mut distance: i8 = 1;
        while distance < 8 {
            let index = Step::new(step.value().wrapping_mul(distance)).index();
            table[index].0.0 |= kind;
            table[index].1 = step;
            distance += 1;
        }
        table[step.index()].0.0 |= AttackerKinds::KING;
        let leap = Step::KNIGHT[i].index();
        table[leap].0.0 |= AttackerKinds::KNIGHT;
        table[leap].1 = Step::KNIGHT[i];
        i += 1;
    }
    let mut side = -1;
    while side <= 1 {
        table[Step::new(16 + side).index()].0.0 |= AttackerKinds::WHITE_PAWN;
        table[Step::new(-16 + side).index()].0.0 |= AttackerKinds::BLACK_PAWN;
        side += 2;
    }
    table
};

/// Does the piece on a cell attack `target` from `from` on an empty board?
#[inline(always)]
pub fn aims_at(cell: Cell, from: Square, target: Square) -> bool {
    DIFFERENCES[(target - from).index()].0.0 & ATTACKER_BITS[cell.bits() as usize & 31] != 0
}

/// The step from one square towards another on the same rank, file or diagonal, or a knight's leap.
/// [`Step::NONE`] for other pairs of squares.
#[inline(always)]
pub fn step_towards(from: Square, to: Square) -> Step {
    DIFFERENCES[(to - from).index()].1
}

impl<R: Rules> Position<R> {
    /// Are all squares between two squares of one line empty?
    #[inline(always)]
    pub fn is_path_clear(&self, from: Square, to: Square) -> bool {
        self.is_path_clear_if(from, to, |sq| self.cell(sq).is_empty())
    }

    #[inline(always)]
    pub(super) fn is_path_clear_if(
        &self,
        from: Square,
        to: Square,
        is_empty: impl Fn(Square) -> bool,
    ) -> bool {
        let step = step_towards(from, to);
        let mut sq = from + step;
        while sq != to {
            if !is_empty(sq) {
                return false;
            }
            sq = sq + step;
        }
        true
    }

    /// Does a side attack a square? It does not matter what stands there.
    pub fn is_attacked(&self, target: Square, by: Color) -> bool {
        self.is_attacked_if(target, by, |sq| self.cell(sq).is_empty())
    }

    /// Can the side to move capture something, if its king need not be safe?
    pub fn can_capture(&self) -> bool {
        let us = self.side_to_move();
        self.en_passant().is_some()
            || self.ids(!us).any(|id| self.is_attacked(self.square_of(id), us))
    }

    /// Do at least two pieces of a side attack a square?
    pub fn is_attacked_twice(&self, target: Square, by: Color) -> bool {
        let attacks = |&id: &u8| {
            let from = self.square_of(id);
            aims_at(self.cell(from), from, target) && self.is_path_clear(from, target)
        };
        self.ids(by).filter(attacks).nth(1).is_some()
    }

    /// Does a side attack a square if the enemy king is taken off the board? For king moves: the
    /// king does not shield a square behind it.
    #[inline]
    pub fn is_attacked_through_king(&self, target: Square, by: Color) -> bool {
        if !R::is_royal(!by) {
            return self.is_attacked(target, by);
        }
        let king = self.king(!by);
        self.is_attacked_if(target, by, |sq| self.cell(sq).is_empty() || sq == king)
    }

    /// Does a side attack a square, if `is_empty` says which squares are empty? A piece of that
    /// side on the square itself does not attack it.
    #[inline(always)]
    pub(super) fn is_attacked_if(
        &self,
        target: Square,
        by: Color,
        is_empty: impl Fn(Square) -> bool + Copy,
    ) -> bool {
        self.is_attacked_by_pawn(target, by)
            || self.piece_ids(by).any(|id| {
                let from = self.square_of(id);
                aims_at(self.cell(from), from, target)
                    && self.is_path_clear_if(from, target, is_empty)
            })
    }

    /// The kind of the least valuable piece of a side that attacks a square after the piece on
    /// `gone` has left.
    #[inline]
    pub fn least_attacker(&self, target: Square, by: Color, gone: Square) -> Option<PieceKind> {
        if self.is_attacked_by_pawn(target, by) {
            return Some(PieceKind::Pawn);
        }
        let attacks = |id: u8| {
            let from = self.square_of(id);
            let cell = self.cell(from);
            let is_empty = |sq| self.cell(sq).is_empty() || sq == gone;
            let attacks =
                aims_at(cell, from, target) && self.is_path_clear_if(from, target, is_empty);
            attacks.then_some(cell)
        };
        self.piece_ids(by)
            .filter_map(attacks)
            .min_by_key(|cell| cell.kind_index())
            .and_then(Cell::piece)
            .map(Piece::kind)
    }

    /// Does a pawn of a side attack the square? Two squares tell, however many pawns there are.
    #[inline(always)]
    fn is_attacked_by_pawn(&self, target: Square, by: Color) -> bool {
        let behind = target + -by.forward();
        [Step::WEST, Step::EAST]
            .into_iter()
            .any(|aside| self.cell(behind + aside).holds(by, PieceKind::Pawn))
    }

    /// The squares that the pawns of a side attack: one bit for each, by [`Square::index64`].
    #[inline(always)]
    pub fn pawn_attacks(&self, by: Color) -> u64 {
        const FILE_A: u64 = 0x0101_0101_0101_0101;
        const FILE_H: u64 = FILE_A << 7;
        let pawns: u64 = self.pieces(by, PieceKind::Pawn).map(|square| 1 << square.index64()).sum();
        let (not_a, not_h) = (pawns & !FILE_A, pawns & !FILE_H);
        match by {
            Color::White => not_a << 7 | not_h << 9,
            Color::Black => not_a >> 9 | not_h >> 7,
        }
    }

    /// Is the side to move in check?
    pub fn in_check(&self) -> bool {
        self.is_king_attacked(self.side_to_move())
    }

    /// Is the king of this side royal and attacked?
    pub(super) fn is_king_attacked(&self, color: Color) -> bool {
        if R::CAPTURES_EXPLODE {
            return self.is_king_attacked_by_exploding_men(color);
        }
        R::is_royal(color) && self.is_attacked(self.king(color), !color)
    }

    /// Is the king of `us` safe after the en passant capture from `from` to `to`?
    pub(crate) fn is_en_passant_safe(&self, us: Color, from: Square, to: Square) -> bool {
        if R::CAPTURES_EXPLODE {
            return self.keeps_king_from_exploding(Move::new(from, to, MoveKind::EnPassant));
        }
        if !R::is_royal(us) {
            return true;
        }
        let taken = Square::new(to.file(), from.rank());
        let king = self.king(us);
        !self.ids(!us).any(|id| {
            let attacker = self.square_of(id);
            attacker != taken
                && aims_at(self.cell(attacker), attacker, king)
                && self.is_path_clear_if(attacker, king, |sq| {
                    sq != to && (self.cell(sq).is_empty() || sq == from || sq == taken)
                })
        })
    }

    /// Does a legal move give check, directly or as a discovered check?
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        if !R::is_royal(!us) {
            return false;
        }
        if R::CAPTURES_EXPLODE {
            return self.gives_check_by_exploding_men(mv);
        }
        let king = self.king(!us);
        if let Some(side) = mv.castling_side() {
            return self.castling_gives_check(us, side, king);
        }
        let (from, to) = (mv.from(), mv.to());
        if R::HAS_DROPS
            && let Some(kind) = mv.dropped()
        {
            return aims_at(Cell::of(Piece::new(us, kind)), to, king)
                && self.is_path_clear(to, king);
        }
        let arriving = match mv.promotion() {
            Some(kind) => Cell::of(Piece::new(us, kind)),
            None => self.cell(from),
        };
        if aims_at(arriving, to, king)
            && self.is_path_clear_if(to, king, |sq| self.cell(sq).is_empty() || sq == from)
        {
            return true;
        }
        self.uncovers(from, to, king, us)
            || mv.is_en_passant()
                && self.uncovers_by_en_passant(Square::new(to.file(), from.rank()), from, to, king)
    }

    /// Does the rook give check after castling? King and rook cannot give a discovered check: on
    /// the back rank, the rook stands between.
    pub(super) fn castling_gives_check(
        &self,
        us: Color,
        side: CastlingSide,
        enemy_king: Square,
    ) -> bool {
        let (king, rook) = (self.castling_king(us), self.castling_rook(us, side));
        let target = side.rook_target(us);
        aims_at(Cell::of(Piece::new(us, PieceKind::Rook)), target, enemy_king)
            && self.is_path_clear_if(target, enemy_king, |sq| {
                sq != side.king_target(us) && (self.cell(sq).is_empty() || sq == king || sq == rook)
            })
    }

    /// Does a move from `from` to `to` open a line from one of the mover's sliders to the king?
    #[inline]
    fn uncovers(&self, from: Square, to: Square, king: Square, us: Color) -> bool {
        let step = step_towards(king, from);
        if step == Step::NONE || step == step_towards(king, to) || !aims_as_slider(king, from) {
            return false;
        }
        self.is_path_clear(king, from) && {
            let behind = self.first_piece(from, step);
            let cell = self.cell(behind);
            cell.belongs_to(us) && is_slider(cell) && aims_at(cell, behind, king)
        }
    }

    /// Does an en passant capture open a line to the king by removing the captured pawn?
    fn uncovers_by_en_passant(
        &self,
        taken: Square,
        from: Square,
        to: Square,
        king: Square,
    ) -> bool {
        self.ids(self.side_to_move()).any(|id| {
            let attacker = self.square_of(id);
            let cell = self.cell(attacker);
            is_slider(cell)
                && aims_at(cell, attacker, king)
                && self.is_path_clear_if(attacker, king, |sq| {
                    sq != to && (self.cell(sq).is_empty() || sq == from || sq == taken)
                })
        })
    }

    /// The first occupied square beyond `from` in a direction, or the wall.
    #[inline(always)]
    pub fn first_piece(&self, from: Square, step: Step) -> Square {
        let mut sq = from + step;
        while self.cell(sq).is_empty() {
            sq = sq + step;
        }
        sq
    }
}

/// Is it a bishop, a rook or a queen?
#[inline(always)]
pub fn is_slider(cell: Cell) -> bool {
    ATTACKER_BITS[cell.bits() as usize & 31] & (AttackerKinds::DIAGONAL | AttackerKinds::STRAIGHT)
        != 0
}

/// Are the squares on one rank, file or diagonal?
#[inline(always)]
fn aims_as_slider(from: Square, to: Square) -> bool {
    DIFFERENCES[(to - from).index()].0.0 & (AttackerKinds::DIAGONAL | AttackerKinds::STRAIGHT) != 0
}
