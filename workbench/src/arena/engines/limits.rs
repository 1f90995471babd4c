//! The limits for an engine's moves, and the clock that enforces them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::seconds;

/// Limits of time, depth and nodes. They hold together: the first that is reached ends a search.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EngineLimits {
    pub time_control: TimeControl,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
}

/// How time is limited. The type of this name in `trebuchet::play` is what the clock of our own engine
/// counts by, a [`Period`] here.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum TimeControl {
    Clock(Period),
    /// The same time for each move; unused time is lost.
    PerMove(Duration),
    #[default]
    Untimed,
}

/// What a chess clock grants: `base` for each `moves` moves, or for the whole game, and an increment after
/// each move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

/// The text is not a time control.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time control; examples: 40/60, 5+0.05, 40/1:30+0.5, inf")]
pub struct TimeControlError(String);

/// `[MOVES/]TIME[+INCREMENT]`, times in seconds or `MIN:SS`; or `inf`, or `-` as in PGN. `1/TIME` is the same
/// time for each move.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        if matches!(text, "inf" | "-") {
            return Ok(TimeControl::Untimed);
        }
        match read_period(text) {
            Some(Period { moves: Some(1), base, increment: Duration::ZERO }) => {
                Ok(TimeControl::PerMove(base))
            }
            Some(period) => Ok(TimeControl::Clock(period)),
            None => Err(TimeControlError(text.to_owned())),
        }
    }
}

fn read_period(text: &str) -> Option<Period> {
    let (moves, times) = match text.split_once('/') {
        Some((moves, times)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), times),
        None => (None, text),
    };
    let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
    let base = match base.split_once(':') {
        Some((minutes, rest)) => seconds::read(minutes)? * 60 + seconds::read(rest)?,
        None => seconds::read(base)?,
    };
    let increment = seconds::read(increment)?;
    (base + increment > Duration::ZERO).then_some(Period { moves, base, increment })
}

/// The value of the PGN tag `TimeControl`: `40/60`, `5+0.05`, `1/0.1` for a tenth of a second per
/// move, `-` without a limit of time.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TimeControl::Clock(Period { moves, base, increment }) => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if !increment.is_zero() {
                    write!(f, "+{}", increment.as_secs_f64())?;
                }
                Ok(())
            }
            TimeControl::PerMove(time) => write!(f, "1/{}", time.as_secs_f64()),
            TimeControl::Untimed => f.write_str("-"),
        }
    }
}

impl EngineLimits {
    /// Is nothing limited?
    pub fn is_unlimited(&self) -> bool {
        *self == EngineLimits::default()
    }
}

/// All limits, for people.
impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut parts = Vec::new();
        if self.time_control != TimeControl::Untimed {
            parts.push(self.time_control.to_string());
        }
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(if parts.is_empty() { "unlimited" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// One side's clock in one game.
#[derive(Clone, Debug)]
pub struct PlayerClock {
    time_control: TimeControl,
    left: Duration,
    played: u32,
}

impl PlayerClock {
    pub fn new(time_control: TimeControl) -> PlayerClock {
        let left = match time_control {
            // Without a base there would be no time for the first move.
            TimeControl::Clock(control) if control.base.is_zero() => control.increment,
            TimeControl::Clock(control) => control.base,
            TimeControl::PerMove(time) => time,
            TimeControl::Untimed => Duration::ZERO,
        };
        PlayerClock { time_control, left, played: 0 }
    }

    pub fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// The time left; `None` without a limit of time.
    pub fn left(&self) -> Option<Duration> {
        (self.time_control != TimeControl::Untimed).then_some(self.left)
    }

    /// The number of moves to the next time control, including the next move; `None` if the time is
    /// for the rest of the game.
    pub fn moves_to_go(&self) -> Option<u32> {
        match self.time_control {
            TimeControl::Clock(Period { moves: Some(moves), .. }) => {
                Some(moves - self.played % moves)
            }
            _ => None,
        }
    }

    /// Moves were made that took no time, as those of an opening: they count for the period, which ends that much
    /// earlier. Its time is not granted anew.
    pub fn skip_moves(&mut self, moves: u32) {
        self.played += moves;
    }

    /// Charges the clock for a move. A move that exceeds the time left by `margin` or less counts.
    ///
    /// # Errors
    /// The flag has fallen: the move came late by this much.
    pub fn charge(&mut self, elapsed: Duration, margin: Duration) -> Result<(), Duration> {
        let Some(left) = self.left() else { return Ok(()) };
        if elapsed > left + margin {
            return Err(elapsed - left);
        }
        self.played += 1;
        self.left = match self.time_control {
            TimeControl::Clock(control) => {
                let is_period_over =
                    control.moves.is_some_and(|moves| self.played.is_multiple_of(moves));
                let granted = if is_period_over { control.base } else { Duration::ZERO };
                left.saturating_sub(elapsed) + control.increment + granted
            }
            TimeControl::PerMove(time) => time,
            TimeControl::Untimed => Duration::ZERO,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn control(moves: Option<u32>, base: u64, increment: u64) -> TimeControl {
        TimeControl::Clock(Period { moves, base: ms(base), increment: ms(increment) })
    }

    #[test]
    fn a_clock_without_a_base_begins_with_the_increment() {
        let mut clock = PlayerClock::new("0+1".parse().unwrap());
        assert_eq!(clock.left(), Some(ms(1_000)));
        assert_eq!(clock.charge(ms(400), Duration::ZERO), Ok(()));
        assert_eq!(clock.left(), Some(ms(1_600)));
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, time_control, tag) in [
            ("1/0.1", TimeControl::PerMove(ms(100)), "1/0.1"),
            ("1/5+1", control(Some(1), 5_000, 1_000), "1/5+1"),
            ("-", TimeControl::Untimed, "-"),
            ("40/60", control(Some(40), 60_000, 0), "40/60"),
            ("5+0.05", control(None, 5_000, 50), "5+0.05"),
            ("40/1:30+0.5", control(Some(40), 90_000, 500), "40/90+0.5"),
            ("0+1", control(None, 0, 1_000), "0+1"),
            ("inf", TimeControl::Untimed, "-"),
        ] {
            assert_eq!(text.parse(), Ok(time_control), "{text}");
            assert_eq!(time_control.to_string(), tag);
            assert_eq!(tag.parse(), Ok(time_control), "{tag}");
        }
        for wrong in ["", "0", "0/5", "x", "5+x", "-1", "1e9", "nan", "40/", "5+-1"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn increments_come_after_the_move() {
        let mut clock = PlayerClock::new(control(None, 1_000, 100));
        assert_eq!(clock.charge(ms(400), ms(0)), Ok(()));
        assert_eq!(clock.left(), Some(ms(700)));
        assert_eq!(clock.charge(ms(701), ms(0)), Err(ms(1)));
        assert_eq!(clock.charge(ms(701), ms(5)), Ok(()));
        assert_eq!(clock.left(), Some(ms(100)), "an overdrawn clock is empty, not negative");
    }

    #[test]
    fn a_new_period_adds_its_base() {
        let mut clock = PlayerClock::new(control(Some(2), 1_000, 0));
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.charge(ms(300), ms(0)).unwrap();
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(1), Some(ms(700))));
        clock.charge(ms(600), ms(0)).unwrap();
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(2), Some(ms(1_100))));
    }

    #[test]
    fn the_moves_of_an_opening_count_for_the_period() {
        let mut clock = PlayerClock::new(control(Some(4), 1_000, 0));
        clock.skip_moves(3);
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(1), Some(ms(1_000))));
        clock.charge(ms(900), ms(0)).unwrap();
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(4), Some(ms(1_100))));
    }

    #[test]
    fn fixed_times_are_not_carried_over() {
        let mut clock = PlayerClock::new(TimeControl::PerMove(ms(50)));
        clock.charge(ms(10), ms(0)).unwrap();
        assert_eq!(clock.left(), Some(ms(50)));
        assert_eq!(clock.charge(ms(60), ms(0)), Err(ms(10)));
        assert_eq!(PlayerClock::new(TimeControl::Untimed).charge(ms(99_999), ms(0)), Ok(()));
    }
}
