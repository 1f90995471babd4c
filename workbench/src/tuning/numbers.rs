//! Numbers that several tools share: those on the command line with their limits, and the course of a rate.

use clap::builder::RangedU64ValueParser;
use trebuchet::eval::network::architecture::Hidden;

/// A limit of nodes for a move or a position.
pub fn nodes() -> RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(1..=1_000_000_000)
}

/// The share of the full rate after this share of all steps: it falls along half a cosine to a hundredth.
pub fn rate_at(done: f64) -> f64 {
    0.01 + 0.99 * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0
}

/// The text is not a number within the limits.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadNumber(&'static str);

/// A number from 0 to 1.
///
/// # Errors
/// If the text is another number or none.
pub fn read_share(text: &str) -> Result<f64, BadNumber> {
    read(text, |share| (0.0..=1.0).contains(&share), "not a number from 0 to 1")
}

/// A number greater than 0 and at most 1000: the size of a step.
///
/// # Errors
/// If the text is another number or none.
pub fn read_rate(text: &str) -> Result<f64, BadNumber> {
    let is_rate = |rate: f64| rate > 0.0 && rate <= 1000.0;
    read(text, is_rate, "not a number greater than 0 and at most 1000")
}

/// A size of the hidden layer, by the number of its neurons.
///
/// # Errors
/// If no network has so many, or the text is no number.
pub fn read_hidden(text: &str) -> Result<Hidden, BadNumber> {
    let hidden = text.parse().ok().and_then(Hidden::from_neurons);
    hidden.ok_or(BadNumber("not 128, 256, 384 or 512"))
}

fn read(text: &str, is_good: impl Fn(f64) -> bool, wanted: &'static str) -> Result<f64, BadNumber> {
    text.parse().ok().filter(|&number| is_good(number)).ok_or(BadNumber(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_falls_to_a_hundredth() {
        let rates = [0.0, 0.5, 1.0].map(rate_at);
        assert!((rates[0] - 1.0).abs() < 1e-12 && (rates[1] - 0.505).abs() < 1e-12, "{rates:?}");
        assert!((rates[2] - 0.01).abs() < 1e-12, "{rates:?}");
    }

    #[test]
    fn what_is_not_within_the_limits_is_refused() {
        for (text, is_share, is_rate) in [
            ("0", true, false),
            ("0.5", true, true),
            ("1", true, true),
            ("1000", false, true),
            ("1001", false, false),
            ("-1", false, false),
            ("nan", false, false),
            ("inf", false, false),
            ("-inf", false, false),
            ("1e99", false, false),
            ("", false, false),
            ("x", false, false),
        ] {
            assert_eq!(
                (read_share(text).is_ok(), read_rate(text).is_ok()),
                (is_share, is_rate),
                "{text}"
            );
        }
    }
}
