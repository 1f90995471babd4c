//! Zobrist keys. The random numbers come from SplitMix64 (Vigna 2015) at compile time, so keys are
//! the same in every build.

use super::CastlingRights;
use crate::types::{Key, Piece, Square};

const PIECES: [[u64; 64]; 12] = {
    let mut table = [[0; 64]; 12];
    let mut seed = 0x7ebc_4e70;
    let mut piece = 0;
    while piece < 12 {
        let mut sq = 0;
        while sq < 64 {
            table[piece][sq] = split_mix(&mut seed);
            sq += 1;
        }
        piece += 1;
    }
    table
};

const CASTLING: [u64; 16] = numbers(0x00ca_571e);
const EN_PASSANT: [u64; 8] = numbers(0xe9_0000);

/// The key of Black to move.
pub const BLACK_TO_MOVE: Key = Key::new(numbers::<1>(0xb1ac_c000)[0]);

const fn split_mix(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Random numbers for a table of keys, such as those of a variant's state.
pub const fn numbers<const N: usize>(mut seed: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = split_mix(&mut seed);
        i += 1;
    }
    table
}

/// The key of a piece on a square.
#[inline(always)]
pub fn piece(piece: Piece, sq: Square) -> Key {
    Key::new(PIECES[piece.index12()][sq.index64()])
}

/// The key of castling rights.
#[inline(always)]
pub fn castling(rights: CastlingRights) -> Key {
    Key::new(CASTLING[rights.index()])
}

/// The key of the en passant square; zero without one.
#[inline(always)]
pub fn en_passant(sq: Option<Square>) -> Key {
    sq.map_or(Key::ZERO, |sq| Key::new(EN_PASSANT[sq.file() as usize]))
}
