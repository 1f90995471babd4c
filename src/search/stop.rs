//! How a search is stopped from outside: on demand, or by the clock.
//!
//! The clock is here and not in the limits because it may be set while the search runs: at a ponder
//! hit. Imports `types`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::types::{Moment, TimeSource};

/// Stops one search. Each search gets a new token, and a token is never reset.
///
/// It also carries the clock. After the *soft* limit no new iteration begins; at the *hard* limit
/// the search breaks off, but not before its first iteration has found a move or has taken long. Both count from the
/// moment given to [`StopToken::set_time_limits`]. Without that call there is no time limit.
#[derive(Clone, Debug)]
pub struct StopToken(Arc<StopState>);

#[derive(Debug)]
struct StopState {
    stopped: AtomicBool,
    clock: TimeSource,
    start: Moment,
    /// From when the limits count; like the two limits, in nanoseconds after `start`.
    limits_start: AtomicU64,
    /// [`NEVER`] if there is no limit.
    soft: AtomicU64,
    hard: AtomicU64,
}

/// The time of a limit that does not exist.
const NEVER: u64 = u64::MAX;

impl StopToken {
    /// A token without a clock: its search takes no time.
    pub fn new() -> StopToken {
        StopToken::with_clock(TimeSource::still(), Moment::START)
    }

    /// The token of a search that began at `start`. What was done for it since then counts as its
    /// time.
    pub fn with_clock(clock: TimeSource, start: Moment) -> StopToken {
        StopToken(Arc::new(StopState {
            stopped: AtomicBool::new(false),
            clock,
            start,
            limits_start: AtomicU64::new(0),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
        }))
    }

    /// Asks the search to end now, or after its first iteration, if that is short. It then returns its best move so far.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Limits the time: the search should end about `soft` after `from` and must end `hard` after it.
    /// A moment before the start of the search counts as its start.
    pub fn set_time_limits(&self, from: Moment, soft: Duration, hard: Duration) {
        let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(NEVER);
        let start = nanos(from.since(self.0.start));
        let limit = |d: Duration| start.saturating_add(nanos(d)).min(NEVER - 1);
        self.0.limits_start.store(start, Ordering::Relaxed);
        self.0.hard.store(limit(hard), Ordering::Relaxed);
        // Stored last: a search that sees the soft limit must see the other two.
        self.0.soft.store(limit(soft), Ordering::Release);
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.0.clock.now().since(self.0.start)
    }

    /// Has the hard limit passed?
    pub fn is_past_hard_limit(&self) -> bool {
        let hard = self.0.hard.load(Ordering::Relaxed);
        hard != NEVER && self.elapsed().as_nanos() >= u128::from(hard)
    }

    /// The used share of the soft limit: 1.0 is all of it. 0.0 if there is no limit.
    pub fn soft_share(&self) -> f64 {
        self.soft_share_at(self.elapsed())
    }

    /// The share of the soft limit that was used when the search had taken this time.
    pub fn soft_share_at(&self, elapsed: Duration) -> f64 {
        let soft = self.0.soft.load(Ordering::Acquire);
        if soft == NEVER {
            return 0.0;
        }
        let start = self.0.limits_start.load(Ordering::Relaxed);
        let used = (elapsed.as_nanos() as f64 - start as f64).max(0.0);
        used / (soft.saturating_sub(start)).max(1) as f64
    }

    /// Does an early end save time for later moves? Not if the soft limit lies beyond the hard one: such a time is for
    /// one move, and is used in full.
    pub fn can_save_time(&self) -> bool {
        let soft = self.0.soft.load(Ordering::Acquire);
        soft != NEVER && soft <= self.0.hard.load(Ordering::Relaxed)
    }

    /// Is there a time limit?
    pub fn has_time_limits(&self) -> bool {
        self.0.soft.load(Ordering::Acquire) != NEVER
    }
}

impl Default for StopToken {
    fn default() -> StopToken {
        StopToken::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn at(seconds: u64) -> Moment {
        Moment::START + secs(seconds)
    }

    /// A clock that shows these seconds.
    fn clock(seconds: &Arc<AtomicU64>) -> TimeSource {
        let seconds = Arc::clone(seconds);
        TimeSource::new(move || at(seconds.load(Ordering::Relaxed)))
    }

    #[test]
    fn limits_count_from_the_moment_that_the_caller_gives() {
        let seconds = Arc::new(AtomicU64::new(1000));
        let token = StopToken::with_clock(clock(&seconds), at(100));
        assert_eq!((token.elapsed(), token.soft_share()), (secs(900), 0.0));
        assert!(!token.has_time_limits() && !token.is_past_hard_limit());

        token.set_time_limits(at(1000), secs(10), secs(30));
        assert!(token.has_time_limits());
        for (now, share, is_past) in
            [(1000, 0.0, false), (1005, 0.5, false), (1029, 2.9, false), (1030, 3.0, true)]
        {
            seconds.store(now, Ordering::Relaxed);
            assert_eq!(token.elapsed(), secs(now - 100), "since the search began");
            assert_eq!((token.soft_share(), token.is_past_hard_limit()), (share, is_past));
        }
        assert!(!token.is_stopped(), "only `stop` does that");
    }

    #[test]
    fn time_is_saved_only_before_a_soft_limit_within_the_hard_one() {
        let token = StopToken::new();
        assert!(!token.can_save_time(), "no limit");
        for (soft, hard, can_save) in
            [(1, 3, true), (3, 3, true), (48, 3, false), (u64::MAX, u64::MAX, true)]
        {
            token.set_time_limits(Moment::START, secs(soft), secs(hard));
            assert!(token.has_time_limits());
            assert_eq!(token.can_save_time(), can_save, "{soft} s of {hard} s");
        }
    }

    /// What is done before the token is made, such as a new transposition table, takes time, too.
    #[test]
    fn the_time_before_the_token_was_made_counts() {
        let seconds = Arc::new(AtomicU64::new(8));
        let token = StopToken::with_clock(clock(&seconds), at(5));
        token.set_time_limits(at(5), secs(2), secs(3));
        assert_eq!((token.elapsed(), token.soft_share()), (secs(3), 1.5));
        assert!(token.is_past_hard_limit());
    }

    #[test]
    fn without_a_clock_no_limit_is_reached() {
        let token = StopToken::new();
        token.set_time_limits(Moment::START, secs(1), secs(1));
        assert!(token.elapsed().is_zero() && !token.is_past_hard_limit());
    }
}
