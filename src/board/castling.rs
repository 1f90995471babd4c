//! Castling: when it is allowed, and which rights a move leaves.
//!
//! In standard chess, kings and rooks castle from fixed squares. In Chess960 the squares are part
//! of the position. [`Rules::CHESS960_CASTLING`] selects that; other games pay nothing for it.

use super::{CastlingRights, Position, Rules};
use crate::types::{CastlingSide, Color, Square};

impl<R: Rules> Position<R> {
    /// The castling rights.
    pub fn castling(&self) -> CastlingRights {
        self.state.castling
    }

    /// The square of the rook with which a side castles. Meaningful while the side has the right.
    #[inline(always)]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Square {
        if R::CHESS960_CASTLING {
            self.castling_rooks[color.index()][side.index()]
        } else {
            side.rook_home(color)
        }
    }

    /// The square of the king with which a side castles. Meaningful while the side has the right.
    #[inline(always)]
    pub fn castling_king(&self, color: Color) -> Square {
        if R::CHESS960_CASTLING { self.king(color) } else { CastlingSide::king_home(color) }
    }

    /// The castling rights after a move of the side to move. To be called before the move is made.
    #[inline(always)]
    pub(super) fn rights_after(&self, from: Square, to: Square) -> CastlingRights {
        let rights = self.state.castling;
        if !R::CHESS960_CASTLING {
            return rights.after_touching(from).after_touching(to);
        }
        let mut left = rights;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let rook = self.castling_rook(color, side);
                if [from, to].contains(&rook) || from == self.king(color) {
                    left = left.without(color, side);
                }
            }
        }
        left
    }

    /// Can the side to move castle on this side now? The caller must know that it is not in check.
    #[inline(always)]
    pub(crate) fn can_castle(&self, us: Color, side: CastlingSide) -> bool {
        if !self.state.castling.has(us, side) {
            return false;
        }
        if R::CHESS960_CASTLING {
            return self.can_castle_960(us, side);
        }
        if !self.is_path_clear(CastlingSide::king_home(us), side.rook_home(us)) {
            return false;
        }
        if R::CAPTURES_EXPLODE {
            return self.is_castling_safe(us, side);
        }
        let is_safe = |sq| !self.is_attacked(sq, !us);
        !R::is_royal(us) || is_safe(side.rook_target(us)) && is_safe(side.king_target(us))
    }

    /// In Chess960: all squares that king and rook cross or reach are empty except for these two,
    /// the king crosses no attacked square, and the rook's departure opens no line to the king. No
    /// other line along the rank matters: it would give check before the move.
    fn can_castle_960(&self, us: Color, side: CastlingSide) -> bool {
        let (king, rook) = (self.king(us), self.castling_rook(us, side));
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let is_castler = |sq: Square| sq == king || sq == rook;
        let between = |from: Square, to: Square, sq: Square| {
            (from.file().min(to.file())..=from.file().max(to.file())).contains(&sq.file())
        };
        let squares = || (0..8).map(|file| Square::new(file, king.rank()));
        let is_clear = squares()
            .filter(|&sq| between(king, king_target, sq) || between(rook, rook_target, sq))
            .all(|sq| is_castler(sq) || self.cell(sq).is_empty());
        is_clear
            && squares()
                .filter(|&sq| between(king, king_target, sq))
                .all(|sq| !self.is_attacked(sq, !us))
            && !self.is_attacked_over(king_target, !us, self.occupied() & !rook.bit())
    }
}
