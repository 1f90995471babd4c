//! What an engine says to a GUI.

use std::fmt;

use super::{Fault, Feature, RootReport, Thinking, echo};
use crate::types::GameResult;

/// A line from an engine. Texts are as the engine sent them, without blanks around them. In lines of
/// ours, [`echo()`] has cleaned every text of the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Features(Vec<Feature>),
    /// A move in any notation.
    Move(String),
    /// The game has ended by the rules.
    Result(GameResult, String),
    Resign,
    OfferDraw,
    Pong(i64),
    Hint(String),
    /// A line of book text, without the blank that marks it.
    Book(String),
    Thinking(Thinking),
    RootReport(RootReport),
    IllegalMove {
        reason: Option<String>,
        text: String,
    },
    Error {
        kind: String,
        text: String,
    },
    TellUser(String),
    TellUserError(String),
    TellOpponent(String),
    TellOthers(String),
    TellAll(String),
    /// How to set up a variant that the GUI does not know; an answer to `variant`.
    Setup(String),
    /// Colours for squares, written like the first field of a FEN.
    Highlight(String),
    /// `# …`
    Comment(String),
    /// An empty line; it ends book text.
    Blank,
    /// Any other line.
    Other(String),
}

impl Reply {
    /// The answer to a command that is not carried out: what is wrong with it, and the command.
    pub fn error(fault: Fault, command: &str) -> Reply {
        Reply::Error { kind: fault.to_string(), text: echo(command) }
    }
}

/// The line as it goes over the wire, without its end.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use Reply::*;
        match self {
            Features(features) => {
                f.write_str("feature")?;
                features.iter().try_for_each(|feature| write!(f, " {feature}"))
            }
            Move(text) => write!(f, "move {text}"),
            Result(result, comment) if comment.is_empty() => write!(f, "{result}"),
            Result(result, comment) => write!(f, "{result} {{{comment}}}"),
            Resign => f.write_str("resign"),
            OfferDraw => f.write_str("offer draw"),
            Pong(number) => write!(f, "pong {number}"),
            Hint(text) => write!(f, "Hint: {text}"),
            Book(text) => write!(f, " {text}"),
            Thinking(thinking) => write!(f, "{thinking}"),
            RootReport(report) => write!(f, "{report}"),
            IllegalMove { reason: Some(reason), text } => {
                write!(f, "Illegal move ({reason}): {text}")
            }
            IllegalMove { reason: None, text } => write!(f, "Illegal move: {text}"),
            Error { kind, text } => write!(f, "Error ({kind}): {text}"),
            TellUser(text) => write!(f, "telluser {text}"),
            TellUserError(text) => write!(f, "tellusererror {text}"),
            TellOpponent(text) => write!(f, "tellopponent {text}"),
            TellOthers(text) => write!(f, "tellothers {text}"),
            TellAll(text) => write!(f, "tellall {text}"),
            Setup(text) => write!(f, "setup {text}"),
            Highlight(board) => write!(f, "highlight {board}"),
            Comment(text) => write!(f, "# {text}"),
            Blank => Ok(()),
            Other(text) => f.write_str(text),
        }
    }
}
