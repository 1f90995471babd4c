//! Steps: differences of two squares in 0x88 form.

use std::ops::{Add, Neg};

/// The distance from one square to another, in 0x88 numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Step(i8);

impl Step {
    pub const NONE: Step = Step(0);
    pub const NORTH: Step = Step(16);
    pub const SOUTH: Step = Step(-16);
    pub const EAST: Step = Step(1);
    pub const WEST: Step = Step(-1);

    /// The four ways of a rook, then the four of a bishop: those of queen and king.
    pub const ROYAL: [Step; 8] =
        [Step(16), Step(1), Step(-16), Step(-1), Step(17), Step(-15), Step(-17), Step(15)];
    pub const ROOK: [Step; 4] = [Step(16), Step(1), Step(-16), Step(-1)];
    pub const BISHOP: [Step; 4] = [Step(17), Step(-15), Step(-17), Step(15)];
    pub const KNIGHT: [Step; 8] =
        [Step(33), Step(18), Step(-14), Step(-31), Step(-33), Step(-18), Step(14), Step(31)];

    #[inline(always)]
    pub const fn new(value: i8) -> Step {
        Step(value)
    }

    /// The difference as an index into tables of 256.
    pub const fn index(self) -> usize {
        self.0 as u8 as usize
    }

    #[inline(always)]
    pub const fn value(self) -> i8 {
        self.0
    }
}

impl Neg for Step {
    type Output = Step;
    fn neg(self) -> Step {
        Step(self.0.wrapping_neg())
    }
}

impl Add for Step {
    type Output = Step;
    fn add(self, other: Step) -> Step {
        Step(self.0.wrapping_add(other.0))
    }
}
