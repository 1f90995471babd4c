//! An engine as a player: what a game asks of it, whatever language it speaks.

use std::time::{Duration, Instant};

use super::budget::Clock;
use super::journal::Tap;
use super::process::{Interrupt, Trouble};
use super::spec::{EngineSpec, FenDialect, Protocol};
use super::{cecp, uci};
use crate::types::GameResult;
use crate::types::{Color, Depth, Move, Score};
use crate::variants::VariantId;

/// A game that begins.
#[derive(Clone, Debug)]
pub struct GameStart<'a> {
    pub variant: VariantId,
    /// The position it begins from, as we write it; `None` is the variant's own.
    pub fen: Option<&'a str>,
    /// The side the player takes.
    pub color: Color,
    pub opponent: &'a str,
}

/// The state of a game in which it is the player's turn, or its opponent's.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// All moves since the start.
    pub moves: &'a [Move],
    pub own_clock: &'a Clock,
    pub opponent_clock: &'a Clock,
    /// When to give up waiting; only then, not when the flag falls.
    pub patience: Duration,
}

/// What the player did on its turn.
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
    /// It says that the game has ended so.
    Claim(GameResult, String),
    /// It calls the opponent's last move illegal.
    Protest(String),
}

/// What the engine said about its move before it made it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    pub score: Score,
    pub depth: Depth,
    pub nodes: u64,
}

/// An engine that plays. Every method may find that it is in trouble; then it is to be thrown away.
pub trait Player {
    /// Prepares for a new game: afterwards the engine is idle and ready.
    fn start_game(&mut self, start: &GameStart) -> Result<(), Trouble>;

    /// Makes the player choose its move.
    fn choose(&mut self, turn: &Turn) -> Result<Answer, Trouble>;

    /// Tells that the opponent thinks now; a player that is allowed to ponder does.
    fn wait(&mut self, turn: &Turn) -> Result<(), Trouble>;

    /// The opponent has offered a draw; the answer, if any, comes with the next move.
    fn offer_draw(&mut self) -> Result<(), Trouble>;

    /// The game is over; afterwards the engine is idle.
    fn end_game(&mut self, result: GameResult, comment: &str) -> Result<(), Trouble>;

    /// Where the lines of the coming game are noted.
    fn set_tap(&mut self, tap: Option<Tap>);

    /// Asks the engine to leave, and makes it.
    fn quit(&mut self);
}

/// How long an engine may take to get ready, to answer a ping, to leave.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub start: Duration,
    pub answer: Duration,
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(10),
            answer: Duration::from_secs(5),
            quit: Duration::from_secs(1),
        }
    }
}

/// Starts the engine and gets to know it.
pub fn start(
    spec: &EngineSpec,
    patience: Patience,
    interrupt: Interrupt,
    tap: Option<Tap>,
) -> Result<Box<dyn Player>, Trouble> {
    Ok(match spec.protocol {
        Protocol::Cecp => Box::new(cecp::Engine::start(spec, patience, interrupt, tap)?),
        Protocol::Uci => Box::new(uci::Engine::start(spec, patience, interrupt, tap)?),
    })
}

impl FenDialect {
    /// A position of ours in the words of the dialect; `None` if it cannot be told.
    pub fn write(self, fen: &str) -> Option<String> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let is_counter = |field: &&str| field.contains('+');
        let counters = fields.iter().copied().find(is_counter);
        let plain = || {
            fields.iter().copied().filter(|field| !is_counter(field)).collect::<Vec<_>>().join(" ")
        };
        match (self, counters) {
            (FenDialect::Moves, _) => None,
            (FenDialect::Remaining, _) | (_, None) => Some(fen.to_owned()),
            (FenDialect::Plain, Some(counters)) => (counters == "3+3").then(plain),
            (FenDialect::Given, Some(counters)) => {
                let (white, black) = counters.split_once('+')?;
                let given =
                    |left: &str| left.parse::<u8>().ok().and_then(|left| 3u8.checked_sub(left));
                Some(format!("{} +{}+{}", plain(), given(white)?, given(black)?))
            }
        }
    }
}

/// When the wait for something ends.
pub(super) fn deadline(patience: Duration) -> Instant {
    Instant::now() + patience
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_check_positions_in_every_dialect() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+3 0 1";
        assert_eq!(FenDialect::Remaining.write(fen).as_deref(), Some(fen));
        let given = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +1+0";
        assert_eq!(FenDialect::Given.write(fen).as_deref(), Some(given));
        assert_eq!(FenDialect::Plain.write(fen), None);
        let start = fen.replace("2+3", "3+3");
        assert_eq!(FenDialect::Plain.write(&start), Some(start.replace(" 3+3", "")));
        let chess = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
        assert_eq!(FenDialect::Plain.write(chess).as_deref(), Some(chess));
        assert_eq!(FenDialect::Moves.write(chess), None);
    }
}
