//! Nodes: their kinds, known at compile time, and what is known about a node and about a move while
//! the node is searched.
//!
//! A *PV node* has an open window: its exact score matters. Every other node has a null window and
//! only answers whether its score beats a bound; most pruning applies there alone. The root is a PV
//! node that also keeps account of each move.

use crate::types::{Depth, Move, Ply, Score};

use super::history::PreviousMoves;
use super::tt::Entry;

/// A kind of node.
pub trait Node {
    /// Is the window open?
    const PV: bool;
    /// Is this the root?
    const ROOT: bool;
}

pub struct Root;
pub struct Pv;
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What is known about a node before its moves are searched.
pub struct NodeInfo {
    /// The plies left to search.
    pub depth: Depth,
    pub ply: Ply,
    /// The moves before the node.
    pub previous: PreviousMoves,
    /// Is the node expected to fail high?
    pub cut_node: bool,
    /// The static evaluation, corrected and refined by the table's score; `None` where the answer is forced: in check,
    /// or by a compulsory capture.
    pub eval: Option<Score>,
    /// The evaluator's own score; `None` where `eval` is, and in a singular search.
    pub raw_eval: Option<Score>,
    /// By how many centipawns the correction history changes the evaluation.
    pub correction: i32,
    /// Is the evaluation better than at our previous turn?
    pub improving: bool,
    /// Was the position ever on the principal variation?
    pub was_pv: bool,
    /// The move to search first, a legal one: that of the transposition table, at the root the best one so far.
    pub table_move: Option<Move>,
    /// What the transposition table knows of the position.
    pub hit: Option<Entry>,
}

#[cfg(test)]
impl NodeInfo {
    /// A node of which nothing is known.
    pub fn plain(depth: Depth, ply: Ply) -> NodeInfo {
        NodeInfo {
            depth,
            ply,
            previous: [None; 4],
            cut_node: false,
            eval: None,
            raw_eval: None,
            correction: 0,
            improving: false,
            was_pv: false,
            table_move: None,
            hit: None,
        }
    }
}

/// A move about to be searched.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub mv: Move,
    /// The place of the move in the order of the node, counted from 1.
    pub number: usize,
    /// Is it a capture or a promotion?
    pub is_noisy: bool,
    pub gives_check: bool,
    /// The capture history of a noisy move; of a quiet one the weighted sum of its histories.
    pub history: i32,
    pub is_killer: bool,
}
