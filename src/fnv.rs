//! The hash FNV-1a (Fowler, Noll, Vo), with 64 bits where nothing else is said. It is the same on every machine, so
//! files may hold it.

/// The hash of no bytes.
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of some bytes that continue those of an earlier hash.
pub fn fnv_1a(start: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(start, step)
}

/// The hash of these bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    fnv_1a(FNV_START, bytes.iter().copied())
}

/// The hash of no bytes, with 32 bits.
pub const FNV_32_START: u32 = 0x811c_9dc5;

/// The hash with 32 bits of some bytes that continue those of an earlier hash.
pub fn fnv_1a_32(start: u32, bytes: impl IntoIterator<Item = u8>) -> u32 {
    let step = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    bytes.into_iter().fold(start, step)
}
