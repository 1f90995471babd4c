//! How much of the clock a move may take.
//!
//! Pure arithmetic: durations in, durations out. Where the clock's reading comes from and who
//! watches it is not known here.

use std::time::Duration;

/// The state of our clock as a move begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    pub time_left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time is added; none when the time left is for the whole game.
    pub moves_to_go: Option<u32>,
    /// What is lost between our clock and the GUI's on each move.
    pub overhead: Duration,
}

/// The limits of one search, both counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// About when to end; the search moves this limit with the difficulty of the position.
    pub soft: Duration,
    /// When the search is broken off.
    pub hard: Duration,
}

/// What part of the time left one move aims at, and at most takes, when it is for the whole game.
const SOFT_SHARE: f64 = 0.05;
const HARD_SHARE: f64 = 0.28;
/// What part of the increment is spent at once.
const INCREMENT_SHARE: f64 = 0.55;
/// Kept back on top of the overhead: on a busy machine a thread may wait so long for its turn.
const RESERVE: Duration = Duration::from_millis(150);
/// However it is divided, this part of the usable time is never exceeded.
const GREATEST_SHARE: f64 = 0.9;
/// The search stretches its soft limit by far less than this.
const BEYOND_REACH: u32 = 16;

impl Budget {
    /// Divides the clock: a share of what is left and most of the increment. Never more than is on
    /// the clock, and never nothing.
    pub fn allocate(clock: &ClockState) -> Budget {
        // Of the last moments of a clock not all that should be can be held back.
        let usable =
            clock.time_left.saturating_sub(clock.overhead + RESERVE).max(clock.time_left / 8);
        let (soft_share, hard_share) = match clock.moves_to_go {
            None => (SOFT_SHARE, HARD_SHARE),
            Some(moves) => {
                let moves = f64::from(moves.max(1));
                (
                    (1.0 / (moves + 1.0)).max(SOFT_SHARE),
                    (2.4 / (moves + 2.0)).clamp(HARD_SHARE, 0.8),
                )
            }
        };
        // Without a cushion the increment pays for the delays of a busy machine first.
        let bonus = clock.increment.mul_f64(INCREMENT_SHARE).min(usable / 8);
        let greatest = usable.mul_f64(GREATEST_SHARE);
        let hard = (usable.mul_f64(hard_share) + bonus).min(greatest);
        let soft = (usable.mul_f64(soft_share) + bonus).min(hard);
        Budget { soft, hard }
    }

    /// A fixed time for the move, to be used in full.
    pub fn exactly(time: Duration, overhead: Duration) -> Budget {
        let hard = time - overhead.min(time / 10);
        Budget { soft: hard * BEYOND_REACH, hard }
    }

    /// No time at all: the first idea is played.
    pub const NONE: Budget = Budget { soft: Duration::ZERO, hard: Duration::ZERO };

    /// Both budgets kept.
    pub fn within(self, other: Budget) -> Budget {
        Budget { soft: self.soft.min(other.soft), hard: self.hard.min(other.hard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn shares_are_sensible() {
        let budget = Budget::allocate(&clock(60_180, 1000, None));
        assert_eq!((budget.soft, budget.hard), (ms(3_550), ms(17_350)));
        let last = Budget::allocate(&clock(10_180, 0, Some(1)));
        assert_eq!((last.soft, last.hard), (ms(5_000), ms(8_000)));
        let early = Budget::allocate(&clock(300_180, 0, Some(40)));
        assert_eq!((early.soft, early.hard), (ms(15_000), ms(84_000)));
    }

    #[test]
    fn the_clock_is_never_overrun() {
        for time_left in [0, 1, 10, 29, 30, 31, 50, 100, 1000, 1_000_000_000_000] {
            for increment in [0, 10, 1000, 1_000_000_000_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = clock(time_left, increment, moves_to_go);
                    let budget = Budget::allocate(&clock);
                    assert!(budget.soft <= budget.hard, "{clock:?}");
                    assert!(budget.hard <= clock.time_left, "{clock:?}");
                    assert!(budget.hard > Duration::ZERO || time_left == 0, "{clock:?}");
                    if time_left >= 50 {
                        assert!(budget.hard + clock.overhead <= clock.time_left, "{clock:?}");
                    }
                }
            }
        }
    }

    /// However a whole game is stretched, the flag does not fall; and what is left in the end is
    /// enough to survive a busy machine.
    #[test]
    fn games_of_greatest_thinks_keep_time() {
        for (base, increment, at_least) in [(10_000, 20, 100), (500, 10, 60), (60_000, 1_000, 200)]
        {
            let mut left = ms(base);
            for _ in 0..300 {
                let state = ClockState { time_left: left, ..clock(0, increment, None) };
                let spent = Budget::allocate(&state).hard + ms(1);
                assert!(spent < left, "{left:?}");
                left -= spent;
                left += ms(increment);
                assert!(left >= ms(at_least), "{base} ms + {increment} ms: {left:?}");
            }
        }
    }

    #[test]
    fn a_fixed_time_is_used_in_full() {
        assert_eq!(Budget::exactly(ms(1000), ms(30)).hard, ms(970));
        assert_eq!(Budget::exactly(ms(10), ms(30)).hard, ms(9));
        assert_eq!(Budget::exactly(ms(0), ms(30)).hard, ms(0));
        let both =
            Budget::allocate(&clock(60_180, 0, None)).within(Budget::exactly(ms(1000), ms(30)));
        assert_eq!((both.soft, both.hard), (ms(3000), ms(970)));
    }
}
