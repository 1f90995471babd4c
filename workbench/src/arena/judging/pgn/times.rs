//! The times of the moves in a PGN game.

use std::time::Duration;

use crate::arena::engines::{PlayerClock, TimeControl};
use crate::arena::games::MoveRecord;
use trebuchet::notation::pgn::comment::{argument, read_time};
use trebuchet::notation::pgn::{PgnGame, PgnMove};
use trebuchet::types::Color;

/// The clocks of both players, as far as the tags and comments tell them.
pub struct PgnClocks([Option<PlayerClock>; 2]);

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
            time_control(text).map(PlayerClock::new)
        }))
    }

    /// The time of the next move of a player; `None` if the file does not tell it.
    pub fn next(&mut self, color: Color, mv: &PgnMove) -> Option<MoveTime> {
        let clock = &mut self.0[color.index()];
        let Some(elapsed) = exact_time(mv) else {
            clock.iter_mut().for_each(|clock| clock.skip_moves(1));
            return None;
        };
        let left = clock.as_ref().and_then(PlayerClock::left);
        if let Some(clock) = clock {
            // The clock goes on after its flag has fallen.
            let _ = clock.charge(elapsed, Duration::MAX / 4);
        }
        Some(MoveTime { elapsed, left })
    }
}

/// The time of a move, if it is exact. xboard writes `+0.31/12 0.4`, without a unit: it rounds to tenths, omits what is
/// less, and its tag `TimeControl` lacks the fraction of the increment. `[%emt 0:00:01]` is rounded, too.
fn exact_time(mv: &PgnMove) -> Option<Duration> {
    let comment = mv.comment.as_deref().unwrap_or_default();
    let has_unit =
        |word: &str| word.trim_end_matches(',').strip_suffix('s').and_then(read_time).is_some();
    let is_exact = comment.split_whitespace().take(2).any(has_unit)
        || argument(comment, "emt").is_some_and(|time| time.contains('.'));
    MoveRecord::from_pgn(mv).elapsed.filter(|_| is_exact)
}

/// Does the comment show what is left on the clock, so that the move was in time?
pub fn shows_clock(mv: &PgnMove) -> bool {
    argument(mv.comment.as_deref().unwrap_or_default(), "clk").and_then(read_time).is_some()
}

/// The time control of a tag: `40/60`, `5+0.05`. Limits of depth or nodes may follow, behind a comma. `None` for
/// several periods: in a tag a colon stands between these, and not between minutes and seconds.
fn time_control(text: &str) -> Option<TimeControl> {
    let text = text.split(',').next().unwrap_or_default().trim();
    if text.contains(':') { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engines::Period;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn moves_of_an_opening_have_no_time_and_count_for_the_period() {
        let tags = vec![("TimeControl".to_owned(), "3/10".to_owned())];
        let mut clocks = PgnClocks::of(&PgnGame { tags, ..PgnGame::default() });
        let left = |clocks: &mut PgnClocks, comment: Option<&str>| {
            let comment = comment.map(str::to_owned);
            let found = clocks.next(Color::White, &PgnMove { comment, ..PgnMove::new("e4") });
            found.map(|time| time.left)
        };
        assert_eq!([left(&mut clocks, None), left(&mut clocks, None)], [None, None]);
        assert_eq!(left(&mut clocks, Some("9.000s")), Some(Some(ms(10_000))));
        assert_eq!(left(&mut clocks, Some("1.000s")), Some(Some(ms(11_000))));
    }

    #[test]
    fn a_period_of_one_move_loses_unused_time() {
        let period =
            |base| TimeControl::Clock(Period { moves: None, base, increment: Duration::ZERO });
        assert_eq!(time_control("1/0.1"), Some(TimeControl::PerMove(ms(100))));
        assert_eq!(time_control("5, 100 nodes"), Some(period(ms(5_000))));
        let with_increment = Period { moves: Some(1), base: ms(100), increment: ms(100) };
        assert_eq!(time_control("1/0.1+0.1"), Some(TimeControl::Clock(with_increment)));
        assert_eq!(time_control("-"), Some(TimeControl::Untimed));
        for text in ["?", "unlimited", "1/", "1/2/3", "", "40/7200:3600", "40/2:30"] {
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
