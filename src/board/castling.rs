//! Castling rights.

use crate::types::{Color, Square};

/// Which castlings are still allowed: a bit for each of `KQkq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Castling(u8);

impl Castling {
    pub const NONE: Castling = Castling(0);

    const fn bit(color: Color, short: bool) -> u8 {
        (if short { 1 } else { 2 }) << (2 * color as u8)
    }

    /// 0..16, for tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const fn has(self, color: Color, short: bool) -> bool {
        self.0 & Castling::bit(color, short) != 0
    }

    pub const fn has_any(self, color: Color) -> bool {
        self.has(color, true) || self.has(color, false)
    }

    #[must_use]
    pub const fn with(self, color: Color, short: bool) -> Castling {
        Castling(self.0 | Castling::bit(color, short))
    }

    /// What is left after something has moved from or to the square.
    #[must_use]
    #[inline(always)]
    pub const fn after_touching(self, sq: Square) -> Castling {
        Castling(self.0 & KEPT[sq.index64()])
    }

    /// The rook's home of a castling.
    pub const fn rook_home(color: Color, short: bool) -> Square {
        Square::new(if short { 7 } else { 0 }, 7 * color as u8)
    }

    /// The king's home.
    pub const fn king_home(color: Color) -> Square {
        Square::new(4, 7 * color as u8)
    }
}

/// The rights that survive a move from or to a square.
const KEPT: [u8; 64] = {
    let mut table = [15; 64];
    let mut i = 0;
    while i < 2 {
        let color = Color::ALL[i];
        let (short, long) = (Castling::bit(color, true), Castling::bit(color, false));
        table[Castling::rook_home(color, true).index64()] &= !short;
        table[Castling::rook_home(color, false).index64()] &= !long;
        table[Castling::king_home(color).index64()] &= !(short | long);
        i += 1;
    }
    table
};
