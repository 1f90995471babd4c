//! The names of openings of chess, from `opening_names.tsv`: a name and the moves in standard notation that
//! lead to its position. A position has its name however it was reached.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::source::SourceGame;
use trebuchet::play::{Game, new_game};
use trebuchet::variants::VariantId;

const LIST: &str = include_str!("opening_names.tsv");

/// The names by position: placement, side to move and castling rights of a FEN.
static NAMES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    let named = lines.filter_map(|line| line.split_once('\t'));
    named.filter_map(|(name, moves)| Some((position_after(moves)?, name))).collect()
});

/// The position after these moves from the start of chess. `None` if one of them is not legal.
fn position_after(moves: &str) -> Option<String> {
    let mut game = new_game(VariantId::Standard);
    for san in moves.split(' ') {
        let mv = game.parse_move(san).ok()?;
        game.play(mv);
    }
    Some(key(&*game))
}

fn key(game: &dyn Game) -> String {
    game.fen().split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// The name of the last position of a game of chess that has one.
pub fn opening_of(source: &SourceGame) -> Option<&'static str> {
    let mut game = source.start();
    if source.variant != VariantId::Standard || source.start_fen != source.variant.start_fen(0) {
        return None;
    }
    let mut name = None;
    for &mv in &source.moves {
        game.play(mv);
        name = NAMES.get(&key(&*game)).copied().or(name);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::notation::pgn;

    #[test]
    fn every_line_of_the_list_is_legal_and_has_a_position_of_its_own() {
        let lines: Vec<&str> = LIST.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() >= 100, "{}", lines.len());
        let mut seen: HashMap<String, &str> = HashMap::new();
        for line in lines {
            let (name, moves) = line.split_once('\t').unwrap_or_else(|| panic!("{line}"));
            let position = position_after(moves).unwrap_or_else(|| panic!("{line}"));
            if let Some(other) = seen.insert(position, name) {
                panic!("{name} and {other} are the same position");
            }
        }
    }

    #[test]
    fn the_last_named_position_counts_however_it_was_reached() {
        let opening = |text: &str| {
            let source = SourceGame::new(pgn::read(text).next().unwrap()).unwrap();
            opening_of(&source)
        };
        assert_eq!(opening("1. e4 e5 2. Nf3 Nc6 3. Bc4 a6 *"), Some("Italian Game"));
        // Another order of moves.
        assert_eq!(opening("1. Nf3 Nc6 2. e4 e5 3. Bc4 h6 *"), Some("Italian Game"));
        assert_eq!(opening("1. a3 a6 *"), None);
        assert_eq!(opening("[Variant \"3check\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *"), None);
    }
}
