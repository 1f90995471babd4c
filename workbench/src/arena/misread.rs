//! Lines of an engine that xboard takes for something else.

use std::fmt;

use trebuchet::cecp::wire::traps::{self, Trap};

/// What xboard takes a line for, and the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misread {
    /// The engine has failed to start, because of this word: xboard ends the connection.
    FailedStart { word: &'static str, line: String },
    /// Too much for xboard's buffer, in bytes: it ends the connection.
    TooLong(usize),
    /// An offer or a claim of a draw.
    Claim(String),
    /// A word of an Internet chess server to a player.
    Chatter(String),
    /// An error that xboard expects, because of this word: it ignores the line, or does without a feature
    /// from now on.
    Ignored { word: &'static str, line: String },
}

/// xboard gives up on a line of this many bytes.
const XBOARD_BUFFER: usize = 8192;

impl Misread {
    /// What xboard takes the line for; `None` if it reads it as it is meant.
    pub fn of(line: &str) -> Option<Misread> {
        let has_claim = line.contains("Draw") || line.contains("offer") && line.contains("draw");
        let is_told = line.starts_with("White") || line.starts_with("Black");
        let text = line.to_owned();
        match traps::check(line).err()? {
            Trap::FailedStart(word) => Some(Misread::FailedStart { word, line: text }),
            Trap::TooLong if line.len() >= XBOARD_BUFFER => Some(Misread::TooLong(line.len())),
            Trap::Chatter | Trap::Variation(_) if has_claim => Some(Misread::Claim(text)),
            Trap::Chatter if is_told => Some(Misread::Chatter(text)),
            Trap::Complaint(word) => Some(Misread::Ignored { word, line: text }),
            _ => None,
        }
    }

    /// Is the connection lost?
    pub fn ends_connection(&self) -> bool {
        matches!(self, Misread::FailedStart { .. } | Misread::TooLong(_))
    }

    /// Is the game or the connection lost?
    pub fn is_fatal(&self) -> bool {
        !matches!(self, Misread::Ignored { .. })
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Misread::FailedStart { word, line } | Misread::Ignored { word, line } => {
                write!(f, "`{word}` in: {line}")
            }
            Misread::TooLong(length) => write!(f, "{length} characters in a line"),
            Misread::Claim(line) | Misread::Chatter(line) => f.write_str(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_xboard_misreads() {
        let line = |text: &str| text.to_owned();
        for (text, misread) in [
            ("error: foo not found", {
                Misread::FailedStart { word: "not found", line: line("error: foo not found") }
            }),
            ("Draw soon", Misread::Claim(line("Draw soon"))),
            ("White is better", Misread::Chatter(line("White is better"))),
            ("`Black`: Draw soon", Misread::Claim(line("`Black`: Draw soon"))),
        ] {
            assert_eq!(Misread::of(text).as_ref(), Some(&misread), "{text}");
            assert!(misread.is_fatal());
        }
        assert_eq!(Misread::of(&"x".repeat(8191)), None);
        let long = Misread::of(&"x".repeat(8192)).unwrap();
        assert_eq!(long.to_string(), "8192 characters in a line");
        assert!(long.ends_connection());
        let ignored = Misread::of("Error (unknown command): hint").unwrap();
        assert_eq!(ignored.to_string(), "`hint` in: Error (unknown command): hint");
        assert!(!ignored.is_fatal());
        for fine in ["move e2e4", "# Draw soon", "12 31 87 905344 e2e4 e7e5", "hello"] {
            assert_eq!(Misread::of(fine), None, "{fine}");
        }
    }
}
