//! The times of the moves in a PGN game.

use std::time::Duration;

use crate::arena::engines::{Clock, Pace};
use trebuchet::notation::pgn::{PgnGame, PgnMove};
use trebuchet::types::Color;

/// The clocks of both players, as far as the tags and comments tell them.
pub struct PgnClocks([Option<Clock>; 2]);

/// What a file tells of the time of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    pub elapsed: Duration,
    /// What was left on the clock before the move, if the time control is known.
    pub left: Option<Duration>,
}

impl PgnClocks {
    /// The clocks at the start of a game: from the tag `TimeControl`, or in a match with different
    /// clocks from `WhiteTimeControl` and `BlackTimeControl`.
    pub fn of(game: &PgnGame) -> PgnClocks {
        PgnClocks(["WhiteTimeControl", "BlackTimeControl"].map(|own| {
            let text = game.tag(own).or_else(|| game.tag("TimeControl"))?;
            time_control(text).map(Clock::new)
        }))
    }

    /// The time of the next move of a player; `None` if the file does not tell it.
    pub fn next(&mut self, color: Color, mv: &PgnMove) -> Option<MoveTime> {
        let comment = mv.comment.as_deref().unwrap_or_default();
        let elapsed = stamp(comment, "[%emt ").or_else(|| seconds_behind_score(comment))?;
        let clock = &mut self.0[color.index()];
        let left = clock.as_ref().and_then(Clock::left);
        if let Some(clock) = clock {
            // The clock goes on after its flag has fallen.
            let _ = clock.charge(elapsed, Duration::MAX / 4);
        }
        Some(MoveTime { elapsed, left })
    }
}

/// Does the comment show what is left on the clock, so that the move was in time?
pub fn shows_clock(mv: &PgnMove) -> bool {
    stamp(mv.comment.as_deref().unwrap_or_default(), "[%clk ").is_some()
}

/// The time control of a tag: `40/60`, `5+0.05`. Limits of depth or nodes may follow, behind a comma.
/// `1/0.1` is a tenth of a second for each move; unused time is lost.
fn time_control(text: &str) -> Option<Pace> {
    let text = text.split(',').next().unwrap_or_default().trim();
    if let Some(time) = text.strip_prefix("1/")
        && let Ok(Pace::Clock(period)) = time.parse()
        && period.increment.is_zero()
        && period.moves.is_none()
    {
        return Some(Pace::PerMove(period.base));
    }
    text.parse().ok()
}

/// A time in a comment: `[%emt 0:00:01.5]`, in hours, minutes and seconds.
fn stamp(comment: &str, start: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once(start)?;
    let (time, _) = rest.split_once(']')?;
    let mut seconds = 0.0;
    for part in time.trim().split(':') {
        let number: f64 = part.parse().ok().filter(|number| (0.0..=1e6).contains(number))?;
        seconds = seconds * 60.0 + number;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// The time in a comment of `trebuchet match` and Cute Chess: `+0.31/12 0.450s`, `0.450s, White resigns`.
fn seconds_behind_score(comment: &str) -> Option<Duration> {
    let mut words = comment.split_whitespace();
    let first = words.next()?;
    let is_score = first.starts_with(['+', '-', '0']) && first.contains('/');
    let word = if is_score { words.next()? } else { first };
    let seconds: f64 = word.trim_end_matches(',').strip_suffix('s')?.parse().ok()?;
    (0.0..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engines::Period;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn times_are_read_from_comments_of_several_programs() {
        for (comment, expected) in [
            ("[%emt 0:00:01.5]", Some(1_500)),
            ("+0.31/12 0.450s", Some(450)),
            ("-M3/7 12.000s, White mates", Some(12_000)),
            ("0.00/1 0.003s", Some(3)),
            ("0.450s, White resigns", Some(450)),
            ("+0.31/12 0.4", None),
            ("book", None),
            ("White resigns", None),
            ("+0.31/12 -1s", None),
            ("+0.31/12 infs", None),
            ("", None),
        ] {
            let time = stamp(comment, "[%emt ").or_else(|| seconds_behind_score(comment));
            assert_eq!(time, expected.map(ms), "{comment}");
        }
    }

    #[test]
    fn a_period_of_one_move_loses_unused_time() {
        let period = |base| Pace::Clock(Period { moves: None, base, increment: Duration::ZERO });
        assert_eq!(time_control("1/0.1"), Some(Pace::PerMove(ms(100))));
        assert_eq!(time_control("5, 100 nodes"), Some(period(ms(5_000))));
        let with_increment = Period { moves: Some(1), base: ms(100), increment: ms(100) };
        assert_eq!(time_control("1/0.1+0.1"), Some(Pace::Clock(with_increment)));
        for text in ["-", "?", "unlimited", "1/", "1/2/3", ""] {
            assert_eq!(time_control(text), None, "{text}");
        }
        let game = PgnGame {
            tags: vec![("TimeControl".to_owned(), "1/0.1".to_owned())],
            ..PgnGame::default()
        };
        let mut clocks = PgnClocks::of(&game);
        let mv = |time: &str| PgnMove { comment: Some(time.to_owned()), ..PgnMove::new("e4") };
        for time in ["0.010s", "0.450s"] {
            let found = clocks.next(Color::White, &mv(time)).unwrap();
            assert_eq!(found.left, Some(ms(100)), "{time}");
        }
    }
}
