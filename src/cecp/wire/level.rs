//! Time controls as the `level` command writes them.

use std::fmt;
use std::time::Duration;

use super::grammar;

/// `level MOVES BASE INCREMENT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Moves in each session; 0 if the base time is for the whole game.
    pub moves: u32,
    pub base: Duration,
    pub increment: Duration,
}

impl Level {
    /// Reads the base time: minutes or `MIN:SS`. Text behind it is ignored, as in `25+5`. A clock below zero has run
    /// out and counts as zero: python-chess writes `-1:59`.
    pub(super) fn read_base(text: &str) -> Option<Duration> {
        let negative = text.strip_prefix('-');
        let (minutes, rest) = leading_number(negative.unwrap_or(text))?;
        let seconds =
            rest.strip_prefix(':').and_then(leading_number).map_or(0.0, |(number, _)| number);
        let positive = || grammar::duration(minutes * 60.0 + seconds);
        Some(if negative.is_some() { Duration::ZERO } else { positive() })
    }
}

/// The number at the start of a text, and the rest.
fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((grammar::decimal(number)?, rest))
}

/// The arguments of the command: `40 5 0`, `0 0:30 0.5`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let minutes = self.base.as_secs() / 60;
        let seconds = self.base.as_secs_f64() - (minutes * 60) as f64;
        write!(f, "{} {minutes}", self.moves)?;
        if seconds > 0.0 {
            let zero = if seconds < 10.0 { "0" } else { "" };
            write!(f, ":{zero}{}", decimals(seconds))?;
        }
        write!(f, " {}", decimals(self.increment.as_secs_f64()))
    }
}

/// A number of seconds to the millisecond, without trailing zeros.
pub(super) fn decimals(seconds: f64) -> String {
    let text = format!("{seconds:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_minutes_or_minutes_and_seconds() {
        let base = |text| Level::read_base(text).map(|time| time.as_millis());
        assert_eq!(base("5"), Some(300_000));
        assert_eq!(base("0:30"), Some(30_000));
        assert_eq!(base("5:30"), Some(330_000));
        assert_eq!(base("25+5"), Some(1_500_000));
        assert_eq!(base("0.5"), Some(30_000));
        assert_eq!(base("0:"), Some(0));
        assert_eq!(base("99999999999999999999"), Some(1_000_000_000_000));
        assert_eq!([base("-5"), base("-1:59")], [Some(0); 2]);
        for nonsense in ["", "-", "--5", "abc", ":30", "1.2.3"] {
            assert_eq!(base(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn levels_print_as_xboard_prints_them() {
        let level = |moves, base, increment| {
            let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
            Level { moves, base, increment }.to_string()
        };
        assert_eq!(level(40, 300_000, 0), "40 5 0");
        assert_eq!(level(0, 30_000, 500), "0 0:30 0.5");
        assert_eq!(level(0, 65_000, 50), "0 1:05 0.05");
        assert_eq!(level(0, 1_500, 10), "0 0:01.5 0.01");
    }
}
