//! Positions as text: Forsyth–Edwards Notation, with check counters in all four places where
//! programs write them.
//!
//! A field with one plus sign counts checks that remain (`3+3`), one with two counts checks given
//! (`+0+0`); it may stand before the en passant field, after it, or at the end. Written is `W+B`
//! remaining, in the fifth field.

use thiserror::Error;

use super::{Castling, Position, Rules};
use crate::types::{Cell, Color, Piece, PieceKind, Square, Step};

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    #[error("the position has {0} fields; four to seven make a FEN")]
    FieldCount(usize),
    #[error("bad piece placement: {0}")]
    Placement(String),
    #[error("bad side to move: {0}")]
    Side(String),
    #[error("bad castling rights: {0}")]
    Castling(String),
    #[error("bad en passant square: {0}")]
    EnPassant(String),
    #[error("bad number: {0}")]
    Number(String),
    #[error("bad check counters: {0}")]
    Counters(String),
    #[error("{0} needs exactly one king")]
    Kings(Color),
    #[error("{0} has more than sixteen pieces")]
    PieceCount(Color),
    #[error("a pawn stands on the first or last rank")]
    PawnRank,
    #[error("the side not on move is in check")]
    OpponentInCheck,
}

impl<R: Rules> Position<R> {
    /// Reads a FEN. Missing clocks are 0 and 1; castling rights without king or rook at home and an
    /// en passant square on which nothing can legally be taken are dropped.
    ///
    /// # Errors
    /// A [`FenError`] that names what no legal position can have.
    pub fn from_fen(fen: &str) -> Result<Position<R>, FenError> {
        let (counters, fields): (Vec<&str>, Vec<&str>) =
            fen.split_ascii_whitespace().partition(|field| is_counters(field));
        let &[placement, side, ref rest @ ..] = fields.as_slice() else {
            return Err(FenError::FieldCount(fields.len()));
        };
        if !(2..=4).contains(&rest.len()) || counters.len() > 1 {
            return Err(FenError::FieldCount(fields.len() + counters.len()));
        }
        let mut pos = Position::empty();
        pos.read_placement(placement)?;
        pos.side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Side(side.to_owned())),
        };
        pos.first_side = pos.side;
        pos.read_castling(rest[0])?;
        pos.check_pieces()?;
        let number = |index: usize, missing: u32| match rest.get(index) {
            None => Ok(missing),
            Some(text) => text
                .parse::<u32>()
                .ok()
                .filter(|&n| n <= 100_000)
                .ok_or_else(|| FenError::Number((*text).to_owned())),
        };
        pos.now.halfmove_clock = number(2, 0)?.min(10_000) as u16;
        pos.first_fullmove = number(3, 1)?.max(1);
        pos.now.reversible = 0;

        let checker = pos.in_check().then_some(!pos.side);
        pos.now.state = R::read_state(counters.first().copied(), checker)?;
        let (key, pawn_key, non_pawn_keys) = pos.computed_keys();
        (pos.now.key, pos.now.pawn_key, pos.now.non_pawn_keys) = (key, pawn_key, non_pawn_keys);
        pos.read_en_passant(rest.get(1).copied().unwrap_or("-"))?;
        Ok(pos)
    }

    fn read_placement(&mut self, text: &str) -> Result<(), FenError> {
        let wrong = || FenError::Placement(text.to_owned());
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(wrong());
        }
        for (rank, row) in (0..8).rev().zip(ranks) {
            let mut file = 0;
            for letter in row.chars() {
                match letter {
                    '1'..='8' => file += letter as u8 - b'0',
                    _ => {
                        let piece = Piece::from_fen_letter(letter).ok_or_else(wrong)?;
                        if file > 7 {
                            return Err(wrong());
                        }
                        if piece.kind() == PieceKind::King && self.has_king(piece.color()) {
                            return Err(FenError::Kings(piece.color()));
                        }
                        self.add_piece(piece, Square::new(file, rank))?;
                        file += 1;
                    }
                }
                if file > 8 {
                    return Err(wrong());
                }
            }
            if file != 8 {
                return Err(wrong());
            }
        }
        Ok(())
    }

    fn has_king(&self, color: Color) -> bool {
        self.ids_of(color, PieceKind::King).count() == 1
    }

    fn check_pieces(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            if !self.has_king(color) {
                return Err(FenError::Kings(color));
            }
            if self.pieces(color, PieceKind::Pawn).any(|sq| matches!(sq.rank(), 0 | 7)) {
                return Err(FenError::PawnRank);
            }
        }
        if self.is_attacked(self.king(!self.side), self.side) {
            return Err(FenError::OpponentInCheck);
        }
        Ok(())
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let (color, short) = match letter {
                'K' => (Color::White, true),
                'Q' => (Color::White, false),
                'k' => (Color::Black, true),
                'q' => (Color::Black, false),
                _ => return Err(FenError::Castling(text.to_owned())),
            };
            if self.is_at_home(color, short) {
                self.now.castling = self.now.castling.with(color, short);
            }
        }
        Ok(())
    }

    fn is_at_home(&self, color: Color, short: bool) -> bool {
        self.cell(Castling::king_home(color)).holds(color, PieceKind::King)
            && self.cell(Castling::rook_home(color, short)).holds(color, PieceKind::Rook)
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let wrong = || FenError::EnPassant(text.to_owned());
        let sq = Square::parse(text).ok_or_else(wrong)?;
        if sq.rank_for(self.side) != 5 {
            return Err(wrong());
        }
        let back = if self.side == Color::White { Step::NORTH } else { Step::SOUTH };
        let (from, to) = (sq + back, sq + -back);
        let them = !self.side;
        if self.cell(to).holds(them, PieceKind::Pawn)
            && self.cell(sq).is_empty()
            && self.cell(from).is_empty()
        {
            self.allow_en_passant(from, to);
        }
        Ok(())
    }

    /// The position as FEN. En passant is written only when a capture is legal.
    pub fn fen(&self) -> String {
        let ranks: Vec<String> = (0..8).rev().map(|rank| self.fen_rank(rank)).collect();
        let side = if self.side == Color::White { 'w' } else { 'b' };
        let castling: String = [(Color::White, "KQ"), (Color::Black, "kq")]
            .into_iter()
            .flat_map(|(color, letters)| {
                letters.chars().zip([true, false]).map(move |l| (color, l))
            })
            .filter(|&(color, (_, short))| self.now.castling.has(color, short))
            .map(|(_, (letter, _))| letter)
            .collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        let en_passant = self.now.en_passant.map_or("-".to_owned(), |sq| sq.to_string());
        let state = R::write_state(&self.now.state).map_or(String::new(), |s| format!(" {s}"));
        format!(
            "{} {side} {castling} {en_passant}{state} {} {}",
            ranks.join("/"),
            self.halfmove_clock(),
            self.fullmove_number()
        )
    }

    fn fen_rank(&self, rank: u8) -> String {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..8 {
            match self.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        row += &empty.to_string();
                        empty = 0;
                    }
                    row.push(piece.fen_letter());
                }
            }
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        row
    }
}

/// Is this field a pair of check counters: digits with one plus sign between, or two in front?
fn is_counters(field: &str) -> bool {
    field.contains('+') && field.bytes().all(|byte| byte == b'+' || byte.is_ascii_digit())
}

impl<R: Rules> std::fmt::Debug for Position<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}

/// A diagram for people: eight ranks, White below, then the FEN.
impl<R: Rules> std::fmt::Display for Position<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "{}", rank + 1)?;
            for file in 0..8 {
                let cell: Cell = self.cell(Square::new(file, rank));
                write!(f, " {}", cell.piece().map_or('.', Piece::fen_letter))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "  a b c d e f g h")?;
        f.write_str(&self.fen())
    }
}
