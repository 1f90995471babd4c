//! A game at the terminal as PGN.

use std::io::{self, Write};
use std::path::Path;

use jiff::Zoned;

use crate::files::append_regular;
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

/// Appends a game to a file.
///
/// # Errors
/// If the file cannot be written, or is a pipe or a device.
pub(super) fn append(file: &str, record: &PgnGame) -> io::Result<()> {
    append_regular(Path::new(file))?.write_all(record.to_string().as_bytes())
}
