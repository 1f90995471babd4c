//! A position of two to four men: who stands where, what attacks what, and which moves there are.

use crate::board::bitboards::{self, ahead, rank_for};
use crate::types::{Color, PieceKind};

use super::ending::{Ending, MOST_MEN};

/// Up to four men on the board. The first two are the kings of White and Black. Squares are numbers
/// from 0 (a1) to 63 (h8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Men {
    len: usize,
    colors: [Color; MOST_MEN],
    kinds: [PieceKind; MOST_MEN],
    /// Unused places hold 0.
    pub squares: MenSquares,
}

/// The squares of the men.
pub type MenSquares = [u8; MOST_MEN];

/// What a move does besides moving a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEffect {
    /// Nothing: the ending stays the same.
    None,
    /// It captures, promotes or both: another ending.
    OtherEnding,
}

impl Men {
    /// No man.
    const NONE: Men = Men {
        len: 0,
        colors: [Color::White; MOST_MEN],
        kinds: [PieceKind::King; MOST_MEN],
        squares: [0; MOST_MEN],
    };

    /// The men of an ending, the kings first, then White's men and Black's. All stand on a1.
    pub fn of(ending: &Ending) -> Men {
        let mut men = Men::NONE;
        for color in Color::ALL {
            men.add(color, PieceKind::King, 0);
        }
        for color in Color::ALL {
            for &kind in ending.extras(color) {
                men.add(color, kind, 0);
            }
        }
        men
    }

    /// The two kings.
    pub fn kings(white: u8, black: u8) -> Men {
        let mut men = Men::NONE;
        men.add(Color::White, PieceKind::King, white);
        men.add(Color::Black, PieceKind::King, black);
        men
    }

    /// Adds a man. There must be fewer than four.
    pub fn add(&mut self, color: Color, kind: PieceKind, square: u8) {
        debug_assert!(self.len < MOST_MEN);
        let place = self.len & 3;
        (self.colors[place], self.kinds[place], self.squares[place]) = (color, kind, square);
        self.len += 1;
    }

    /// The number of men.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.len
    }

    /// All men: place, colour, kind and square.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, Color, PieceKind, u8)> + '_ {
        (0..self.len).map(|place| {
            let place = place & 3;
            (place, self.colors[place], self.kinds[place], self.squares[place])
        })
    }

    /// The occupied squares as a bitboard.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.iter().fold(0, |set, (_, _, _, square)| set | 1 << square)
    }

    #[inline(always)]
    fn king(&self, color: Color) -> u8 {
        self.squares[color.index()]
    }

    /// Does no man share a square with another, and no pawn stand on its first or last rank?
    #[inline(always)]
    pub fn is_placed(&self) -> bool {
        self.occupied().count_ones() as usize == self.len
            && self
                .iter()
                .all(|(_, _, kind, square)| kind != PieceKind::Pawn || (8..56).contains(&square))
    }

    /// Is the king of a side attacked?
    #[inline(always)]
    pub fn is_in_check(&self, color: Color) -> bool {
        let (king, occupied) = (self.king(color), self.occupied());
        self.iter().any(|(_, by, kind, square)| {
            by != color
                && attacks(by, kind, square) >> king & 1 != 0
                && is_clear(square, king, occupied)
        })
    }

    /// Calls `visit` with each legal move of a side, en passant and castling left aside: the men
    /// afterwards, whether it makes another ending, and whether it gives check.
    #[inline(always)]
    pub fn visit_moves(&self, us: Color, mut visit: impl FnMut(&Men, MoveEffect, bool)) {
        let occupied = self.occupied();
        let ours = self
            .iter()
            .filter(|&(_, color, _, _)| color == us)
            .fold(0u64, |set, (_, _, _, square)| set | 1 << square);
        let enemy_king = 1u64 << self.king(!us);
        let mut try_move = |place: usize, to: u8| {
            let mut after = *self;
            after.squares[place & 3] = to;
            let mut effect = MoveEffect::None;
            if occupied >> to & 1 != 0 {
                after.remove_other(place, to);
                effect = MoveEffect::OtherEnding;
            }
            if after.is_in_check(us) {
                return;
            }
            if self.kinds[place & 3] == PieceKind::Pawn && !(8..56).contains(&to) {
                let Some(pawn) = after.iter().find(|&(_, _, _, square)| square == to) else {
                    return;
                };
                for kind in PieceKind::PROMOTIONS {
                    after.kinds[pawn.0 & 3] = kind;
                    visit(&after, MoveEffect::OtherEnding, after.is_in_check(!us));
                }
            } else {
                visit(&after, effect, after.is_in_check(!us));
            }
        };
        for (place, color, kind, from) in self.iter() {
            if color != us {
                continue;
            }
            let mut targets = attacks(us, kind, from) & !ours & !enemy_king;
            if kind == PieceKind::Pawn {
                targets &= occupied;
                let pushes = pawn_pushes(us, from, occupied);
                targets |= pushes;
            }
            while targets != 0 {
                let to = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                if is_clear(from, to, occupied) {
                    try_move(place, to);
                }
            }
        }
    }

    /// Calls `visit` with the men before each move of a side that led here without a capture or a
    /// promotion. Whether the positions are legal is not tested.
    #[inline(always)]
    pub fn visit_retractions(&self, us: Color, mut visit: impl FnMut(&Men)) {
        let occupied = self.occupied();
        for (place, color, kind, to) in self.iter() {
            if color != us {
                continue;
            }
            let mut origins = match kind {
                PieceKind::Pawn => pawn_origins(us, to, occupied),
                _ => attacks(us, kind, to) & !occupied,
            };
            while origins != 0 {
                let from = origins.trailing_zeros() as u8;
                origins &= origins - 1;
                if is_clear(from, to, occupied) {
                    let mut before = *self;
                    before.squares[place & 3] = from;
                    visit(&before);
                }
            }
        }
    }

    /// Removes the man on a square that is not the one at `place`.
    #[inline(never)]
    fn remove_other(&mut self, place: usize, square: u8) {
        let taken = self.iter().find(|&(other, _, _, at)| other != place && at == square);
        let Some((taken, ..)) = taken else { return };
        for place in taken..self.len - 1 {
            self.colors[place] = self.colors[place + 1];
            self.kinds[place] = self.kinds[place + 1];
            self.squares[place] = self.squares[place + 1];
        }
        self.len -= 1;
        self.squares[self.len] = 0;
        self.kinds[self.len] = PieceKind::King;
        self.colors[self.len] = Color::White;
    }
}

/// The squares that a man attacks on an empty board, as a bitboard.
#[inline(always)]
fn attacks(color: Color, kind: PieceKind, from: u8) -> u64 {
    let from = usize::from(from & 63);
    match kind {
        PieceKind::Pawn => bitboards::PAWN_ORIGINS[(!color).index()][from],
        PieceKind::Knight => bitboards::KNIGHT[from],
        PieceKind::Bishop => bitboards::DIAGONAL[from],
        PieceKind::Rook => bitboards::STRAIGHT[from],
        PieceKind::Queen => bitboards::STRAIGHT[from] | bitboards::DIAGONAL[from],
        PieceKind::King => bitboards::KING[from],
    }
}

/// Is no square between the two occupied?
#[inline(always)]
fn is_clear(from: u8, to: u8, occupied: u64) -> bool {
    bitboards::BETWEEN[usize::from(from & 63)][usize::from(to & 63)] & occupied == 0
}

/// The squares to which a pawn can be pushed, as a bitboard.
fn pawn_pushes(us: Color, from: u8, occupied: u64) -> u64 {
    let single = ahead(us, 1 << from) & !occupied;
    single | ahead(us, single) & !occupied & rank_for(us, 3)
}

/// The squares from which a pawn can have been pushed, as a bitboard.
fn pawn_origins(us: Color, to: u8, occupied: u64) -> u64 {
    let single = ahead(!us, 1 << to) & !occupied & !rank_for(us, 0);
    single | ahead(!us, single) & !occupied & rank_for(us, 1)
}
