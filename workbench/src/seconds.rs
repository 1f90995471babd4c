//! Numbers of seconds in settings.

use std::time::Duration;

/// The greatest number of seconds: a week.
const MOST: f64 = 604_800.0;

/// Reads a number of seconds such as `5` or `0.05`, at most a week.
pub fn read(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=MOST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_numbers_of_a_week_or_less() {
        for (text, millis) in
            [("0", 0), ("5", 5_000), ("0.05", 50), ("1e-3", 1), ("604800", 604_800_000)]
        {
            assert_eq!(read(text), Some(Duration::from_millis(millis)), "{text}");
        }
        for wrong in ["", " 5", "5s", "-1", "604801", "1e300", "inf", "nan", "1:30"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
