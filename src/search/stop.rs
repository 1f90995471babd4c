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
    clock: fn() -> Instant,
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
        StopToken::with_clock(Instant::now)
    }

    /// A token that reads the time from `clock`, for tests.
    pub fn with_clock(clock: fn() -> Instant) -> StopToken {
        StopToken(Arc::new(StopState {
            stopped: AtomicBool::new(false),
            clock,
            created: clock(),
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
        (self.0.clock)().saturating_duration_since(self.0.created)
    }

    /// Has the hard limit passed?
    pub fn is_past_hard_limit(&self) -> bool {
        let hard = self.0.hard.load(Ordering::Relaxed);
        hard != NEVER && self.elapsed().as_nanos() >= u128::from(hard)
    }

    /// The used share of the soft limit: 1.0 is all of it. 0.0 if there is no limit.
    pub fn soft_share(&self) -> f64 {
        let soft = self.0.soft.load(Ordering::Acquire);
        if soft == NEVER {
            return 0.0;
        }
        let start = self.0.clock_start.load(Ordering::Relaxed);
        let used = (self.elapsed().as_nanos() as f64 - start as f64).max(0.0);
        used / (soft.saturating_sub(start)).max(1) as f64
    }

    /// Is there a time limit?
    pub fn has_clock(&self) -> bool {
        self.0.soft.load(Ordering::Acquire) != NEVER
    }

    /// When the clock was started, and the soft and the hard limit from then on. `None` if there is
    /// no time limit.
    pub fn time_limits(&self) -> Option<(Instant, Duration, Duration)> {
        let soft = self.0.soft.load(Ordering::Acquire);
        let start = self.0.clock_start.load(Ordering::Relaxed);
        let hard = self.0.hard.load(Ordering::Relaxed);
        let after_start = |limit: u64| Duration::from_nanos(limit - start);
        (soft != NEVER).then(|| {
            let started = self.0.created + Duration::from_nanos(start);
            (started, after_start(soft), after_start(hard))
        })
    }
}

impl Default for StopToken {
    fn default() -> StopToken {
        StopToken::new()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::LazyLock;

    use super::*;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    thread_local! {
        /// What the fake clock shows, in seconds after `START`.
        static SECONDS: Cell<u64> = const { Cell::new(0) };
    }

    fn at(seconds: u64) -> Instant {
        *START + Duration::from_secs(seconds)
    }

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn limits_count_from_the_start_of_the_clock() {
        SECONDS.set(100);
        let token = StopToken::with_clock(|| at(SECONDS.get()));
        assert_eq!(token.time_limits(), None);
        SECONDS.set(1000);
        assert_eq!((token.elapsed(), token.soft_share()), (secs(900), 0.0));
        assert!(!token.has_clock() && !token.is_past_hard_limit());

        token.set_clock(at(1000), secs(10), secs(30));
        assert_eq!(token.time_limits(), Some((at(1000), secs(10), secs(30))));
        assert!(token.has_clock());
        for (seconds, share, is_past) in
            [(1000, 0.0, false), (1005, 0.5, false), (1029, 2.9, false), (1030, 3.0, true)]
        {
            SECONDS.set(seconds);
            assert_eq!(token.elapsed(), secs(seconds - 100), "since the token was made");
            assert_eq!((token.soft_share(), token.is_past_hard_limit()), (share, is_past));
        }
        assert!(!token.is_stopped(), "only `stop` does that");
    }
}
