//! The parts of both grammars: words, arguments, numbers.

use std::time::Duration;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_while1};
use nom::combinator::{eof, recognize, value};
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};

/// Why a line is not a command, or why a command is not carried out. The text appears in the
/// parentheses of `Error (…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The protocol does not know the word.
    #[error("unknown command")]
    Unknown,
    /// The word is known, but something must follow it.
    #[error("missing argument")]
    MissingArgument,
    /// The word is known, but what follows makes no sense.
    #[error("bad argument")]
    BadArgument,
    /// The line is longer than any command.
    #[error("line too long")]
    LineTooLong,
    /// `variant` names a game that the engine does not play. The words are those of the protocol.
    #[error("unsupported variant")]
    UnsupportedVariant,
    /// More than one legal move fits.
    #[error("ambiguous move")]
    AmbiguousMove,
    /// The game has reached the longest length that the engine takes.
    #[error("game too long")]
    GameTooLong,
}

impl ParseError<&[u8]> for Fault {
    fn from_error_kind(_: &[u8], _: ErrorKind) -> Fault {
        Fault::Unknown
    }

    fn append(_: &[u8], _: ErrorKind, first: Fault) -> Fault {
        first
    }
}

pub type Parsed<'a, T> = IResult<&'a [u8], T, Fault>;

pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn blanks(input: &[u8]) -> Parsed<'_, ()> {
    value((), take_while1(is_blank)).parse(input)
}

/// The word `name`, whole, with the blanks behind it.
pub fn keyword<'a>(name: &'static str) -> impl Parser<&'a [u8], Output = (), Error = Fault> {
    value((), (tag(name), alt((value((), eof), blanks))))
}

/// Commits to the word recognised so far: an error in `arguments` is a bad or missing argument of
/// that word, and no other word is tried.
pub fn committed<'a, O>(
    mut arguments: impl Parser<&'a [u8], Output = O, Error = Fault>,
) -> impl Parser<&'a [u8], Output = O, Error = Fault> {
    move |input: &'a [u8]| {
        arguments.parse(input).map_err(|error| match error {
            nom::Err::Error(Fault::Unknown) => nom::Err::Failure(Fault::BadArgument),
            nom::Err::Error(fault) => nom::Err::Failure(fault),
            other => other,
        })
    }
}

/// The next word of the line, with the blanks behind it.
pub fn argument(input: &[u8]) -> Parsed<'_, &[u8]> {
    if input.is_empty() {
        return Err(nom::Err::Error(Fault::MissingArgument));
    }
    let (rest, word) = take_till(is_blank).parse(input)?;
    let (rest, ()) = alt((blanks, value((), eof))).parse(rest)?;
    Ok((rest, word))
}

/// The next word, if `read` understands it.
pub fn argument_as<'a, T>(
    read: impl Fn(&str) -> Option<T>,
) -> impl Parser<&'a [u8], Output = T, Error = Fault> {
    move |input: &'a [u8]| {
        let (rest, word) = argument(input)?;
        match std::str::from_utf8(word).ok().and_then(&read) {
            Some(found) => Ok((rest, found)),
            None => Err(nom::Err::Error(Fault::BadArgument)),
        }
    }
}

/// The rest of the line, without blanks at its end; may be empty.
pub fn remark(input: &[u8]) -> Parsed<'_, String> {
    Ok((&[], text(input)))
}

/// The rest of the line, which must not be empty.
pub fn phrase(input: &[u8]) -> Parsed<'_, String> {
    if input.is_empty() { Err(nom::Err::Error(Fault::MissingArgument)) } else { remark(input) }
}

/// A word that is not empty: its bytes up to the next blank.
pub fn any_word(input: &[u8]) -> Parsed<'_, &[u8]> {
    recognize(take_while1(|byte| !is_blank(byte))).parse(input)
}

/// Bytes as text. Bytes that are not UTF-8 are replaced.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// A finite decimal number; not `inf` and not `nan`.
pub fn decimal(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number that is not negative. A fraction is cut off; a number too large becomes `u32::MAX`.
pub fn count(text: &str) -> Option<u32> {
    decimal(text).filter(|&number| number >= 0.0).map(|number| number as u32)
}

/// A time in seconds that is not negative.
pub fn seconds(text: &str) -> Option<Duration> {
    decimal(text).filter(|&number| number >= 0.0).map(duration)
}

/// A clock reading in centiseconds. A clock below zero has run out and counts as zero.
pub fn centiseconds(text: &str) -> Option<Duration> {
    decimal(text).map(|number| duration(number / 100.0))
}

/// The longest time that is read, in seconds: thirty years.
const LONGEST_TIME: f64 = 1e9;

/// Seconds as a duration, clamped to what is read.
pub fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST_TIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_numbers_are_tamed() {
        assert_eq!(count("12"), Some(12));
        assert_eq!(count("12.9"), Some(12));
        assert_eq!(count("99999999999999999999"), Some(u32::MAX));
        for nonsense in ["-1", "abc", "", "inf", "nan", "1x", "0x10"] {
            assert_eq!(count(nonsense), None, "{nonsense}");
        }
        assert_eq!(seconds("0.05"), Some(Duration::from_millis(50)));
        assert_eq!(seconds("1e-05"), Some(Duration::from_micros(10)));
        assert_eq!(seconds("1e300"), Some(Duration::from_secs(1_000_000_000)));
        assert_eq!(centiseconds("-5"), Some(Duration::ZERO));
        assert_eq!(centiseconds("150"), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn keywords_are_whole_words() {
        assert_eq!(keyword("new").parse(b"new".as_slice()), Ok((&b""[..], ())));
        assert_eq!(keyword("new").parse(b"new \t x".as_slice()), Ok((&b"x"[..], ())));
        assert!(keyword("new").parse(b"newer".as_slice()).is_err());
        assert!(keyword("new").parse(b"New".as_slice()).is_err());
    }
}
