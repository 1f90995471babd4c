//! Endgames of standard chess in which an advantage does not win.

use super::king_pawn;
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Square};
use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};

/// The scale at which an advantage counts in full.
pub const FULL_SCALE: i32 = 64;

/// The scale of an advantage of `strong`, in parts of [`FULL_SCALE`].
pub fn scale<R: Rules>(pos: &Position<R>, strong: Color) -> i32 {
    let weak = !strong;
    if hardly_wins(pos, strong) {
        return 0;
    }
    if pos.count(strong, Pawn) == 0 {
        let lead = pieces_value(pos, strong) - pieces_value(pos, weak);
        return if lead <= BISHOP { FULL_SCALE / 8 } else { FULL_SCALE };
    }
    if has_opposite_bishops(pos) {
        let bare = pieces_value(pos, strong) == BISHOP && pieces_value(pos, weak) == BISHOP;
        return if bare { FULL_SCALE / 2 } else { FULL_SCALE * 7 / 8 };
    }
    FULL_SCALE
}

/// Can this side hardly ever win by force, whatever else the other side has? It has one minor piece, two knights or
/// bishops of one colour and no pawn; or the other king, alone, stops its pawns.
#[inline(always)]
pub fn hardly_wins<R: Rules>(pos: &Position<R>, strong: Color) -> bool {
    (pos.count_all(strong) <= 3 || pos.is_bare(!strong)) && has_too_little(pos, strong)
}

fn has_too_little<R: Rules>(pos: &Position<R>, strong: Color) -> bool {
    let count = |kind| pos.count(strong, kind);
    if count(Rook) + count(Queen) > 0 {
        return false;
    }
    match (count(Pawn), count(Knight), count(Bishop)) {
        (0, knights, 0) => knights <= 2,
        (0, 0, _) => has_bishops_of_one_color(pos, strong),
        (_, 0, _) => pos.is_bare(!strong) && are_pawns_stopped(pos, strong),
        _ => false,
    }
}

/// Does a bare king stop the pawns of the other side? Then the game is a draw, whatever that side plays.
#[inline(always)]
pub fn is_drawn_by_bare_king<R: Rules>(pos: &Position<R>) -> bool {
    let is_stopped = |strong: Color| {
        pos.is_bare(!strong) && pos.count(strong, Pawn) > 0 && has_too_little(pos, strong)
    };
    Color::ALL.into_iter().any(is_stopped)
}

/// Does a bare king stop pawns, which have no help but that of king and bishops?
fn are_pawns_stopped<R: Rules>(pos: &Position<R>, strong: Color) -> bool {
    is_stopped_in_corner(pos, strong)
        || pos.count_all(strong) == 2 && !king_pawn::is_won(pos, strong)
}

fn has_bishops_of_one_color<R: Rules>(pos: &Position<R>, us: Color) -> bool {
    let mut on_light = pos.pieces(us, Bishop).map(Square::is_light);
    let first = on_light.next();
    on_light.all(|is_light| Some(is_light) == first)
}

/// Are all pawns on one edge of the board, is the other king at the corner where they promote, and does no
/// bishop reach that corner? Then the king cannot be driven out of it ("wrong bishop").
fn is_stopped_in_corner<R: Rules>(pos: &Position<R>, strong: Color) -> bool {
    let mut files = pos.pieces(strong, Pawn).map(Square::file);
    let Some(file @ (0 | 7)) = files.next() else { return false };
    let corner = Square::new(file, if strong == Color::White { 7 } else { 0 });
    files.all(|other| other == file)
        && pos.pieces(strong, Bishop).all(|bishop| bishop.is_light() != corner.is_light())
        && pos.king(!strong).distance(corner) <= 1
}

/// What a bishop is worth, in pawns.
const BISHOP: i32 = 3;

/// What a side's knights, bishops, rooks and queens are worth, in pawns.
fn pieces_value<R: Rules>(pos: &Position<R>, us: Color) -> i32 {
    let minors = pos.count(us, Knight) + pos.count(us, Bishop);
    (BISHOP as usize * minors + 5 * pos.count(us, Rook) + 9 * pos.count(us, Queen)) as i32
}

/// Does each side have one bishop, on squares of different colours?
fn has_opposite_bishops<R: Rules>(pos: &Position<R>) -> bool {
    let mut bishops = Color::ALL.into_iter().flat_map(|us| pos.pieces(us, Bishop));
    Color::ALL.iter().all(|&us| pos.count(us, Bishop) == 1)
        && bishops.next().map(|sq| sq.is_light()) != bishops.next().map(|sq| sq.is_light())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::Standard;

    #[test]
    fn a_side_that_cannot_win_is_known() {
        for (fen, cannot) in [
            ("8/8/4k3/8/8/4K3/8/6N1 w - - 0 1", true),
            ("8/8/4k3/8/8/4K3/8/5NN1 w - - 0 1", true),
            ("8/8/4k3/8/8/4K3/8/4NNN1 w - - 0 1", false),
            ("8/8/4k3/4p3/8/4K3/8/5NN1 w - - 0 1", true),
            ("8/8/4k3/4p3/8/4K3/8/6B1 w - - 0 1", true),
            ("8/8/4k3/8/8/4K3/8/4B1B1 w - - 0 1", true),
            ("8/8/4k3/8/8/4K3/8/5BB1 w - - 0 1", false),
            ("8/8/4k3/8/8/4K3/8/5BN1 w - - 0 1", false),
            ("8/8/4k3/8/8/4K3/8/6R1 w - - 0 1", false),
            // A rook pawn, and bishops that do not reach the corner.
            ("6k1/8/8/7P/8/4B3/4K3/8 w - - 0 1", false),
            ("6k1/8/8/7P/8/4K3/4B3/8 w - - 0 1", true),
            ("6k1/8/8/7P/7P/4K3/4B1B1/8 w - - 0 1", true),
            ("6k1/8/8/7P/8/4K3/4BB2/8 w - - 0 1", false),
            ("6k1/8/8/7P/8/4K3/8/8 w - - 0 1", true),
            ("5k2/8/8/7P/8/4K3/4B3/8 w - - 0 1", false),
            ("6k1/8/6p1/7P/8/4K3/4B3/8 w - - 0 1", false),
            ("6k1/8/8/6P1/8/4K3/4B3/8 w - - 0 1", false),
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", true),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", false),
            ("6k1/8/8/7P/P7/4K3/4B3/8 w - - 0 1", false),
            ("1k6/8/8/P7/8/4B3/4K3/8 w - - 0 1", true),
            ("1k6/8/8/P7/8/4N3/4K3/8 w - - 0 1", false),
        ] {
            let pos = Position::<Standard>::from_fen(fen).unwrap();
            assert_eq!(hardly_wins(&pos, Color::White), cannot, "{fen}");
        }
        let black = Position::<Standard>::from_fen("8/8/8/8/p7/8/3bk3/K7 w - - 0 1").unwrap();
        assert!(!hardly_wins(&black, Color::Black));
        let black = Position::<Standard>::from_fen("8/8/8/8/p7/8/3kb3/K7 w - - 0 1").unwrap();
        assert!(hardly_wins(&black, Color::Black));
    }
}
