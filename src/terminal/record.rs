//! A game at the terminal as PGN.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use jiff::Zoned;

use crate::files::{append_regular, open_regular};
use crate::notation::pgn::{PgnGame, PgnMove};
use crate::play::Game;
use crate::types::{Color, GameResult};

/// The game so far. `engine_side` is `None` if the person moves for both sides.
pub(super) fn pgn(
    game: &dyn Game,
    moves: &[String],
    result: GameResult,
    engine_side: Option<Color>,
    engine_name: &str,
) -> PgnGame {
    let player = |side| match engine_side {
        Some(engine) if engine == side => engine_name.to_owned(),
        _ => "?".to_owned(),
    };
    let (start_fen, variant) = (game.start_fen(), game.variant());
    let mut record = PgnGame { result, ..PgnGame::default() };
    record.push_tag("Event", "Game at the terminal");
    record.push_tag("Site", "?");
    record.push_tag("Date", Zoned::now().strftime("%Y.%m.%d"));
    record.push_tag("Round", "-");
    record.push_tag("White", player(Color::White));
    record.push_tag("Black", player(Color::Black));
    record.push_tag("Result", result);
    if variant.name() != "normal" {
        record.push_tag("Variant", variant.name());
    }
    if variant.start_positions() > 1 || start_fen != variant.start_fen(0) {
        record.push_tag("SetUp", "1");
        record.push_tag("FEN", start_fen);
    }
    record.moves = moves.iter().map(PgnMove::new).collect();
    record
}

/// Appends a game to a file of games, as a whole or not at all.
///
/// # Errors
/// If the file cannot be written, is a pipe or a device, or has something else than games.
pub(super) fn append(file: &str, record: &PgnGame) -> io::Result<()> {
    let path = Path::new(file);
    if path.exists() && !begins_like_pgn(path)? {
        return Err(io::Error::other("it exists and has no games; name another file"));
    }
    let mut file = append_regular(path)?;
    let length = file.metadata()?.len();
    let text = format!("{}{record}", separator(path, length)?);
    file.write_all(text.as_bytes()).inspect_err(|_| {
        // Best effort: the error is told in any case.
        let _ = cut_off(path, length);
    })
}

/// What must be written before the next game of a file of this length: a game begins after an empty line.
fn separator(path: &Path, length: u64) -> io::Result<&'static str> {
    let mut file = open_regular(path)?;
    file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
    let mut end = Vec::new();
    file.take(2).read_to_end(&mut end)?;
    Ok(match end[..] {
        [] | [b'\n', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    })
}

/// Cuts off what follows the first `length` bytes. Windows does so through no handle that can only append.
fn cut_off(path: &Path, length: u64) -> io::Result<()> {
    File::options().write(true).open(path)?.set_len(length)
}

/// How much of a file is looked at, in bytes.
const BEGINNING: u64 = 1 << 16;

/// Does the file begin with a tag, perhaps behind comments in lines of their own, or is it empty?
fn begins_like_pgn(path: &Path) -> io::Result<bool> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['%', ';']));
    Ok(first.is_none_or(|line| line.starts_with('[')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn;

    #[test]
    fn a_game_is_added_to_games_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let name = path.to_str().unwrap();
        let record = PgnGame::default();
        let mut tagged = PgnGame::default();
        tagged.push_tag("Event", "saved");
        for text in ["", "\u{feff}\n% a line\n; another\n\n [Event \"x\"]\n\n1. e4 *\n\n"] {
            std::fs::write(&path, text).unwrap();
            append(name, &record).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{text}{record}"));
        }
        // A game begins after an empty line, whatever stands before it.
        for (text, before) in [
            ("[Event \"x\"]\n\n1. e4 e5 1-0", "\n\n"),
            ("[Event \"x\"]\n\n1. e4 e5 1-0\n", "\n"),
            ("[Event \"x\"]\n\n1. e4 e5 1-0 ; the end", "\n\n"),
            ("[Event \"x\"]\n\n1. e4 {open", "\n\n"),
            ("%", "\n\n"),
            ("\n", "\n"),
        ] {
            std::fs::write(&path, text).unwrap();
            append(name, &tagged).unwrap();
            let saved = std::fs::read_to_string(&path).unwrap();
            assert_eq!(saved, format!("{text}{before}{tagged}"));
            assert_eq!(pgn::read(&saved).last().unwrap().tags, tagged.tags, "{saved}");
        }
        for text in ["my diary\n", "# Games\n[Event \"x\"]\n"] {
            std::fs::write(&path, text).unwrap();
            let error = append(name, &record).unwrap_err().to_string();
            assert_eq!(error, "it exists and has no games; name another file");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
