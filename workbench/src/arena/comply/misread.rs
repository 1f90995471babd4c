//! Lines of an engine that xboard takes for something else.

use trebuchet::cecp::wire::traps::{self, Trap};

/// The effect of a line that xboard misreads, and the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misread {
    /// The game or the connection is lost.
    Fatal(String),
    /// The line has no effect, or xboard switches a feature off.
    Lost(String),
}

impl Misread {
    /// What happens to a line; `None` if it is read as it is meant.
    pub fn of(line: &str) -> Option<Misread> {
        let claims =
            |line: &str| line.contains("Draw") || line.contains("offer") && line.contains("draw");
        match traps::check(line) {
            Err(Trap::FailedStart(word)) => Some(Misread::Fatal(format!("`{word}` in: {line}"))),
            Err(Trap::TooLong) if line.len() >= 8192 => {
                Some(Misread::Fatal(format!("{} characters in a line", line.len())))
            }
            Err(Trap::Chatter | Trap::Variation(_)) if claims(line) => {
                Some(Misread::Fatal(line.to_owned()))
            }
            Err(Trap::Chatter) if line.starts_with("White") || line.starts_with("Black") => {
                Some(Misread::Fatal(line.to_owned()))
            }
            Err(Trap::Complaint(word)) => Some(Misread::Lost(format!("`{word}` in: {line}"))),
            _ => None,
        }
    }
}
