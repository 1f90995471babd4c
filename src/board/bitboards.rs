//! Tables of bitboards: the squares that a piece reaches, and those between two squares.
//!
//! A bitboard is a set of squares, one bit for each by [`Square::index64`]. The position keeps one for each
//! kind of piece and one for each side beside its mailbox: they answer at once what would take a walk over
//! the squares. Sliders use the classical approach: a ray up to its first blocker.

use crate::types::{Color, Square, Step};

/// By the index in [`Step::ROYAL`] and by square: the squares in this direction up to the edge.
pub static RAYS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut index = 0;
        while index < 64 {
            let mut sq = stepped(Square::from_index64(index), Step::ROYAL[direction]);
            while sq.is_on_board() {
                table[direction][index] |= sq.bit();
                sq = stepped(sq, Step::ROYAL[direction]);
            }
            index += 1;
        }
        direction += 1;
    }
    table
};

/// By two squares: the squares between them if they stand on one rank, file or diagonal; else none.
pub static BETWEEN: [[u64; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut index = 0;
    while index < 64 {
        let mut direction = 0;
        while direction < 8 {
            let mut passed = 0;
            let mut sq = stepped(Square::from_index64(index), Step::ROYAL[direction]);
            while sq.is_on_board() {
                table[index][sq.index64()] = passed;
                passed |= sq.bit();
                sq = stepped(sq, Step::ROYAL[direction]);
            }
            direction += 1;
        }
        index += 1;
    }
    table
};

/// By square: the other squares of its rank and its file.
pub static STRAIGHT: [u64; 64] = cross(0);

/// By square: the other squares of its diagonals.
pub static DIAGONAL: [u64; 64] = cross(4);

/// The squares of four directions of [`Step::ROYAL`], from this one on.
const fn cross(first: usize) -> [u64; 64] {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let mut direction = first;
        while direction < first + 4 {
            table[index] |= RAYS[direction][index];
            direction += 1;
        }
        index += 1;
    }
    table
}

/// By square: the squares a knight's leap away.
pub static KNIGHT: [u64; 64] = leaps(&Step::KNIGHT);

/// By square: the squares a king's step away.
pub static KING: [u64; 64] = leaps(&Step::ROYAL);

/// By the pawn's colour and the square: the squares from which a pawn attacks it.
pub static PAWN_ORIGINS: [[u64; 64]; 2] =
    [leaps(&[Step::new(-15), Step::new(-17)]), leaps(&[Step::new(15), Step::new(17)])];

/// By square: the squares one of these steps away.
const fn leaps(steps: &[Step]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < steps.len() {
            let sq = stepped(Square::from_index64(index), steps[i]);
            if sq.is_on_board() {
                table[index] |= sq.bit();
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The place one step away: [`std::ops::Add`] for constants.
const fn stepped(sq: Square, step: Step) -> Square {
    Square::from_index((sq.index() as u8).wrapping_add_signed(step.value()))
}

/// By the index in [`Step::ROYAL`], as bits: does [`Square::index64`] grow in this direction?
const UPWARDS: u8 = 0b1001_0011;

/// The squares in a direction of [`Step::ROYAL`] up to the first occupied one, that one included.
#[inline(always)]
pub fn ray(direction: usize, from: usize, occupied: u64) -> u64 {
    let ray = RAYS[direction & 7][from & 63];
    let blockers = ray & occupied;
    if UPWARDS >> (direction & 7) & 1 != 0 {
        // All bits up to the lowest blocker; all if there is none.
        ray & (blockers ^ blockers.wrapping_sub(1))
    } else {
        // All bits from the highest blocker on; all if there is none.
        ray & ((1_u64 << 63) >> (blockers | 1).leading_zeros()).wrapping_neg()
    }
}

/// What a rook reaches, by direction as in [`Step::ROOK`].
#[inline(always)]
pub fn rook(from: usize, occupied: u64) -> [u64; 4] {
    [ray(0, from, occupied), ray(1, from, occupied), ray(2, from, occupied), ray(3, from, occupied)]
}

/// What a bishop reaches, by direction as in [`Step::BISHOP`].
#[inline(always)]
pub fn bishop(from: usize, occupied: u64) -> [u64; 4] {
    [ray(4, from, occupied), ray(5, from, occupied), ray(6, from, occupied), ray(7, from, occupied)]
}

/// The squares of all four rays.
#[inline(always)]
pub fn union(rays: [u64; 4]) -> u64 {
    let [a, b, c, d] = rays;
    a | b | c | d
}

/// Are there at least two squares?
#[inline(always)]
pub const fn more_than_one(squares: u64) -> bool {
    squares & squares.wrapping_sub(1) != 0
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The squares that pawns of a side attack from these squares. With the other side's colour: the squares
/// from which pawns attack one of these.
#[inline(always)]
pub const fn pawn_attacks(by: Color, pawns: u64) -> u64 {
    let (not_a, not_h) = (pawns & !FILE_A, pawns & !FILE_H);
    match by {
        Color::White => not_a << 7 | not_h << 9,
        Color::Black => not_a >> 9 | not_h >> 7,
    }
}

/// The squares one rank ahead of these, as a side sees it; none of them may stand on its last rank.
#[inline(always)]
pub const fn ahead(color: Color, squares: u64) -> u64 {
    squares.rotate_left(if color as u8 == 0 { 8 } else { 56 })
}

/// The squares one file to the west of these.
#[inline(always)]
pub const fn west(squares: u64) -> u64 {
    (squares & !FILE_A) >> 1
}

/// The squares one file to the east of these.
#[inline(always)]
pub const fn east(squares: u64) -> u64 {
    (squares & !FILE_H) << 1
}

/// The rank with this number as [`Square::rank_for`] counts, 0 to 7.
#[inline(always)]
pub const fn rank_for(color: Color, rank: u8) -> u64 {
    0xff << (8 * (rank ^ (7 * color as u8)))
}

/// The squares of a bitboard, in the order of [`Square::index64`].
#[derive(Clone)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Square::from_index64(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of squares from their names.
    fn set(names: &str) -> u64 {
        names.split_whitespace().map(|name| 1 << at(name)).sum()
    }

    fn at(name: &str) -> usize {
        Square::parse(name).unwrap().index64()
    }

    #[test]
    fn a_slider_reaches_the_first_blocker_in_each_direction() {
        let occupied = set("d4 d7 d8 a4 b4 f4 d1 f6 b2 a1 g1");
        assert_eq!(
            rook(at("d4"), occupied),
            [set("d5 d6 d7"), set("e4 f4"), set("d3 d2 d1"), set("c4 b4")]
        );
        assert_eq!(
            bishop(at("d4"), occupied),
            [set("e5 f6"), set("e3 f2 g1"), set("c3 b2"), set("c5 b6 a7")]
        );
        // On an empty board, and in the corners.
        assert_eq!(rook(at("a1"), 0)[0], set("a2 a3 a4 a5 a6 a7 a8"));
        assert_eq!(rook(at("h8"), 0)[3], set("a8 b8 c8 d8 e8 f8 g8"));
        assert_eq!(bishop(at("h8"), set("a1"))[2], set("a1 b2 c3 d4 e5 f6 g7"));
        assert_eq!(bishop(at("a1"), set("h8"))[2], 0);
    }

    #[test]
    fn squares_lie_between_two_of_one_line() {
        assert_eq!(BETWEEN[at("a1")][at("d4")], set("b2 c3"));
        assert_eq!(BETWEEN[at("h5")][at("e5")], set("f5 g5"));
        for (from, to) in [("a1", "a1"), ("a1", "a2"), ("b1", "c3"), ("a1", "b4")] {
            assert_eq!(BETWEEN[at(from)][at(to)], 0, "{from} {to}");
        }
    }

    #[test]
    fn pawns_attack_forwards_and_within_the_board() {
        assert_eq!(pawn_attacks(Color::White, set("a2 h4 d7")), set("b3 g5 c8 e8"));
        assert_eq!(pawn_attacks(Color::Black, set("a7 h4 d2")), set("b6 g3 c1 e1"));
        for color in Color::ALL {
            for sq in Square::all().map(Square::index64) {
                let origins = PAWN_ORIGINS[color.index()][sq];
                assert_eq!(origins, pawn_attacks(!color, 1 << sq), "{color} {sq}");
            }
        }
        assert_eq!(rank_for(Color::White, 6), set("a7 b7 c7 d7 e7 f7 g7 h7"));
        assert_eq!(rank_for(Color::Black, 6), set("a2 b2 c2 d2 e2 f2 g2 h2"));
    }

    #[test]
    fn squares_come_in_their_order() {
        let squares: Vec<String> = Squares(set("h8 a1 c3")).map(|sq| sq.to_string()).collect();
        assert_eq!(squares, ["a1", "c3", "h8"]);
    }
}
