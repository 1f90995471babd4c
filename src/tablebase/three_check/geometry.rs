//! Attacks on an empty board and the squares between two squares, as bit sets.
//!
//! The generator asks for them hundreds of millions of times, with at most four men on the board, so
//! it has its own tables instead of a [`Position`](crate::board::Position). Squares are numbers from
//! 0 (a1) to 63 (h8), as [`Square::index64`].

use std::sync::LazyLock;

use crate::types::{Color, PieceKind, Square, Step};

/// The attacks of every piece from every square.
pub struct Geometry {
    /// By [`attacker`] and square: the squares attacked on an empty board.
    attacks: [[u64; 64]; 12],
    /// By two squares: the squares between them, if they share a rank, file or diagonal.
    between: [[u64; 64]; 64],
}

/// The tables, computed at the first use.
pub static GEOMETRY: LazyLock<Box<Geometry>> = LazyLock::new(|| Box::new(Geometry::new()));

/// The index of a piece in the attack table.
const fn attacker(color: Color, kind: PieceKind) -> usize {
    6 * color.index() + kind.index() - 1
}

impl Geometry {
    fn new() -> Geometry {
        let mut geometry = Geometry { attacks: [[0; 64]; 12], between: [[0; 64]; 64] };
        for from in Square::all() {
            for color in Color::ALL {
                for kind in PieceKind::ALL {
                    geometry.attacks[attacker(color, kind)][from.index64()] =
                        attacks_on_empty_board(color, kind, from);
                }
            }
            for step in Step::ROYAL {
                let mut passed = 0;
                let mut next = from.step(step);
                while let Some(sq) = next {
                    geometry.between[from.index64()][sq.index64()] = passed;
                    passed |= 1 << sq.index64();
                    next = sq.step(step);
                }
            }
        }
        geometry
    }

    /// The squares that a piece attacks on an empty board.
    #[inline(always)]
    pub fn attacks(&self, color: Color, kind: PieceKind, from: u8) -> u64 {
        self.attacks[attacker(color, kind)][usize::from(from & 63)]
    }

    /// Is no square between the two occupied?
    #[inline(always)]
    pub fn is_clear(&self, from: u8, to: u8, occupied: u64) -> bool {
        self.between[usize::from(from & 63)][usize::from(to & 63)] & occupied == 0
    }
}

fn attacks_on_empty_board(color: Color, kind: PieceKind, from: Square) -> u64 {
    let ahead = color.forward();
    let pawn = [ahead + Step::WEST, ahead + Step::EAST];
    let (steps, slides): (&[Step], bool) = match kind {
        PieceKind::Pawn => (&pawn, false),
        PieceKind::Knight => (&Step::KNIGHT, false),
        PieceKind::Bishop => (&Step::BISHOP, true),
        PieceKind::Rook => (&Step::ROOK, true),
        PieceKind::Queen => (&Step::ROYAL, true),
        PieceKind::King => (&Step::ROYAL, false),
    };
    let mut set = 0;
    for &step in steps {
        let mut next = from.step(step);
        while let Some(sq) = next {
            set |= 1 << sq.index64();
            next = sq.step(step).filter(|_| slides);
        }
    }
    set
}
