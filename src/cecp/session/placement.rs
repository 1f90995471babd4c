//! Letters on the squares of a board, written as a FEN writes them.

use crate::types::{Color, Square};

/// The first field of a FEN, or what looks like one: a letter for a square, a digit for squares
/// without.
pub fn write(letter: impl Fn(Square) -> Option<char>) -> String {
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

/// The second field of a FEN.
pub const fn side_letter(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
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
        assert_eq!(write(letter), "y6y/8/8/8/8/2y5/8/8");
    }
}
