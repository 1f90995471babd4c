//! How many nodes a worker searches between two checks of the clock.

use std::time::Duration;

/// The greatest and the least number of nodes between two checks.
const MOST: u64 = 1024;
const LEAST: u64 = 8;
/// If the time between two checks was longer than this, the next check comes sooner.
const LONG: Duration = Duration::from_millis(4);

/// The number of nodes between two checks, which follows from the time that the last nodes took.
///
/// A node takes thousands of times as long where the system must find memory for the table first. So a
/// number that is right for most nodes would let a search exceed its time.
#[derive(Debug)]
pub struct CheckInterval {
    nodes: u64,
    last: Duration,
}

impl CheckInterval {
    pub const fn new() -> CheckInterval {
        CheckInterval { nodes: LEAST, last: Duration::ZERO }
    }

    /// The nodes until the next check, when the search has taken `elapsed` at this one.
    pub fn next(&mut self, elapsed: Duration) -> u64 {
        let took = elapsed.saturating_sub(self.last);
        self.last = elapsed;
        self.nodes = if took > LONG { self.nodes / 2 } else { self.nodes * 2 }.clamp(LEAST, MOST);
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_checked_more_often_when_nodes_are_slow() {
        let mut interval = CheckInterval::new();
        let mut clock = Duration::ZERO;
        // In a thousandth of a second each, then in a hundredth.
        let mut next = |millis| {
            clock += Duration::from_millis(millis);
            interval.next(clock)
        };
        assert_eq!([(); 9].map(|()| next(1)), [16, 32, 64, 128, 256, 512, 1024, 1024, 1024]);
        assert_eq!([(); 9].map(|()| next(10)), [512, 256, 128, 64, 32, 16, 8, 8, 8]);
        assert_eq!(next(1), 16);
    }
}
