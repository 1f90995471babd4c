//! The chess clock of a game at the terminal.

use std::fmt;
use std::time::Duration;

use crate::search::clock::{ClockState, TimeBudget};
use crate::types::{Color, Moment};

/// The time for the whole game and what each move adds, the same for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub time: Duration,
    pub increment: Duration,
}

impl Level {
    /// Reads `5`, `5+3` or `5 3`: minutes for the game and seconds for each move. Reads CECP's
    /// `level` with its three numbers as well, if the first is 0.
    pub(super) fn parse(text: &str) -> Option<Level> {
        let words: Vec<&str> =
            text.split([' ', '\t', '+']).filter(|word| !word.is_empty()).collect();
        let words = match words.as_slice() {
            ["0", rest @ ..] if rest.len() == 2 => rest,
            words => words,
        };
        let number = |text: &str| text.parse::<f64>().ok().filter(|n| (0.0..=600.0).contains(n));
        let (minutes, seconds) = match words {
            [minutes] => (number(minutes)?, 0.0),
            [minutes, seconds] => (number(minutes)?, number(seconds)?),
            _ => return None,
        };
        let time = Duration::from_secs_f64(minutes * 60.0);
        (!time.is_zero()).then_some(Level { time, increment: Duration::from_secs_f64(seconds) })
    }
}

/// A clock for both sides. One side's time runs.
#[derive(Clone, Debug)]
pub(super) struct ChessClock {
    level: Level,
    /// The time left, by colour.
    left: [Duration; 2],
    /// Since when the time of the side to move runs.
    since: Moment,
}

impl ChessClock {
    pub(super) const fn new(level: Level, now: Moment) -> ChessClock {
        ChessClock { level, left: [level.time; 2], since: now }
    }

    pub(super) const fn level(&self) -> Level {
        self.level
    }

    /// Takes the time since the last call from a side that moves now. Returns false, and leaves no
    /// time, if that is more than the side has left.
    pub(super) fn spend(&mut self, side: Color, now: Moment) -> bool {
        let spent = now.since(self.since);
        self.since = now;
        let left = &mut self.left[side.index()];
        let is_in_time = spent <= *left;
        *left = left.saturating_sub(spent);
        if is_in_time {
            *left += self.level.increment;
        }
        is_in_time
    }

    /// How long the engine may think about a move of this side.
    pub(super) fn budget(&self, side: Color) -> TimeBudget {
        TimeBudget::allocate(&ClockState {
            time_left: self.left[side.index()],
            increment: self.level.increment,
            moves_to_go: None,
            overhead: Duration::ZERO,
        })
    }
}

/// The time left: `White 4:59, Black 5:00`.
impl fmt::Display for ChessClock {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [white, black] = Color::ALL.map(|side| {
            let seconds = self.left[side.index()].as_secs();
            format!("{side} {}:{:02}", seconds / 60, seconds % 60)
        });
        write!(f, "{white}, {black}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn level(seconds: u64, increment: u64) -> Level {
        Level { time: Duration::from_secs(seconds), increment: Duration::from_secs(increment) }
    }

    #[test]
    fn levels_are_minutes_and_seconds() {
        assert_eq!(Level::parse("5"), Some(level(300, 0)));
        assert_eq!(Level::parse("5+3"), Some(level(300, 3)));
        assert_eq!(Level::parse(" 0.5  2 "), Some(level(30, 2)));
        assert_eq!(Level::parse("0 5 3"), Some(level(300, 3)));
        for text in ["", "0", "x", "-1", "5+x", "1 2 3 4", "inf", "NaN", "9999", "40 5 0"] {
            assert_eq!(Level::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_side_that_moves_spends_time() {
        let after = |seconds| Moment::START + Duration::from_secs(seconds);
        let mut clock = ChessClock::new(level(60, 2), Moment::START);
        assert!(clock.spend(Color::White, after(10)));
        assert!(clock.spend(Color::Black, after(15)));
        assert_eq!(clock.to_string(), "White 0:52, Black 0:57");
        assert!(clock.budget(Color::White).hard < Duration::from_secs(52));
        assert!(!clock.spend(Color::White, after(68)));
        assert_eq!(clock.to_string(), "White 0:00, Black 0:57");
    }
}
