//! How a search is stopped from outside: on demand, or by the clock.
//!
//! The clock is here and not in the limits because it may be set while the search runs: at a ponder
//! hit. Imports nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Stops one search. Each search gets a new token, and a token is never reset.
///
/// It also carries the clock. After the *soft* limit no new iteration begins; at the *hard* limit
/// the search breaks off. Both count from the instant given to [`StopToken::set_clock`]. Without
/// that call there is no time limit.
#[derive(Clone, Debug)]
pub struct StopToken(Arc<StopState>);

#[derive(Debug)]
struct StopState {
    stopped: AtomicBool,
    created: Instant,
    /// When the clock was started; like the two limits, in nanoseconds after `created`.
    clock_start: AtomicU64,
    /// [`NEVER`] if there is no limit.
    soft: AtomicU64,
    hard: AtomicU64,
}

/// The time of a limit that does not exist.
const NEVER: u64 = u64::MAX;

impl StopToken {
    pub fn new() -> StopToken {
        StopToken(Arc::new(StopState {
            stopped: AtomicBool::new(false),
            created: Instant::now(),
            clock_start: AtomicU64::new(0),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
        }))
    }

    /// Asks the search to end now. It then returns its best move so far.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Starts the clock at `now`: the search should end about `soft` later and must end `hard` later.
    pub fn set_clock(&self, now: Instant, soft: Duration, hard: Duration) {
        let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(NEVER);
        let start = nanos(now.saturating_duration_since(self.0.created));
        self.0.clock_start.store(start, Ordering::Relaxed);
        self.0.hard.store(start.saturating_add(nanos(hard)), Ordering::Relaxed);
        // Stored last: a search that sees the soft limit must see the other two.
        self.0.soft.store(start.saturating_add(nanos(soft)), Ordering::Release);
    }

    /// The time since the token was made, that is, since the search began.
    pub fn elapsed(&self) -> Duration {
        self.0.created.elapsed()
    }

    /// Has the hard limit passed?
    pub fn is_past_hard_limit(&self) -> bool {
        let hard = self.0.hard.load(Ordering::Relaxed);
        hard != NEVER && self.0.created.elapsed().as_nanos() >= u128::from(hard)
    }

    /// The used share of the soft limit: 1.0 is all of it. 0.0 if there is no limit.
    pub fn soft_share(&self) -> f64 {
        let soft = self.0.soft.load(Ordering::Acquire);
        if soft == NEVER {
            return 0.0;
        }
        let start = self.0.clock_start.load(Ordering::Relaxed);
        let used = (self.0.created.elapsed().as_nanos() as f64 - start as f64).max(0.0);
        used / (soft.saturating_sub(start)).max(1) as f64
    }

    /// Is there a time limit?
    pub fn has_clock(&self) -> bool {
        self.0.soft.load(Ordering::Acquire) != NEVER
    }
}

impl Default for StopToken {
    fn default() -> StopToken {
        StopToken::new()
    }
}
