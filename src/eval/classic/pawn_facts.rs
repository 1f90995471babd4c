//! What the pawns and the kings alone tell about a position, and the cache of it.
//!
//! Pawns and kings move rarely, so most evaluations find the facts in the cache. `pawns` and `king`
//! compute them.

use super::tapered::Tapered;
use crate::board::bitboards::Squares;
use crate::board::{Position, Rules, zobrist};
use crate::types::{Color, Key, Piece, PieceKind, Square};

/// What the pawns and the kings alone tell.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct PawnFacts {
    key: Key,
    /// The passed pawns of each side, as a bitboard.
    passed: [u64; 2],
    /// By side and file: the rank of the rearmost pawn, 1 to 6 from its owner's side of the board.
    rear: [[i8; 8]; 2],
    /// The same for the most advanced pawn.
    front: [[i8; 8]; 2],
    /// The number of each side's pawns on light squares.
    light: [u8; 2],
    score: Tapered,
}

/// Stands for the rank of the rearmost pawn where the file has no pawn: beyond every rank.
const NO_REAR: i8 = 9;
/// Stands for the rank of the most advanced pawn where the file has no pawn: behind every rank.
const NO_FRONT: i8 = -1;

impl PawnFacts {
    const EMPTY: PawnFacts = PawnFacts {
        key: Key::ZERO,
        passed: [0; 2],
        rear: [[NO_REAR; 8]; 2],
        front: [[NO_FRONT; 8]; 2],
        light: [0; 2],
        score: Tapered::ZERO,
    };

    /// Where the pawns stand. Passed pawns and the score are still to be found.
    pub fn of_pawns<V: Rules>(pos: &Position<V>) -> PawnFacts {
        let mut facts = PawnFacts { key: key_of(pos), ..PawnFacts::EMPTY };
        for us in Color::ALL {
            for sq in pos.pieces(us, PieceKind::Pawn) {
                let rank = sq.rank_for(us) as i8;
                let rear = &mut facts.rear[us.index()][sq.file() as usize];
                *rear = rank.min(*rear);
                let front = &mut facts.front[us.index()][sq.file() as usize];
                *front = rank.max(*front);
                facts.light[us.index()] += u8::from(sq.is_light());
            }
        }
        facts
    }

    /// The rank of a side's rearmost pawn on the file, 1 to 6 from its own side of the board.
    #[inline(always)]
    pub fn rear_rank(&self, us: Color, file: u8) -> Option<i8> {
        let rank = self.rear[us.index()][file as usize & 7];
        (rank != NO_REAR).then_some(rank)
    }

    /// The same for the most advanced pawn.
    #[inline(always)]
    pub fn front_rank(&self, us: Color, file: u8) -> Option<i8> {
        let rank = self.front[us.index()][file as usize & 7];
        (rank != NO_FRONT).then_some(rank)
    }

    #[inline(always)]
    pub fn has_pawn(&self, us: Color, file: u8) -> bool {
        self.rear_rank(us, file).is_some()
    }

    /// The ranks of a side's rearmost pawns by file; a number beyond 7 where there is no pawn.
    #[inline(always)]
    pub fn rear_ranks(&self, us: Color) -> [i8; 8] {
        self.rear[us.index()]
    }

    /// The number of a side's pawns on light squares.
    #[inline(always)]
    pub fn on_light(&self, us: Color) -> i32 {
        i32::from(self.light[us.index()])
    }

    /// The passed pawns of a side.
    #[inline(always)]
    pub fn passed(&self, us: Color) -> impl Iterator<Item = Square> {
        Squares(self.passed[us.index()])
    }

    pub fn add_passed(&mut self, us: Color, sq: Square) {
        self.passed[us.index()] |= sq.bit();
    }

    /// Pawn structure, the squares of pawns and kings, and the kings' shelter: White's minus Black's.
    #[inline(always)]
    pub fn score(&self) -> Tapered {
        self.score
    }

    pub fn set_score(&mut self, score: Tapered) {
        self.score = score;
    }

    /// Can a pawn of `them` attack this square, now or after it has advanced on its file? `rank` is
    /// counted from the other side of the board.
    pub fn can_be_attacked(&self, them: Color, file: u8, rank: i8) -> bool {
        neighbours(file).any(|file| 7 - self.rear[them.index()][file] > rank)
    }
}

/// The files beside a file.
#[inline(always)]
pub fn neighbours(file: u8) -> impl Iterator<Item = usize> {
    let file = usize::from(file);
    [file.wrapping_sub(1), file + 1].into_iter().filter(|file| *file < 8)
}

/// The rank of a pawn, from 0; 1 for one on its first rank, where terms have no values.
#[inline(always)]
pub fn at_least_second<V: Rules>(us: Color, rank: i8) -> i8 {
    if V::has_back_rank_pawns(us) { rank.max(1) } else { rank }
}

/// The key of the pawns and the royal kings.
#[inline(always)]
pub fn key_of<V: Rules>(pos: &Position<V>) -> Key {
    let king = |us| match V::is_royal(us) {
        true => zobrist::piece(Piece::new(us, PieceKind::King), pos.king(us)),
        false => Key::ZERO,
    };
    pos.pawn_key() ^ king(Color::White) ^ king(Color::Black)
}

/// Remembers facts by their key. A new entry replaces the old one in its slot.
pub struct PawnCache {
    facts: Vec<PawnFacts>,
}

impl PawnCache {
    const SIZE: usize = 4096;

    pub fn new() -> PawnCache {
        PawnCache { facts: vec![PawnFacts::EMPTY; PawnCache::SIZE] }
    }

    /// The facts with this key. If they are not in the cache, `analyse` computes them.
    #[inline(always)]
    pub fn get(&mut self, key: Key, analyse: impl FnOnce() -> PawnFacts) -> PawnFacts {
        let slot = &mut self.facts[key.bits() as usize % PawnCache::SIZE];
        if slot.key != key {
            *slot = analyse();
        }
        *slot
    }
}
