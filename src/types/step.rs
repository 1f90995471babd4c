//! Steps: the differences of squares in 0x88 form.

use std::ops::{Add, Neg};

/// The difference of two squares as 0x88 numbers: a direction with a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Step(i8);

impl Step {
    /// No step.
    pub const NONE: Step = Step(0);
    pub const NORTH: Step = Step(16);
    pub const SOUTH: Step = Step(-16);
    pub const EAST: Step = Step(1);
    pub const WEST: Step = Step(-1);

    /// The eight directions of queen and king: first the four of the rook, then the four of the
    /// bishop.
    pub const ROYAL: [Step; 8] =
        [Step(16), Step(1), Step(-16), Step(-1), Step(17), Step(-15), Step(-17), Step(15)];
    /// The four directions of the rook.
    pub const ROOK: [Step; 4] = [Step(16), Step(1), Step(-16), Step(-1)];
    /// The four directions of the bishop.
    pub const BISHOP: [Step; 4] = [Step(17), Step(-15), Step(-17), Step(15)];
    /// The eight leaps of the knight.
    pub const KNIGHT: [Step; 8] =
        [Step(33), Step(18), Step(-14), Step(-31), Step(-33), Step(-18), Step(14), Step(31)];

    /// The step with this difference of 0x88 numbers.
    #[inline(always)]
    pub const fn new(value: i8) -> Step {
        Step(value)
    }

    /// The index into tables of 256 entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as u8 as usize
    }

    /// The difference of the 0x88 numbers.
    #[inline(always)]
    pub const fn value(self) -> i8 {
        self.0
    }
}

impl Neg for Step {
    type Output = Step;
    #[inline]
    fn neg(self) -> Step {
        Step(self.0.wrapping_neg())
    }
}

impl Add for Step {
    type Output = Step;
    #[inline]
    fn add(self, other: Step) -> Step {
        Step(self.0.wrapping_add(other.0))
    }
}
