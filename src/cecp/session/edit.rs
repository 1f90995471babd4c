//! The `edit` dialogue, the old way to set up a position.

use super::placement;
use crate::play::Game;
use crate::types::{Color, Piece, PieceKind, Square};

/// A board under the hands of the user.
#[derive(Clone, Debug)]
pub struct EditBoard {
    cells: [Option<Piece>; 64],
    /// The colour of the pieces that are put down.
    color: Color,
}

/// What a line meant to the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// The board has changed, or the line was empty: the dialogue goes on.
    GoesOn,
    /// `.`: the board is to be taken as it is.
    Done,
    /// No line of the dialogue.
    NotUnderstood,
}

impl EditBoard {
    /// Begins with the position of the game.
    pub fn begin(game: &dyn Game) -> EditBoard {
        let mut cells = [None; 64];
        for square in Square::all() {
            cells[square.index64()] = game.piece_at(square);
        }
        EditBoard { cells, color: Color::White }
    }

    /// `#` clears the board, `c` changes colour, `Pa2` puts a pawn on a2, `xa2` empties it.
    pub fn line(&mut self, line: &[u8]) -> Edited {
        match line.trim_ascii() {
            b"" => {}
            b"." => return Edited::Done,
            b"#" => self.cells = [None; 64],
            b"c" => self.color = !self.color,
            &[letter, file, rank] => {
                let place = [file, rank];
                let square = std::str::from_utf8(&place).ok().and_then(Square::parse);
                let kind = PieceKind::from_letter(letter.into());
                match (square, kind) {
                    (Some(square), Some(kind)) => {
                        self.cells[square.index64()] = Some(Piece::new(self.color, kind));
                    }
                    (Some(square), None) if letter == b'x' => self.cells[square.index64()] = None,
                    _ => return Edited::NotUnderstood,
                }
            }
            _ => return Edited::NotUnderstood,
        }
        Edited::GoesOn
    }

    /// The position as FEN. Kings and rooks at home may castle; nothing can be taken en passant.
    pub fn fen(&self, side_to_move: Color) -> String {
        let board = placement::write(|square| self.cells[square.index64()].map(Piece::fen_letter));
        format!("{board} {} {} - 0 1", placement::side_letter(side_to_move), self.castling())
    }

    fn castling(&self) -> String {
        let stands = |file, color, kind| {
            let home = if color == Color::White { 0 } else { 7 };
            self.cells[Square::new(file, home).index64()] == Some(Piece::new(color, kind))
        };
        let mut rights = String::new();
        for (color, sides) in
            [(Color::White, [(7, 'K'), (0, 'Q')]), (Color::Black, [(7, 'k'), (0, 'q')])]
        {
            for (file, letter) in sides {
                if stands(4, color, PieceKind::King) && stands(file, color, PieceKind::Rook) {
                    rights.push(letter);
                }
            }
        }
        if rights.is_empty() { "-".to_owned() } else { rights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::new_game;
    use crate::variants::VariantId;

    #[test]
    fn the_start_position_comes_through() {
        let game = new_game(VariantId::Standard);
        assert_eq!(EditBoard::begin(&*game).fen(Color::White), game.fen());
    }

    #[test]
    fn a_position_is_put_together() {
        let mut board = EditBoard::begin(&*new_game(VariantId::Standard));
        for line in ["#", "Ke1", "Ra1", "Pa2", "Pb2", "xb2", "c", "Ke8", "Rh8", ""] {
            assert_eq!(board.line(line.as_bytes()), Edited::GoesOn, "{line}");
        }
        assert_eq!(board.fen(Color::Black), "4k2r/8/8/8/8/8/P7/R3K3 b Qk - 0 1");
        assert_eq!(board.line(b"."), Edited::Done);
        for line in ["quit", "Pa9", "Za1", "Pa22", "ping 1", "\u{ff}"] {
            assert_eq!(board.line(line.as_bytes()), Edited::NotUnderstood, "{line}");
        }
    }
}
