//! Games as a page to step through, searched a little: for programs that have played them.

use std::sync::atomic::AtomicBool;

use super::analysis::{AnalysisError, analyse};
use super::html;
use super::judge;
use super::search::SearchSettings;
use super::source::SourceGame;
use trebuchet::notation::pgn;

/// The page of the games of a PGN file, of which each position is searched with this number of nodes on one
/// thread. Games that cannot be read are left out; `None` if none is left.
///
/// # Errors
/// If there is no memory for the search.
pub fn games_page(bytes: &[u8], nodes: u64) -> Result<Option<String>, AnalysisError> {
    let text = pgn::decode(bytes);
    let games: Vec<SourceGame> =
        pgn::read(&text).filter_map(|game| SourceGame::new(game).ok()).collect();
    if games.is_empty() {
        return Ok(None);
    }
    let settings = SearchSettings {
        time: None,
        depth: None,
        nodes: Some(nodes),
        hash: 1,
        tables: String::new(),
    };
    let (findings, _) = analyse(&games, &settings, 1, None, &AtomicBool::new(false), &mut |_| {})?;
    let pairs = games.iter().zip(&findings);
    let annotated: Vec<_> =
        pairs.map(|(game, findings)| judge::annotate(game, findings, &settings)).collect();
    Ok(Some(html::page(&annotated, &[])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_can_be_read_are_on_the_page() {
        let games = b"[White \"a\"]\n[Black \"b\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Variant \"Shogi\"]\n\n*\n";
        let page = games_page(games, 100).unwrap().unwrap();
        assert!(page.contains("Qh4#") && page.matches("<article").count() == 1);
        assert!(games_page(b"", 100).unwrap().is_none());
    }
}
