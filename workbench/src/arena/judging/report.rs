//! The report on one game of one bot.

use std::sync::Arc;

use super::ending::Ending;
use super::sheet::Sheet;
use crate::arena::engine_slot::EngineSlot;
use trebuchet::types::Color;

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
    /// What of the game could not be read, and so is not judged.
    pub problems: Vec<String>,
}
