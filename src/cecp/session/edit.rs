//! The `edit` dialogue, the old way to set up a position.

use crate::play::Pieces;
use crate::types::{Color, Piece, PieceKind, Square};

/// A board that the user edits.
#[derive(Clone, Debug)]
pub struct EditBoard {
    pieces: Pieces,
    /// The colour of the next pieces.
    color: Color,
}

/// What a line did in the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// It changed the board or was empty; the dialogue goes on.
    GoesOn,
    /// `.`: it ended the dialogue.
    Done,
    /// It does not belong to the dialogue.
    NotUnderstood,
}

impl EditBoard {
    /// Begins with these pieces.
    pub const fn new(pieces: Pieces) -> EditBoard {
        EditBoard { pieces, color: Color::White }
    }

    /// Reads a line: `#` clears the board, `c` changes the colour, `Pa2` puts a pawn on a2, `xa2`
    /// empties a2.
    pub fn line(&mut self, line: &[u8]) -> Edited {
        match line.trim_ascii() {
            b"" => {}
            b"." => return Edited::Done,
            b"#" => self.pieces = [None; 64],
            b"c" => self.color = !self.color,
            &[letter, file, rank] => {
                let place = [file, rank];
                let square = std::str::from_utf8(&place).ok().and_then(Square::parse);
                let kind = PieceKind::from_letter(letter.into());
                match (square, kind) {
                    (Some(square), Some(kind)) => {
                        self.pieces[square.index64()] = Some(Piece::new(self.color, kind));
                    }
                    (Some(square), None) if letter == b'x' => self.pieces[square.index64()] = None,
                    _ => return Edited::NotUnderstood,
                }
            }
            _ => return Edited::NotUnderstood,
        }
        Edited::GoesOn
    }

    /// The pieces on the board.
    pub const fn pieces(&self) -> &Pieces {
        &self.pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::new_game;
    use crate::variants::VariantId;

    #[test]
    fn a_position_is_put_together() {
        let mut game = new_game(VariantId::Standard);
        let mut board = EditBoard::new(game.pieces());
        for line in ["#", "Ke1", "Ra1", "Pa2", "Pb2", "xb2", "c", "Ke8", "Rh8", ""] {
            assert_eq!(board.line(line.as_bytes()), Edited::GoesOn, "{line}");
        }
        game.set_pieces(board.pieces(), Color::Black).unwrap();
        assert_eq!(game.fen(), "4k2r/8/8/8/8/8/P7/R3K3 b Qk - 0 1");
        assert_eq!(board.line(b"."), Edited::Done);
        for line in ["quit", "Pa9", "Za1", "Pa22", "ping 1", "\u{ff}"] {
            assert_eq!(board.line(line.as_bytes()), Edited::NotUnderstood, "{line}");
        }
    }
}
