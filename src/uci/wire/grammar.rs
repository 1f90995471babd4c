//! The parts of both grammars: a line is a row of words, separated by blanks.

use std::time::Duration;

use nom::bytes::complete::{take_till1, take_while};
use nom::combinator::verify;
use nom::error::Error;
use nom::multi::many0;
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// An empty text, as the value of an option.
pub const EMPTY: &str = "<empty>";

/// A line as text, without its end and the blanks around it. Bytes that are not UTF-8 are replaced.
pub fn line_text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim().to_owned()
}

/// The next word, with the blanks before it.
pub fn word(input: &str) -> IResult<&str, &str> {
    preceded(take_while(char::is_whitespace), take_till1(char::is_whitespace)).parse(input)
}

/// The next word, if it is this one.
pub fn keyword<'a>(
    name: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Error<&'a str>> {
    verify(word, move |found: &str| found == name)
}

/// The words up to one that satisfies the condition, or to the end.
pub fn words_until<'a>(
    is_next: impl Fn(&str) -> bool,
) -> impl Parser<&'a str, Output = Vec<&'a str>, Error = Error<&'a str>> {
    many0(verify(word, move |word: &str| !is_next(word)))
}

/// The next word, if `read` understands it, and what follows it.
pub fn word_as<T>(input: &str, read: impl Fn(&str) -> Option<T>) -> Option<(&str, T)> {
    let (rest, word) = word(input).ok()?;
    Some((rest, read(word)?))
}

/// All words of a text, with one blank between two.
pub fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number that is not negative. A fraction is cut off; a negative number becomes 0, a number too large
/// the greatest one. `None` if it is no number.
pub fn count<T: TryFrom<u64>>(text: &str, greatest: T) -> Option<T> {
    let fraction = || text.parse().ok().filter(|number: &f64| number.is_finite());
    let number = text.parse().ok().or_else(|| Some(fraction()? as u64))?;
    Some(T::try_from(number).unwrap_or(greatest))
}

/// The longest time that is read, in milliseconds: thirty years.
const LONGEST_TIME: u64 = 1_000_000_000_000;

/// A time in milliseconds. A clock below zero has run out and counts as zero.
pub fn millis(text: &str) -> Option<Duration> {
    count(text, u64::MAX).map(|millis| Duration::from_millis(millis.min(LONGEST_TIME)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_blanks() {
        assert_eq!(tidy(" \t a  bc\td "), "a bc d");
        assert_eq!(word(" \u{a0} go depth"), Ok((" depth", "go")));
        assert!(word("  ").is_err());
        assert!(keyword("go").parse("gopher").is_err());
        let (rest, before) = words_until(|word| word == "value").parse(" a b value c").unwrap();
        assert_eq!((before, rest), (vec!["a", "b"], " value c"));
    }

    #[test]
    fn hostile_numbers_are_tamed() {
        assert_eq!(count("12", u32::MAX), Some(12));
        assert_eq!(count("12.9", u32::MAX), Some(12));
        assert_eq!(count("-3", u32::MAX), Some(0));
        assert_eq!(count("99999999999", u32::MAX), Some(u32::MAX));
        assert_eq!(count("1e300", u64::MAX), Some(u64::MAX));
        for nonsense in ["", "x", "1x", "nan", "inf", "0x10", "--1"] {
            assert_eq!(count(nonsense, u32::MAX), None, "{nonsense}");
        }
        assert_eq!(millis("1500"), Some(Duration::from_millis(1500)));
        assert_eq!(millis("-20"), Some(Duration::ZERO));
        assert_eq!(millis("99999999999999999999"), Some(Duration::from_secs(1_000_000_000)));
    }
}
