//! Moments, and the clock on which they are read.
//!
//! The engine reads no clock of the operating system, because some platforms have none: the program
//! around it gives it a [`TimeSource`].

use std::fmt;
use std::ops::Add;
use std::sync::Arc;
use std::time::Duration;

/// A moment on a clock: the time since the clock's own start. Moments on different clocks have nothing
/// to do with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// The start of every clock.
    pub const START: Moment = Moment(Duration::ZERO);

    /// The time from an earlier moment to this one; zero if that one is later.
    pub const fn since(self, earlier: Moment) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment that is earlier by this time, or else the start of the clock.
    pub const fn before(self, time: Duration) -> Moment {
        Moment(self.0.saturating_sub(time))
    }
}

impl Add<Duration> for Moment {
    type Output = Moment;

    fn add(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(time))
    }
}

/// A source of moments. It never goes backwards; its copies show the same time.
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> Moment + Send + Sync>);

impl TimeSource {
    /// A clock that is read by this function, from any thread.
    pub fn new(read: impl Fn() -> Moment + Send + Sync + 'static) -> TimeSource {
        TimeSource(Arc::new(read))
    }

    /// The clock of the operating system, which starts now.
    #[cfg(feature = "native")]
    pub fn system() -> TimeSource {
        let start = std::time::Instant::now();
        TimeSource::new(move || Moment(start.elapsed()))
    }

    /// A clock that always shows its start, where time does not matter.
    pub fn still() -> TimeSource {
        TimeSource::new(|| Moment::START)
    }

    /// What the clock shows.
    pub fn now(&self) -> Moment {
        (self.0)()
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("TimeSource")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_apart_by_durations() {
        let secs = Duration::from_secs;
        let (early, late) = (Moment::START + secs(5), Moment::START + secs(8));
        assert_eq!((late.since(early), early.since(late)), (secs(3), Duration::ZERO));
        assert_eq!((late.before(secs(3)), early.before(secs(9))), (early, Moment::START));
        assert_eq!(late + Duration::MAX, Moment::START + Duration::MAX);
    }

    #[test]
    #[cfg(feature = "native")]
    fn copies_of_a_clock_show_the_same_time() {
        let clock = TimeSource::system();
        let copy = clock.clone();
        let (first, second, third) = (clock.now(), copy.now(), clock.now());
        assert!(first <= second && second <= third);
    }
}
