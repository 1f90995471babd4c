//! What a person reads: the board, scores, the moves of the game, and the fixed texts.

use crate::board::fen::next_move;
use crate::play::{Game, Stage};
use crate::types::{Color, Score, Square};
use crate::variants::VariantId;

/// The first lines on the screen.
pub(super) fn welcome(stage: Stage) -> String {
    format!(
        "{}, a chess engine. It is made for a board on screen: xboard -fcp trebuchet\n\
         Or play here: type a move (e4, Nf3, e2e4), or go and I move; new starts another game.\n\
         d draws the board, help lists the rest, quit ends.\n",
        stage.engine_name(),
    )
}

/// The answer to `help`.
pub(super) fn help() -> String {
    let lines = [
        ("e4, Nf3, O-O, e2e4", "make a move; I answer".to_owned()),
        ("go", "I play the side to move from now on".to_owned()),
        ("both", "you move for both sides".to_owned()),
        ("undo", "take back the last move, and mine before it".to_owned()),
        ("new [NAME]", format!("start a new game, the same or {}", variants(", "))),
        ("hint", "ask what I would play".to_owned()),
        ("eval", "show my evaluation of the position, without a search".to_owned()),
        ("time SECONDS", "how long I may think about a move".to_owned()),
        ("stage NAME", format!("how I choose moves: {}", stages(" or "))),
        ("d", "draw the board".to_owned()),
        ("score", "show the moves of the game".to_owned()),
        ("fen, setboard FEN", "show the position as FEN, set one up".to_owned()),
        ("resign", "give the game up".to_owned()),
        ("quit", "leave".to_owned()),
    ];
    lines.map(|(command, meaning)| format!("{command:20} {meaning}\n")).concat()
}

/// The names of all variants.
pub(super) fn variants(separator: &str) -> String {
    VariantId::ALL.iter().map(|variant| variant.name()).collect::<Vec<_>>().join(separator)
}

/// The names of all stages.
pub(super) fn stages(separator: &str) -> String {
    Stage::ALL.map(Stage::name).join(separator)
}

/// The board, White below, with the side to move and the variant's state.
pub(super) fn board(game: &dyn Game) -> String {
    let letter = |square| game.piece_at(square).map_or('.', |piece| piece.fen_letter());
    let mut text = String::new();
    for rank in (0..8).rev() {
        text += &format!("{}  ", rank + 1);
        for file in 0..8 {
            text.push(letter(Square::new(file, rank)));
            text.push(' ');
        }
        text.push('\n');
    }
    let check = if game.is_in_check() { ", in check" } else { "" };
    text += &format!("\n   a b c d e f g h\n{} to move{check}.", game.side_to_move());
    if let Some(state) = game.describe_state() {
        text += &format!(" {state}.");
    }
    text
}

/// A score in pawns with a sign, or the moves to a forced end.
pub(super) fn pawns(score: Score) -> String {
    match score.moves_to_end() {
        Some(moves) if moves > 0 => format!("wins in {moves}"),
        Some(moves) => format!("loses in {}", -moves),
        None => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}

/// The number of the next move: `3. ` before White's third move, `3... ` before Black's.
pub(super) fn move_number(game: &dyn Game) -> String {
    let (side, number) = next_move(&game.fen());
    let dots = if side == Color::White { "." } else { "..." };
    format!("{number}{dots} ")
}

/// The moves of a game, in SAN and with their numbers.
pub(super) fn score_sheet(start_fen: &str, moves: &[String]) -> String {
    let (mut side, mut number) = next_move(start_fen);
    let mut words = Vec::new();
    for (index, san) in moves.iter().enumerate() {
        match (side, index) {
            (Color::White, _) => words.push(format!("{number}.")),
            (Color::Black, 0) => words.push(format!("{number}...")),
            (Color::Black, _) => {}
        }
        words.push(san.clone());
        number += u32::from(side == Color::Black);
        side = !side;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_welcome_is_three_lines() {
        let welcome = welcome(Stage::Random);
        assert_eq!(welcome.lines().count(), 3);
        assert!(welcome.lines().chain(help().lines()).all(|line| line.len() <= 100));
    }

    #[test]
    fn scores_are_in_pawns_or_moves() {
        assert_eq!(pawns(Score::cp(-7)), "-0.07");
        assert_eq!(pawns(Score::win_in(3)), "wins in 2");
        assert_eq!(pawns(Score::loss_in(2)), "loses in 1");
    }

    #[test]
    fn a_score_sheet_starts_with_the_side_to_move() {
        let moves = ["Kd2", "Ke7", "Kd3"].map(str::to_owned);
        let sheet = |side| score_sheet(&format!("4k3/8/8/8/8/8/8/4K3 {side} - - 0 7"), &moves);
        assert_eq!(sheet("w"), "7. Kd2 Ke7 8. Kd3");
        assert_eq!(sheet("b"), "7... Kd2 8. Ke7 Kd3");
        assert_eq!(score_sheet("4k3/8/8/8/8/8/8/4K3 w - - 0 7", &[]), "");
    }
}
