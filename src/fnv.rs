//! The hash FNV-1a with 64 bits (Fowler, Noll, Vo). It is the same on every machine, so files may hold
//! it.

/// The hash of no bytes.
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of some bytes that continue those of an earlier hash.
pub fn fnv_1a(start: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(start, step)
}
