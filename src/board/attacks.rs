//! Attacks and checks: a table by the difference of two squares, and bitboards.
//!
//! The difference of two 0x88 squares tells which kinds of pieces attack from one to the other on
//! an empty board, and in which direction. For pawns, knights and kings that settles it. Sliders
//! also need a clear path. Which of all pieces attack a square, the bitboards tell.

use super::bitboards::{self, Squares};
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
    /// Are all squares between two squares of one line empty? True for other pairs, which have none between.
    #[inline(always)]
    pub fn is_path_clear(&self, from: Square, to: Square) -> bool {
        is_path_clear_over(from, to, self.occupied())
    }

    /// Does a side attack a square? It does not matter what stands there.
    pub fn is_attacked(&self, target: Square, by: Color) -> bool {
        self.is_attacked_over(target, by, self.occupied())
    }

    /// Can the side to move capture something, if its king need not be safe?
    pub fn can_capture(&self) -> bool {
        let us = self.side_to_move();
        self.en_passant().is_some()
            || Squares(self.squares_of(!us)).any(|sq| self.is_attacked(sq, us))
    }

    /// Do at least two pieces of a side attack a square?
    pub fn is_attacked_twice(&self, target: Square, by: Color) -> bool {
        self.attackers(target, by, self.occupied()).count_ones() > 1
    }

    /// Does a side attack a square if the enemy king is taken off the board? For king moves: the
    /// king does not shield a square behind it.
    #[inline]
    pub fn is_attacked_through_king(&self, target: Square, by: Color) -> bool {
        if !R::is_royal(!by) {
            return self.is_attacked(target, by);
        }
        let king = self.king(!by).bit();
        self.is_attacked_over(target, by, self.occupied() & !king)
    }

    /// Does a side attack a square, if these squares are occupied? A piece of that side on the square
    /// itself does not attack it.
    #[inline(always)]
    pub(super) fn is_attacked_over(&self, target: Square, by: Color, occupied: u64) -> bool {
        self.leapers_to(target, by) != 0
            || Squares(self.sliders_to(target) & self.squares_of(by))
                .any(|from| is_path_clear_over(from, target, occupied))
    }

    /// The squares of a side's pieces that attack a square, if these squares are occupied.
    pub(super) fn attackers(&self, target: Square, by: Color, occupied: u64) -> u64 {
        Squares(self.sliders_to(target) & self.squares_of(by))
            .filter(|&from| is_path_clear_over(from, target, occupied))
            .fold(self.leapers_to(target, by), |attackers, from| attackers | from.bit())
    }

    /// The squares of a side's pawns, knights and kings that attack a square.
    #[inline(always)]
    fn leapers_to(&self, target: Square, by: Color) -> u64 {
        let at = target.index64();
        let pawns = bitboards::PAWN_ORIGINS[by.index()][at] & self.squares_with(PieceKind::Pawn);
        let knights = bitboards::KNIGHT[at] & self.squares_with(PieceKind::Knight);
        let kings = bitboards::KING[at] & self.squares_with(PieceKind::King);
        (pawns | knights | kings) & self.squares_of(by)
    }

    /// The squares of both sides' bishops, rooks and queens that attack a square on an empty board.
    #[inline(always)]
    pub(crate) fn sliders_to(&self, target: Square) -> u64 {
        let (at, queens) = (target.index64(), self.squares_with(PieceKind::Queen));
        bitboards::STRAIGHT[at] & (self.squares_with(PieceKind::Rook) | queens)
            | bitboards::DIAGONAL[at] & (self.squares_with(PieceKind::Bishop) | queens)
    }

    /// The kind of the least valuable piece of a side that attacks a square after the piece on
    /// `gone` has left.
    #[inline]
    pub fn least_attacker(&self, target: Square, by: Color, gone: Square) -> Option<PieceKind> {
        use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
        let leapers = self.leapers_to(target, by);
        for kind in [Pawn, Knight] {
            if leapers & self.squares_with(kind) != 0 {
                return Some(kind);
            }
        }
        let sliders = self.sliders_to(target) & self.squares_of(by);
        let occupied = self.occupied() & !gone.bit();
        for kind in [Bishop, Rook, Queen] {
            if Squares(sliders & self.squares_with(kind))
                .any(|from| is_path_clear_over(from, target, occupied))
            {
                return Some(kind);
            }
        }
        (leapers != 0).then_some(King)
    }

    /// All squares that a side attacks, as a bitboard.
    pub fn attacks(&self, by: Color) -> u64 {
        use PieceKind::{Bishop, King, Knight, Queen, Rook};
        let occupied = self.occupied();
        let men = |kind| self.squares_with(kind) & self.squares_of(by);
        let from = |men| Squares(men).map(Square::index64);
        let mut attacks = self.pawn_attacks(by);
        from(men(Knight)).for_each(|from| attacks |= bitboards::KNIGHT[from]);
        from(men(King)).for_each(|from| attacks |= bitboards::KING[from]);
        for from in from(men(Bishop) | men(Queen)) {
            attacks |= bitboards::union(bitboards::bishop(from, occupied));
        }
        for from in from(men(Rook) | men(Queen)) {
            attacks |= bitboards::union(bitboards::rook(from, occupied));
        }
        attacks
    }

    /// The squares that the pawns of a side attack, as a bitboard.
    #[inline(always)]
    pub fn pawn_attacks(&self, by: Color) -> u64 {
        bitboards::pawn_attacks(by, self.squares_with(PieceKind::Pawn) & self.squares_of(by))
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
        let taken = Square::new(to.file(), from.rank()).bit();
        let occupied = self.occupied() & !from.bit() & !taken | to.bit();
        self.attackers(self.king(us), !us, occupied) & !taken == 0
    }

    /// Does a legal move give check, directly or as a discovered check? The other king must not be attacked before it.
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
        let taken = mv.victim_square();
        let occupied = self.occupied() & !from.bit() & !taken.bit() | to.bit();
        aims_at(arriving, to, king) && is_path_clear_over(to, king, occupied)
            || Squares(self.sliders_to(king) & self.squares_of(us) & !from.bit())
                .any(|slider| is_path_clear_over(slider, king, occupied))
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
        let others = self.occupied() & !(king.bit() | rook.bit());
        let occupied = others | side.king_target(us).bit();
        aims_at(Cell::of(Piece::new(us, PieceKind::Rook)), target, enemy_king)
            && is_path_clear_over(target, enemy_king, occupied)
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

/// Are all squares between two squares of one line empty, if these squares are occupied?
#[inline(always)]
pub(super) fn is_path_clear_over(from: Square, to: Square, occupied: u64) -> bool {
    bitboards::BETWEEN[from.index64()][to.index64()] & occupied == 0
}

/// Is it a bishop, a rook or a queen?
#[inline(always)]
pub fn is_slider(cell: Cell) -> bool {
    ATTACKER_BITS[cell.bits() as usize & 31] & (AttackerKinds::DIAGONAL | AttackerKinds::STRAIGHT)
        != 0
}
