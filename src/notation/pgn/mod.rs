//! Portable game notation (PGN): games as text, written and read.
//!
//! A game is a tree: each move has its comment, its annotation glyphs, and the side lines that replace
//! it. Who needs the moves of the game alone ignores the rest. Reading is tolerant: tags may be
//! missing, and a broken game does not spoil the next one. The moves are only checked when a game is
//! replayed on a board.

pub mod comment;
mod decode;
mod reader;
mod writer;

use std::fmt;

pub use decode::{decode, has_utf16_mark};
pub use reader::read;

use super::{MoveError, parse_move};
use crate::board::{FenError, Position, Rules, fen};
use crate::types::{Color, GameResult, Move};

/// A game: tags in order, moves in SAN, and the result.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PgnGame {
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub comment: Option<String>,
    pub moves: Vec<PgnMove>,
    /// The result at the end of the movetext; unfinished if there is none.
    pub result: GameResult,
    /// What could not be read as it was meant.
    pub flaws: Vec<Flaw>,
}

/// What is wrong with the text of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The moves behind the brace are part of the comment.
    #[error("a comment is never closed, so moves after it are not read")]
    OpenComment,
    /// The line of the tag.
    #[error("this tag cannot be read: {0}")]
    Tag(String),
}

/// A move as it is written, with what follows it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PgnMove {
    /// The move without glyphs such as `!?`. A null move, which only annotations have, is `--`.
    pub san: String,
    /// The numeric annotation glyphs (NAGs): 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// The comments after the move, joined by blanks. Line breaks in them are blanks.
    pub comment: Option<String>,
    /// The side lines that replace this move.
    pub variations: Vec<Variation>,
}

/// A side line.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Variation {
    /// The comment before the first move.
    pub comment: Option<String>,
    pub moves: Vec<PgnMove>,
}

/// Side lines that are nested deeper than this are not read.
const MOST_NESTED: usize = 64;

/// The numeric annotation glyphs that PGN also writes as marks behind the move, with their marks.
pub const GLYPHS: [(u8, &str); 6] =
    [(1, "!"), (2, "?"), (3, "!!"), (4, "??"), (5, "!?"), (6, "?!")];

/// The numeric annotation glyph of a mark such as `!?`.
pub fn nag_of(mark: &str) -> Option<u8> {
    GLYPHS.iter().find(|(_, text)| *text == mark).map(|&(nag, _)| nag)
}

/// Why a game cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("bad FEN tag: {0}")]
    Fen(#[from] FenError),
    /// The ply counts from 1.
    #[error("ply {ply}, {text}: {error}")]
    Move { ply: usize, text: String, error: MoveError },
}

impl PgnMove {
    /// A move without annotations.
    pub fn new(san: impl Into<String>) -> PgnMove {
        PgnMove { san: san.into(), ..PgnMove::default() }
    }
}

impl PgnGame {
    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Adds a tag at the end.
    pub fn push_tag(&mut self, name: &str, value: impl fmt::Display) {
        self.tags.push((name.to_owned(), value.to_string()));
    }

    /// Changes the value of a tag, or adds the tag at the end.
    pub fn set_tag(&mut self, name: &str, value: impl fmt::Display) {
        match self.tags.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value.to_string(),
            None => self.push_tag(name, value),
        }
    }

    /// The result at the end of the movetext; where there is none, that of the tag.
    pub fn told_result(&self) -> GameResult {
        match self.result {
            GameResult::Unfinished => {
                self.tag("Result").and_then(GameResult::from_token).unwrap_or_default()
            }
            result => result,
        }
    }

    /// The start position and the moves.
    ///
    /// # Errors
    /// A [`ReplayError`] if the FEN is bad or a move is not legal.
    pub fn replay<R: Rules>(&self) -> Result<(Position<R>, Vec<Move>), ReplayError> {
        let start = match self.tag("FEN") {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for (ply, PgnMove { san, .. }) in self.moves.iter().enumerate() {
            let mv = parse_move(&position, san).map_err(|error| ReplayError::Move {
                ply: ply + 1,
                text: san.clone(),
                error,
            })?;
            position.make_move(mv);
            moves.push(mv);
        }
        Ok((start, moves))
    }

    /// The side that moves first, and the number of its move.
    pub fn first_move(&self) -> (Color, u32) {
        self.tag("FEN").map_or((Color::White, 1), fen::next_move)
    }
}

#[cfg(test)]
mod tests;
