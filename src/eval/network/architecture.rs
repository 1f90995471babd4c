//! The shape of the networks: their inputs and sizes.
//!
//! A network looks at a position from both sides. For each side it has 768 inputs for the board: a piece of
//! the own or the other side, of six kinds, on one of 64 squares. The board is turned so that the own side
//! plays upwards, if the game has such a direction, and mirrored so that the own king stands on files a to d.
//! 80 inputs follow for the men in hand: the first, second, to eighth man of a kind that a side has in hand;
//! the eighth counts again for each further man. A hidden layer follows, the same for both sides, and one
//! output that is chosen by the number of pieces. How many neurons the hidden layer has is a property of the
//! network: one of the sizes of [`Hidden`].
//!
//! In a game with race levels, the levels of both sides add to the hidden layer: one row of biases for
//! each pair of levels.

use crate::board::Rules;
use crate::types::{Color, Piece, PieceKind, Square};

/// The inputs of one side for the board.
pub const BOARD_INPUTS: usize = 768;
/// The inputs of one side for the men in hand: of two sides, five kinds, and eight numbers.
pub const HAND_INPUTS: usize = 2 * 5 * HAND_MEN;
/// All inputs of one side.
pub const INPUTS: usize = BOARD_INPUTS + HAND_INPUTS;
/// The men of a kind in hand that have inputs of their own.
const HAND_MEN: usize = 8;
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

    /// The size with this many neurons for one side; `None` if there is none.
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

/// What a network can see: a piece on a square or a man in hand. The number is that of the input from White's
/// side without a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature(u16);

impl Feature {
    #[inline(always)]
    pub const fn on_square(piece: Piece, square: Square) -> Feature {
        Feature::from_indices(piece.index12(), square.index64())
    }

    /// A piece on a square by their numbers: [`Piece::index12`] and [`Square::index64`].
    #[inline(always)]
    pub const fn from_indices(piece: usize, square: usize) -> Feature {
        Feature((piece * 64 + square) as u16)
    }

    /// A man of this kind, no king, in a side's hand, if the hand holds `before` others of the kind.
    #[inline(always)]
    pub const fn in_hand(color: Color, kind: PieceKind, before: usize) -> Feature {
        let last = if before < HAND_MEN { before } else { HAND_MEN - 1 };
        let side = color.index() * HAND_INPUTS / 2;
        Feature((BOARD_INPUTS + side + (kind.index() - 1) * HAND_MEN + last) as u16)
    }

    /// The index of the input that sees it from one side.
    #[inline(always)]
    pub const fn input<R: Rules>(self, view: SideView) -> usize {
        if R::HAS_DROPS && self.0 as usize >= BOARD_INPUTS {
            self.hand_input(view)
        } else {
            self.board_input(view)
        }
    }

    /// The index of the input that sees a piece on a square from one side.
    #[inline(always)]
    pub const fn board_input(self, view: SideView) -> usize {
        let shift = if view.is_black { BOARD_INPUTS / 2 } else { 0 };
        let index = self.0 as usize + shift;
        let index = if index < BOARD_INPUTS { index } else { index - BOARD_INPUTS };
        index ^ view.turn
    }

    /// The index of the input that sees a man in hand from one side.
    #[inline(always)]
    pub const fn hand_input(self, view: SideView) -> usize {
        let shift = if view.is_black { HAND_INPUTS / 2 } else { 0 };
        let index = self.0 as usize + shift;
        if index < INPUTS { index } else { index - HAND_INPUTS }
    }
}

/// How a side looks at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideView {
    is_black: bool,
    /// XORed with a square, turns and mirrors it.
    turn: usize,
}

impl SideView {
    /// The view of a side whose king stands on this square. `looks_from` is the side of the board from which
    /// it looks: its own, or White's if both sides play upwards.
    #[inline(always)]
    pub const fn new(side: Color, looks_from: Color, king: Square) -> SideView {
        let mirror = if is_mirrored(king) { 7 } else { 0 };
        let turn = match looks_from {
            Color::White => mirror,
            Color::Black => mirror ^ 56,
        };
        SideView { is_black: matches!(side, Color::Black), turn }
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
    use crate::board::Hands;
    use crate::variants::Crazyhouse;

    fn at(name: &str) -> Square {
        Square::parse(name).unwrap()
    }

    fn input(piece: char, square: &str, side: Color, king: &str) -> usize {
        let piece = Piece::from_fen_letter(piece).unwrap();
        let view = SideView::new(side, side, at(king));
        let input = Feature::on_square(piece, at(square)).board_input(view);
        assert_eq!(Feature::on_square(piece, at(square)).input::<Crazyhouse>(view), input);
        input
    }

    #[test]
    fn both_sides_see_the_same_in_mirrored_positions() {
        use Color::{Black, White};
        let rook = 64 * (PieceKind::Rook.index() - 1);
        assert_eq!(input('R', "a1", White, "b1"), rook + Square::parse("a1").unwrap().index64());
        assert_eq!(input('R', "a1", White, "b1"), input('r', "a8", Black, "b8"));
        assert_eq!(input('R', "a1", White, "b1"), input('R', "h1", White, "g1"));
        assert_eq!(input('r', "a1", White, "b1"), input('R', "h8", Black, "g8"));
        assert_eq!(input('r', "a1", White, "b1"), BOARD_INPUTS / 2 + input('R', "a1", White, "b1"));
    }

    #[test]
    fn where_both_play_upwards_the_board_is_not_turned() {
        use Color::{Black, White};
        let view = |side| SideView::new(side, White, at("b1"));
        let of = |piece, side| {
            Feature::on_square(Piece::from_fen_letter(piece).unwrap(), at("c2"))
                .board_input(view(side))
        };
        assert_eq!(of('R', White), of('r', Black));
        assert_eq!(of('r', White), of('R', Black));
    }

    #[test]
    fn every_man_in_hand_has_an_input_of_its_own_and_many_share_the_last() {
        use Color::{Black, White};
        let input = |color, kind, before, side| {
            let view = SideView::new(side, side, at("g1"));
            Feature::in_hand(color, kind, before).input::<Crazyhouse>(view)
        };
        let mut inputs = Vec::new();
        for color in Color::ALL {
            for kind in Hands::KINDS {
                inputs.extend((0..HAND_MEN).map(|before| input(color, kind, before, White)));
                assert_eq!(input(color, kind, 7, Black), input(color, kind, 15, Black));
                assert_eq!(input(color, kind, 3, White), input(!color, kind, 3, Black));
            }
        }
        inputs.sort_unstable();
        assert!(inputs.into_iter().eq(BOARD_INPUTS..INPUTS));
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
