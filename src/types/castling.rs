//! Castling sides.

use super::{Color, Square};

/// The side of the board on which a player castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// `O-O`: the king goes to the g-file.
    King = 0,
    /// `O-O-O`: the king goes to the c-file.
    Queen = 1,
}

impl CastlingSide {
    /// Both sides in the order of a FEN: the king side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The index into tables by castling side: 0 for the king side, 1 for the queen side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The king's square after castling, in standard chess and in Chess960.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 6,
            CastlingSide::Queen => 2,
        };
        Square::new(file, color.back_rank())
    }

    /// The rook's square after castling, in standard chess and in Chess960.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 5,
            CastlingSide::Queen => 3,
        };
        Square::new(file, color.back_rank())
    }

    /// The rook's square before castling in standard chess.
    #[inline]
    pub const fn rook_home(self, color: Color) -> Square {
        let file = match self {
            CastlingSide::King => 7,
            CastlingSide::Queen => 0,
        };
        Square::new(file, color.back_rank())
    }

    /// The king's square before castling in standard chess.
    #[inline]
    pub const fn king_home(color: Color) -> Square {
        Square::new(4, color.back_rank())
    }

    /// Castling in SAN: `O-O` or `O-O-O`.
    pub const fn san(self) -> &'static str {
        match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        }
    }
}
