//! The clock of a bot, as far as a debug log tells it.

use std::time::Duration;

use super::item::Item;
use super::sheet::{Sheet, Violation};
use crate::arena::engines::{Clock, Pace, Period};
use trebuchet::cecp::wire::Level;

/// A bot that does not want `time` is judged by `level` and `st`; with `time` the GUI says how much is
/// left.
#[derive(Clone, Debug, Default)]
pub struct LogClock {
    /// The clock of `level` or `st`.
    clock: Option<Clock>,
    /// The last `time`, until the next turn.
    told: Option<Duration>,
    /// Time is counted in nodes (`nps`).
    counts_nodes: bool,
}

/// A limit that no GUI means: `st 86400` and more says that there is none.
const UNLIMITED: Duration = Duration::from_secs(86_400);

impl LogClock {
    /// The block of a new game begins.
    pub fn reset(&mut self) {
        *self = LogClock::default();
    }

    /// `level`.
    pub fn level(&mut self, level: Level) {
        let moves = Some(level.moves).filter(|&moves| moves > 0);
        let Level { base, increment, .. } = level;
        self.clock = Some(Clock::new(Pace::Clock(Period { moves, base, increment })));
    }

    /// `st`.
    pub fn move_time(&mut self, time: Duration) {
        self.clock = (time < UNLIMITED).then(|| Clock::new(Pace::PerMove(time)));
    }

    /// `nps`.
    pub fn node_rate(&mut self, rate: u32) {
        self.counts_nodes = rate > 0;
    }

    /// `time`.
    pub fn told(&mut self, left: Duration) {
        self.told = Some(left);
    }

    /// What the bot has for its turn, which begins now.
    pub fn start_turn(&mut self) -> Option<Duration> {
        let told = self.told.take();
        if self.counts_nodes {
            return None;
        }
        told.or_else(|| self.clock.as_ref()?.left())
    }

    /// The turn has ended after this time.
    pub fn end_turn(&mut self, elapsed: Duration) {
        if let Some(clock) = &mut self.clock {
            // The clock goes on after its flag has fallen.
            let _ = clock.charge(elapsed, UNLIMITED * 365);
        }
    }
}

/// Judges a turn that took `elapsed` of the time `left`. `violation` gives the place.
pub fn judge(
    sheet: &mut Sheet,
    left: Option<Duration>,
    elapsed: Duration,
    margin: Duration,
    violation: impl FnOnce(String) -> Violation,
) {
    let Some(left) = left else {
        sheet.not_judged(Item::Clock, "no clock");
        return;
    };
    let late = (elapsed > left + margin).then(|| {
        violation(format!("{} for the move, with {} left", seconds(elapsed), seconds(left)))
    });
    sheet.judge(Item::Clock, late);
}

/// Seconds to the hundredth.
pub fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn the_gui_tells_the_time_or_it_is_counted() {
        let mut clock = LogClock::default();
        assert_eq!(clock.start_turn(), None);
        clock.level(Level { moves: 0, base: ms(5_000), increment: ms(100) });
        clock.told(ms(900));
        assert_eq!(clock.start_turn(), Some(ms(900)));
        clock.end_turn(ms(1_000));
        assert_eq!(clock.start_turn(), Some(ms(4_100)), "`time` holds for one turn");
        clock.end_turn(ms(9_000));
        assert_eq!(clock.start_turn(), Some(ms(100)));
        clock.move_time(ms(1_000));
        assert_eq!(clock.start_turn(), Some(ms(1_000)));
        clock.move_time(UNLIMITED);
        assert_eq!(clock.start_turn(), None);
        clock.node_rate(1_000);
        clock.told(ms(10));
        assert_eq!(clock.start_turn(), None);
    }

    #[test]
    fn a_move_is_late_beyond_the_margin() {
        let judged = |left, elapsed| {
            let mut sheet = Sheet::default();
            judge(&mut sheet, left, ms(elapsed), ms(200), |text| Violation::at_line(3, text));
            let text = sheet.violations(Item::Clock).next().map(|found| found.text.clone());
            (sheet.verdict(Item::Clock).name(), text)
        };
        assert_eq!(judged(None, 99_999), ("not judged", None));
        assert_eq!(judged(Some(ms(1_000)), 1_200), ("kept", None));
        let text = "1.21 s for the move, with 1.00 s left".to_owned();
        assert_eq!(judged(Some(ms(1_000)), 1_207), ("broken", Some(text)));
    }
}
