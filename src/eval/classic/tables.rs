//! The weights prepared for fast look-up: one table gives a piece's material and square together.

use super::tapered::Tapered;
use super::terms::{ADVANCED, MATERIAL, PST, WING};
use super::weights::Weights;
use crate::types::{Color, PieceKind, Square};

/// Where a king stands. The squares of its own pieces have other values for each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum KingHome {
    /// On the d or e file of its first two ranks.
    Centre = 0,
    /// On another file of its first two ranks.
    Wing = 1,
    /// Beyond its first two ranks.
    Advanced = 2,
}

impl KingHome {
    const ALL: [KingHome; 3] = [KingHome::Centre, KingHome::Wing, KingHome::Advanced];

    pub fn of(king: Square, us: Color) -> KingHome {
        match (king.rank_for(us), king.file()) {
            (0 | 1, 3 | 4) => KingHome::Centre,
            (0 | 1, _) => KingHome::Wing,
            _ => KingHome::Advanced,
        }
    }
}

/// The weights, and sums of weights that belong together.
pub struct Tables {
    pub weights: Weights,
    /// See [`Tables::piece_square`].
    piece_square: Box<[Tapered; PIECE_SQUARES]>,
}

/// Homes of the king, kinds of pieces, squares.
const PIECE_SQUARES: usize = KingHome::ALL.len() * 6 * 64;

impl Tables {
    pub fn new(weights: Weights) -> Tables {
        let mut piece_square = Box::new([Tapered::ZERO; PIECE_SQUARES]);
        for home in KingHome::ALL {
            for kind in PieceKind::ALL {
                for square in 0..64 {
                    piece_square[entry(home, kind, square)] = Tables::parts(home, kind, square)
                        .map(|index| weights.value(index))
                        .fold(Tapered::ZERO, |sum, value| sum + value);
                }
            }
        }
        Tables { weights, piece_square }
    }

    /// What a piece of this kind is worth on this square, its material included. `home` is where its
    /// own king stands. Squares count from a8 to h1 from the owner's side of the board, mirrored so
    /// that its king stands on files a to d.
    #[inline(always)]
    pub fn piece_square(&self, home: KingHome, kind: PieceKind, square: usize) -> Tapered {
        self.piece_square[entry(home, kind, square)]
    }

    /// The indices of the weights in that sum.
    pub fn parts(home: KingHome, kind: PieceKind, square: usize) -> impl Iterator<Item = usize> {
        let kind = kind.index() - 1;
        let by_home = match home {
            KingHome::Centre => None,
            KingHome::Wing => WING.get(kind),
            KingHome::Advanced => ADVANCED.get(kind),
        };
        let material = (kind < 5).then(|| MATERIAL.at(kind));
        let squares = [Some(&PST[kind]), by_home];
        material.into_iter().chain(squares.into_iter().flatten().map(move |term| term.at(square)))
    }
}

#[inline(always)]
fn entry(home: KingHome, kind: PieceKind, square: usize) -> usize {
    (home as usize * 6 + kind.index() - 1) * 64 + square
}
