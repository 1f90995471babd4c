//! Results of games, as PGN and CECP write them.

use std::fmt;

use super::{Color, Outcome};

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    Win(Color),
    Draw,
    /// `*`: the game is not finished, or its result is not known.
    #[default]
    Unfinished,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 4] = [
        GameResult::Win(Color::White),
        GameResult::Win(Color::Black),
        GameResult::Draw,
        GameResult::Unfinished,
    ];

    /// The token of PGN and CECP: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn token(self) -> &'static str {
        match self {
            GameResult::Win(Color::White) => "1-0",
            GameResult::Win(Color::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// The result with this token; `None` for other texts.
    pub fn from_token(token: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.token() == token)
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        outcome.winner.map_or(GameResult::Draw, GameResult::Win)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.token())
    }
}
