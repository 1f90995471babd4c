//! What a GUI says to an engine.

use std::fmt;
use std::time::Duration;

use crate::types::Square;

use super::level::decimals;
use super::{Fault, Level, Reply, echo};
use crate::types::GameResult;

/// A line from the GUI. Texts are as the GUI sent them, without blanks around them.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line.
    Blank,

    // The handshake.
    Xboard,
    Protover(u32),
    Accepted(String),
    Rejected(String),
    Name(String),
    Rating(String),
    Ics(String),
    Computer,
    Quit,

    // The game.
    New,
    Variant(String),
    Random,
    Force,
    Go,
    PlayOther,
    White,
    Black,
    /// A move, `prefixed` by `usermove` or bare.
    Move {
        text: String,
        prefixed: bool,
    },
    MoveNow,
    Ping(i64),
    Draw,
    Result(GameResult, String),
    SetBoard(String),
    Edit,
    Undo,
    Remove,
    Hint,
    Book,
    Pause,
    Resume,

    // The clock.
    Level(Level),
    /// `st`: the time for each move.
    MoveTime(Duration),
    /// `sd`: the depth of the search, in plies.
    Depth(u32),
    /// `nps`: nodes that count as one second; 0 for processor time.
    NodeRate(u32),
    Time(Duration),
    OpponentTime(Duration),

    // Thinking.
    Hard,
    Easy,
    Post,
    NoPost,
    Analyze,
    Exit,
    /// `.`: asks where the analysis stands.
    Status,
    Exclude(Exclusion),
    Include(Exclusion),

    // The machine.
    /// The size of all tables, in MiB.
    Memory(u32),
    Cores(u32),
    EgtPath {
        kind: String,
        path: String,
    },
    Option {
        name: String,
        value: Option<String>,
    },

    // The user's mouse; `None` when it is not on a square of the board.
    Lift(Option<Square>),
    Put(Option<Square>),
    Hover(Option<Square>),

    /// A command of the protocol that the engine ignores, such as those of bughouse.
    Ignored(String),
}

/// The root moves that `exclude` and `include` name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exclusion {
    All,
    Move(String),
}

/// A line that is not a command: what is wrong, and the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}: {line}")]
pub struct CommandError {
    pub fault: Fault,
    /// The line, made safe to repeat.
    pub line: String,
}

impl CommandError {
    pub(super) fn new(fault: Fault, line: &[u8]) -> CommandError {
        CommandError { fault, line: echo(&String::from_utf8_lossy(line)) }
    }

    /// The answer to such a line.
    pub fn reply(self) -> Reply {
        Reply::Error { kind: self.fault.to_string(), text: self.line }
    }
}

/// The line as it goes over the wire, without its end.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use Command::*;
        match self {
            Blank => Ok(()),
            Xboard => f.write_str("xboard"),
            Protover(version) => write!(f, "protover {version}"),
            Accepted(what) => write!(f, "accepted {what}"),
            Rejected(what) => write!(f, "rejected {what}"),
            Name(name) => write!(f, "name {name}"),
            Rating(ratings) => write!(f, "rating {ratings}"),
            Ics(host) => write!(f, "ics {host}"),
            Computer => f.write_str("computer"),
            Quit => f.write_str("quit"),
            New => f.write_str("new"),
            Variant(name) => write!(f, "variant {name}"),
            Random => f.write_str("random"),
            Force => f.write_str("force"),
            Go => f.write_str("go"),
            PlayOther => f.write_str("playother"),
            White => f.write_str("white"),
            Black => f.write_str("black"),
            Move { text, prefixed: true } => write!(f, "usermove {text}"),
            Move { text, prefixed: false } => f.write_str(text),
            MoveNow => f.write_str("?"),
            Ping(number) => write!(f, "ping {number}"),
            Draw => f.write_str("draw"),
            Result(result, comment) if comment.is_empty() => write!(f, "result {result}"),
            Result(result, comment) => write!(f, "result {result} {{{comment}}}"),
            SetBoard(fen) => write!(f, "setboard {fen}"),
            Edit => f.write_str("edit"),
            Undo => f.write_str("undo"),
            Remove => f.write_str("remove"),
            Hint => f.write_str("hint"),
            Book => f.write_str("bk"),
            Pause => f.write_str("pause"),
            Resume => f.write_str("resume"),
            Level(level) => write!(f, "level {level}"),
            MoveTime(time) => write!(f, "st {}", decimals(time.as_secs_f64())),
            Depth(plies) => write!(f, "sd {plies}"),
            NodeRate(rate) => write!(f, "nps {rate}"),
            Time(time) => write!(f, "time {}", time.as_millis() / 10),
            OpponentTime(time) => write!(f, "otim {}", time.as_millis() / 10),
            Hard => f.write_str("hard"),
            Easy => f.write_str("easy"),
            Post => f.write_str("post"),
            NoPost => f.write_str("nopost"),
            Analyze => f.write_str("analyze"),
            Exit => f.write_str("exit"),
            Status => f.write_str("."),
            Exclude(what) => write!(f, "exclude {what}"),
            Include(what) => write!(f, "include {what}"),
            Memory(mebibytes) => write!(f, "memory {mebibytes}"),
            Cores(threads) => write!(f, "cores {threads}"),
            EgtPath { kind, path } => write!(f, "egtpath {kind} {path}"),
            Option { name, value: Some(value) } => write!(f, "option {name}={value}"),
            Option { name, value: None } => write!(f, "option {name}"),
            Lift(square) => write_hand(f, "lift", *square),
            Put(square) => write_hand(f, "put", *square),
            Hover(square) => write_hand(f, "hover", *square),
            Ignored(line) => f.write_str(line),
        }
    }
}

fn write_hand(f: &mut fmt::Formatter, word: &str, square: Option<Square>) -> fmt::Result {
    match square {
        Some(square) => write!(f, "{word} {square}"),
        None => f.write_str(word),
    }
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Exclusion::All => f.write_str("all"),
            Exclusion::Move(text) => f.write_str(text),
        }
    }
}
