//! Moves in 16 bits, and move lists.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use super::{CastlingSide, PieceKind, Square};

/// A move: the square it comes from, the square it goes to, and its kind. There is no null-move
/// value; use `Option<Move>`. Castling is stored as the king's move to
/// [`CastlingSide::king_target`].
///
/// Bits 0–5 and 6–11 are the squares ([`Square::index64`]), bits 12–15 a [`MoveKind`]. A drop has the kind
/// of a double push, and its first bits are the [`PieceKind::index`] of the man. No double push comes from
/// these squares of White's first rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

/// The kinds of men that can be dropped, as [`PieceKind::index`]: pawn to queen.
const DROP_FIRST: usize = PieceKind::Pawn.index();
const DROP_LAST: usize = PieceKind::Queen.index();

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    CastleKingSide = 2,
    CastleQueenSide = 3,
    Capture = 4,
    EnPassant = 5,
    PromoteKing = 6,
    CapturePromoteKing = 7,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// The kinds that capture, as bits.
    const CAPTURES: u32 = 0b1111_0000_1011_0000;
    /// The kinds that promote, as bits.
    const PROMOTIONS: u32 = 0b1111_1111_1100_0000;

    /// The kinds that castle, as bits.
    const CASTLING: u32 = 0b0000_0000_0000_1100;
    /// Promotion, castling and en passant, as bits.
    const SPECIAL: u32 =
        MoveKind::PROMOTIONS | MoveKind::CASTLING | 1 << MoveKind::EnPassant as u32;

    /// Is the kind with this number one of these?
    #[inline(always)]
    const fn is_among(number: u16, kinds: u32) -> bool {
        kinds >> number & 1 != 0
    }

    /// Does it capture, en passant included?
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        MoveKind::is_among(self as u16, MoveKind::CAPTURES)
    }

    /// The kind of castling on this side.
    #[inline]
    pub const fn castling(side: CastlingSide) -> MoveKind {
        match side {
            CastlingSide::King => MoveKind::CastleKingSide,
            CastlingSide::Queen => MoveKind::CastleQueenSide,
        }
    }

    /// The kind of a promotion to `kind`, which must not be a pawn.
    #[inline]
    pub const fn promotion(kind: PieceKind, captures: bool) -> MoveKind {
        match (kind, captures) {
            (PieceKind::Knight, false) => MoveKind::PromoteKnight,
            (PieceKind::Bishop, false) => MoveKind::PromoteBishop,
            (PieceKind::Rook, false) => MoveKind::PromoteRook,
            (PieceKind::King, false) => MoveKind::PromoteKing,
            (PieceKind::King, true) => MoveKind::CapturePromoteKing,
            (_, false) => MoveKind::PromoteQueen,
            (PieceKind::Knight, true) => MoveKind::CapturePromoteKnight,
            (PieceKind::Bishop, true) => MoveKind::CapturePromoteBishop,
            (PieceKind::Rook, true) => MoveKind::CapturePromoteRook,
            (_, true) => MoveKind::CapturePromoteQueen,
        }
    }
}

impl Move {
    /// A move from one square to another.
    ///
    /// # Panics
    /// If it is the quiet move a1a1, whose bits are 0.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from.index64() as u16 | (to.index64() as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move from a1 to a1"),
        }
    }

    /// The drop of a man of this kind, which must not be a king.
    #[inline(always)]
    pub const fn drop(kind: PieceKind, to: Square) -> Move {
        Move::new(Square::from_index64(kind.index()), to, MoveKind::DoublePush)
    }

    /// The 16 bits, for tables. Never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits; `None` if they are 0. The move may be illegal in every position: check
    /// it before making it.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The number of its [`MoveKind`].
    #[inline(always)]
    const fn kind_number(self) -> u16 {
        self.bits() >> 12
    }

    /// The square the move comes from; meaningless for a drop.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index64((self.bits() & 63) as usize)
    }

    /// The square the move goes to.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index64((self.bits() >> 6 & 63) as usize)
    }

    /// The [`Square::index64`] of the square it comes from.
    #[inline]
    pub const fn from_index64(self) -> usize {
        (self.bits() & 63) as usize
    }

    /// The [`Square::index64`] of the square it goes to.
    #[inline]
    pub const fn to_index64(self) -> usize {
        (self.bits() >> 6 & 63) as usize
    }

    /// The index into butterfly tables, 0..4096: the squares without the kind.
    #[inline]
    pub const fn from_to_index(self) -> usize {
        (self.bits() & 0xfff) as usize
    }

    /// Is it a capture, en passant included?
    #[inline]
    pub const fn is_capture(self) -> bool {
        MoveKind::is_among(self.kind_number(), MoveKind::CAPTURES)
    }

    #[inline]
    pub const fn is_promotion(self) -> bool {
        MoveKind::is_among(self.kind_number(), MoveKind::PROMOTIONS)
    }

    /// Is it a capture or a promotion? A move that is neither is quiet.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        MoveKind::is_among(self.kind_number(), MoveKind::CAPTURES | MoveKind::PROMOTIONS)
    }

    /// Is it a promotion, castling or an en passant capture?
    #[inline]
    pub const fn is_special(self) -> bool {
        MoveKind::is_among(self.kind_number(), MoveKind::SPECIAL)
    }

    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.kind_number() == MoveKind::EnPassant as u16
    }

    /// The square of the man that a capture takes: beside the move's origin in en passant, else its target.
    #[inline(always)]
    pub const fn victim_square(self) -> Square {
        if self.is_en_passant() {
            Square::new(self.to().file(), self.from().rank())
        } else {
            self.to()
        }
    }

    #[inline]
    pub const fn is_double_push(self) -> bool {
        self.kind_number() == MoveKind::DoublePush as u16 && !self.is_drop()
    }

    /// Is it the drop of a man in hand?
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.kind_number() == MoveKind::DoublePush as u16
            && matches!(self.from_index64(), DROP_FIRST..=DROP_LAST)
    }

    /// The kind of man that is dropped; `None` if it is not a drop.
    #[inline]
    pub const fn dropped(self) -> Option<PieceKind> {
        if !self.is_drop() {
            return None;
        }
        match self.from_index64() {
            1 => Some(PieceKind::Pawn),
            2 => Some(PieceKind::Knight),
            3 => Some(PieceKind::Bishop),
            4 => Some(PieceKind::Rook),
            _ => Some(PieceKind::Queen),
        }
    }

    #[inline]
    pub const fn is_castling(self) -> bool {
        MoveKind::is_among(self.kind_number(), MoveKind::CASTLING)
    }

    /// The castling side; `None` if it is not castling.
    #[inline]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        const KING_SIDE: u16 = MoveKind::CastleKingSide as u16;
        const QUEEN_SIDE: u16 = MoveKind::CastleQueenSide as u16;
        match self.kind_number() {
            KING_SIDE => Some(CastlingSide::King),
            QUEEN_SIDE => Some(CastlingSide::Queen),
            _ => None,
        }
    }

    /// The kind of piece that the pawn becomes; `None` if it is not a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        if !self.is_promotion() {
            return None;
        }
        const KING: u16 = MoveKind::PromoteKing as u16;
        const KING_BY_CAPTURE: u16 = MoveKind::CapturePromoteKing as u16;
        Some(match self.kind_number() {
            KING | KING_BY_CAPTURE => PieceKind::King,
            number => match number & 3 {
                0 => PieceKind::Knight,
                1 => PieceKind::Bishop,
                2 => PieceKind::Rook,
                _ => PieceKind::Queen,
            },
        })
    }
}

/// Coordinate notation, which every CECP GUI understands: `e2e4`, `e7e8q`, castling `e1g1`, the drop `N@f3`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(kind) = self.dropped() {
            return write!(f, "{}@{}", kind.letter(), self.to());
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move list on the stack.
///
/// With sixteen men a side and without drops, a position that can be reached in a game has at most 218 legal moves. One
/// that is set up by hand has at most 255, because a side may have at most eleven queens and pawns:
/// `tests/library/move_bound.rs` has the proof. Horde has at most 972: 36 men with 27 moves each. With drops there are at most 870: each of up to thirty men
/// has at most 27 moves, or adds to the hand, of which each of five kinds has at most one drop for each
/// empty square. A list that is full ignores further moves.
#[derive(Clone, Default)]
pub struct MoveList(ArrayVec<Move, { MoveList::CAPACITY }>);

impl MoveList {
    /// The greatest number of moves in a list.
    pub const CAPACITY: usize = 1024;

    /// The moves in an order that does not depend on how they were generated: for choices by a seed.
    #[must_use]
    pub fn sorted(mut self) -> MoveList {
        self.sort_unstable_by_key(|mv| mv.bits());
        self
    }

    /// An empty list.
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Adds a move at the end.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        let _ = self.0.try_push(mv);
    }

    /// Shortens the list to its first `len` moves.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

/// Puts this move before all others, which keep their order; does nothing if the list does not hold it.
pub fn bring_to_front(moves: &mut [Move], first: Option<Move>) {
    if let Some(at) = moves.iter().position(|&mv| Some(mv) == first) {
        moves[..=at].rotate_right(1);
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};

    #[test]
    fn bits_hold_the_whole_move() {
        let from = Square::parse("b7").unwrap();
        let to = Square::parse("a8").unwrap();
        let mv = Move::new(from, to, MoveKind::CapturePromoteKnight);
        assert_eq!((mv.from(), mv.to(), mv.promotion()), (from, to, Some(PieceKind::Knight)));
        assert!(mv.is_capture() && mv.is_promotion() && !mv.is_castling());
        assert_eq!(mv.to_string(), "b7a8n");
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn a_move_comes_to_the_front() {
        let [a, b, c] = ["b7", "c7", "d7"].map(|name| {
            let from = Square::parse(name).unwrap();
            Move::new(from, from, MoveKind::Quiet)
        });
        for (first, order) in [(a, [a, b, c]), (b, [b, a, c]), (c, [c, a, b])] {
            let mut moves = [a, b, c];
            bring_to_front(&mut moves, Some(first));
            assert_eq!(moves, order);
        }
        let mut moves = [a, b];
        bring_to_front(&mut moves, Some(c));
        bring_to_front(&mut moves, None);
        assert_eq!(moves, [a, b]);
    }

    #[test]
    fn drops_are_no_double_pushes() {
        let to = Square::parse("e4").unwrap();
        for kind in [Pawn, Knight, Bishop, Rook, Queen] {
            let mv = Move::drop(kind, to);
            assert_eq!((mv.dropped(), mv.to()), (Some(kind), to));
            assert_eq!(mv.to_string(), format!("{}@e4", kind.letter()));
            assert!(!mv.is_noisy() && !mv.is_castling() && !mv.is_double_push());
        }
        for (from, to) in [("a2", "a4"), ("h7", "h5")] {
            let [from, to] = [from, to].map(|name| Square::parse(name).unwrap());
            let push = Move::new(from, to, MoveKind::DoublePush);
            assert!(push.is_double_push() && push.dropped().is_none());
        }
    }
}
