//! Zobrist keys.

use std::ops::{BitXor, BitXorAssign};

/// A 64-bit hash of a position or of a part of it. Keys of parts are combined with XOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Key(u64);

impl Key {
    /// The key of no pieces: XOR with it changes nothing.
    pub const ZERO: Key = Key(0);

    /// The key with these bits.
    #[inline]
    pub const fn new(bits: u64) -> Key {
        Key(bits)
    }

    /// The 64 bits, for tables.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl BitXor for Key {
    type Output = Key;
    #[inline]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}
