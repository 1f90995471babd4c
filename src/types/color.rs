//! The two sides.

use std::fmt;
use std::ops::Not;

use super::Step;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    White = 0,
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The index into tables by colour: 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step of a pawn of this colour: north for White, south for Black.
    #[inline(always)]
    pub const fn forward(self) -> Step {
        match self {
            Color::White => Step::NORTH,
            Color::Black => Step::SOUTH,
        }
    }

    /// The rank of this side's pieces in the start position, as
    /// [`Square::rank`](super::Square::rank) counts: 0 for White, 7 for Black.
    #[inline]
    pub const fn back_rank(self) -> u8 {
        7 * self as u8
    }

    /// The side to move in a FEN: `w` or `b`.
    pub const fn fen_letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;

    /// The other side.
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}
