//! What an engine says to a GUI.

use std::fmt;

use super::info::Info;
use super::option::Declaration;

/// A line from an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `id name`
    Name(String),
    /// `id author`
    Author(String),
    Option(Declaration),
    UciOk,
    ReadyOk,
    Info(Box<Info>),
    BestMove {
        /// `None` in a position without legal moves.
        mv: Option<String>,
        /// The move that the engine expects in answer.
        ponder: Option<String>,
    },
    /// `copyprotection` and the state of it.
    CopyProtection(String),
    /// `registration` and the state of it.
    Registration(String),
    /// An empty line.
    Blank,
    /// Any other line.
    Other(String),
}

/// What engines write for a move where there is none. The first is what Stockfish writes, the second is
/// the null move of the protocol.
pub(super) const NO_MOVE: [&str; 2] = ["(none)", "0000"];

/// The line as it goes over the wire, without its end.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(name) => write!(f, "id author {name}"),
            Reply::Option(declaration) => write!(f, "{declaration}"),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "{info}"),
            Reply::BestMove { mv, ponder } => {
                write!(f, "bestmove {}", mv.as_deref().unwrap_or(NO_MOVE[0]))?;
                ponder.as_ref().map_or(Ok(()), |mv| write!(f, " ponder {mv}"))
            }
            Reply::CopyProtection(state) => write!(f, "copyprotection {state}"),
            Reply::Registration(state) => write!(f, "registration {state}"),
            Reply::Blank => Ok(()),
            Reply::Other(text) => f.write_str(text),
        }
    }
}
