//! The squares that a lifted piece can go to, shown on the GUI's board.

use super::Session;
use crate::cecp::wire::Reply;
use crate::types::Square;

impl Session {
    /// `lift`: marks where the piece on this square can go, captures red and other moves yellow.
    pub(super) fn show_targets(&mut self, square: Option<Square>) {
        let mut moves = self.legal_moves();
        moves.retain(|mv| Some(mv.from()) == square);
        if moves.is_empty() {
            return;
        }
        let colors = board_text(|square| {
            let mv = moves.iter().find(|mv| mv.to() == square)?;
            Some(if mv.is_capture() { 'R' } else { 'Y' })
        });
        self.say(Reply::Highlight(colors));
    }
}

/// Letters on squares, written like the first field of a FEN: a digit counts squares without one.
fn board_text(letter: impl Fn(Square) -> Option<char>) -> String {
    let row = |rank| {
        let mut row = String::new();
        let mut skipped = 0;
        for file in 0..8 {
            let Some(letter) = letter(Square::new(file, rank)) else {
                skipped += 1;
                continue;
            };
            if skipped > 0 {
                row.push_str(&skipped.to_string());
            }
            row.push(letter);
            skipped = 0;
        }
        if skipped > 0 {
            row.push_str(&skipped.to_string());
        }
        row
    };
    (0..8).rev().map(row).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_without_letters_are_counted() {
        let letter = |square: Square| match square.to_string().as_str() {
            "a8" | "h8" | "c3" => Some('y'),
            _ => None,
        };
        assert_eq!(board_text(letter), "y6y/8/8/8/8/2y5/8/8");
    }
}
