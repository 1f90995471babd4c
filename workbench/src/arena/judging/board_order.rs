//! The order of the squares in which a bot looks for its pawns.

use std::fmt;
use std::str::FromStr;

use trebuchet::types::Square;

/// An order of the 64 squares, row by row. It is named by its first two squares: `a1b1` begins at a1
/// and goes along the first rank, `a1a2` along the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardOrder {
    start: Square,
    by_ranks: bool,
}

/// The text names no order.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("an order of the squares is named by its first two, such as a1b1, a1a2 or a8b8; not `{0}`")]
pub struct UnknownOrder(String);

impl BoardOrder {
    /// The place of a square in the order, from 0.
    pub fn place(self, square: Square) -> u8 {
        let file = square.file().abs_diff(self.start.file());
        let rank = square.rank().abs_diff(self.start.rank());
        if self.by_ranks { 8 * rank + file } else { 8 * file + rank }
    }
}

impl FromStr for BoardOrder {
    type Err = UnknownOrder;

    fn from_str(text: &str) -> Result<BoardOrder, UnknownOrder> {
        let unknown = || UnknownOrder(text.to_owned());
        let (start, next) = text.split_at_checked(2).ok_or_else(unknown)?;
        let start = Square::parse(start).ok_or_else(unknown)?;
        let next = Square::parse(next).ok_or_else(unknown)?;
        let is_corner = [start.file(), start.rank()].iter().all(|at| matches!(at, 0 | 7));
        let by_ranks = start.rank() == next.rank();
        let is_line = by_ranks || start.file() == next.file();
        if is_corner && is_line && start.distance(next) == 1 {
            Ok(BoardOrder { start, by_ranks })
        } else {
            Err(unknown())
        }
    }
}

impl fmt::Display for BoardOrder {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let next = Square::all().find(|&square| self.place(square) == 1);
        write!(f, "{}{}", self.start, next.unwrap_or(self.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_named_by_its_first_two_squares() {
        let first = |text: &str| {
            let order: BoardOrder = text.parse().unwrap();
            assert_eq!(order.to_string(), text);
            let mut squares: Vec<Square> = Square::all().collect();
            squares.sort_by_key(|&square| order.place(square));
            squares.iter().take(9).map(Square::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(first("a1b1"), "a1 b1 c1 d1 e1 f1 g1 h1 a2");
        assert_eq!(first("a1a2"), "a1 a2 a3 a4 a5 a6 a7 a8 b1");
        assert_eq!(first("h8g8"), "h8 g8 f8 e8 d8 c8 b8 a8 h7");
        assert_eq!(first("a8b8"), "a8 b8 c8 d8 e8 f8 g8 h8 a7");
        for text in ["", "a1", "a1a3", "a1b2", "b1c1", "a1i1", "a1b1c1", "é1b1"] {
            assert!(text.parse::<BoardOrder>().is_err(), "{text}");
        }
    }
}
