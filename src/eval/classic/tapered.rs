//! A pair of scores, one for the middle game and one for the end game, blended by the phase of the
//! game (tapered evaluation).

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middle-game and an end-game score in centipawns, packed so that one addition adds both: the
/// middle game in the upper 16 bits, the end game in the lower, each signed.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct Tapered(i32);

/// The phase of the start position; 0 is a position with kings and pawns alone.
pub const FULL_PHASE: i32 = 24;

impl Tapered {
    pub const ZERO: Tapered = Tapered(0);

    /// Both scores, and every sum of scores, must fit 16 bits with sign.
    pub const fn new(middle: i32, end: i32) -> Tapered {
        Tapered((middle << 16).wrapping_add(end))
    }

    /// The middle-game score.
    #[inline(always)]
    pub const fn middle(self) -> i32 {
        // A negative end-game score has borrowed 1 from the upper half: undo that.
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The end-game score.
    #[inline(always)]
    pub const fn end(self) -> i32 {
        self.0 as i16 as i32
    }

    /// One score of both, by the phase: 0 to `FULL_PHASE`.
    #[inline(always)]
    pub const fn blend(self, phase: i32) -> i32 {
        (self.middle() * phase + self.end() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline(always)]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(factor))
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.middle(), self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_survive_arithmetic() {
        for (a, b) in [((5, -7), (-3, 2)), ((-900, 900), (-1, -1)), ((0, -1), (0, 1))] {
            let (x, y) = (Tapered::new(a.0, a.1), Tapered::new(b.0, b.1));
            assert_eq!(((x + y).middle(), (x + y).end()), (a.0 + b.0, a.1 + b.1));
            assert_eq!(((x - y).middle(), (x - y).end()), (a.0 - b.0, a.1 - b.1));
            assert_eq!(((-x).middle(), (-x).end()), (-a.0, -a.1));
            assert_eq!(((x * 9).middle(), (x * 9).end()), (a.0 * 9, a.1 * 9));
        }
    }
}
