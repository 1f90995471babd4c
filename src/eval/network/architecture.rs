//! The shape of the networks: their inputs and sizes.
//!
//! A network looks at a position from both sides. For each side it has 768 inputs: a piece of the own or
//! the other side, of six kinds, on one of 64 squares. The board is turned so that the own side plays
//! upwards, and mirrored so that the own king stands on files a to d. A hidden layer follows, the same for
//! both sides, and one output that is chosen by the number of pieces. How many neurons the hidden layer has
//! is a property of the network: one of the sizes of [`Hidden`].
//!
//! In a game with race levels, the levels of both sides add to the hidden layer: one row of biases for
//! each pair of levels.

use crate::types::{Color, Piece, Square};

/// The inputs of one side.
pub const INPUTS: usize = 768;
/// The outputs; the number of pieces chooses one.
pub const OUTPUTS: usize = 8;
/// The rows of biases for pairs of race levels.
pub const ROWS: usize = 9;

/// A hidden neuron that is fully active.
pub const ACTIVE: i32 = 255;
/// An output weight of one.
pub const WEIGHT_ONE: i32 = 64;
/// Centipawns for an output of one.
pub const SCALE: i32 = 400;

/// The size of the hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hidden {
    H128,
    H256,
    H384,
    H512,
}

impl Hidden {
    /// All sizes, from the least.
    pub const ALL: [Hidden; 4] = [Hidden::H128, Hidden::H256, Hidden::H384, Hidden::H512];

    /// The neurons for one side.
    pub const fn neurons(self) -> usize {
        match self {
            Hidden::H128 => 128,
            Hidden::H256 => 256,
            Hidden::H384 => 384,
            Hidden::H512 => 512,
        }
    }

    /// The size with so many neurons for one side; `None` if there is none.
    pub fn from_neurons(neurons: usize) -> Option<Hidden> {
        Hidden::ALL.into_iter().find(|hidden| hidden.neurons() == neurons)
    }

    /// The blocks of a row, which has a number for each neuron.
    pub const fn blocks(self) -> usize {
        self.neurons() / BLOCK
    }
}

/// The numbers in a block.
pub const BLOCK: usize = 32;

/// A part of a row of numbers, one for each neuron: a cache line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub [i16; BLOCK]);

impl Block {
    pub const ZERO: Block = Block([0; BLOCK]);
}

/// A piece on a square, as an input from White's side without a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceSquare(u16);

impl PieceSquare {
    #[inline(always)]
    pub const fn new(piece: Piece, square: Square) -> PieceSquare {
        PieceSquare::from_indices(piece.index12(), square.index64())
    }

    /// The piece and the square by their numbers: [`Piece::index12`] and [`Square::index64`].
    #[inline(always)]
    pub const fn from_indices(piece: usize, square: usize) -> PieceSquare {
        PieceSquare((piece * 64 + square) as u16)
    }

    /// The index of the input that sees it from one side.
    #[inline(always)]
    pub const fn input(self, view: SideView) -> usize {
        let index = self.0 as usize + view.shift;
        let index = if index < INPUTS { index } else { index - INPUTS };
        index ^ view.turn
    }
}

/// How a side looks at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideView {
    /// How far the inputs of the other colour are away.
    shift: usize,
    /// XORed with a square, turns and mirrors it.
    turn: usize,
}

impl SideView {
    /// The view of a side whose king stands on this square.
    #[inline(always)]
    pub const fn new(side: Color, king: Square) -> SideView {
        let mirror = if is_mirrored(king) { 7 } else { 0 };
        match side {
            Color::White => SideView { shift: 0, turn: mirror },
            Color::Black => SideView { shift: INPUTS / 2, turn: mirror ^ 56 },
        }
    }
}

/// Is the board mirrored for a side with its king on this square?
#[inline(always)]
pub const fn is_mirrored(king: Square) -> bool {
    king.file() >= 4
}

/// The output for this number of pieces on the board, kings and pawns included.
#[inline(always)]
pub const fn output_for(pieces: usize) -> usize {
    let index = pieces.saturating_sub(2) / 4;
    if index < OUTPUTS { index } else { OUTPUTS - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PieceKind;

    fn input(piece: char, square: &str, side: Color, king: &str) -> usize {
        let at = |name| Square::parse(name).unwrap();
        let piece = Piece::from_fen_letter(piece).unwrap();
        PieceSquare::new(piece, at(square)).input(SideView::new(side, at(king)))
    }

    #[test]
    fn both_sides_see_the_same_in_mirrored_positions() {
        use Color::{Black, White};
        let rook = 64 * (PieceKind::Rook.index() - 1);
        assert_eq!(input('R', "a1", White, "b1"), rook + Square::parse("a1").unwrap().index64());
        assert_eq!(input('R', "a1", White, "b1"), input('r', "a8", Black, "b8"));
        assert_eq!(input('R', "a1", White, "b1"), input('R', "h1", White, "g1"));
        assert_eq!(input('r', "a1", White, "b1"), input('R', "h8", Black, "g8"));
        assert_eq!(input('r', "a1", White, "b1"), INPUTS / 2 + input('R', "a1", White, "b1"));
    }

    #[test]
    fn the_number_of_pieces_chooses_the_output() {
        assert_eq!([2, 5, 6, 9, 31, 32].map(output_for), [0, 0, 1, 1, 7, 7]);
    }

    #[test]
    fn a_row_is_made_of_whole_blocks() {
        for hidden in Hidden::ALL {
            assert_eq!(hidden.blocks() * BLOCK, hidden.neurons());
            assert_eq!(Hidden::from_neurons(hidden.neurons()), Some(hidden));
        }
        assert_eq!(Hidden::from_neurons(64), None);
        assert_eq!(size_of::<Block>(), 2 * BLOCK);
    }
}
