//! Time management: how much of the clock a move may take.
//!
//! Pure arithmetic on durations. It imports the search's constants and `types`, and reads no clock.

use std::time::Duration;

use crate::types::Moment;

use super::params::Params;

/// Our clock when a move begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    pub time_left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the time left is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Time lost on each move between our clock and the GUI's (move overhead).
    pub overhead: Duration,
}

/// The time limits of one search, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// When to end, more or less: the search scales this limit by the difficulty of the position. Beyond the hard
    /// limit if the time is used in full.
    pub soft: Duration,
    /// When to break off the search.
    pub hard: Duration,
}

/// How a game's time is shared out among its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockShares {
    /// The share of the time left for the soft and the hard limit, with the time for the whole game.
    pub soft: f64,
    pub hard: f64,
    /// The share of the increment that a move spends.
    pub increment: f64,
}

impl ClockShares {
    /// The shares that these constants of a search name.
    pub fn of(params: &Params) -> ClockShares {
        ClockShares {
            soft: f64::from(params.clock_soft) / 1000.0,
            hard: f64::from(params.clock_hard) / 1000.0,
            increment: f64::from(params.clock_increment) / 100.0,
        }
    }
}

/// The least limit, even on a clock that has run out: enough to search a little.
const LEAST_TIME: Duration = Duration::from_millis(1);
/// Kept back on top of the overhead: on a busy machine a thread may wait this long for a processor.
const RESERVE: Duration = Duration::from_millis(150);
/// No limit exceeds this share of the usable time.
const GREATEST_SHARE: f64 = 0.9;
/// A soft limit at this multiple of the hard limit has no effect: the search stretches it by less.
const BEYOND_REACH: u32 = 16;

impl TimeBudget {
    /// A share of the time left and a part of the increment. Never more than the clock has, but at least a
    /// millisecond.
    pub fn allocate(clock: &ClockState, shares: &ClockShares) -> TimeBudget {
        // Close to zero, part of the reserve has to be spent.
        let usable =
            clock.time_left.saturating_sub(clock.overhead + RESERVE).max(clock.time_left / 8);
        let (soft_share, hard_share) = match clock.moves_to_go {
            None => (shares.soft, shares.hard),
            Some(moves) => {
                let moves = f64::from(moves.max(1));
                (
                    (1.0 / (moves + 1.0)).max(shares.soft),
                    (2.4 / (moves + 2.0)).clamp(shares.hard, 0.8),
                )
            }
        };
        // With little time left, the increment is saved up as a reserve first.
        let bonus = clock.increment.mul_f64(shares.increment).min(usable / 8);
        let greatest = usable.mul_f64(GREATEST_SHARE);
        let hard = (usable.mul_f64(hard_share) + bonus).min(greatest);
        let soft = (usable.mul_f64(soft_share) + bonus).min(hard);
        TimeBudget { soft, hard }.at_least(LEAST_TIME)
    }

    /// A fixed time for the move, used in full. At least a millisecond.
    pub fn exactly(time: Duration, overhead: Duration) -> TimeBudget {
        let hard = time - overhead.min(time / 10);
        TimeBudget { soft: hard.saturating_mul(BEYOND_REACH), hard }.at_least(LEAST_TIME)
    }

    /// From when the limits count at a ponder hit: from the start of pondering, because the search has used that time as
    /// it uses its own; but a fixed time for the move is used in full.
    pub fn start_at_hit(self, pondering: Moment, hit: Moment) -> Moment {
        if self.soft <= self.hard { pondering } else { hit }
    }

    /// What is left for a search that begins anew when this time is spent, as after a pause. It needs time to get as
    /// deep again: half of the soft limit, if the hard one allows it.
    pub fn left_after(self, spent: Duration) -> TimeBudget {
        let hard = self.hard.saturating_sub(spent);
        let soft = self.soft.saturating_sub(spent).max((self.soft / 2).min(hard));
        TimeBudget { soft, hard }
    }

    /// The smaller limits of both.
    pub fn within(self, other: TimeBudget) -> TimeBudget {
        TimeBudget { soft: self.soft.min(other.soft), hard: self.hard.min(other.hard) }
    }

    fn at_least(self, least: Duration) -> TimeBudget {
        TimeBudget { soft: self.soft.max(least), hard: self.hard.max(least) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocate(clock: &ClockState) -> TimeBudget {
        TimeBudget::allocate(clock, &ClockShares::of(&Params::STANDARD))
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(time_left: u64, increment: u64, moves_to_go: Option<u32>) -> ClockState {
        ClockState {
            time_left: ms(time_left),
            increment: ms(increment),
            moves_to_go,
            overhead: ms(30),
        }
    }

    #[test]
    fn a_search_that_begins_anew_has_half_of_the_soft_limit_if_it_can() {
        let budget = TimeBudget { soft: ms(1000), hard: ms(4000) };
        for (spent, soft, hard) in
            [(0, 1000, 4000), (200, 800, 3800), (2000, 500, 2000), (3900, 100, 100), (5000, 0, 0)]
        {
            let left = budget.left_after(ms(spent));
            assert_eq!((left.soft, left.hard), (ms(soft), ms(hard)), "{spent}");
        }
        let fixed = TimeBudget { soft: ms(48_000), hard: ms(3000) };
        let left = fixed.left_after(ms(1000));
        assert_eq!((left.soft, left.hard), (ms(47_000), ms(2000)));
    }

    #[test]
    fn shares_are_sensible() {
        let budget = allocate(&clock(60_180, 1000, None));
        assert_eq!((budget.soft, budget.hard), (ms(3_550), ms(17_350)));
        let last = allocate(&clock(10_180, 0, Some(1)));
        assert_eq!((last.soft, last.hard), (ms(5_000), ms(8_000)));
        let early = allocate(&clock(300_180, 0, Some(40)));
        assert_eq!((early.soft, early.hard), (ms(15_000), ms(84_000)));
    }

    /// The last move before the time control, with an increment that is worth more than the clock.
    #[test]
    fn no_limit_exceeds_nine_tenths_of_the_usable_time() {
        let last = allocate(&clock(10_180, 20_000, Some(1)));
        assert_eq!((last.soft, last.hard), (ms(6_250), ms(9_000)));
    }

    #[test]
    fn the_clock_is_never_overrun() {
        for time_left in [0, 1, 10, 29, 30, 31, 50, 100, 1000, 1_000_000_000_000] {
            for increment in [0, 10, 1000, 1_000_000_000_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = clock(time_left, increment, moves_to_go);
                    let budget = allocate(&clock);
                    assert!(budget.soft <= budget.hard, "{clock:?}");
                    assert!(budget.hard <= clock.time_left.max(LEAST_TIME), "{clock:?}");
                    assert!(budget.soft >= LEAST_TIME, "{clock:?}");
                    if time_left >= 50 {
                        assert!(budget.hard + clock.overhead <= clock.time_left, "{clock:?}");
                    }
                }
            }
        }
    }

    /// Even if every move takes its hard limit, the flag does not fall, and the time left at the end
    /// covers the delays of a busy machine.
    #[test]
    fn games_of_greatest_thinks_keep_time() {
        for (base, increment, at_least) in [(10_000, 20, 100), (500, 10, 60), (60_000, 1_000, 200)]
        {
            let mut left = ms(base);
            for _ in 0..300 {
                let state = ClockState { time_left: left, ..clock(0, increment, None) };
                let spent = allocate(&state).hard + ms(1);
                assert!(spent < left, "{left:?}");
                left -= spent;
                left += ms(increment);
                assert!(left >= ms(at_least), "{base} ms + {increment} ms: {left:?}");
            }
        }
    }

    #[test]
    fn a_fixed_time_is_used_in_full() {
        assert_eq!(TimeBudget::exactly(ms(1000), ms(30)).hard, ms(970));
        assert_eq!(TimeBudget::exactly(ms(10), ms(30)).hard, ms(9));
        assert_eq!(TimeBudget::exactly(ms(0), ms(30)).hard, LEAST_TIME);
        let both = allocate(&clock(60_180, 0, None)).within(TimeBudget::exactly(ms(1000), ms(30)));
        assert_eq!((both.soft, both.hard), (ms(3000), ms(970)));
    }
}
