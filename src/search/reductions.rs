//! How much late moves are reduced, as a table by depth and move number.

use crate::types::Depth;

use super::params::Params;

const SIZE: usize = 64;

/// Base reductions in 1/1024 of a ply.
pub struct Reductions {
    quiet: Box<[[i32; SIZE]]>,
    noisy: Box<[[i32; SIZE]]>,
}

impl Reductions {
    pub fn new(params: &Params) -> Reductions {
        Reductions {
            quiet: table(params.lmr_quiet_base, params.lmr_quiet_factor),
            noisy: table(params.lmr_noisy_base, params.lmr_noisy_factor),
        }
    }

    /// For the `tried`th move of a node, counted from 1.
    pub fn get(&self, is_noisy: bool, depth: Depth, tried: usize) -> i32 {
        let table = if is_noisy { &self.noisy } else { &self.quiet };
        table[(depth.max(0) as usize).min(SIZE - 1)][tried.min(SIZE - 1)]
    }
}

/// `base + factor * ln(depth) * ln(move number)`; without a reduction at 0.
fn table(base: i32, factor: i32) -> Box<[[i32; SIZE]]> {
    let ln = |n: usize| (n.max(1) as f64).ln();
    let entry = |depth, tried| base + (f64::from(factor) * ln(depth) * ln(tried)) as i32;
    let row = |depth| std::array::from_fn(|tried| entry(depth, tried));
    (0..SIZE).map(row).collect()
}
