//! Squares in 0x88 form: `rank << 4 | file`.
//!
//! A step off the board sets a bit of 0x88, which one AND detects. The board has walls there, so
//! walks along lines need no test. The difference of two squares determines the direction and the
//! distance between them. Bitboards and tables with one entry for each square use [`Square::index64`].

use std::fmt;
use std::ops::{Add, Sub};

use super::{Color, Step};

/// A square, or a place beside the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square a1, for arrays that are filled later.
    pub const A1: Square = Square::new(0, 0);

    /// The square on this file and rank, both 0..=7.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 4 | (file & 7))
    }

    /// The square with this index: a1 is 0, b1 is 1, h8 is 63.
    #[inline]
    pub const fn from_index64(index: usize) -> Square {
        Square((index as u8 & 0x38) << 1 | (index as u8 & 7))
    }

    /// The square with this 0x88 number.
    #[inline]
    pub const fn from_index(index: u8) -> Square {
        Square(index)
    }

    /// All 64 squares in the order a1, b1, … h8.
    #[inline]
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square::from_index64)
    }

    /// The file, 0..=7: 0 is the a-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0..=7: 0 is White's back rank.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 4 & 7
    }

    /// The rank seen from a side, 0..=7: 0 is its own back rank.
    #[inline]
    pub const fn rank_for(self, color: Color) -> u8 {
        self.rank() ^ (7 * color as u8)
    }

    /// The 0x88 number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index into tables by square, 0..=63. Only for squares on the board.
    #[inline]
    pub const fn index64(self) -> usize {
        ((self.0 + (self.0 & 7)) >> 1 & 63) as usize
    }

    /// The bitboard with this square alone. Only for squares on the board.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.index64()
    }

    /// Is it one of the squares of a bitboard? Only for squares on the board.
    #[inline(always)]
    pub const fn is_in(self, bitboard: u64) -> bool {
        bitboard >> self.index64() & 1 != 0
    }

    /// Is it a square of the board?
    #[inline]
    pub const fn is_on_board(self) -> bool {
        self.0 & 0x88 == 0
    }

    /// The square one step away; `None` if that is beside the board.
    #[inline]
    pub fn step(self, step: Step) -> Option<Square> {
        Some(self + step).filter(|sq| sq.is_on_board())
    }

    /// Is it a light square, like h1?
    #[inline]
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) & 1 == 1
    }

    /// Reads a square such as `e4`; `None` for other texts.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::new(file - b'a', rank - b'1')),
            _ => None,
        }
    }

    /// The distance of two squares in king's moves.
    #[inline]
    pub fn distance(self, other: Square) -> u8 {
        self.file().abs_diff(other.file()).max(self.rank().abs_diff(other.rank()))
    }
}

impl Add<Step> for Square {
    type Output = Square;
    #[inline(always)]
    fn add(self, step: Step) -> Square {
        Square(self.0.wrapping_add(step.value() as u8))
    }
}

impl Sub for Square {
    type Output = Step;
    /// The step from `other` to `self`.
    #[inline(always)]
    fn sub(self, other: Square) -> Step {
        Step::new(self.0.wrapping_sub(other.0) as i8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
