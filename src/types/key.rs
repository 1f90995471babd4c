//! Zobrist keys.

use std::ops::{BitXor, BitXorAssign};

/// A 64-bit hash of a position or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Key(u64);

impl Key {
    pub const ZERO: Key = Key(0);

    pub const fn new(bits: u64) -> Key {
        Key(bits)
    }

    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl BitXor for Key {
    type Output = Key;
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}
