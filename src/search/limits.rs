//! What a search may spend, how it is stopped from outside, and what it reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::types::{Depth, Move, Score};

/// The limits that stand from the start of a search to its end. Time stands in [`StopToken`], since
/// it may be set while the search runs (a ponder hit).
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: Option<Depth>,
    /// Stop when about this many nodes have been searched by all threads together.
    pub nodes: Option<u64>,
    /// Root moves that are not to be searched (CECP `exclude`).
    pub excluded: Vec<Move>,
    /// How many best lines to find; 0 counts as 1.
    pub lines: usize,
    /// Do not end by yourself, not even on a forced mate or with a single legal move: analysis,
    /// or pondering until the hit. The depth limit still holds for iterations; having reached it,
    /// the search waits for its token.
    pub infinite: bool,
}

/// Stops one search. Never reset: each search gets a new one.
///
/// It also carries the clock: a *soft* limit, after which no new iteration begins, and a *hard*
/// limit, at which the search breaks off. Both count from the instant given to
/// [`StopToken::set_clock`]; without a call there is no limit of time.
#[derive(Clone, Debug)]
pub struct StopToken(Arc<Token>);

#[derive(Debug)]
struct Token {
    stopped: AtomicBool,
    created: Instant,
    /// Nanoseconds after `created`; `u64::MAX` is never.
    clock_start: AtomicU64,
    soft: AtomicU64,
    hard: AtomicU64,
}

impl StopToken {
    pub fn new() -> StopToken {
        StopToken(Arc::new(Token {
            stopped: AtomicBool::new(false),
            created: Instant::now(),
            clock_start: AtomicU64::new(0),
            soft: AtomicU64::new(u64::MAX),
            hard: AtomicU64::new(u64::MAX),
        }))
    }

    /// Asks the search to end now; it reports its best move so far.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Starts the clock at `now`: the search is to end about `soft` later and must end `hard` later.
    pub fn set_clock(&self, now: Instant, soft: Duration, hard: Duration) {
        let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX);
        let start = nanos(now.saturating_duration_since(self.0.created));
        self.0.clock_start.store(start, Ordering::Relaxed);
        self.0.hard.store(start.saturating_add(nanos(hard)), Ordering::Relaxed);
        // Last: a search that sees a soft limit must see the rest.
        self.0.soft.store(start.saturating_add(nanos(soft)), Ordering::Release);
    }

    /// Time since the token was made, that is, since the search began.
    pub fn elapsed(&self) -> Duration {
        self.0.created.elapsed()
    }

    /// Has the hard limit passed?
    pub fn is_past_hard_limit(&self) -> bool {
        let hard = self.0.hard.load(Ordering::Relaxed);
        hard != u64::MAX && self.0.created.elapsed().as_nanos() >= u128::from(hard)
    }

    /// The share of the soft limit that is used up: 1.0 is all of it, 0.0 when there is none.
    pub fn soft_share(&self) -> f64 {
        let soft = self.0.soft.load(Ordering::Acquire);
        if soft == u64::MAX {
            return 0.0;
        }
        let start = self.0.clock_start.load(Ordering::Relaxed);
        let used = (self.0.created.elapsed().as_nanos() as f64 - start as f64).max(0.0);
        used / (soft.saturating_sub(start)).max(1) as f64
    }

    /// Is there a limit of time?
    pub fn has_clock(&self) -> bool {
        self.0.soft.load(Ordering::Acquire) != u64::MAX
    }
}

impl Default for StopToken {
    fn default() -> StopToken {
        StopToken::new()
    }
}

/// Does a score only bound the true one?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The search failed high: the true score is at least this.
    Lower,
    /// The search failed low: the true score is at most this.
    Upper,
}

/// A line of thinking.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The iteration, in plies.
    pub depth: Depth,
    /// The deepest line looked at, in plies.
    pub seldepth: Depth,
    pub score: Score,
    pub bound: Bound,
    pub time: Duration,
    pub nodes: u64,
    pub tablebase_hits: u64,
    /// 0 for the best line, 1 for the second best when several are asked for.
    pub line: usize,
    pub pv: Vec<Move>,
}

/// Where a search stands at the root: the answer to CECP's `.`.
#[derive(Clone, Debug)]
pub struct RootStatus {
    pub time: Duration,
    pub nodes: u64,
    pub depth: Depth,
    /// Root moves still to be searched at this depth.
    pub moves_left: usize,
    pub moves_total: usize,
    pub current: Option<Move>,
}
