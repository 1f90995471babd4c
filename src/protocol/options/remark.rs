//! What a session tells of an option that it does not set as the GUI wants it.

use std::fmt;

const UNKNOWN: &str = "no such option";
const BAD_VALUE: &str = "bad value of ";
const COUNTS_AS: &str = "this counts as ";

/// A remark on an option or a constant of the search. Names and values are as the session shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionRemark<'a> {
    /// There is none of this name.
    Unknown { name: &'a str },
    /// It does not take this value; `expected` says what it takes.
    BadValue { name: &'a str, value: &'a str, expected: &'a str },
    /// The number lies outside the range; the nearest one in it counts.
    CountsAs { name: &'a str, expected: &'a str, taken: i64 },
}

impl OptionRemark<'_> {
    /// Is this text of an engine such a remark?
    pub fn is_in(text: &str) -> bool {
        [UNKNOWN, BAD_VALUE, COUNTS_AS].iter().any(|words| text.contains(words))
    }
}

impl fmt::Display for OptionRemark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OptionRemark::Unknown { name } => write!(f, "{UNKNOWN}: {name}"),
            OptionRemark::BadValue { name, value, expected } => {
                write!(f, "{BAD_VALUE}{name}: {value} (expected {expected})")
            }
            OptionRemark::CountsAs { name, expected, taken } => {
                write!(f, "{name} takes {expected}: {COUNTS_AS}{taken}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_recognised() {
        let (name, expected) = ("Hash", "a number from 1 to 65536");
        for (remark, text) in [
            (OptionRemark::Unknown { name }, "no such option: Hash"),
            (
                OptionRemark::BadValue { name, value: "x", expected },
                "bad value of Hash: x (expected a number from 1 to 65536)",
            ),
            (
                OptionRemark::CountsAs { name, expected, taken: 1 },
                "Hash takes a number from 1 to 65536: this counts as 1",
            ),
        ] {
            assert_eq!(remark.to_string(), text);
            assert!(OptionRemark::is_in(text), "{text}");
        }
        assert!(!OptionRemark::is_in("at most 64 MiB of hash are allowed"));
    }
}
