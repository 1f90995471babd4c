//! What a GUI says to an engine.

use std::fmt;
use std::time::Duration;

use super::grammar::EMPTY;

/// A line from the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line.
    Blank,
    Uci,
    Debug(bool),
    IsReady,
    /// `setoption`; a button has no value.
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// `register` and what follows it.
    Register(String),
    UciNewGame,
    /// `position`: where the game began, and its moves.
    Position {
        start: Start,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    PonderHit,
    Quit,
}

/// The position from which a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The start position of the variant.
    StartPos,
    /// A FEN as the GUI sent it; perhaps it is none.
    Fen(String),
}

/// The limits of a search. `None` is no limit; all limits hold together.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Go {
    /// Search only these moves; all, if it is empty.
    pub searchmoves: Vec<String>,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The time on White's and on Black's clock.
    pub wtime: Option<Duration>,
    pub btime: Option<Duration>,
    /// What each clock gains with a move.
    pub winc: Option<Duration>,
    pub binc: Option<Duration>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// Search until `stop`.
    pub infinite: bool,
    /// The names of limits that no number follows.
    pub without_number: Vec<String>,
}

/// Why a line is not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No word of the line is a command.
    #[error("unknown command")]
    Unknown,
    /// Something must follow the command.
    #[error("missing argument")]
    MissingArgument,
    /// What follows the command makes no sense.
    #[error("bad argument")]
    BadArgument,
}

/// A line that is not a command: what is wrong, and the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}: {line}")]
pub struct CommandError {
    pub fault: Fault,
    pub line: String,
}

/// The line as it goes over the wire, without its end.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Command::Blank => Ok(()),
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                let value = if value.is_empty() { EMPTY } else { value };
                write!(f, "setoption name {name} value {value}")
            }
            Command::Register(text) if text.is_empty() => f.write_str("register"),
            Command::Register(text) => write!(f, "register {text}"),
            Command::UciNewGame => f.write_str("ucinewgame"),
            Command::Position { start, moves } => {
                match start {
                    Start::StartPos => f.write_str("position startpos")?,
                    Start::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                write_moves(f, "moves", moves)
            }
            Command::Go(go) => write!(f, "{go}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_time(f, "wtime", self.wtime)?;
        write_time(f, "winc", self.winc)?;
        write_time(f, "btime", self.btime)?;
        write_time(f, "binc", self.binc)?;
        write_number(f, "movestogo", self.movestogo)?;
        write_time(f, "movetime", self.movetime)?;
        write_number(f, "depth", self.depth)?;
        write_number(f, "nodes", self.nodes)?;
        write_number(f, "mate", self.mate)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        self.without_number.iter().try_for_each(|name| write!(f, " {name}"))?;
        write_moves(f, "searchmoves", &self.searchmoves)
    }
}

fn write_time(f: &mut fmt::Formatter, name: &str, time: Option<Duration>) -> fmt::Result {
    write_number(f, name, time.map(|time| time.as_millis()))
}

/// ` NAME NUMBER`, if there is a number.
pub(super) fn write_number(
    f: &mut fmt::Formatter,
    name: &str,
    number: Option<impl fmt::Display>,
) -> fmt::Result {
    number.map_or(Ok(()), |number| write!(f, " {name} {number}"))
}

/// ` NAME MOVE MOVE …`, if there are moves.
pub(super) fn write_moves(f: &mut fmt::Formatter, name: &str, moves: &[String]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {name}")?;
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}
