//! Making moves and taking them back. Nothing else changes a square.

use super::{Castling, Position, Rules, zobrist};
use crate::types::{Cell, Color, Move, Piece, PieceKind, Square, Step};

impl<R: Rules> Position<R> {
    /// Plays a legal move.
    pub fn make_move(&mut self, mv: Move) {
        let gives_check = R::COUNTS_CHECKS && self.gives_check(mv);
        self.make_move_known(mv, gives_check);
    }

    /// Plays a legal move. Where checks are counted, the caller knows whether it gives check.
    pub fn make_move_known(&mut self, mv: Move, gives_check: bool) {
        debug_assert!(!R::COUNTS_CHECKS || gives_check == self.gives_check(mv));
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_at(from) else {
            debug_assert!(false, "no piece to make {mv} with");
            return;
        };
        self.past.push(self.now);
        let now = &mut self.now;
        now.key ^= zobrist::BLACK_TO_MOVE
            ^ zobrist::castling(now.castling)
            ^ zobrist::en_passant(now.en_passant);
        now.castling = now.castling.after_touching(from).after_touching(to);
        now.key ^= zobrist::castling(now.castling);
        now.en_passant = None;
        now.last_move = Some(mv);
        now.captured = Cell::EMPTY;
        now.halfmove_clock = now.halfmove_clock.saturating_add(1);
        now.reversible = now.reversible.saturating_add(1);

        if mv.is_capture() {
            let taken = if mv.is_en_passant() { Square::new(to.file(), from.rank()) } else { to };
            self.take(taken);
        }
        self.shift(from, to);
        self.toggle_key(mover, from);
        if let Some(kind) = mv.promotion() {
            self.change_kind(to, us, PieceKind::Pawn, kind);
            self.toggle_key(Piece::new(us, kind), to);
        } else {
            self.toggle_key(mover, to);
        }
        if mover.kind() == PieceKind::Pawn {
            self.now.halfmove_clock = 0;
            self.now.reversible = 0;
        } else if mv.is_castling() {
            let (home, goal) = castling_rook(us, to);
            self.shift(home, goal);
            let rook = Piece::new(us, PieceKind::Rook);
            self.toggle_key(rook, home);
            self.toggle_key(rook, goal);
        }
        self.side = !us;
        if mv.is_double_push() {
            self.allow_en_passant(from, to);
        }
        if R::COUNTS_CHECKS && gives_check {
            self.now.key ^= R::key(&self.now.state);
            R::after_check(&mut self.now.state, us);
            self.now.key ^= R::key(&self.now.state);
            // Checks that are counted never come back.
            self.now.reversible = 0;
        }
        #[cfg(debug_assertions)]
        self.verify();
    }

    /// Takes back the last move made.
    ///
    /// # Panics
    /// If no move has been made since the position was set up.
    pub fn unmake_move(&mut self) {
        let left = self.now;
        self.now = self.past.pop().expect("there is a move to take back");
        let us = !self.side;
        self.side = us;
        let Some(mv) = left.last_move else {
            debug_assert!(false, "a null move is taken back by unmake_null_move");
            return;
        };
        let (from, to) = (mv.from(), mv.to());
        if let Some(kind) = mv.promotion() {
            self.change_kind(to, us, kind, PieceKind::Pawn);
        } else if mv.is_castling() {
            let (home, goal) = castling_rook(us, to);
            self.shift(goal, home);
        }
        self.shift(to, from);
        if let Some(captured) = left.captured.piece() {
            let id = left.captured_id;
            let taken = self.square_of(id);
            self.cells[taken.index()] = left.captured;
            self.id_at[taken.index() & 127] = id;
            self.alive[0] |= 1 << id;
            self.alive[captured.kind().index()] |= 1 << id;
            self.count_piece(captured, 1);
        }
        #[cfg(debug_assertions)]
        self.verify();
    }

    /// Gives the move to the other side. Not while in check.
    pub fn make_null_move(&mut self) {
        self.past.push(self.now);
        let now = &mut self.now;
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
    /// If no move has been made since the position was set up.
    pub fn unmake_null_move(&mut self) {
        self.now = self.past.pop().expect("there is a null move to take back");
        self.side = !self.side;
    }

    /// Removes the piece on a square and remembers it as captured.
    #[inline(always)]
    fn take(&mut self, sq: Square) {
        let cell = self.cell(sq);
        let id = self.id_on(sq);
        let Some(piece) = cell.piece() else {
            debug_assert!(false, "nothing to take on {sq}");
            return;
        };
        self.cells[sq.index()] = Cell::EMPTY;
        self.alive[0] &= !(1 << id);
        self.alive[piece.kind().index()] &= !(1 << id);
        self.count_piece(piece, -1);
        self.toggle_key(piece, sq);
        self.now.captured = cell;
        self.now.captured_id = id;
        self.now.halfmove_clock = 0;
        self.now.reversible = 0;
    }

    /// Moves whatever stands on one square to an empty one.
    #[inline(always)]
    fn shift(&mut self, from: Square, to: Square) {
        let id = self.id_on(from);
        self.cells[to.index()] = self.cell(from);
        self.cells[from.index()] = Cell::EMPTY;
        self.id_at[to.index() & 127] = id;
        self.square_at[id as usize & 31] = to;
    }

    #[inline(always)]
    fn change_kind(&mut self, sq: Square, color: Color, old: PieceKind, new: PieceKind) {
        let id = self.id_on(sq);
        self.cells[sq.index()] = Cell::of(Piece::new(color, new));
        self.alive[old.index()] &= !(1 << id);
        self.alive[new.index()] |= 1 << id;
        self.count_piece(Piece::new(color, old), -1);
        self.count_piece(Piece::new(color, new), 1);
    }

    /// Adds or removes a piece in the keys.
    #[inline(always)]
    pub(super) fn toggle_key(&mut self, piece: Piece, sq: Square) {
        let key = zobrist::piece(piece, sq);
        self.now.key ^= key;
        if piece.kind() == PieceKind::Pawn {
            self.now.pawn_key ^= key;
        } else {
            self.now.non_pawn_keys[piece.color().index()] ^= key;
        }
    }

    /// After a pawn's double push: remembers the square behind it if the side now to move has a
    /// pawn that may legally take there.
    pub(super) fn allow_en_passant(&mut self, from: Square, to: Square) {
        let us = self.side;
        let behind = Square::new(to.file(), (from.rank() + to.rank()) / 2);
        let possible = [Step::EAST, Step::WEST].into_iter().any(|aside| {
            let pawn = to + aside;
            self.cell(pawn).holds(us, PieceKind::Pawn) && self.is_en_passant_safe(us, pawn, behind)
        });
        if possible {
            self.now.en_passant = Some(behind);
            self.now.key ^= zobrist::en_passant(self.now.en_passant);
        }
    }
}

/// Where the rook comes from and goes to when the king castles to `king_goal`.
#[inline(always)]
fn castling_rook(color: Color, king_goal: Square) -> (Square, Square) {
    let short = king_goal.file() == 6;
    let goal = Square::new(if short { 5 } else { 3 }, king_goal.rank());
    (Castling::rook_home(color, short), goal)
}
