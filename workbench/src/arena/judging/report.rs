//! The report on one game of one bot.

use std::fmt;
use std::sync::Arc;

use super::ending::Ending;
use super::sheet::Sheet;
use trebuchet::types::Color;

/// One of the two engines of a log or a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineSlot {
    First,
    Second,
}

impl fmt::Display for EngineSlot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            EngineSlot::First => "first",
            EngineSlot::Second => "second",
        })
    }
}

/// The report on one game of one bot.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The name of the file, as the user wrote it.
    pub file: Arc<str>,
    /// The number of the game in its file, from 1; 0 if the bot has played none.
    pub game: usize,
    /// The line at which the game begins.
    pub line: u64,
    /// Which engine of the log it is; `None` in a PGN file.
    pub slot: Option<EngineSlot>,
    /// The name of the bot.
    pub name: String,
    /// The name of its opponent, if the file tells it.
    pub opponent: Option<String>,
    /// The name of the variant, as the file has it.
    pub variant: String,
    /// The colour of its first move.
    pub color: Option<Color>,
    /// The number of its own moves.
    pub moves: usize,
    pub ending: Ending,
    pub sheet: Sheet,
}
