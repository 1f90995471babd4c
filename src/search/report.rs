//! What a search reports while it runs, and the trait that receives the reports.
//!
//! Plain data and one trait; the worker fills them in.

use std::time::Duration;

use crate::types::{Depth, Move, Score};

use super::window::Bound;

/// Receives the reports of a running search, on the search's thread.
pub trait Observer {
    /// A line of thinking: an iteration is finished, or its best line has changed.
    fn line(&mut self, progress: Progress);
    /// The search has moved on to another root move, or some time has passed.
    fn root(&mut self, status: RootStatus);
}

/// Ignores all reports.
pub struct Silent;

impl Observer for Silent {
    fn line(&mut self, _: Progress) {}
    fn root(&mut self, _: RootStatus) {}
}

/// A line of thinking.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The deepest line searched, in plies.
    pub seldepth: Depth,
    pub score: Score,
    pub bound: Bound,
    pub time: Duration,
    pub nodes: u64,
    pub tablebase_hits: u64,
    /// 0 for the best line, 1 for the second best, and so on (MultiPV).
    pub line: usize,
    pub pv: Vec<Move>,
}

/// The progress of a search at the root: the answer to CECP's `.`.
#[derive(Clone, Debug)]
pub struct RootStatus {
    pub time: Duration,
    pub nodes: u64,
    pub depth: Depth,
    /// Root moves still to be searched in this iteration.
    pub moves_left: usize,
    pub moves_total: usize,
    /// The root move being searched.
    pub current: Option<Move>,
}
