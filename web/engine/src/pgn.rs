//! Games as PGN, in and out.

use serde::{Deserialize, Serialize};
use trebuchet::notation::pgn::{self, PgnGame, PgnMove};
use trebuchet::text::shortened;
use trebuchet::types::{Color, GameResult};
use trebuchet::variants::VariantId;

/// A name of more characters is cut.
const LONGEST_NAME: usize = 40;

/// A game from a PGN text. Its moves are as they were written: a request for the position checks them.
#[derive(Serialize)]
pub struct Import {
    /// The CECP name of the game.
    variant: &'static str,
    /// The start position; empty for that of the game.
    fen: String,
    moves: Vec<String>,
    /// The names of the players, as they can be shown; empty if they are not known.
    white: String,
    black: String,
    result: String,
}

/// A game to write.
#[derive(Deserialize)]
pub struct Export {
    /// The CECP name of the game.
    variant: String,
    /// The start position; empty for that of the game.
    fen: String,
    /// Moves in SAN.
    moves: Vec<String>,
    white: String,
    black: String,
    /// `2024.05.31`
    date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: String,
}

/// The first game of a text.
///
/// # Errors
/// A sentence: there is no game in it, or its variant is not known.
pub fn read(text: &str) -> Result<Import, String> {
    let game =
        pgn::read(text).next().filter(|game| !game.moves.is_empty() || game.tag("FEN").is_some());
    let game = game.ok_or("There is no game in this text")?;
    let name = game.tag("Variant").unwrap_or_default();
    let variant = VariantId::from_tag(name).ok_or_else(|| format!("unknown game: {name}"))?;
    Ok(Import {
        variant: variant.name(),
        fen: game.tag("FEN").unwrap_or_default().to_owned(),
        white: player(&game, "White"),
        black: player(&game, "Black"),
        result: game.result.to_string(),
        moves: game.moves.into_iter().map(|mv| mv.san).collect(),
    })
}

/// The name of a player, in one line and not too long. Characters that change the direction of the text after
/// them are left out.
fn player(game: &PgnGame, tag: &str) -> String {
    let turns_text = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let name = game.tag(tag).unwrap_or_default().replace(turns_text, "");
    match name.trim() {
        "?" => String::new(),
        name => shortened(name, LONGEST_NAME),
    }
}

/// Writes a game.
///
/// # Errors
/// A sentence: the game is not known.
pub fn write(export: &Export) -> Result<String, String> {
    let name = &export.variant;
    let variant = VariantId::from_name(name).ok_or_else(|| format!("unknown game: {name}"))?;
    let result = match export.result.as_str() {
        "1-0" => GameResult::Win(Color::White),
        "0-1" => GameResult::Win(Color::Black),
        "1/2-1/2" => GameResult::Draw,
        _ => GameResult::Unfinished,
    };
    let moves = export.moves.iter().map(PgnMove::new).collect();
    let mut game = PgnGame { moves, result, ..PgnGame::default() };
    game.push_tag("Event", "A game on Trebuchet's page");
    game.push_tag("Site", "?");
    game.push_tag("Date", &export.date);
    game.push_tag("Round", "-");
    game.push_tag("White", &export.white);
    game.push_tag("Black", &export.black);
    game.push_tag("Result", result);
    if variant != VariantId::Standard {
        game.push_tag("Variant", variant.title());
    }
    if !export.fen.is_empty() {
        game.push_tag("SetUp", 1);
        game.push_tag("FEN", &export.fen);
    }
    Ok(game.to_string())
}
