//! How many men a side can have, and how sets of them are stored.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

use crate::types::{Color, Square};

/// The ids of the men of both sides. A type for each size: sets and lists of the usual size stay small.
pub trait Roster: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// A set of ids, as bits.
    type Ids: IdSet;
    /// Squares by id.
    type Squares: Clone + Debug + Send + Sync;

    /// A list of squares that means nothing yet.
    const NO_SQUARES: Self::Squares;

    /// The lowest id of a side. Its royal king has it, if it has one.
    fn first(color: Color) -> u8;

    /// All ids of a side.
    fn of_side(color: Color) -> Self::Ids;

    /// The square by an id.
    fn square(squares: &Self::Squares, id: u8) -> Square;

    /// Changes the square by an id.
    fn set_square(squares: &mut Self::Squares, id: u8, square: Square);

    /// The most men of a side.
    fn most(color: Color) -> usize {
        Self::of_side(color).len()
    }
}

/// A set of ids, as bits.
pub trait IdSet:
    Copy + Debug + Eq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The set without ids.
    const EMPTY: Self;

    /// The set with this id alone.
    fn only(id: u8) -> Self;
    fn with(self, id: u8) -> Self;
    fn without(self, id: u8) -> Self;
    /// The lowest id; meaningless in an empty set.
    fn lowest(self) -> u8;
    /// The set without its lowest id, if it is not empty.
    fn without_lowest(self) -> Self;
    fn len(self) -> usize;

    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    #[inline(always)]
    fn contains(self, id: u8) -> bool {
        !(self & Self::only(id)).is_empty()
    }
}

macro_rules! id_set {
    ($bits:ty) => {
        impl IdSet for $bits {
            const EMPTY: $bits = 0;

            #[inline(always)]
            fn only(id: u8) -> $bits {
                1 << id
            }

            #[inline(always)]
            fn with(self, id: u8) -> $bits {
                self | 1 << id
            }

            #[inline(always)]
            fn without(self, id: u8) -> $bits {
                self & !(1 << id)
            }

            #[inline(always)]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline(always)]
            fn without_lowest(self) -> $bits {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn len(self) -> usize {
                self.count_ones() as usize
            }
        }
    };
}

id_set!(u32);
id_set!(u64);

/// Sixteen men a side, as in chess: White has the ids 0..16, Black 16..32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sixteen;

impl Roster for Sixteen {
    type Ids = u32;
    type Squares = [Square; 32];
    const NO_SQUARES: [Square; 32] = [Square::A1; 32];

    #[inline(always)]
    fn first(color: Color) -> u8 {
        16 * color as u8
    }

    #[inline(always)]
    fn of_side(color: Color) -> u32 {
        0xffff << (16 * color.index())
    }

    #[inline(always)]
    fn square(squares: &[Square; 32], id: u8) -> Square {
        squares[id as usize & 31]
    }

    #[inline(always)]
    fn set_square(squares: &mut [Square; 32], id: u8, square: Square) {
        squares[id as usize & 31] = square;
    }
}

/// More men than usual: White has the ids from 0 to `WHITE`, Black the `BLACK` ids behind them; 64 at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Many<const WHITE: u8, const BLACK: u8>;

impl<const WHITE: u8, const BLACK: u8> Many<WHITE, BLACK> {
    const OF_WHITE: u64 = u64::MAX >> (64 - WHITE);
    const OF_BLACK: u64 = (u64::MAX >> (64 - WHITE - BLACK)) & !Self::OF_WHITE;
}

impl<const WHITE: u8, const BLACK: u8> Roster for Many<WHITE, BLACK> {
    type Ids = u64;
    type Squares = [Square; 64];
    const NO_SQUARES: [Square; 64] = [Square::A1; 64];

    #[inline(always)]
    fn first(color: Color) -> u8 {
        if color == Color::White { 0 } else { WHITE }
    }

    #[inline(always)]
    fn of_side(color: Color) -> u64 {
        if color == Color::White { Self::OF_WHITE } else { Self::OF_BLACK }
    }

    #[inline(always)]
    fn square(squares: &[Square; 64], id: u8) -> Square {
        squares[id as usize & 63]
    }

    #[inline(always)]
    fn set_square(squares: &mut [Square; 64], id: u8, square: Square) {
        squares[id as usize & 63] = square;
    }
}

/// Walks through a set of ids. The lowest comes first.
#[derive(Clone, Copy)]
pub(crate) struct Ids<S>(pub(super) S);

impl<S: IdSet> Iterator for Ids<S> {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0.is_empty() {
            return None;
        }
        let id = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(id)
    }

    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len();
        (left, Some(left))
    }
}
