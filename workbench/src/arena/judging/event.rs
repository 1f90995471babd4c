//! What happens in a game, from the view of one player: the facts that the judges read.
//!
//! Followers of a dialogue, and the replay of a PGN game, emit events. They decide what the facts are:
//! whether a move is legal, a ping answered, a claim true. The judges decide which criterion a fact
//! concerns.

use std::fmt;
use std::time::Duration;

use super::claim::ClaimStanding;
use super::ending::Ending;
use super::sheet::{Violation, shown};
use crate::arena::games::ForfeitKind;
use trebuchet::cecp::wire::Feature;
use trebuchet::play::Game;
use trebuchet::types::{Color, GameResult, Move, Outcome};

/// Something that has happened, and where.
#[derive(Clone, Copy)]
pub struct GameEvent<'a> {
    /// The line of the file, from 1.
    pub line: u64,
    /// The board before the event; `None` before a game, and in a game that we do not know.
    pub board: Option<&'a dyn Game>,
    pub kind: EventKind<'a>,
}

/// What has happened. `player` is the side whose events these are.
#[derive(Clone, Copy, Debug)]
pub enum EventKind<'a> {
    // The process and the connection.
    /// The GUI has started the player's program.
    Started,
    /// A line of features.
    Features(&'a [Feature]),
    /// A ping was answered.
    PingAnswered,
    /// A later ping, `answered`, was answered before this one.
    PingSkipped { number: i64, answered: i64 },
    /// This ping was answered after this many milliseconds, in which the player did not have to move.
    PingLate { number: i64, millis: u64 },
    /// This ping was never answered.
    PingUnanswered(i64),
    /// An answer to a ping that was not sent.
    StrayPong(i64),
    /// xboard takes this line of the player for something else.
    Misread(&'a str),

    // The game.
    /// The player's turn took this long. `left` is what it had: `None` without a clock.
    TimeUsed { text: &'a str, elapsed: Duration, left: Option<Duration> },
    /// The player's next move was in time, says the file.
    InTime,
    /// The file does not tell the time of the player's next move.
    UnknownTime,
    /// The player makes a legal move.
    Move(Move),
    /// The player's next move promotes a pawn. Does the text name the new piece?
    Promotion { text: &'a str, is_named: bool },
    /// The player makes an illegal move.
    IllegalMove { text: &'a str, reason: &'a str },
    /// The player makes a move that cannot be judged, for this reason.
    UnknownMove { reason: &'static str },
    /// The player moves when nobody has asked it.
    StrayMove { text: &'a str, when: StrayMoment },
    /// The player calls a move illegal.
    Refusal { text: &'a str, is_legal: bool },
    /// The player has not refused an illegal move: it plays on, or it is silent.
    IllegalMoveAccepted { text: &'a str, plays_on: bool },
    /// The player claims a result.
    Claim { result: GameResult, comment: &'a str, standing: ClaimStanding },
    /// The player of this colour resigns.
    Resignation(Color),

    // The end.
    /// The game, or the file, ends while the player should have moved.
    NoMove { elapsed: Duration, left: Option<Duration> },
    /// On its last turn, the bot has printed a legal move without `move` before it, and then no move.
    BareMove { text: &'a str },
    /// The GUI or the file says, in these words, that the player's time is up. `on_turn`: it had to
    /// move.
    OutOfTime { words: &'a str, on_turn: bool },
    /// The GUI or the file says, in these words, that the player has forfeited the game.
    Forfeit { kind: ForfeitKind, words: &'a str },
    /// The player has lost the game on its turn, and nobody says how.
    UnexplainedLoss,
    /// Everything that belongs to the game has been followed.
    GameEnded(&'a FollowedGame),
}

/// When a move was made that nobody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrayMoment {
    AfterEnd(Outcome),
    AfterResult,
    InForceMode,
    InAnalyzeMode,
    NotOnTurn,
}

impl fmt::Display for StrayMoment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            StrayMoment::AfterEnd(outcome) => write!(f, "after the end of the game: {outcome}"),
            StrayMoment::AfterResult => f.write_str("after the GUI has announced the result"),
            StrayMoment::InForceMode => f.write_str("in force mode"),
            StrayMoment::InAnalyzeMode => f.write_str("in analyze mode"),
            StrayMoment::NotOnTurn => f.write_str("when it is not the bot's turn"),
        }
    }
}

/// A game that a player has played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedGame {
    /// The number of the game in its file or session, from 1; 0 if the player was never asked for a
    /// move.
    pub number: usize,
    /// The line at which the game begins.
    pub line: u64,
    /// The name of the variant, as the GUI writes it.
    pub variant: String,
    /// The colour of the player's first move.
    pub color: Option<Color>,
    /// The number of the player's moves.
    pub moves: usize,
    pub ending: Ending,
}

/// Takes events.
pub trait EventSink {
    /// Something has happened.
    fn on(&mut self, event: &GameEvent);
}

impl GameEvent<'_> {
    /// A violation that is not about a move.
    pub fn violation(&self, text: impl Into<String>) -> Violation {
        Violation::at_line(self.line, text)
    }

    /// A violation at a move that is not on the board yet.
    pub fn violation_at(&self, mv: &str, text: impl Into<String>) -> Violation {
        match self.board {
            Some(board) => Violation::at_move(self.line, board, mv, text),
            None => Violation { mv: shown(mv), ..self.violation(text) },
        }
    }
}
