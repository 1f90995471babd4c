//! Weights made ready for use.

use super::tapered::Tapered;
use super::terms::{ABROAD, MATERIAL, PST, WING};
use super::view::KingHome;
use super::weights::Weights;
use crate::types::PieceKind;

/// The weights, and what one look-up gives of several of them.
pub struct Tables {
    pub weights: Weights,
    /// By the home of the own king, kind of piece, and square.
    piece_square: Box<[Tapered; KingHome::COUNT * 6 * 64]>,
}

const HOMES: [KingHome; KingHome::COUNT] = [KingHome::Centre, KingHome::Wing, KingHome::Abroad];

impl Tables {
    pub fn new(weights: Weights) -> Tables {
        let mut piece_square = Box::new([Tapered::ZERO; KingHome::COUNT * 6 * 64]);
        for home in HOMES {
            for kind in PieceKind::ALL {
                for square in 0..64 {
                    piece_square[index(home, kind, square)] = Tables::parts(home, kind, square)
                        .map(|place| weights.value(place))
                        .fold(Tapered::ZERO, |sum, value| sum + value);
                }
            }
        }
        Tables { weights, piece_square }
    }

    /// What a piece of this kind is worth on this square, its material included. Squares count from
    /// a8 to h1 as the owner sees them, mirrored so that its king stands on files a to d.
    #[inline(always)]
    pub fn piece_square(&self, home: KingHome, kind: PieceKind, square: usize) -> Tapered {
        self.piece_square[index(home, kind, square)]
    }

    /// The places of the values that make it up.
    pub fn parts(home: KingHome, kind: PieceKind, square: usize) -> impl Iterator<Item = usize> {
        let kind = kind.index() - 1;
        let by_home = match home {
            KingHome::Centre => None,
            KingHome::Wing => WING.get(kind),
            KingHome::Abroad => ABROAD.get(kind),
        };
        let material = (kind < 5).then(|| MATERIAL.at(kind));
        let squares = [Some(&PST[kind]), by_home];
        material.into_iter().chain(squares.into_iter().flatten().map(move |term| term.at(square)))
    }
}

#[inline(always)]
fn index(home: KingHome, kind: PieceKind, square: usize) -> usize {
    (home as usize * 6 + kind.index() - 1) * 64 + square
}
