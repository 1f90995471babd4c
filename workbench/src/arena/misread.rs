//! Lines of an engine that xboard takes for something else.

use std::fmt;

use trebuchet::cecp::wire::traps::{self, Trap, XBOARD_BUFFER};

/// How xboard misreads a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misread {
    /// xboard believes that the engine has failed to start, because of this word.
    FailedStart { word: &'static str, line: String },
    /// The line is longer than xboard's buffer, and the connection is lost. Its length in bytes.
    TooLong(usize),
    /// xboard takes the line for the claim or the offer of a draw.
    DrawClaim(String),
    /// The line begins with `White` or `Black`: xboard may take it for a resignation.
    Resignation(String),
    /// The line has no effect, or xboard switches a feature off, because of this word.
    Complaint { word: &'static str, line: String },
}

impl Misread {
    /// What happens to a line; `None` if it is read as it is meant.
    pub fn of(line: &str) -> Option<Misread> {
        match traps::check(line) {
            Err(Trap::FailedStart(word)) => {
                Some(Misread::FailedStart { word, line: line.to_owned() })
            }
            Err(Trap::TooLong) if line.len() >= XBOARD_BUFFER => Some(Misread::TooLong(line.len())),
            Err(Trap::Chatter | Trap::Variation(_)) if traps::is_taken_for_draw(line) => {
                Some(Misread::DrawClaim(line.to_owned()))
            }
            Err(Trap::Chatter) if traps::is_taken_for_resignation(line) => {
                Some(Misread::Resignation(line.to_owned()))
            }
            Err(Trap::Complaint(word)) => Some(Misread::Complaint { word, line: line.to_owned() }),
            _ => None,
        }
    }

    /// Is the game or the connection lost?
    pub const fn is_fatal(&self) -> bool {
        !matches!(self, Misread::Complaint { .. })
    }

    /// Does xboard misread the line at any time? It ignores the others before a game, after it, and
    /// while it waits for the answer to a ping.
    pub const fn is_always_read(&self) -> bool {
        matches!(self, Misread::FailedStart { .. } | Misread::TooLong(_))
    }
}

/// The word and the line, or the line alone.
impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Misread::FailedStart { word, line } | Misread::Complaint { word, line } => {
                write!(f, "`{word}` in: {line}")
            }
            Misread::TooLong(length) => write!(f, "{length} bytes in a line"),
            Misread::DrawClaim(line) | Misread::Resignation(line) => f.write_str(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effect_of_a_line_is_told_by_its_kind() {
        let kind = |line: &str| {
            Misread::of(line)
                .map(|found| (found.is_fatal(), found.is_always_read(), found.to_string()))
        };
        assert_eq!(kind("move e2e4"), None);
        assert_eq!(kind("thinking..."), None);
        assert_eq!(kind("White resigns"), None);
        let failed = "`not found` in: book not found".to_owned();
        assert_eq!(kind("book not found"), Some((true, true, failed)));
        let draw = "`Draw` is my name".to_owned();
        assert_eq!(kind(&draw), Some((true, false, draw.clone())), "the first letter says nothing");
        assert_eq!(kind("White is better").map(|found| found.1), Some(false));
        let complaint = "`time` in: Error (bad argument): time x".to_owned();
        assert_eq!(kind("Error (bad argument): time x"), Some((false, false, complaint)));
        let long = kind(&"x".repeat(XBOARD_BUFFER)).map(|found| found.2);
        assert_eq!(long.as_deref(), Some("8192 bytes in a line"));
    }
}
