//! Endgames of standard chess in which an advantage does not win: they scale the score down.
//!
//! Looks at material only, apart from the colours of bishops' squares.

use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind};
use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};

/// The scale at which an advantage counts in full.
pub const FULL_SCALE: i32 = 64;

/// The scale of an advantage of `strong`, in parts of [`FULL_SCALE`].
pub fn scale<R: Rules>(pos: &Position<R>, strong: Color) -> i32 {
    let weak = !strong;
    let pawns = pos.count(strong, Pawn);
    if pawns == 0 {
        let lead = pieces_value(pos, strong) - pieces_value(pos, weak);
        return if pieces_value(pos, strong) <= BISHOP || only_knights(pos, strong) {
            0
        } else if lead <= BISHOP {
            FULL_SCALE / 8
        } else {
            FULL_SCALE
        };
    }
    if has_opposite_bishops(pos) {
        let bare = pieces_value(pos, strong) == BISHOP && pieces_value(pos, weak) == BISHOP;
        return if bare { FULL_SCALE / 2 } else { FULL_SCALE * 7 / 8 };
    }
    FULL_SCALE
}

/// What a bishop is worth, in pawns.
const BISHOP: i32 = 3;

/// What a side's knights, bishops, rooks and queens are worth, in pawns.
fn pieces_value<R: Rules>(pos: &Position<R>, us: Color) -> i32 {
    let minors = pos.count(us, Knight) + pos.count(us, Bishop);
    (BISHOP as usize * minors + 5 * pos.count(us, Rook) + 9 * pos.count(us, Queen)) as i32
}

/// Two knights alone cannot force mate.
fn only_knights<R: Rules>(pos: &Position<R>, us: Color) -> bool {
    pos.count(us, Knight) == 2 && pieces_value(pos, us) == 2 * BISHOP
}

/// Does each side have one bishop, on squares of different colours?
fn has_opposite_bishops<R: Rules>(pos: &Position<R>) -> bool {
    let mut bishops = Color::ALL.into_iter().flat_map(|us| pos.pieces(us, Bishop));
    Color::ALL.iter().all(|&us| pos.count(us, Bishop) == 1)
        && bishops.next().map(|sq| sq.is_light()) != bishops.next().map(|sq| sq.is_light())
}
