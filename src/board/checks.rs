//! Which moves of one position give check, for callers that ask about many of them.

use std::cell::OnceCell;

use super::attacks::{aims_at, is_slider, step_towards};
use super::{Position, Rules};
use crate::types::{Cell, Move, Square, Step};

/// The checks that the side to move can give in one position. Computed at the first question.
#[derive(Default)]
pub struct Checks(OnceCell<CheckSquares>);

impl Checks {
    /// Does a legal move give check? As [`Position::gives_check`], but faster. The position must be
    /// the same in every call.
    #[inline(always)]
    pub fn gives_check<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        self.squares(pos).gives_check(pos, mv)
    }

    /// Does a legal move open a line from another piece to the king? Castling and en passant are left
    /// out.
    pub fn gives_discovered_check<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        pos.origin(mv).is_some() && !mv.is_castling() && self.squares(pos).uncovers(pos, mv)
    }

    /// The squares and pieces from which the side to move gives check.
    #[inline(always)]
    pub(crate) fn squares<R: Rules>(&self, pos: &Position<R>) -> &CheckSquares {
        self.0.get_or_init(|| CheckSquares::new(pos))
    }
}

/// The squares and pieces from which the side to move gives check.
pub(crate) struct CheckSquares {
    /// By [`Cell::kind_index`]: the squares from which such a piece gives check, as bits by
    /// [`Square::index64`].
    pub(crate) from: [u64; 8],
    /// The squares of the pieces that give a discovered check when they leave their line to the king, as
    /// bits by [`Square::index64`].
    pub(crate) covering: u64,
}

impl CheckSquares {
    #[inline]
    fn new<R: Rules>(pos: &Position<R>) -> CheckSquares {
        let us = pos.side_to_move();
        if !R::is_royal(!us) {
            return CheckSquares { from: [0; 8], covering: 0 };
        }
        let king = pos.king(!us);
        let mut lines = [0; 2];
        let mut covering = 0;
        for (index, step) in Step::ROYAL.into_iter().enumerate() {
            let line = &mut lines[index / 4];
            let mut sq = king + step;
            while pos.cell(sq).is_empty() {
                *line |= 1 << sq.index64();
                sq = sq + step;
            }
            let cell = pos.cell(sq);
            if cell.belongs_to(!us) {
                *line |= 1 << sq.index64();
            } else if cell.belongs_to(us) && has_slider_behind(pos, king, sq, step) {
                covering |= 1 << sq.index64();
            }
        }
        let [straight, diagonal] = lines;
        let pawn = PAWN_SQUARES[us.index()][king.index64()];
        let knight = KNIGHT_SQUARES[king.index64()];
        CheckSquares {
            from: [0, pawn, knight, diagonal, straight, straight | diagonal, 0, 0],
            covering,
        }
    }

    #[inline(always)]
    fn gives_check<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        if R::CAPTURES_EXPLODE || mv.is_promotion() || mv.is_castling() || mv.is_en_passant() {
            return pos.gives_check(mv);
        }
        if R::HAS_DROPS
            && let Some(kind) = mv.dropped()
        {
            return self.from[kind.index()] >> mv.to_index64() & 1 != 0;
        }
        self.from[pos.cell(mv.from()).kind_index()] >> mv.to_index64() & 1 != 0
            || self.uncovers(pos, mv)
    }

    /// Does the moving piece leave its line between one of its sliders and the king?
    #[inline(always)]
    fn uncovers<R: Rules>(&self, pos: &Position<R>, mv: Move) -> bool {
        self.covering >> mv.from_index64() & 1 != 0 && {
            let king = pos.king(!pos.side_to_move());
            step_towards(king, mv.from()) != step_towards(king, mv.to())
        }
    }
}

/// Does a slider of the side to move aim at the king from behind the piece on `sq`?
fn has_slider_behind<R: Rules>(pos: &Position<R>, king: Square, sq: Square, step: Step) -> bool {
    let behind = pos.first_piece(sq, step);
    let cell: Cell = pos.cell(behind);
    cell.belongs_to(pos.side_to_move()) && is_slider(cell) && aims_at(cell, behind, king)
}

/// By the king's square: the squares from which a knight attacks it.
static KNIGHT_SQUARES: [u64; 64] = leaps(&Step::KNIGHT);

/// By the pawn's colour and the king's square: the squares from which a pawn attacks it.
static PAWN_SQUARES: [[u64; 64]; 2] =
    [leaps(&[Step::new(-15), Step::new(-17)]), leaps(&[Step::new(15), Step::new(17)])];

/// By square: the squares one of these steps away.
const fn leaps(steps: &[Step]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < steps.len() {
            let from = Square::from_index64(index).index() as u8;
            let sq = Square::from_index(from.wrapping_add_signed(steps[i].value()));
            if sq.is_on_board() {
                table[index] |= 1 << sq.index64();
            }
            i += 1;
        }
        index += 1;
    }
    table
}
