//! The generator: the order of generation, which moves are wanted, and what happens to them.

use std::marker::PhantomData;

use super::Legality;
use crate::board::{Position, Rules};
use crate::types::{Color, Move, MoveKind, MoveList, PieceKind, Square};

/// Generates the moves of one position into a sink. `W` selects which moves.
pub(super) struct Generator<'a, R: Rules, W: Wanted, S: Sink> {
    pub(super) pos: &'a Position<R>,
    pub(super) us: Color,
    /// The squares of the other side's pieces, as a bitboard.
    pub(super) theirs: u64,
    /// The squares of all pieces, as a bitboard.
    pub(super) occupied: u64,
    pub(super) legality: &'a Legality,
    pub(super) sink: &'a mut S,
    wanted: PhantomData<W>,
}

impl<'a, R: Rules, W: Wanted, S: Sink> Generator<'a, R, W, S> {
    /// Adds every wanted legal move to the sink; none if the variant has ended the game.
    #[inline(always)]
    pub(super) fn run(pos: &'a Position<R>, legality: &'a Legality, _: W, sink: &'a mut S) {
        if pos.variant_outcome().is_some() {
            return;
        }
        if R::MUST_CAPTURE && W::ALLOWED && !W::NOISY && legality.must_capture() {
            return;
        }
        let us = pos.side_to_move();
        let (theirs, occupied) = (pos.squares_of(!us), pos.occupied());
        let wanted = PhantomData::<W>;
        let mut this = Generator { pos, us, theirs, occupied, legality, sink, wanted };
        if legality.in_check() {
            this.evade();
        } else {
            this.pawns::<false>();
            this.knights::<false>();
            this.sliders::<false>();
            this.king();
            this.castling();
            this.drops::<false>();
        }
    }

    /// The squares of the pieces of one kind of the side to move, as a bitboard.
    #[inline(always)]
    pub(super) fn own(&self, kind: PieceKind) -> u64 {
        self.pos.squares_with(kind) & self.pos.squares_of(self.us)
    }

    /// Passes a move on, unless this game forbids it.
    #[inline(always)]
    pub(super) fn add(&mut self, from: Square, to: Square, kind: MoveKind) {
        let mv = || Move::new(from, to, kind);
        if R::CAPTURES_EXPLODE && !mv().is_castling() && !self.pos.keeps_king_from_exploding(mv()) {
            return;
        }
        if R::MUST_CAPTURE && W::ALLOWED && self.legality.must_capture() && !kind.is_capture() {
            return;
        }
        if R::FORBIDDEN.is_none() || !W::ALLOWED || R::allows(self.pos, mv()) {
            self.sink.add(from, to, kind);
        }
    }

    /// Generates check evasions.
    #[inline(never)]
    fn evade(&mut self) {
        if !self.legality.is_double_check() {
            self.pawns::<true>();
            self.knights::<true>();
            self.sliders::<true>();
            self.drops::<true>();
        }
        self.king();
    }
}

/// Receives legal moves one by one.
pub(super) trait Sink {
    fn add(&mut self, from: Square, to: Square, kind: MoveKind);
}

impl Sink for MoveList {
    #[inline(always)]
    fn add(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.push(Move::new(from, to, kind));
    }
}

/// Counts moves.
#[derive(Default)]
pub(super) struct Counter(pub(super) u64);

impl Sink for Counter {
    #[inline(always)]
    fn add(&mut self, _: Square, _: Square, _: MoveKind) {
        self.0 += 1;
    }
}

/// Calls a function with each move.
pub(super) struct Visitor<F>(pub(super) F);

impl<F: FnMut(Move)> Sink for Visitor<F> {
    #[inline(always)]
    fn add(&mut self, from: Square, to: Square, kind: MoveKind) {
        (self.0)(Move::new(from, to, kind));
    }
}

/// Selects moves at compile time.
pub(super) trait Wanted {
    /// Generate captures and promotions?
    const NOISY: bool;
    /// Generate all other moves?
    const QUIET: bool;
    /// Leave out the moves that only this game forbids?
    const ALLOWED: bool = true;
}

pub(super) struct All;
/// All moves that are legal in chess.
pub(super) struct AllOfChess;
pub(super) struct Noisy;
pub(super) struct Quiet;

impl Wanted for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Wanted for AllOfChess {
    const NOISY: bool = true;
    const QUIET: bool = true;
    const ALLOWED: bool = false;
}

impl Wanted for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Wanted for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}
