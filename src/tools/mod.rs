//! Developer commands: `trebuchet <tool> …`.
//!
//! Each tool is a file or folder with its arguments and a `run`. Tools may use everything; nothing
//! uses them but `main`.

pub mod datagen;
pub mod engines;
pub mod matches;
pub mod perft;
pub mod tune;

use std::time::Duration;

use crate::variants::VariantId;

/// Reads a variant's CECP name from the command line.
fn parse_variant(name: &str) -> Result<VariantId, UnknownVariant> {
    VariantId::from_name(name).ok_or_else(|| UnknownVariant(name.to_owned()))
}

/// A variant that there is not.
#[derive(Debug, thiserror::Error)]
#[error("no such variant: {0} (normal, 3check)")]
struct UnknownVariant(String);

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}
