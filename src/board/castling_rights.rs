//! Castling rights.

use crate::types::{CastlingSide, Color, Square};

/// A set of castling rights: one bit for each of `KQkq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    pub const NONE: CastlingRights = CastlingRights(0);

    #[inline]
    const fn bit(color: Color, side: CastlingSide) -> u8 {
        1 << (2 * color as u8 + side as u8)
    }

    /// The index into tables, 0..16.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & CastlingRights::bit(color, side) != 0
    }

    #[inline]
    pub const fn has_any(self, color: Color) -> bool {
        self.has(color, CastlingSide::King) || self.has(color, CastlingSide::Queen)
    }

    #[must_use]
    #[inline]
    pub const fn with(self, color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(self.0 | CastlingRights::bit(color, side))
    }

    #[inline]
    pub(super) const fn without(self, color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(self.0 & !CastlingRights::bit(color, side))
    }

    /// The rights in standard chess after a move from or to the square.
    #[inline(always)]
    pub(super) const fn after_touching(self, sq: Square) -> CastlingRights {
        CastlingRights(self.0 & KEPT[sq.index64()])
    }
}

/// By square: the rights in standard chess that a move from or to it keeps.
const KEPT: [u8; 64] = {
    let mut table = [15; 64];
    let mut i = 0;
    while i < 4 {
        let (color, side) = (Color::ALL[i / 2], CastlingSide::ALL[i % 2]);
        let bit = CastlingRights::bit(color, side);
        table[side.rook_home(color).index64()] &= !bit;
        table[CastlingSide::king_home(color).index64()] &= !bit;
        i += 1;
    }
    table
};

/// By colour and side: the squares of the rooks that can castle, or could at the start of the game.
pub(super) type CastlingRooks = [[Square; 2]; 2];

/// The rooks' squares in standard chess.
pub(super) const ROOK_HOMES: CastlingRooks = {
    let [king, queen] = CastlingSide::ALL;
    let [white, black] = Color::ALL;
    [
        [king.rook_home(white), queen.rook_home(white)],
        [king.rook_home(black), queen.rook_home(black)],
    ]
};
