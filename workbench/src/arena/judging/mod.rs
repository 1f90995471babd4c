//! Judges games of bots: whether the moves are legal and in time, keep the rules of a stage, and whether
//! the bot speaks the protocol well.
//!
//! A **source** reads a file and emits [events](event): [`log`] follows the dialogue in a debug log,
//! [`pgn`] replays the games of a PGN file. The [judges] read the events of one player and note on a
//! [sheet] which [criteria](criterion) were kept. So the same judges can judge a game that is still
//! being played: a [`LogFollower`](log::LogFollower) takes its lines as they come.
//!
//! Nothing here prints or starts an engine. The order of the modules is the order of imports.

mod lines;

pub mod board_order;
pub mod criterion;
pub mod sheet;

pub mod ending;
pub mod report;
pub mod settings;

pub mod claim;
mod comments;
pub mod event;
pub mod judges;
pub mod legality;

pub mod log;
pub mod pgn;

pub mod rubric;
pub mod summary;

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use crate::files;

use report::GameReport;
use settings::CheckSettings;

/// How much of a file is read to see what kind it is, in bytes.
const LOOK: usize = 256 * 1024;

/// Reads a debug log or a PGN file, and judges all games of all players in it.
///
/// # Errors
/// If the file cannot be read.
pub fn check_file(path: &Path, settings: &CheckSettings) -> io::Result<Vec<GameReport>> {
    let name: Arc<str> = Arc::from(sheet::shown(&path.to_string_lossy()));
    let mut input = BufReader::with_capacity(LOOK, files::open(path)?);
    let is_log = input
        .fill_buf()?
        .split(|&byte| byte == b'\n')
        .any(|line| log::reader::is_protocol_line(line.trim_ascii_end()));
    if is_log { log::check(input, &name, settings) } else { pgn::check(input, &name, settings) }
}
