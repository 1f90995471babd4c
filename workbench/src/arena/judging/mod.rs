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
pub mod comments;
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

use crate::files::{self, MAX_GAMES};
use trebuchet::notation::pgn::{decode, has_utf16_mark};
use trebuchet::text::shortened;

use report::GameReport;
use settings::CheckSettings;

/// How much of a file is read to see what kind it is, in bytes.
const LOOK: usize = 256 * 1024;

/// Reads a debug log or a PGN file, and judges all games of all players in it.
///
/// # Errors
/// If the file cannot be read, or is neither.
pub fn check_file(path: &Path, settings: &CheckSettings) -> io::Result<Vec<GameReport>> {
    let name: Arc<str> = Arc::from(shortened(&path.to_string_lossy(), usize::MAX));
    let mut input = BufReader::with_capacity(LOOK, files::open(path)?);
    if has_utf16_mark(input.fill_buf()?) {
        // What PowerShell redirects to a file.
        let bytes = files::read_all(input, MAX_GAMES)?;
        return check(decode(&bytes).as_bytes(), &name, settings);
    }
    check(input, &name, settings)
}

/// Judges the games of an input. A text in UTF-8 or Latin-1 is expected.
fn check(
    mut input: impl BufRead,
    name: &Arc<str>,
    settings: &CheckSettings,
) -> io::Result<Vec<GameReport>> {
    let beginning = input.fill_buf()?;
    let has_line = |is_wanted: fn(&[u8]) -> bool| {
        beginning.split(|&byte| byte == b'\n').any(|line| is_wanted(line.trim_ascii_end()))
    };
    let is_log = has_line(log::reader::is_protocol_line);
    if !is_log && !has_line(is_of_pgn) && has_line(|line| !line.is_empty()) {
        let words = "neither a log of xboard nor a PGN file";
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    if is_log { log::check(input, name, settings) } else { pgn::check(input, name, settings) }
}

/// Is the line a tag of a PGN file, or the first move of a game?
fn is_of_pgn(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"[") || line.starts_with(b"1.")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use trebuchet::play::Stage;

    #[test]
    fn a_file_that_is_neither_a_log_nor_pgn_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let settings =
            CheckSettings { stage: Stage::Full, board_order: None, margin: Duration::ZERO };
        let check = |text: &str| {
            fs::write(&path, text).unwrap();
            check_file(&path, &settings).map(|games| games.len()).map_err(|it| it.to_string())
        };
        let neither = Err("neither a log of xboard nor a PGN file".to_owned());
        assert_eq!(check("hello world\nthis is a diary\n"), neither);
        assert_eq!(check("1. e4 e5 *\n"), Ok(2));
        assert!(check("[Result \"*\"]\n\n*\n").is_ok());
        assert!(check("\n").is_ok());
        let utf_16 = |text: &str| {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            fs::write(&path, [vec![0xff, 0xfe], units.collect()].concat()).unwrap();
            check_file(&path, &settings).map(|games| games.len()).map_err(|it| it.to_string())
        };
        assert_eq!(utf_16("1. e4 e5 *\r\n"), Ok(2));
        assert_eq!(utf_16("hello world\r\n"), neither);
        assert_eq!(utf_16("12 >first : xboard\r\n12 >first : new\r\n"), Ok(1));
    }
}
