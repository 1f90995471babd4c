//! The chess clock of a game at the terminal.

use std::time::Duration;

use crate::play::TimeControl;
use crate::search::time_management::{ClockShares, ClockState, TimeBudget};
use crate::types::{Color, Moment};

/// Reads `5`, `5+3` or `5 3`: minutes for the game and seconds for each move. Reads `0 5 3` as well, the
/// order of xboard's command `level`.
pub(super) fn read_time_control(text: &str) -> Option<TimeControl> {
    let words: Vec<&str> = text.split([' ', '\t', '+']).filter(|word| !word.is_empty()).collect();
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
    let base = Duration::from_secs_f64(minutes * 60.0);
    let increment = Duration::from_secs_f64(seconds);
    (!base.is_zero()).then_some(TimeControl { moves: 0, base, increment })
}

/// A clock for both sides. One side's time runs.
#[derive(Clone, Debug)]
pub(super) struct ChessClock {
    control: TimeControl,
    /// The time left, by colour.
    left: [Duration; 2],
    /// Since when the time of the side to move runs.
    since: Moment,
    /// What was left before each of the latest moves, and before a flag fell.
    earlier: Vec<[Duration; 2]>,
    has_fallen: bool,
}

impl ChessClock {
    pub(super) const fn new(control: TimeControl, now: Moment) -> ChessClock {
        let left = [control.base; 2];
        ChessClock { control, left, since: now, earlier: Vec::new(), has_fallen: false }
    }

    /// The time control, the same for both sides.
    pub(super) const fn control(&self) -> TimeControl {
        self.control
    }

    /// Takes the time since the last call from a side that moves now. Returns false, and leaves no
    /// time, if that is more than the side has left.
    pub(super) fn spend(&mut self, side: Color, now: Moment) -> bool {
        let spent = now.since(self.since);
        self.since = now;
        self.earlier.push(self.left);
        let left = &mut self.left[side.index()];
        let is_in_time = spent <= *left;
        *left = left.saturating_sub(spent);
        if is_in_time {
            *left += self.control.increment;
        }
        self.has_fallen = !is_in_time;
        is_in_time
    }

    /// The time since the last call is nobody's: the time of the side to move runs from now on.
    pub(super) fn start_again(&mut self, now: Moment) {
        self.since = now;
    }

    /// The time from `asked` to `now`, while the time of the side to move ran, is nobody's.
    pub(super) fn leave_out(&mut self, asked: Moment, now: Moment) {
        self.since = self.since + now.since(asked);
    }

    /// Takes back this many moves: both sides get the time that they had before them, as far as the clock ran then.
    pub(super) fn take_back(&mut self, plies: usize, now: Moment) {
        let plies = plies + usize::from(std::mem::take(&mut self.has_fallen));
        let kept = self.earlier.len().saturating_sub(plies);
        if let Some(&left) = self.earlier.get(kept) {
            self.left = left;
        }
        self.earlier.truncate(kept);
        self.since = now;
    }

    /// How long the engine may think from `now` on about a move of this side, whose time runs.
    pub(super) fn budget(&self, side: Color, now: Moment, shares: &ClockShares) -> TimeBudget {
        let clock = ClockState {
            time_left: self.left[side.index()].saturating_sub(now.since(self.since)),
            increment: self.control.increment,
            moves_to_go: None,
            overhead: Duration::ZERO,
        };
        TimeBudget::allocate(&clock, shares)
    }

    /// Has the last call of [`ChessClock::spend`] left no time?
    pub(super) const fn has_fallen(&self) -> bool {
        self.has_fallen
    }

    /// Is the time of this side, which runs, up?
    pub(super) fn is_up(&self, side: Color, now: Moment) -> bool {
        now.since(self.since) > self.left[side.index()]
    }

    /// The time left: `White 4:59, Black 5:00`. That of the side to move runs; with `None` the clock stands.
    pub(super) fn show(&self, to_move: Option<Color>, now: Moment) -> String {
        let [white, black] = Color::ALL.map(|side| {
            let spent = match to_move == Some(side) {
                true => now.since(self.since),
                false => Duration::ZERO,
            };
            let seconds = self.left[side.index()].saturating_sub(spent).as_secs();
            format!("{side} {}:{:02}", seconds / 60, seconds % 60)
        });
        format!("{white}, {black}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Params;

    const fn control(seconds: u64, increment: u64) -> TimeControl {
        let (base, increment) = (Duration::from_secs(seconds), Duration::from_secs(increment));
        TimeControl { moves: 0, base, increment }
    }

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        assert_eq!(read_time_control("5"), Some(control(300, 0)));
        assert_eq!(read_time_control("5+3"), Some(control(300, 3)));
        assert_eq!(read_time_control(" 0.5  2 "), Some(control(30, 2)));
        assert_eq!(read_time_control("0 5 3"), Some(control(300, 3)));
        for text in ["", "0", "x", "-1", "5+x", "1 2 3 4", "inf", "NaN", "9999", "40 5 0"] {
            assert_eq!(read_time_control(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_side_that_moves_spends_time() {
        let after = |seconds| Moment::START + Duration::from_secs(seconds);
        let mut clock = ChessClock::new(control(60, 2), Moment::START);
        assert!(clock.spend(Color::White, after(10)));
        assert!(clock.spend(Color::Black, after(15)));
        assert_eq!(clock.show(None, after(20)), "White 0:52, Black 0:57");
        assert_eq!(clock.show(Some(Color::White), after(20)), "White 0:47, Black 0:57");
        assert_eq!(clock.show(Some(Color::White), after(99)), "White 0:00, Black 0:57");
        assert!(!clock.is_up(Color::White, after(67)) && clock.is_up(Color::White, after(68)));
        let shares = ClockShares::of(&Params::STANDARD);
        let budget =
            |clock: &ChessClock, seconds| clock.budget(Color::White, after(seconds), &shares);
        assert!(budget(&clock, 15).hard < Duration::from_secs(52));
        // What a coach, for example, has taken since the last move is gone.
        assert!(budget(&clock, 65).hard < Duration::from_secs(2));
        clock.start_again(after(16));
        assert!(!clock.is_up(Color::White, after(68)), "a second was nobody's");
        assert!(!clock.spend(Color::White, after(69)));
        assert_eq!(clock.show(None, after(70)), "White 0:00, Black 0:57");
    }

    #[test]
    fn an_answer_takes_nobodys_time() {
        let after = |seconds| Moment::START + Duration::from_secs(seconds);
        let mut clock = ChessClock::new(control(60, 0), Moment::START);
        clock.leave_out(after(20), after(50));
        assert_eq!(clock.show(Some(Color::White), after(50)), "White 0:40, Black 1:00");
        assert!(clock.spend(Color::White, after(55)));
        assert_eq!(clock.show(None, after(55)), "White 0:35, Black 1:00");
    }
}
