//! The index of a placement: a number for where the men of an ending stand.
//!
//! The white king's square counts as one of 16 squares (a1 to d4) if there is no pawn, and as one of
//! 32 squares (a1 to d8) with pawns: the board is mirrored until the king stands there. Every other
//! man adds a factor of 64. No square lies on the axes of these mirrors, so no placement is its own
//! mirror image, and each has exactly one index.

use crate::types::{Color, PieceKind};

use super::ending::{Ending, MOST_MEN};
use super::men::Men;

/// How many values a block of a table holds.
pub const BLOCK: usize = 4096;

/// The indices of one ending.
#[derive(Clone, Debug)]
pub struct Index {
    men: Men,
    has_pawns: bool,
    /// The last two men are of one kind and colour: the lower square comes first.
    has_twins: bool,
    counts: [usize; 2],
}

impl Index {
    pub fn new(ending: &Ending) -> Index {
        let has_twins = Color::ALL.iter().any(|&color| {
            let extras = ending.extras(color);
            extras.len() == 2 && extras[0] == extras[1]
        });
        Index {
            men: Men::of(ending),
            has_pawns: ending.pawns() > 0,
            has_twins,
            counts: Color::ALL.map(|color| ending.counts(color)),
        }
    }

    /// The number of placements, legal or not: a multiple of [`BLOCK`].
    pub fn size(&self) -> usize {
        (if self.has_pawns { 32 } else { 16 }) << (6 * (self.men.count() - 1))
    }

    /// The number of different check counts of White and Black together.
    pub fn layers(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// The layer of these numbers of checks that White and Black have left to give, 1 to 3 each.
    #[inline(always)]
    pub fn layer(&self, left: [u8; 2]) -> usize {
        let digit = |color: usize| (usize::from(left[color]) - 1).min(self.counts[color] - 1);
        digit(0) * self.counts[1] + digit(1)
    }

    /// The inverse of [`Index::layer`]: the checks left; 1 for a bare king.
    pub fn left(&self, layer: usize) -> [u8; 2] {
        [(layer / self.counts[1]) as u8 + 1, (layer % self.counts[1]) as u8 + 1]
    }

    /// The index of the squares of the ending's men.
    #[inline(always)]
    pub fn of(&self, squares: [u8; MOST_MEN]) -> usize {
        let mut bits = u32::from_le_bytes(squares);
        if bits & 4 != 0 {
            bits ^= 0x0707_0707;
        }
        if !self.has_pawns && bits & 32 != 0 {
            bits ^= 0x3838_3838;
        }
        let mut squares = bits.to_le_bytes();
        if self.has_twins && squares[2] > squares[3] {
            squares.swap(2, 3);
        }
        let [king, others @ ..] = squares;
        let king = usize::from(king);
        let mut index = (king >> 3) << 2 | king & 3;
        index = index << 6 | usize::from(others[0]);
        index = index << 6 | usize::from(others[1]);
        if self.men.count() == 4 {
            index = index << 6 | usize::from(others[2]);
        }
        index
    }

    /// The men with an index. Placements that are not possible are `None`: two men on one square, a
    /// pawn on a back rank, or twins in the wrong order.
    #[inline(always)]
    pub fn men(&self, index: usize) -> Option<Men> {
        let mut men = self.men;
        let mut rest = index;
        for place in (1..men.count()).rev() {
            men.squares[place & 3] = (rest & 63) as u8;
            rest >>= 6;
        }
        men.squares[0] = ((rest >> 2) << 3 | rest & 3) as u8;
        let is_ordered = !self.has_twins || men.squares[2] < men.squares[3];
        (is_ordered && men.is_placed()).then_some(men)
    }

    /// Mirrors a pawnless placement at the long diagonal if that brings the white king to the
    /// triangle a1-d1-d4: files keep only these. The other blocks are empty.
    pub fn squares_in_file(&self, squares: [u8; MOST_MEN]) -> [u8; MOST_MEN] {
        if self.has_pawns {
            return squares;
        }
        let mut bits = u32::from_le_bytes(squares);
        if bits & 4 != 0 {
            bits ^= 0x0707_0707;
        }
        if bits & 32 != 0 {
            bits ^= 0x3838_3838;
        }
        let squares = bits.to_le_bytes();
        if is_above_diagonal(squares[0]) {
            return squares.map(|square| (square & 7) << 3 | square >> 3);
        }
        squares
    }

    /// Does a file leave this block out?
    pub fn is_left_out(&self, block: usize) -> bool {
        let king = (block * BLOCK % self.size()) >> (6 * (self.men.count() - 1));
        !self.has_pawns && is_above_diagonal(((king >> 2) << 3 | king & 3) as u8)
    }
}

/// Is the rank of the square greater than its file?
fn is_above_diagonal(square: u8) -> bool {
    square >> 3 > square & 7
}

/// Brings men into the order and orientation of their ending: the ending, the squares, and whether
/// the colours were exchanged. `None` for bare kings.
pub fn normalise(men: &Men) -> Option<(Ending, [u8; MOST_MEN], bool)> {
    let mut extras: [arrayvec::ArrayVec<(PieceKind, u8), 2>; 2] = Default::default();
    for (_, color, kind, square) in men.iter().skip(2) {
        extras[color.index()].push((kind, square));
    }
    for extras in &mut extras {
        extras.sort_by_key(|&(kind, square)| (std::cmp::Reverse(kind), square));
    }
    let kinds = |color: usize| -> arrayvec::ArrayVec<PieceKind, 2> {
        extras[color].iter().map(|&(kind, _)| kind).collect()
    };
    let (ending, is_swapped) = Ending::of(&kinds(0), &kinds(1))?;
    let mut squares = [0; MOST_MEN];
    let [first, second] = if is_swapped { [1, 0] } else { [0, 1] };
    let ordered = [men.squares[first], men.squares[second]]
        .into_iter()
        .chain(extras[first].iter().map(|&(_, square)| square))
        .chain(extras[second].iter().map(|&(_, square)| square));
    let flip = if is_swapped { 56 } else { 0 };
    for (place, square) in ordered.enumerate() {
        squares[place & 3] = square ^ flip;
    }
    Some((ending, squares, is_swapped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_names_one_placement() {
        // The placements without two men on a square, and pawns on six ranks.
        for (name, expected) in
            [("KQvK", 16 * 63 * 62), ("KPvK", 8 * 48 * 62 + 24 * 47 * 62), ("KNvK", 16 * 63 * 62)]
        {
            let index = Index::new(&name.parse().unwrap());
            assert_eq!(index.size() % BLOCK, 0);
            let mut placements = 0;
            for number in 0..index.size() {
                if let Some(men) = index.men(number) {
                    placements += 1;
                    assert_eq!(index.of(men.squares), number, "{name}");
                    // The mirror images have the same index.
                    assert_eq!(index.of(men.squares.map(|square| square ^ 7)), number);
                    let in_file = index.of(index.squares_in_file(men.squares));
                    assert!(!index.is_left_out(in_file / BLOCK));
                }
            }
            assert_eq!(placements, expected, "{name}");
        }
    }

    #[test]
    fn twins_have_one_order() {
        let index = Index::new(&"KRRvK".parse().unwrap());
        let squares = [1, 60, 20, 11];
        let number = index.of(squares);
        assert_eq!(index.men(number).unwrap().squares, [1, 60, 11, 20]);
    }

    #[test]
    fn layers_are_numbered_by_the_checks_left() {
        let both = Index::new(&"KQvKR".parse().unwrap());
        assert_eq!(both.layers(), 9);
        for layer in 0..9 {
            assert_eq!(both.layer(both.left(layer)), layer);
        }
        let bare = Index::new(&"KQRvK".parse().unwrap());
        assert_eq!(bare.layers(), 3);
        for black in 1..=3 {
            assert_eq!(bare.layer([2, black]), 1);
        }
    }
}
