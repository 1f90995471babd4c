//! What a match asks of an engine, whichever protocol it speaks.

use std::time::Duration;

use super::limits::{EngineLimits, PlayerClock};
use super::log_writer::LogHandle;
use super::process::EngineError;
use trebuchet::protocol::dialect::MoveText;
use trebuchet::types::GameResult;
use trebuchet::types::{Color, Depth, Score};
use trebuchet::variants::VariantId;

/// A game that begins.
#[derive(Clone, Debug)]
pub struct GameStart<'a> {
    pub variant: VariantId,
    /// The position it begins from, in our own FEN; `None` is the variant's start position.
    pub fen: Option<&'a str>,
    /// The engine's side.
    pub color: Color,
    /// The opponent's name.
    pub opponent: &'a str,
    /// What limits the engine's moves in this game.
    pub limits: &'a EngineLimits,
}

/// The state of a game while the engine or its opponent is to move.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// All moves since the start.
    pub moves: &'a [MoveText],
    pub own_clock: &'a PlayerClock,
    pub opponent_clock: &'a PlayerClock,
    /// An engine that has not answered after this time has stalled. It is longer than the time on
    /// its clock.
    pub timeout: Duration,
}

/// What the engine did on its turn.
#[derive(Clone, Debug)]
pub struct Answer {
    pub elapsed: Duration,
    pub action: Action,
    pub thought: Option<Thought>,
    pub offers_draw: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A move, as the engine wrote it.
    Move(String),
    Resign,
    /// It claims that the game has ended, with this result and comment.
    Claim(GameResult, String),
    /// It calls the opponent's last move illegal.
    Protest(String),
}

/// The last thinking line before a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    pub score: Score,
    pub depth: Depth,
    pub nodes: u64,
}

/// Can the process of an engine be used in another game?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    Keep,
    /// The next game needs a new process.
    Restart,
}

/// An engine that plays. After an error from any method the engine must not be used again.
pub trait Player: Send {
    /// Prepares for a new game. Afterwards the engine is idle and ready.
    ///
    /// # Errors
    /// As all methods: if the process ends, does not answer in time, or cannot do what is asked.
    fn start_game(&mut self, start: &GameStart) -> Result<(), EngineError>;

    /// Makes the engine choose its move, and waits for it.
    fn choose(&mut self, turn: &Turn) -> Result<Answer, EngineError>;

    /// Says that the opponent thinks now. An engine that is allowed to ponder starts to.
    fn wait(&mut self, turn: &Turn) -> Result<(), EngineError>;

    /// Passes on the opponent's offer of a draw. The answer, if any, comes with the next move.
    fn offer_draw(&mut self) -> Result<(), EngineError>;

    /// Ends the game. Afterwards the engine is idle.
    fn end_game(&mut self, result: GameResult, comment: &str) -> Result<Reuse, EngineError>;

    /// What the operator of the match should know about the engine, since the last call. The texts
    /// follow the engine's name.
    fn take_remarks(&mut self) -> Vec<String>;

    /// Sets the log for the coming game.
    fn set_log(&mut self, log: Option<LogHandle>);

    /// Asks the engine to leave, and waits a little. Dropping it kills the process.
    fn quit(&mut self);
}

/// The remark on an option that the engine does not declare; `None` if it does.
pub fn undeclared_option(name: &str, declared: &[String]) -> Option<String> {
    let is_declared = declared.iter().any(|other| other.eq_ignore_ascii_case(name));
    (!is_declared).then(|| match declared {
        [] => format!("declares no options, so `{name}` may have no effect"),
        _ => format!(
            "declares no option `{name}`, so it may have no effect; its options: {}",
            declared.join(", ")
        ),
    })
}

/// Is it Trebuchet, by its name? It has more options than it declares, the constants of its search, and says itself
/// what it does with them.
pub fn is_trebuchet(name: &str) -> bool {
    name.starts_with("Trebuchet")
}

/// How long an engine may take for things other than its moves.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// To start and complete the handshake.
    pub start: Duration,
    /// To answer `ping` or `isready`.
    pub answer: Duration,
    /// To leave after `quit`.
    pub quit: Duration,
}

impl Timeouts {
    /// With half of the time to start for answers, but no less than usual.
    pub fn of_startup(start: Duration) -> Timeouts {
        let usual = Timeouts::default();
        Timeouts { start, answer: usual.answer.max(start / 2), ..usual }
    }
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(10),
            answer: Duration::from_secs(5),
            quit: Duration::from_secs(1),
        }
    }
}
