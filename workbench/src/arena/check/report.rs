//! The report on one game of one bot.

use std::sync::Arc;

use super::ending::Ending;
use super::log_reader::Seat;
use super::sheet::Sheet;
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
    pub seat: Option<Seat>,
    pub name: String,
    pub opponent: Option<String>,
    /// The name of the game, as the file has it.
    pub variant: String,
    /// The colour of its first move.
    pub color: Option<Color>,
    /// The number of its own moves.
    pub moves: usize,
    pub ending: Ending,
    pub sheet: Sheet,
}
