//! Attack maps: which kinds of pieces attack each square.
//!
//! Plain data: `pieces`, `pawns` and `king` fill it in.

use crate::types::{PieceKind, Square};

/// One side's attacks: for each 0x88 square a bit per kind of piece that attacks it. Squares beside
/// the board may be marked; they are never read.
pub struct AttackMap([u8; 256]);

/// The bit of a kind of piece.
pub const fn bit(kind: PieceKind) -> u8 {
    1 << kind.index()
}

pub const PAWN: u8 = bit(PieceKind::Pawn);
pub const KNIGHT: u8 = bit(PieceKind::Knight);
pub const BISHOP: u8 = bit(PieceKind::Bishop);
pub const ROOK: u8 = bit(PieceKind::Rook);
pub const QUEEN: u8 = bit(PieceKind::Queen);
pub const KING: u8 = bit(PieceKind::King);
pub const MINOR: u8 = KNIGHT | BISHOP;

impl AttackMap {
    pub const fn new() -> AttackMap {
        AttackMap([0; 256])
    }

    #[inline(always)]
    pub fn mark(&mut self, sq: Square, bit: u8) {
        self.0[sq.index()] |= bit;
    }

    /// The bits of the kinds that attack the square.
    #[inline(always)]
    pub fn on(&self, sq: Square) -> u8 {
        self.0[sq.index()]
    }
}

/// A number of squares for each kind of piece: eight counters in one word.
#[derive(Clone, Copy, Default)]
pub struct KindCounts(u64);

/// Spreads the bits of a byte over the bytes of a word.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[bits] |= (bits as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        bits += 1;
    }
    table
};

impl KindCounts {
    #[inline(always)]
    pub fn add(&mut self, bits: u8) {
        self.0 += SPREAD[bits as usize];
    }

    #[inline(always)]
    pub fn of(self, kind: PieceKind) -> i32 {
        (self.0 >> (8 * kind.index()) & 0xff) as i32
    }
}
