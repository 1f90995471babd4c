//! A self-check of the board in debug builds: computes everything anew that is kept incrementally.

use super::{Position, Rules, zobrist};
use crate::types::{Color, Key, PieceKind, Square};

impl<R: Rules> Position<R> {
    /// Verifies one position in sixteen, chosen by its key. To verify every position would take more than
    /// a third of the time of a search, and any fault shows in many positions.
    ///
    /// # Panics
    /// If [`Position::verify`] does.
    #[cfg(debug_assertions)]
    pub(super) fn verify_sample(&self) {
        if self.state.key.bits().is_multiple_of(16) {
            self.verify();
        }
    }

    /// Checks that counts, bitboards and keys match the board.
    ///
    /// # Panics
    /// If they do not.
    pub fn verify(&self) {
        let mut counts = [[0u8; 8]; 2];
        let (mut by_kind, mut by_color) = ([0u64; 8], [0u64; 2]);
        for sq in Square::all() {
            if let Some(piece) = self.piece_at(sq) {
                by_kind[piece.kind().index()] |= sq.bit();
                by_color[piece.color().index()] |= sq.bit();
                for kind in [0, piece.kind().index()] {
                    counts[piece.color().index()][kind] += 1;
                }
            }
        }
        assert_eq!(self.counts, counts, "the number of pieces");
        assert_eq!((self.by_kind, self.by_color), (by_kind, by_color), "the bitboards");
        let can_explode = |color| R::CAPTURES_EXPLODE && self.count(color, PieceKind::King) == 0;
        for color in Color::ALL.into_iter().filter(|&color| R::is_royal(color)) {
            if can_explode(color) {
                continue;
            }
            assert_eq!(self.count(color, PieceKind::King), 1, "{color}'s king");
        }
        let (key, pawn_key, non_pawn_keys) = self.computed_keys();
        assert_eq!(self.state.key, key, "the key");
        assert_eq!(self.state.pawn_key, pawn_key, "the pawn key");
        assert_eq!(self.state.non_pawn_keys, non_pawn_keys, "the non-pawn keys");
    }

    /// The key, the pawn key and the non-pawn keys, computed from the board.
    pub(super) fn computed_keys(&self) -> (Key, Key, [Key; 2]) {
        let (mut pawns, mut others) = (Key::ZERO, [Key::ZERO; 2]);
        for sq in Square::all() {
            if let Some(piece) = self.piece_at(sq) {
                let key = zobrist::piece(piece, sq);
                if piece.kind() == PieceKind::Pawn {
                    pawns ^= key;
                } else {
                    others[piece.color().index()] ^= key;
                }
            }
        }
        let mut key = pawns ^ others[0] ^ others[1] ^ R::key(&self.state.variant);
        key ^= zobrist::castling(self.state.castling) ^ zobrist::en_passant(self.state.en_passant);
        if self.side == Color::Black {
            key ^= zobrist::BLACK_TO_MOVE;
        }
        (key, pawns, others)
    }
}
