//! The clock of a bot, as far as a debug log tells it.

use std::time::Duration;

use crate::arena::engines::{Period, PlayerClock, TimeControl};
use trebuchet::cecp::wire::Level;

/// A bot that does not want `time` is judged by `level` and `st`; with `time` the GUI says how much is
/// left.
#[derive(Clone, Debug, Default)]
pub struct LogClock {
    /// The clock of `level` or `st`.
    clock: Option<PlayerClock>,
    /// The last `time`, until the next turn.
    remaining: Option<Duration>,
    /// The plies that the GUI has made in force mode since `level` or the bot's last turn.
    forced: u32,
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
        self.forced = 0;
        self.clock = Some(PlayerClock::new(TimeControl::Clock(Period { moves, base, increment })));
    }

    /// `st`.
    pub fn move_time(&mut self, time: Duration) {
        self.clock = (time < UNLIMITED).then(|| PlayerClock::new(TimeControl::PerMove(time)));
    }

    /// `nps`.
    pub fn node_rate(&mut self, rate: u32) {
        self.counts_nodes = rate > 0;
    }

    /// The GUI makes a move for one side in force mode.
    pub fn forced_move(&mut self) {
        self.forced += 1;
    }

    /// `time`.
    pub fn set_remaining(&mut self, left: Duration) {
        self.remaining = Some(left);
    }

    /// What the bot has for its turn, which begins now.
    pub fn start_turn(&mut self) -> Option<Duration> {
        let remaining = self.remaining.take();
        // The bot is to move now, so the other side has made the odd one.
        let own = std::mem::take(&mut self.forced) / 2;
        self.clock.iter_mut().for_each(|clock| clock.skip_moves(own));
        if self.counts_nodes {
            return None;
        }
        remaining.or_else(|| self.clock.as_ref()?.left())
    }

    /// The turn has ended after this time.
    pub fn end_turn(&mut self, elapsed: Duration) {
        if let Some(clock) = &mut self.clock {
            // The clock goes on after its flag has fallen.
            let _ = clock.charge(elapsed, UNLIMITED * 365);
        }
    }
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
        clock.set_remaining(ms(900));
        assert_eq!(clock.start_turn(), Some(ms(900)));
        clock.end_turn(ms(1_000));
        assert_eq!(clock.start_turn(), Some(ms(4_100)), "`time` holds for one turn");
        clock.end_turn(ms(9_000));
        assert_eq!(clock.start_turn(), Some(ms(100)));
        clock.move_time(ms(1_000));
        assert_eq!(clock.start_turn(), Some(ms(1_000)));
        clock.move_time(UNLIMITED);
        assert_eq!(clock.start_turn(), None);
        clock.level(Level { moves: 4, base: ms(5_000), increment: Duration::ZERO });
        (0..7).for_each(|_| clock.forced_move());
        assert_eq!(clock.start_turn(), Some(ms(5_000)));
        clock.end_turn(ms(4_000));
        assert_eq!(clock.start_turn(), Some(ms(6_000)), "the opening counts for the period");
        clock.node_rate(1_000);
        clock.set_remaining(ms(10));
        assert_eq!(clock.start_turn(), None);
    }
}
