//! Numbers on the command line that several commands take, with their limits.

use clap::builder::RangedI64ValueParser;

use crate::play::{MAX_HASH, MAX_THREADS};

/// The size of a transposition table in MiB.
pub fn hash() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=MAX_HASH as i64)
}

/// A number of threads, or of searches at the same time.
pub fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=MAX_THREADS as i64)
}
