//! Moves in 16 bits, and lists of them.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};

use super::{CastlingSide, PieceKind, Square};

/// A move: from, to, and what kind of move it is. No null move has a value; use `Option<Move>`.
/// Castling goes from the king's square to [`CastlingSide::king_target`].
///
/// Bits 0–5 and 6–11 are the squares ([`Square::index64`]), bits 12–15 a [`MoveKind`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

/// What a move does beyond going from one square to another. Bit 2 says that it captures, bit 3 that
/// it promotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    CastleKingSide = 2,
    CastleQueenSide = 3,
    Capture = 4,
    EnPassant = 5,
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
    const CAPTURE_BIT: u16 = 4;
    const PROMOTION_BIT: u16 = 8;

    /// Castling on this side.
    pub const fn castling(side: CastlingSide) -> MoveKind {
        match side {
            CastlingSide::King => MoveKind::CastleKingSide,
            CastlingSide::Queen => MoveKind::CastleQueenSide,
        }
    }

    /// The promotion to `kind`, which is one of [`PieceKind::PROMOTIONS`].
    pub const fn promotion(kind: PieceKind, captures: bool) -> MoveKind {
        match (kind, captures) {
            (PieceKind::Knight, false) => MoveKind::PromoteKnight,
            (PieceKind::Bishop, false) => MoveKind::PromoteBishop,
            (PieceKind::Rook, false) => MoveKind::PromoteRook,
            (_, false) => MoveKind::PromoteQueen,
            (PieceKind::Knight, true) => MoveKind::CapturePromoteKnight,
            (PieceKind::Bishop, true) => MoveKind::CapturePromoteBishop,
            (PieceKind::Rook, true) => MoveKind::CapturePromoteRook,
            (_, true) => MoveKind::CapturePromoteQueen,
        }
    }
}

impl Move {
    /// Kinds 6 and 7 do not exist.
    const UNUSED_KINDS: u16 = 3;

    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from.index64() as u16 | (to.index64() as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move leaves its square"),
        }
    }

    /// The 16 bits, for tables. Never 0.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits, if they name a kind of move. It may be nonsense on any board: check
    /// it before it is played.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) if bits.get() >> 13 != Move::UNUSED_KINDS => Some(Move(bits)),
            _ => None,
        }
    }

    pub const fn from(self) -> Square {
        Square::from_index64((self.bits() & 63) as usize)
    }

    pub const fn to(self) -> Square {
        Square::from_index64((self.bits() >> 6 & 63) as usize)
    }

    /// The target's [`Square::index64`].
    pub const fn to_index64(self) -> usize {
        (self.bits() >> 6 & 63) as usize
    }

    /// From and to alone, 0..4096: the index of butterfly tables.
    pub const fn from_to_index(self) -> usize {
        (self.bits() & 0xfff) as usize
    }

    /// Does it take a piece? En passant does.
    pub const fn is_capture(self) -> bool {
        self.bits() >> 12 & MoveKind::CAPTURE_BIT != 0
    }

    pub const fn is_promotion(self) -> bool {
        self.bits() >> 12 & MoveKind::PROMOTION_BIT != 0
    }

    /// Is it a capture or a promotion? A move that is neither is quiet.
    pub const fn is_noisy(self) -> bool {
        self.bits() >> 12 & (MoveKind::CAPTURE_BIT | MoveKind::PROMOTION_BIT) != 0
    }

    pub const fn is_en_passant(self) -> bool {
        self.bits() >> 12 == MoveKind::EnPassant as u16
    }

    pub const fn is_double_push(self) -> bool {
        self.bits() >> 12 == MoveKind::DoublePush as u16
    }

    pub const fn is_castling(self) -> bool {
        self.castling_side().is_some()
    }

    /// On which side it castles, if it does.
    pub const fn castling_side(self) -> Option<CastlingSide> {
        const KING_SIDE: u16 = MoveKind::CastleKingSide as u16;
        const QUEEN_SIDE: u16 = MoveKind::CastleQueenSide as u16;
        match self.bits() >> 12 {
            KING_SIDE => Some(CastlingSide::King),
            QUEEN_SIDE => Some(CastlingSide::Queen),
            _ => None,
        }
    }

    /// What the pawn becomes, if it promotes.
    pub const fn promotion(self) -> Option<PieceKind> {
        if !self.is_promotion() {
            return None;
        }
        Some(match self.bits() >> 12 & 3 {
            0 => PieceKind::Knight,
            1 => PieceKind::Bishop,
            2 => PieceKind::Rook,
            _ => PieceKind::Queen,
        })
    }
}

/// Coordinate notation as every CECP GUI takes it: `e2e4`, `e7e8q`, castling `e1g1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
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

/// A list of moves that lives on the stack.
///
/// No position of a game has more than 218 legal moves. One that is set up by hand, with fifteen
/// queens, has 240. Should there be more than [`MoveList::CAPACITY`], that many of them are kept.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    moves: [Move; MoveList::CAPACITY],
}

impl MoveList {
    pub const CAPACITY: usize = 256;

    pub const fn new() -> MoveList {
        MoveList { len: 0, moves: [Move(NonZeroU16::MIN); MoveList::CAPACITY] }
    }

    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len & (MoveList::CAPACITY - 1)] = mv;
        self.len += 1;
    }

    /// Keeps no more than the first `len` moves.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len.min(MoveList::CAPACITY)]
    }
}

impl DerefMut for MoveList {
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len.min(MoveList::CAPACITY)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
