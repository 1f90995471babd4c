//! Commands that measure the engine itself, perft and bench, and the one that makes endgame tables.

pub mod bench;
pub mod egtb;
pub mod perft;

use std::time::Duration;

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}
