//! Late move reductions (LMR): moves late in the order are searched less deep.
//!
//! The base reductions are a table by depth and move number, computed when a constant changes. The
//! search itself is in `negamax`.

use crate::types::{Depth, Move};

use super::node::{Candidate, Node, NodeInfo};
use super::params::Params;

/// The depths and move numbers that the tables distinguish; greater ones count as the last.
const SIZE: usize = 64;
/// A node reduces its moves more if more than this number of its children have failed high.
const MANY_CUTOFFS: u32 = 3;

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

    /// The base reduction of the `number`th move of a node, counted from 1; in 1/1024 of a ply.
    pub fn base(&self, is_noisy: bool, depth: Depth, number: usize) -> i32 {
        let table = if is_noisy { &self.noisy } else { &self.quiet };
        table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }

    /// The reduction of a late move in plies. `cutoffs` is the number of the node's children that
    /// have failed high.
    pub fn of_late_move<N: Node>(
        &self,
        candidate: &Candidate,
        info: &NodeInfo,
        cutoffs: u32,
        params: &Params,
    ) -> Depth {
        let mut reduction = self.base(candidate.is_noisy, info.depth, candidate.number);
        let mut add = |condition: bool, amount: i32| {
            if condition {
                reduction += amount;
            }
        };
        add(N::PV, -params.lmr_pv);
        add(info.was_pv, -params.lmr_was_pv);
        add(info.cut_node, params.lmr_cut_node);
        add(info.cut_node && info.table_move.is_none(), params.lmr_no_table_move);
        add(!info.improving, params.lmr_not_improving);
        add(info.table_move.is_some_and(Move::is_capture), params.lmr_noisy_best);
        add(candidate.gives_check, -params.lmr_check);
        add(candidate.is_killer, -params.lmr_killer);
        add(cutoffs > MANY_CUTOFFS, params.lmr_cutoffs);
        (reduction - candidate.history * 1024 / params.lmr_history_divisor) / 1024
    }
}

/// `base + factor * ln(depth) * ln(move number)`, where 0 counts as 1.
fn table(base: i32, factor: i32) -> Box<[[i32; SIZE]]> {
    let ln = |n: usize| (n.max(1) as f64).ln();
    let entry = |depth, number| base + (f64::from(factor) * ln(depth) * ln(number)) as i32;
    let row = |depth| std::array::from_fn(|number| entry(depth, number));
    (0..SIZE).map(row).collect()
}
