//! Making and unmaking moves. Nothing else changes the pieces of a position.

use super::bitboards::Squares;
use super::explosions::Exploded;
use super::position::StateInfo;
use super::{Position, Rules, zobrist};
use crate::types::{CastlingSide, Cell, Color, Key, Move, Piece, PieceKind, Square, Step};

impl<R: Rules> Position<R> {
    /// Makes a legal move.
    pub fn make_move(&mut self, mv: Move) {
        let gives_check = R::COUNTS_CHECKS && self.gives_check(mv);
        self.make_move_known(mv, gives_check);
    }

    /// The position after a legal move. For the search, which takes moves back, this is too slow.
    #[must_use]
    pub fn after(&self, mv: Move) -> Position<R> {
        let mut after = self.clone();
        after.make_move(mv);
        after
    }

    /// Makes a legal move. If the game counts checks, `gives_check` must say whether the move gives
    /// check.
    pub fn make_move_known(&mut self, mv: Move, gives_check: bool) {
        debug_assert!(!R::COUNTS_CHECKS || gives_check == self.gives_check(mv));
        let gives_check = R::COUNTS_CHECKS && gives_check;
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let is_drop = R::HAS_DROPS && mv.is_drop();
        let Some(mover) = self.mover(mv) else {
            debug_assert!(false, "no piece stands on the first square of {mv}");
            return;
        };
        let castling = if is_drop { self.state.castling } else { self.rights_after(from, to) };
        self.history.push(self.state);
        let now = &mut self.state;
        now.key ^= zobrist::BLACK_TO_MOVE
            ^ zobrist::castling(now.castling)
            ^ zobrist::en_passant(now.en_passant);
        now.castling = castling;
        now.key ^= zobrist::castling(now.castling);
        now.en_passant = None;
        now.last_move = Some(mv);
        now.captured = Cell::EMPTY;
        now.halfmove_clock = now.halfmove_clock.saturating_add(1);
        now.reversible = now.reversible.saturating_add(1);

        if R::HAS_DROPS && castling != self.last_state().castling {
            self.state.reversible = 0;
        }

        if mv.is_capture() {
            self.take(mv.victim_square());
        }
        if explodes::<R>(mv) {
            self.explode(self.blast(mv));
        } else if is_drop {
            self.put(mover, to);
            self.toggle_key(mover, to);
        } else {
            if let Some(side) = mv.castling_side() {
                self.castle(us, side);
            } else {
                self.shift(from, to);
            }
            if let Some(kind) = mv.promotion() {
                self.change_kind(to, us, PieceKind::Pawn, kind);
                self.toggle_key(mover, from);
                self.toggle_key(Piece::new(us, kind), to);
            } else {
                // Both squares at once.
                self.toggle_keys(mover, zobrist::piece(mover, from) ^ zobrist::piece(mover, to));
            }
        }
        if mover.kind() == PieceKind::Pawn {
            self.state.halfmove_clock = 0;
            self.prevent_repetition();
        }
        self.side = !us;
        if mv.is_double_push() {
            self.allow_en_passant(from, to);
        }
        let state = self.state.variant;
        if R::HAS_DROPS {
            self.change_hands(mv, us);
        }
        R::after_move(&mut self.state.variant, us, gives_check);
        if self.state.variant != state {
            self.state.key ^= R::key(&state) ^ R::key(&self.state.variant);
            // Except for the men in hand, the state never returns to an earlier value.
            self.prevent_repetition();
        }
        #[cfg(debug_assertions)]
        self.verify_sample();
    }

    /// The key that the position will most likely have after a legal move, found without making it.
    /// It differs from the true key after castling, after a double push that can be taken en passant,
    /// after an explosion, and where the move changes the state of the variant.
    #[inline(always)]
    pub fn likely_key_after(&self, mv: Move) -> Key {
        let (from, to) = (mv.from(), mv.to());
        let is_drop = R::HAS_DROPS && mv.is_drop();
        let Some(mover) = self.mover(mv) else { return self.state.key };
        let mut key =
            self.state.key ^ zobrist::BLACK_TO_MOVE ^ zobrist::en_passant(self.state.en_passant);
        if mv.is_capture()
            && let Some(victim) = self.piece_at(mv.victim_square())
        {
            key ^= zobrist::piece(victim, mv.victim_square());
        }
        let placed = mv.promotion().map_or(mover, |kind| Piece::new(self.side, kind));
        key ^= zobrist::piece(placed, to);
        if !is_drop {
            let castling = self.rights_after(from, to);
            key ^= zobrist::piece(mover, from)
                ^ zobrist::castling(self.state.castling)
                ^ zobrist::castling(castling);
        }
        key
    }

    /// Takes back the last move.
    ///
    /// # Panics
    /// If there is no move to take back.
    pub fn unmake_move(&mut self) {
        let left = self.state;
        self.state = self.history.pop().expect("there is a move to take back");
        let us = !self.side;
        self.side = us;
        let Some(mv) = left.last_move else {
            debug_assert!(false, "the last move is a null move: call unmake_null_move");
            return;
        };
        let (from, to) = (mv.from(), mv.to());
        if explodes::<R>(mv) {
            self.restore_exploded();
        } else if R::HAS_DROPS && mv.is_drop() {
            self.lift(to);
        } else {
            if let Some(kind) = mv.promotion() {
                self.change_kind(to, us, kind, PieceKind::Pawn);
            }
            if let Some(side) = mv.castling_side() {
                self.uncastle(us, side, from);
            } else {
                self.shift(to, from);
            }
        }
        if left.captured != Cell::EMPTY {
            self.put_back(left.captured, mv.victim_square());
        }
        #[cfg(debug_assertions)]
        self.verify_sample();
    }

    /// Makes a null move: the side to move passes. It must not be in check.
    pub fn make_null_move(&mut self) {
        self.history.push(self.state);
        let now = &mut self.state;
        now.key ^= zobrist::BLACK_TO_MOVE ^ zobrist::en_passant(now.en_passant);
        now.en_passant = None;
        now.last_move = None;
        now.captured = Cell::EMPTY;
        now.halfmove_clock = now.halfmove_clock.saturating_add(1);
        now.reversible = 0;
        self.side = !self.side;
    }

    /// Takes back a null move.
    ///
    /// # Panics
    /// If there is no move to take back.
    pub fn unmake_null_move(&mut self) {
        self.state = self.history.pop().expect("there is a null move to take back");
        self.side = !self.side;
    }

    /// Removes a piece and remembers it as captured.
    #[inline(always)]
    fn take(&mut self, sq: Square) {
        let Some(cell) = self.remove(sq) else {
            debug_assert!(false, "no piece to capture on {sq}");
            return;
        };
        self.state.captured = cell;
        self.state.halfmove_clock = 0;
        self.prevent_repetition();
    }

    /// The last move is irreversible: no position from before it can repeat. With drops, men come back.
    #[inline(always)]
    fn prevent_repetition(&mut self) {
        if !R::HAS_DROPS {
            self.state.reversible = 0;
        }
    }

    /// The state before the last move.
    fn last_state(&self) -> &StateInfo<R> {
        self.history.last().expect("a move has been made")
    }

    /// Puts the captured man into the captor's hand, or takes the dropped man out of it, and notes which men
    /// are promoted.
    fn change_hands(&mut self, mv: Move, us: Color) {
        let captured = self.state.captured.piece().map(Piece::kind);
        let Some(hands) = R::hands_mut(&mut self.state.variant) else { return };
        match mv.dropped() {
            Some(kind) => hands.take_out(us, kind),
            None => hands.note_move(mv, us, captured),
        }
    }

    /// Removes the piece on a square, if there is one, and returns it.
    #[inline(always)]
    fn remove(&mut self, sq: Square) -> Option<Cell> {
        let cell = self.lift(sq)?;
        self.toggle_key(cell.piece()?, sq);
        Some(cell)
    }

    /// As [`Position::remove`], but leaves the keys as they are.
    #[inline(always)]
    fn lift(&mut self, sq: Square) -> Option<Cell> {
        let cell = self.cell(sq);
        let piece = cell.piece()?;
        self.cells[sq.index()] = Cell::EMPTY;
        self.toggle_squares(cell, sq.bit());
        self.count_piece(piece, -1);
        Some(cell)
    }

    /// Puts a piece back that was taken from this square. The keys come back with the rest of the state.
    #[inline(always)]
    fn put_back(&mut self, cell: Cell, sq: Square) {
        if let Some(piece) = cell.piece() {
            self.put(piece, sq);
        }
    }

    /// Removes the men on these squares, and the castling rights of kings and rooks among them.
    fn explode(&mut self, blast: u64) {
        let ply = self.history.len();
        for square in Squares(blast) {
            if let Some(cell) = self.remove(square) {
                self.exploded.push(Exploded { cell, square, ply });
                let rights = self.state.castling;
                self.state.castling = rights.after_touching(square);
                self.state.key ^=
                    zobrist::castling(rights) ^ zobrist::castling(self.state.castling);
            }
        }
    }

    /// Puts the men back that exploded by the move that was just taken back.
    fn restore_exploded(&mut self) {
        let ply = self.history.len() + 1;
        while let Some(man) = self.exploded.pop_if(|man| man.ply == ply) {
            self.put_back(man.cell, man.square);
        }
    }

    /// Moves the piece on one square to an empty square.
    #[inline(always)]
    fn shift(&mut self, from: Square, to: Square) {
        let cell = self.cell(from);
        self.toggle_squares(cell, from.bit() | to.bit());
        self.cells[to.index()] = cell;
        self.cells[from.index()] = Cell::EMPTY;
    }

    /// Castles: moves king and rook.
    #[inline(always)]
    fn castle(&mut self, us: Color, side: CastlingSide) {
        let (king, rook) = (self.castling_king(us), self.castling_rook(us, side));
        self.shift_both([(king, side.king_target(us)), (rook, side.rook_target(us))]);
        let piece = Piece::new(us, PieceKind::Rook);
        self.toggle_key(piece, rook);
        self.toggle_key(piece, side.rook_target(us));
    }

    /// Takes castling back. The keys come back with the rest of the state.
    #[inline(always)]
    fn uncastle(&mut self, us: Color, side: CastlingSide, king: Square) {
        let rook = self.castling_rook(us, side);
        self.shift_both([(side.king_target(us), king), (side.rook_target(us), rook)]);
    }

    /// Moves two pieces at once. In Chess960, one of them may go to the other's square or stay.
    #[inline(always)]
    fn shift_both(&mut self, ways: [(Square, Square); 2]) {
        let pieces = ways.map(|(from, _)| self.cell(from));
        for (from, _) in ways {
            self.cells[from.index()] = Cell::EMPTY;
        }
        for ((from, to), cell) in ways.into_iter().zip(pieces) {
            self.toggle_squares(cell, from.bit() ^ to.bit());
            self.cells[to.index()] = cell;
        }
    }

    /// Replaces a piece's kind, for promotions.
    #[inline(always)]
    fn change_kind(&mut self, sq: Square, color: Color, old: PieceKind, new: PieceKind) {
        self.cells[sq.index()] = Cell::of(Piece::new(color, new));
        self.by_kind[old.index()] ^= sq.bit();
        self.by_kind[new.index()] ^= sq.bit();
        self.count_piece(Piece::new(color, old), -1);
        self.count_piece(Piece::new(color, new), 1);
    }

    /// Toggles a piece in the keys: adds it if it is absent, removes it if it is present.
    #[inline(always)]
    pub(super) fn toggle_key(&mut self, piece: Piece, sq: Square) {
        self.toggle_keys(piece, zobrist::piece(piece, sq));
    }

    /// Toggles the numbers of a piece on some squares in the keys.
    #[inline(always)]
    fn toggle_keys(&mut self, piece: Piece, key: Key) {
        self.state.key ^= key;
        if piece.kind() == PieceKind::Pawn {
            self.state.pawn_key ^= key;
        } else {
            self.state.non_pawn_keys[piece.color().index()] ^= key;
        }
    }

    /// After a double push, sets the en passant square if the side to move has a legal capture
    /// there.
    pub(super) fn allow_en_passant(&mut self, from: Square, to: Square) {
        let us = self.side;
        let behind = Square::new(to.file(), (from.rank() + to.rank()) / 2);
        let possible = [Step::EAST, Step::WEST].into_iter().any(|aside| {
            let pawn = to + aside;
            self.cell(pawn).holds(us, PieceKind::Pawn) && self.is_en_passant_safe(us, pawn, behind)
        });
        if possible {
            self.state.en_passant = Some(behind);
            self.state.key ^= zobrist::en_passant(self.state.en_passant);
        }
    }
}

/// Does the move end in an explosion? Then nothing comes to its target.
#[inline(always)]
fn explodes<R: Rules>(mv: Move) -> bool {
    R::CAPTURES_EXPLODE && mv.is_capture()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Crazyhouse, Standard};

    /// Counts the legal moves whose likely key is not the key after the move.
    fn surprises<R: Rules>(fen: &str) -> usize {
        let mut pos = Position::<R>::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        let moves = pos.legal_moves();
        let is_surprise = |&&mv: &&Move| {
            let likely = pos.likely_key_after(mv);
            pos.make_move(mv);
            let key = pos.key();
            pos.unmake_move();
            key != likely
        };
        moves.iter().filter(is_surprise).count()
    }

    #[test]
    fn the_key_after_a_move_is_known_before_it() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(surprises::<Standard>(start), 0);
        // En passant and all promotions.
        assert_eq!(surprises::<Standard>("3n1n2/4P3/8/3pP3/8/8/8/4K2k w - d6 0 1"), 0);
        // A move of king or rook changes the rights; only the two castlings are not foreseen.
        assert_eq!(surprises::<Standard>("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), 2);
        // The double push that Black can take.
        assert_eq!(surprises::<Standard>("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"), 1);
        // Drops change the hand.
        assert_eq!(surprises::<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[] w - - 0 1"), 0);
        assert_eq!(surprises::<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"), 62);
    }
}
