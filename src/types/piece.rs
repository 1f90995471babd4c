//! Pieces, and what a square of the board may hold.
//!
//! A piece is five bits: its kind in the low three, bit 3 for White, bit 4 for Black, so that
//! "is it the enemy's" is one AND.

use super::Color;

/// The six kinds of chessmen.
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

    /// The kinds a pawn may become, the most valuable first.
    pub const PROMOTIONS: [PieceKind; 4] = [Queen, Rook, Bishop, Knight];

    /// 1 for pawn to 6 for king: the index into tables by kind, where 0 is free for "any" or "none".
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind's upper-case English letter.
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

    /// The kind with this English letter, of either case.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// A piece: a kind and a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece(kind as u8 | Cell::color_bit(color))
    }

    pub const fn color(self) -> Color {
        if self.0 & Cell::WHITE_BIT != 0 { Color::White } else { Color::Black }
    }

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

    /// 0..=11, White's pawn to king, then Black's: the index into tables by piece.
    pub const fn index12(self) -> usize {
        (self.0 & 7) as usize - 1 + if self.0 & Cell::WHITE_BIT != 0 { 0 } else { 6 }
    }

    /// The FEN letter: upper case for White.
    pub const fn fen_letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter(),
            Color::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece a FEN letter stands for.
    pub fn from_fen_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece::new(color, PieceKind::from_letter(letter)?))
    }
}

/// What one entry of the 0x88 board holds: nothing, a piece, or the wall around the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Cell(u8);

impl Cell {
    pub const EMPTY: Cell = Cell(0);
    /// Stops a sliding piece and belongs to nobody: no kind and no colour bit is set.
    pub const WALL: Cell = Cell(0x80);

    const WHITE_BIT: u8 = 8;
    const BLACK_BIT: u8 = 16;

    const fn color_bit(color: Color) -> u8 {
        Cell::WHITE_BIT << color as u8
    }

    pub const fn of(piece: Piece) -> Cell {
        Cell(piece.0)
    }

    /// The bits as stored: 0, a five-bit piece, or the wall's.
    pub const fn bits(self) -> u8 {
        self.0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Does a piece of this colour stand here?
    pub const fn belongs_to(self, color: Color) -> bool {
        self.0 & Cell::color_bit(color) != 0
    }

    /// Does exactly this piece stand here?
    pub const fn holds(self, color: Color, kind: PieceKind) -> bool {
        self.0 == kind as u8 | Cell::color_bit(color)
    }

    /// The kind bits: 0 for an empty cell or the wall, else [`PieceKind::index`].
    pub const fn kind_index(self) -> usize {
        (self.0 & 7) as usize
    }

    pub const fn piece(self) -> Option<Piece> {
        if self.0 & (Cell::WHITE_BIT | Cell::BLACK_BIT) != 0 { Some(Piece(self.0)) } else { None }
    }
}
