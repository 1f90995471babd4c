//! Squares in 0x88 form: `rank << 4 | file`.
//!
//! A step off the board lands on a number with a bit of 0x88 set, which one AND detects; the board
//! keeps a wall there, so that hot loops need not even ask. The difference of two squares names
//! the way between them uniquely. Tables that have one entry per square index by
//! [`Square::index64`].

use std::fmt;
use std::ops::{Add, Sub};

use super::{Color, Step};

/// A square, or the place off the board where a step has led.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    pub const A1: Square = Square::new(0, 0);

    /// The square on this file and rank, both 0..=7.
    pub const fn new(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 4 | (file & 7))
    }

    /// The square with this number, a1 = 0, b1 = 1, h8 = 63.
    pub const fn from_index64(index: usize) -> Square {
        Square((index as u8 & 0x38) << 1 | (index as u8 & 7))
    }

    /// The square with this 0x88 number.
    pub const fn from_index(index: u8) -> Square {
        Square(index)
    }

    /// All 64 squares, a1, b1, … h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square::from_index64)
    }

    /// 0..=7, the a-file first.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0..=7, White's back rank first.
    pub const fn rank(self) -> u8 {
        self.0 >> 4 & 7
    }

    /// The rank as the side to whom `color` belongs counts it: 0 is its own back rank.
    pub const fn rank_for(self, color: Color) -> u8 {
        self.rank() ^ (7 * color as u8)
    }

    /// The 0x88 number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0..=63, for a square on the board.
    pub const fn index64(self) -> usize {
        ((self.0 + (self.0 & 7)) >> 1 & 63) as usize
    }

    /// Is this a square, and not a place beside the board?
    pub const fn is_on_board(self) -> bool {
        self.0 & 0x88 == 0
    }

    /// One step on, if the board goes on there.
    pub fn step(self, step: Step) -> Option<Square> {
        Some(self + step).filter(|sq| sq.is_on_board())
    }

    /// The square seen from the other side of the board: a1 and a8 change places.
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 0x70)
    }

    /// Is it a light square, as h1 is?
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) & 1 == 1
    }

    /// The square written as `e4`.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::new(file - b'a', rank - b'1')),
            _ => None,
        }
    }

    /// How many king's moves apart two squares are.
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
    /// The way from `other` to `self`.
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
