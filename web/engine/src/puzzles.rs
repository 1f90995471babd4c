//! The puzzles of a game, for the page.

use serde::Serialize;
use trebuchet::play;
use trebuchet::variants::VariantId;

/// A position in which one move wins.
#[derive(Serialize)]
pub struct Puzzle {
    fen: String,
    /// The moves of the solution and the replies between them, in SAN.
    solution: Vec<String>,
    /// In Elo.
    rating: u32,
    /// What the solution is about, in words.
    themes: Vec<String>,
}

/// The puzzles of the game with this CECP name, the easiest first.
///
/// # Errors
/// A sentence, if the game is not known.
pub fn of(name: &str) -> Result<Vec<Puzzle>, String> {
    let variant = VariantId::from_name(name).ok_or_else(|| format!("unknown game: {name}"))?;
    let puzzles = play::Puzzle::built_in(variant).into_iter().map(|puzzle| Puzzle {
        fen: puzzle.fen,
        solution: puzzle.solution,
        rating: puzzle.rating,
        themes: puzzle.themes,
    });
    Ok(puzzles.collect())
}
