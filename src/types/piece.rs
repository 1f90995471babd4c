//! Pieces, and the contents of a square.
//!
//! A piece has five bits: three for its kind, then one for White and one for Black. So one AND
//! tests whether a square holds an enemy piece.

use super::Color;

/// The six kinds of pieces, pawns included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    Pawn = 1,
    Knight = 2,
    Bishop = 3,
    Rook = 4,
    Queen = 5,
    King = 6,
}

use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};

impl PieceKind {
    /// All kinds, from pawn to king.
    pub const ALL: [PieceKind; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

    /// The kinds to which a pawn can promote, the most valuable first.
    pub const PROMOTIONS: [PieceKind; 4] = [Queen, Rook, Bishop, Knight];

    /// The index into tables by kind: 1 for pawn to 6 for king. Index 0 is free for "any" or
    /// "none".
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter in upper case.
    pub const fn letter(self) -> char {
        match self {
            Pawn => 'P',
            Knight => 'N',
            Bishop => 'B',
            Rook => 'R',
            Queen => 'Q',
            King => 'K',
        }
    }

    /// The English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Pawn => "pawn",
            Knight => "knight",
            Bishop => "bishop",
            Rook => "rook",
            Queen => "queen",
            King => "king",
        }
    }

    /// The kind with this English letter in either case; `None` for other letters.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// A piece: a kind and a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece(kind as u8 | Cell::color_bit(color))
    }

    #[inline]
    pub const fn color(self) -> Color {
        if self.0 & Cell::WHITE_BIT != 0 { Color::White } else { Color::Black }
    }

    #[inline]
    pub const fn kind(self) -> PieceKind {
        match self.0 & 7 {
            1 => Pawn,
            2 => Knight,
            3 => Bishop,
            4 => Rook,
            5 => Queen,
            _ => King,
        }
    }

    /// The index into tables by piece, 0..=11: White's pawn to king, then Black's.
    #[inline]
    pub const fn index12(self) -> usize {
        (self.0 & 7) as usize - 1 + if self.0 & Cell::WHITE_BIT != 0 { 0 } else { 6 }
    }

    /// The piece with this index into tables by piece, which must be below 12.
    pub const fn from_index12(index: usize) -> Piece {
        let color = if index < 6 { Color::White } else { Color::Black };
        Piece::new(color, PieceKind::ALL[index % 6])
    }

    /// The FEN letter: upper case for White.
    pub const fn fen_letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter(),
            Color::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this FEN letter; `None` for other letters.
    pub fn from_fen_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece::new(color, PieceKind::from_letter(letter)?))
    }
}

/// The contents of one entry of the 0x88 board: nothing, a piece, or the wall around the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Cell(u8);

impl Cell {
    /// A square without a piece.
    pub const EMPTY: Cell = Cell(0);
    /// The wall around the board: it stops sliding pieces and has neither kind nor colour.
    pub const WALL: Cell = Cell(0x80);

    const WHITE_BIT: u8 = 8;
    const BLACK_BIT: u8 = 16;

    #[inline]
    const fn color_bit(color: Color) -> u8 {
        Cell::WHITE_BIT << color as u8
    }

    /// The cell that holds a piece.
    #[inline]
    pub const fn of(piece: Piece) -> Cell {
        Cell(piece.0)
    }

    /// The stored bits: 0 for an empty cell, the five bits of a piece, or those of the wall.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Does it hold a piece of this colour?
    #[inline]
    pub const fn belongs_to(self, color: Color) -> bool {
        self.0 & Cell::color_bit(color) != 0
    }

    /// Does it hold this piece?
    #[inline]
    pub const fn holds(self, color: Color, kind: PieceKind) -> bool {
        self.0 == kind as u8 | Cell::color_bit(color)
    }

    /// [`PieceKind::index`] of the piece; 0 for an empty cell or the wall.
    #[inline]
    pub const fn kind_index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// [`Color::index`] of the piece; 0 for an empty cell or the wall.
    #[inline]
    pub const fn color_index(self) -> usize {
        (self.0 >> 4 & 1) as usize
    }

    /// The piece, if there is one.
    #[inline]
    pub const fn piece(self) -> Option<Piece> {
        if self.0 & (Cell::WHITE_BIT | Cell::BLACK_BIT) != 0 { Some(Piece(self.0)) } else { None }
    }
}
