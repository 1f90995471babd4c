//! Games as PGN, in and out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use trebuchet::notation::pgn::{self, Flaw, GLYPHS, PgnGame, PgnMove, comment};
use trebuchet::text::printable;
use trebuchet::types::{Color, GameResult};
use trebuchet::variants::VariantId;

use crate::position;

/// Tags that [`write()`] makes of the game itself.
const OWN_TAGS: [&str; 6] = ["White", "Black", "Result", "Variant", "SetUp", "FEN"];

/// Tags without which other moves would be read, or another start position.
const START_TAGS: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// What is said of a game: texts by the number of moves before them.
type Notes = BTreeMap<usize, String>;

/// A game as the page has it. Its moves are as they were written.
#[derive(Serialize, Deserialize)]
pub struct GameText {
    /// The CECP name of the game.
    variant: String,
    /// The start position; empty for that of the game.
    fen: String,
    /// In SAN.
    moves: Vec<String>,
    /// Glyphs such as `?!`, by the number of their move from 0.
    #[serde(default)]
    glyphs: Notes,
    /// Comments without their commands (`[%clk 0:05:00]`), by the number of moves before them.
    #[serde(default)]
    comments: Notes,
    /// The glyphs and commands of the text besides these, as it writes them, by the number of moves before them.
    #[serde(default)]
    marks: Notes,
    /// Side lines in parentheses, by the number from 0 of the move that they replace.
    #[serde(default)]
    lines: Notes,
    /// All other tags, in their order.
    tags: Vec<(String, String)>,
    /// The names of the players in one line; empty if they are not known.
    white: String,
    black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: String,
}

impl GameText {
    /// A move without a name, with all but the glyph that the text writes after `count` moves.
    fn after(&self, count: usize, lines: &str) -> PgnMove {
        let marks = self.marks.get(&count).map_or("", String::as_str);
        let comment =
            self.comments.get(&count).map(|text| format!("{{{}}}", text.replace('}', " ")));
        let text = format!("-- {marks} {} {lines}", comment.unwrap_or_default());
        let moves = pgn::read(&text).next().map(|game| game.moves);
        moves.and_then(|moves| moves.into_iter().next()).unwrap_or_default()
    }
}

/// Which game of a text is wanted.
#[derive(Deserialize)]
pub struct Wanted {
    text: String,
    /// From 0.
    #[serde(default)]
    number: usize,
}

/// The games of a text.
fn games(text: &str) -> impl Iterator<Item = PgnGame> {
    pgn::read(text).filter(|game| !game.moves.is_empty() || game.tag("FEN").is_some())
}

/// The games of a text in a line each: `Anna – Ben, 2024.05.31, 1-0`.
pub fn list(text: &str) -> Vec<String> {
    let title = |game: PgnGame| {
        let name = |tag| match player(&game, tag) {
            name if name.is_empty() => tag.to_owned(),
            name => name,
        };
        let date = game.tag("Date").filter(|date| !date.contains('?')).map(printable);
        let date = date.map_or_else(String::new, |date| format!(", {date}"));
        format!("{} – {}{date}, {}", name("White"), name("Black"), result_of(&game))
    };
    games(text).map(title).collect()
}

/// A game of a text.
///
/// # Errors
/// A sentence: there is no such game in it, a comment is never closed, a tag that names the variant or the start position
/// cannot be read, the variant is not known, it does not name its start position where the variant has several, or see
/// [`position::Request::play`].
pub fn read(wanted: &Wanted) -> Result<GameText, String> {
    let game = games(&wanted.text).nth(wanted.number).ok_or("There is no game in this text")?;
    if let Some(flaw) = game.flaws.iter().find(|flaw| spoils(flaw)) {
        return Err(printable(&flaw.to_string()));
    }
    let name = game.tag("Variant").unwrap_or_default();
    let variant = VariantId::from_tag(name).ok_or_else(|| format!("unknown game: {name}"))?;
    let fen = game.tag("FEN").unwrap_or_default().to_owned();
    if fen.is_empty() && variant.start_positions() > 1 {
        return Err(format!("A game of {} needs its start position (FEN)", variant.title()));
    }
    let moves: Vec<String> = game.moves.iter().map(|mv| mv.san.clone()).collect();
    position::Request::new(variant.name(), &fen, moves.clone()).play()?;
    Ok(GameText {
        variant: variant.name().to_owned(),
        fen,
        glyphs: glyphs(&game),
        comments: comments(&game),
        marks: marks(&game),
        lines: lines(&game),
        tags: game
            .tags
            .iter()
            .filter(|(name, _)| !OWN_TAGS.contains(&name.as_str()))
            .cloned()
            .collect(),
        white: player(&game, "White"),
        black: player(&game, "Black"),
        result: result_of(&game),
        moves,
    })
}

/// Does the flaw make another game of the text?
fn spoils(flaw: &Flaw) -> bool {
    match flaw {
        Flaw::OpenComment => true,
        // A line may have several tags.
        Flaw::Tag(line) => line.split('[').any(|tag| START_TAGS.contains(&name_of(tag))),
    }
}

/// The name of a tag behind its bracket.
fn name_of(tag: &str) -> &str {
    tag.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn glyphs(game: &PgnGame) -> Notes {
    notes(
        game.moves.iter().map(|mv| glyph(mv).map(|(_, sign)| sign.to_owned()).unwrap_or_default()),
    )
}

/// The glyph of a move that is shown.
fn glyph(mv: &PgnMove) -> Option<(u8, &'static str)> {
    GLYPHS.into_iter().find(|(nag, _)| mv.nags.contains(nag))
}

fn comments(game: &PgnGame) -> Notes {
    let after_moves = game.moves.iter().map(|mv| &mv.comment);
    let texts = std::iter::once(&game.comment).chain(after_moves);
    notes(texts.map(|text| comment::without(text.as_deref().unwrap_or_default(), |_| true)))
}

fn marks(game: &PgnGame) -> Notes {
    let commands = |comment: &Option<String>| {
        let commands = comment::only_commands(comment.as_deref().unwrap_or_default());
        if commands.is_empty() { commands } else { format!("{{{commands}}}") }
    };
    let after_moves = game.moves.iter().map(|mv| {
        let shown = glyph(mv).map(|(nag, _)| nag);
        let nags = mv.nags.iter().filter(|&&nag| Some(nag) != shown);
        let mut texts: Vec<String> = nags.map(|nag| format!("${nag}")).collect();
        texts.push(commands(&mv.comment));
        texts.join(" ").trim().to_owned()
    });
    notes(std::iter::once(commands(&game.comment)).chain(after_moves))
}

fn lines(game: &PgnGame) -> Notes {
    let (mut side, mut number) = game.first_move();
    notes(game.moves.iter().map(|mv| {
        let texts: Vec<String> =
            mv.variations.iter().map(|line| format!("({})", line.movetext(side, number))).collect();
        number += u32::from(side == Color::Black);
        side = !side;
        texts.join(" ")
    }))
}

/// Texts by their number, without those that say nothing.
fn notes(texts: impl Iterator<Item = String>) -> Notes {
    texts.enumerate().filter(|(_, text)| !text.is_empty()).collect()
}

/// The result after the moves; where there is none, that of the tag.
fn result_of(game: &PgnGame) -> String {
    game.told_result().to_string()
}

/// The name of a player, in one line. Characters that change the direction of the text after them are left out.
fn player(game: &PgnGame, tag: &str) -> String {
    let turns_text = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let name = game.tag(tag).unwrap_or_default().replace(turns_text, "");
    match name.trim() {
        "?" => String::new(),
        name => printable(name).replace('\n', " "),
    }
}

/// Writes a game.
///
/// # Errors
/// A sentence: the game is not known.
pub fn write(export: &GameText) -> Result<String, String> {
    let name = &export.variant;
    let variant = VariantId::from_name(name).ok_or_else(|| format!("unknown game: {name}"))?;
    let result = match export.result.as_str() {
        "1-0" => GameResult::Win(Color::White),
        "0-1" => GameResult::Win(Color::Black),
        "1/2-1/2" => GameResult::Draw,
        _ => GameResult::Unfinished,
    };
    let moves = export.moves.iter().enumerate().map(|(ply, san)| {
        let glyph = export.glyphs.get(&ply).and_then(|mark| pgn::nag_of(mark));
        let lines = export.lines.get(&ply).map_or("", String::as_str);
        let after = export.after(ply + 1, lines);
        let nags = glyph.into_iter().chain(after.nags).collect();
        PgnMove { san: san.clone(), nags, ..after }
    });
    let comment = export.after(0, "").comment;
    let mut game = PgnGame { comment, moves: moves.collect(), result, ..PgnGame::default() };
    let tag = |wanted: &str| export.tags.iter().find(|(name, _)| name == wanted);
    for name in ["Event", "Site", "Date", "Round"] {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        game.push_tag(name, tag(name).map_or(unknown, |(_, value)| value));
    }
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
    for (name, value) in &export.tags {
        if game.tag(name).is_none() && !OWN_TAGS.contains(&name.as_str()) {
            game.push_tag(name, value);
        }
    }
    Ok(game.to_string())
}
