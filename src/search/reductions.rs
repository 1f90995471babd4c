//! Late move reductions (LMR): moves late in the order are searched less deep.
//!
//! The base reductions are a table by depth and move number, computed when a constant changes. The
//! search itself is in `negamax`.

use crate::types::{Depth, Move};

use super::node::{Candidate, Node, NodeInfo};
use super::params::Params;

/// The depths and move numbers that the tables distinguish; greater ones count as the last.
const SIZE: usize = 64;

/// Base reductions in 1/1024 of a ply.
#[derive(PartialEq, Eq)]
pub struct Reductions {
    quiet: Box<[[i32; SIZE]]>,
    noisy: Box<[[i32; SIZE]]>,
    pruning: Box<[[i32; SIZE]]>,
}

impl Reductions {
    pub fn new(params: &Params) -> Reductions {
        Reductions {
            quiet: table(params.lmr_quiet_base, params.lmr_quiet_factor),
            noisy: table(params.lmr_noisy_base, params.lmr_noisy_factor),
            pruning: table(params.pruning_base, params.pruning_factor),
        }
    }

    /// The base reduction of the `number`th move of a node, counted from 1; in 1/1024 of a ply.
    fn base(&self, is_noisy: bool, depth: Depth, number: usize) -> i32 {
        entry_of(if is_noisy { &self.noisy } else { &self.quiet }, depth, number)
    }

    /// The reduction in plies that the pruning of quiet moves assumes.
    pub fn of_pruning(&self, depth: Depth, number: usize, history: i32, params: &Params) -> Depth {
        let base = entry_of(&self.pruning, depth, number);
        (base - history * 1024 / params.pruning_history_divisor) / 1024
    }

    /// The reduction of a late move in 1/1024 of a ply. `cutoffs` is the number of the node's children
    /// that have failed high.
    pub fn of_late_move<N: Node>(
        &self,
        candidate: &Candidate,
        info: &NodeInfo,
        cutoffs: u32,
        params: &Params,
    ) -> i32 {
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
        add(cutoffs > params.lmr_many_cutoffs as u32, params.lmr_cutoffs);
        let divisor = if candidate.is_noisy {
            params.lmr_noisy_history_divisor
        } else {
            params.lmr_history_divisor
        };
        reduction
            - info.correction.abs() * params.lmr_correction
            - candidate.history * 1024 / divisor
    }
}

fn entry_of(table: &[[i32; SIZE]], depth: Depth, number: usize) -> i32 {
    table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
}

/// `base + factor * ln(depth) * ln(move number)`, where 0 counts as 1.
fn table(base: i32, factor: i32) -> Box<[[i32; SIZE]]> {
    let ln = |n: usize| (n.max(1) as f64).ln();
    let entry = |depth, number| base + (f64::from(factor) * ln(depth) * ln(number)) as i32;
    let row = |depth| std::array::from_fn(|number| entry(depth, number));
    (0..SIZE).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::node::{NonPv, Pv};
    use super::*;
    use crate::board::Position;
    use crate::variants::Standard;

    /// Each condition counts whole plies, and the base reduction of every move is ten plies.
    fn params() -> Params {
        let mut params = Params {
            lmr_quiet_base: 10 * 1024,
            lmr_quiet_factor: 0,
            lmr_noisy_base: 10 * 1024,
            lmr_noisy_factor: 0,
            lmr_history_divisor: 1000,
            lmr_correction: 1024,
            ..Params::STANDARD
        };
        let fields = [
            &mut params.lmr_pv,
            &mut params.lmr_was_pv,
            &mut params.lmr_cut_node,
            &mut params.lmr_not_improving,
            &mut params.lmr_noisy_best,
            &mut params.lmr_check,
            &mut params.lmr_killer,
            &mut params.lmr_cutoffs,
            &mut params.lmr_no_table_move,
        ];
        fields.into_iter().zip(1..).for_each(|(field, plies)| *field = plies * 1024);
        params
    }

    #[test]
    fn each_condition_changes_the_reduction() {
        let pos: Position<Standard> =
            Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let capture = pos.legal_moves().iter().copied().find(|mv| mv.is_capture());
        let plain = NodeInfo { improving: true, ..NodeInfo::plain(8, 3) };
        let mv = capture.unwrap();
        let quiet = Candidate {
            mv,
            number: 9,
            is_noisy: false,
            gives_check: false,
            history: 0,
            is_killer: false,
        };
        let params = params();
        let reductions = Reductions::new(&params);
        let plies = |candidate: &Candidate, info: &NodeInfo, cutoffs| {
            reductions.of_late_move::<NonPv>(candidate, info, cutoffs, &params) / 1024
        };
        assert_eq!(plies(&quiet, &plain, 0), 10);
        assert_eq!(plies(&Candidate { is_noisy: true, ..quiet }, &plain, 0), 10);
        assert_eq!(reductions.of_late_move::<Pv>(&quiet, &plain, 0, &params) / 1024, 10 - 1);
        assert_eq!(plies(&quiet, &NodeInfo { was_pv: true, ..plain }, 0), 10 - 2);
        let cut_node = NodeInfo { cut_node: true, ..plain };
        assert_eq!(
            plies(&quiet, &cut_node, 0),
            10 + 3 + 9,
            "an expected cut-node without a table move"
        );
        assert_eq!(plies(&quiet, &NodeInfo { table_move: capture, ..cut_node }, 0), 10 + 3 + 5);
        assert_eq!(plies(&quiet, &NodeInfo { improving: false, ..plain }, 0), 10 + 4);
        assert_eq!(plies(&quiet, &NodeInfo { table_move: capture, ..plain }, 0), 10 + 5);
        assert_eq!(plies(&Candidate { gives_check: true, ..quiet }, &plain, 0), 10 - 6);
        assert_eq!(plies(&Candidate { is_killer: true, ..quiet }, &plain, 0), 10 - 7);
        assert_eq!(plies(&quiet, &plain, params.lmr_many_cutoffs as u32), 10);
        assert_eq!(plies(&quiet, &plain, params.lmr_many_cutoffs as u32 + 1), 10 + 8);
        assert_eq!(plies(&Candidate { history: 3000, ..quiet }, &plain, 0), 10 - 3);
        assert_eq!(plies(&Candidate { history: -3000, ..quiet }, &plain, 0), 10 + 3);
        for correction in [-2, 2] {
            assert_eq!(plies(&quiet, &NodeInfo { correction, ..plain }, 0), 10 - 2);
        }
        let noisy_params = Params { lmr_noisy_history_divisor: 2000, ..params.clone() };
        let capture = Candidate { is_noisy: true, history: 4000, ..quiet };
        let noisy = reductions.of_late_move::<NonPv>(&capture, &plain, 0, &noisy_params) / 1024;
        assert_eq!(noisy, 10 - 2);
    }

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let reductions = Reductions::new(&Params::STANDARD);
        for is_noisy in [false, true] {
            let base = |depth, number| reductions.base(is_noisy, depth, number);
            assert!((2..64).all(|number| base(8, number) < base(8, number + 1) || number == 63));
            assert!((2..63).all(|depth| base(depth, 8) < base(depth + 1, 8)));
            assert_eq!(base(8, 300), base(8, 63));
            assert_eq!(base(300, 8), base(63, 8));
            assert_eq!(base(-1, 8), base(0, 8));
        }
    }
}
