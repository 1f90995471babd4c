//! Positions as text: Forsyth–Edwards Notation (FEN).
//!
//! Castling is read as in standard chess (`KQkq`), as X-FEN (a file's letter if `K` or `Q` would
//! mean another rook) and as Shredder-FEN (`HAha`). It is written as X-FEN, which differs from a
//! usual FEN in Chess960 only. The field of a variant's state is found wherever it
//! stands; it is written as the fifth. Men in hand are read in brackets behind the placement, `[Qnp]`, or
//! as a ninth rank, `/Qnp`, and written in brackets; `~` marks a promoted man.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Hands, Position, PositionError, Rules, Setup, hands};
use crate::types::{CastlingSide, Color, Piece, PieceKind, Square};

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    #[error("a FEN has six fields, such as 4k3/8/8/8/8/8/8/4K3 w - - 0 1; this one has {0}")]
    FieldCount(usize),
    #[error("bad piece placement: {0}")]
    Placement(String),
    #[error("bad men in hand: {0}")]
    Hands(String),
    #[error("bad side to move: {0}")]
    Side(String),
    #[error("bad castling rights: {0}")]
    Castling(String),
    #[error("bad en passant square: {0}")]
    EnPassant(String),
    #[error("bad number: {0}")]
    Number(String),
    #[error("bad counters: {0}")]
    State(String),
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// The greatest clock or move number that is accepted.
const GREATEST_NUMBER: u32 = 100_000;
/// The greatest halfmove clock that is kept; greater ones are lowered to it.
const GREATEST_CLOCK: u32 = 10_000;

impl<R: Rules> Position<R> {
    /// Reads a FEN. Missing clocks are 0 and 1. Castling rights without king or rook in place are
    /// dropped, and so is an en passant square where no capture is legal.
    ///
    /// # Errors
    /// A [`FenError`] if the text is not a FEN or the position is not legal.
    #[inline(never)]
    pub fn from_fen(fen: &str) -> Result<Position<R>, FenError> {
        Ok(Position::try_from(fen.parse::<Setup<R>>()?)?)
    }

    /// The position as FEN. The en passant square is written only if a capture there is legal, or would be if the
    /// game were not over.
    #[inline(never)]
    pub fn fen(&self) -> String {
        self.setup().to_string()
    }
}

/// The side to move in a FEN of any game, and the number of that move. White and 1 if the FEN does
/// not tell: its first number is the halfmove clock, and the second is that of the move.
pub fn next_move(fen: &str) -> (Color, u32) {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let side = if fields.get(1) == Some(&"b") { Color::Black } else { Color::White };
    let number = fields.iter().filter_map(|field| field.parse().ok()).nth(1);
    (side, number.unwrap_or(1).max(1))
}

impl<R: Rules> FromStr for Setup<R> {
    type Err = FenError;

    #[inline(never)]
    fn from_str(fen: &str) -> Result<Setup<R>, FenError> {
        let (state, fields): (Vec<&str>, Vec<&str>) =
            fen.split_ascii_whitespace().partition(|field| R::is_state_field(field));
        let &[placement, side, castling, ref rest @ ..] = fields.as_slice() else {
            return Err(FenError::FieldCount(fields.len() + state.len()));
        };
        if !(1..=3).contains(&rest.len()) || state.len() > 1 {
            return Err(FenError::FieldCount(fields.len() + state.len()));
        }
        let mut setup = Setup::empty();
        if R::HAS_DROPS {
            setup.read_placement_with_hands(placement)?;
        } else {
            setup.pieces = read_placement(placement)?;
        }
        setup.side_to_move = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::Side(side.to_owned())),
        };
        setup.read_castling(castling)?;
        setup.read_en_passant(rest[0])?;
        setup.halfmove_clock = read_number(rest, 1, 0)?.min(GREATEST_CLOCK) as u16;
        setup.fullmove_number = read_number(rest, 2, 1)?.max(1);
        if let Some(&text) = state.first() {
            let read = R::read_state(text).ok_or_else(|| FenError::State(text.to_owned()))?;
            setup.state = Some(read);
        }
        Ok(setup)
    }
}

impl<R: Rules> Setup<R> {
    /// Reads a placement with men in hand behind it and marks of promoted men. Both may be missing.
    fn read_placement_with_hands(&mut self, text: &str) -> Result<(), FenError> {
        let (placement, in_hand) = hands::split(text);
        let bad_hands = || FenError::Hands(in_hand.to_owned());
        self.pieces = read_placement(&placement.replace('~', ""))?;
        let mut state = R::State::default();
        if let Some(hands) = R::hands_mut(&mut state) {
            hands.read(in_hand).ok_or_else(bad_hands)?;
            for sq in squares_before_marks(placement) {
                let can_be_promoted = |kind| !matches!(kind, PieceKind::Pawn | PieceKind::King);
                if !sq
                    .and_then(|sq| self.piece_at(sq))
                    .map(Piece::kind)
                    .is_some_and(can_be_promoted)
                {
                    return Err(FenError::Placement(text.to_owned()));
                }
                sq.into_iter().for_each(|sq| hands.promote(sq));
            }
        }
        self.state = Some(state);
        Ok(())
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let named = match letter.to_ascii_uppercase() {
                'K' => self.outermost_rook(color, CastlingSide::King),
                'Q' => self.outermost_rook(color, CastlingSide::Queen),
                file @ 'A'..='H' => self.rook_on_file(color, file as u8 - b'A'),
                _ => return Err(FenError::Castling(text.to_owned())),
            };
            if let Some((side, rook)) = named {
                self.castling_rooks[color.index()][side.index()] = Some(rook);
            }
        }
        Ok(())
    }

    /// The rook that `K` or `Q` means: the outermost one on that side of the king.
    fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<(CastlingSide, Square)> {
        let king = self.castling_king(color)?;
        let mut files: Vec<u8> = match side {
            CastlingSide::King => (king.file() + 1..8).rev().collect(),
            CastlingSide::Queen => (0..king.file()).collect(),
        };
        files.retain(|&file| self.rook_on_file(color, file).is_some());
        let rook = Square::new(*files.first()?, color.back_rank());
        Some((side, rook))
    }

    /// The rook on this file of the back rank, if there is one, and its side of the king.
    fn rook_on_file(&self, color: Color, file: u8) -> Option<(CastlingSide, Square)> {
        let rook = Square::new(file, color.back_rank());
        let side = if file > self.castling_king(color)?.file() {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        };
        self.holds(rook, color, PieceKind::Rook).then_some((side, rook))
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square = Square::parse(text).filter(|sq| sq.rank_for(self.side_to_move) == 5);
        self.en_passant = Some(square.ok_or_else(|| FenError::EnPassant(text.to_owned()))?);
        Ok(())
    }

    pub(super) fn hands(&self) -> Option<&Hands> {
        R::hands(self.state.as_ref()?)
    }

    /// A man's letter, with `~` behind it if it is promoted.
    fn letter(&self, piece: Piece, sq: Square) -> String {
        let is_promoted = self.hands().is_some_and(|hands| hands.is_promoted(sq));
        format!("{}{}", piece.fen_letter(), if is_promoted { "~" } else { "" })
    }

    /// The castling field: `-`, or one letter for each right.
    fn castling_field(&self) -> String {
        let mut field = String::new();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling_rooks[color.index()][side.index()] else { continue };
                let letter = match side {
                    _ if self.outermost_rook(color, side) != Some((side, rook)) => {
                        (b'A' + rook.file()) as char
                    }
                    CastlingSide::King => 'K',
                    CastlingSide::Queen => 'Q',
                };
                field.push(match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }
}

impl<R: Rules> fmt::Display for Setup<R> {
    #[inline(never)]
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&placement(|sq| self.piece_at(sq).map(|piece| self.letter(piece, sq))))?;
        if let Some(hands) = self.hands() {
            write!(f, "[{hands}]")?;
        }
        write!(f, " {} {}", self.side_to_move.fen_letter(), self.castling_field())?;
        match self.en_passant {
            Some(sq) => write!(f, " {sq}")?,
            None => f.write_str(" -")?,
        }
        if let Some(state) = self.state.as_ref().and_then(R::write_state) {
            write!(f, " {state}")?;
        }
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }
}

/// The pieces of a placement, by [`Square::index64`].
fn read_placement(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let wrong = || FenError::Placement(text.to_owned());
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(wrong());
    }
    let mut pieces = [None; 64];
    for (rank, row) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        for letter in row.chars() {
            match letter {
                '1'..='8' => file += letter as u8 - b'0',
                _ if file < 8 => {
                    let piece = Piece::from_fen_letter(letter).ok_or_else(wrong)?;
                    pieces[Square::new(file, rank).index64()] = Some(piece);
                    file += 1;
                }
                _ => return Err(wrong()),
            }
            if file > 8 {
                return Err(wrong());
            }
        }
        if file != 8 {
            return Err(wrong());
        }
    }
    Ok(pieces)
}

/// The clock or move number in the field with this index, if there is one.
fn read_number(fields: &[&str], index: usize, missing: u32) -> Result<u32, FenError> {
    let Some(&text) = fields.get(index) else { return Ok(missing) };
    let number = text.parse().ok().filter(|&number| number <= GREATEST_NUMBER);
    number.ok_or_else(|| FenError::Number(text.to_owned()))
}

/// The first field of a FEN, or a text of the same form: a letter for an occupied square, a digit
/// for a number of empty squares.
pub fn placement<L: fmt::Display>(letter: impl Fn(Square) -> Option<L>) -> String {
    let mut text = String::with_capacity(72);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let Some(letter) = letter(Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
            }
            text += &letter.to_string();
            empty = 0;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// The squares of the men that stand before a `~` in a placement; `None` where no man does. The placement
/// must be correct without these marks.
fn squares_before_marks(placement: &str) -> Vec<Option<Square>> {
    let mut squares = Vec::new();
    for (rank, row) in (0..8).rev().zip(placement.split('/')) {
        let (mut file, mut last) = (0, None);
        for letter in row.chars() {
            match letter {
                '~' => squares.push(last.take()),
                '1'..='8' => (file, last) = (file + letter as u8 - b'0', None),
                _ => (file, last) = (file + 1, Some(Square::new(file, rank))),
            }
        }
    }
    squares
}

impl<R: Rules> fmt::Debug for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}

/// A diagram: eight ranks with White below, the men in hand, then the FEN.
impl<R: Rules> fmt::Display for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "{}", rank + 1)?;
            for file in 0..8 {
                let piece = self.piece_at(Square::new(file, rank));
                write!(f, " {}", piece.map_or('.', Piece::fen_letter))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "  a b c d e f g h")?;
        if let Some(hands) = self.hands() {
            writeln!(f, "in hand: {hands}")?;
        }
        f.write_str(&self.fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_move_has_the_second_number() {
        for (fields, next) in [
            ("w - - 7 30", (Color::White, 30)),
            ("b - - 7", (Color::Black, 1)),
            ("b - -", (Color::Black, 1)),
            ("b - - 3+2 7 30", (Color::Black, 30)),
            ("b - - 3+2 7", (Color::Black, 1)),
            ("w - - 7 30 +0+1", (Color::White, 30)),
            ("w - - 0 0", (Color::White, 1)),
        ] {
            assert_eq!(next_move(&format!("4k3/8/8/8/8/8/8/4K3 {fields}")), next, "{fields}");
        }
        assert_eq!(next_move(""), (Color::White, 1));
    }

    #[test]
    fn squares_without_letters_are_counted() {
        let letter = |square: Square| match square.to_string().as_str() {
            "a8" | "h8" | "c3" => Some('y'),
            _ => None,
        };
        assert_eq!(placement(letter), "y6y/8/8/8/8/2y5/8/8");
    }
}
