//! What happens to generated moves, and which ones are wanted.

use crate::types::{Move, MoveKind, MoveList, Square};

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

/// Keeps the first move for which `is_wanted` is true.
pub(super) struct Finder<F> {
    pub(super) is_wanted: F,
    pub(super) found: Option<Move>,
}

impl<F: Fn(Move) -> bool> Sink for Finder<F> {
    #[inline(always)]
    fn add(&mut self, from: Square, to: Square, kind: MoveKind) {
        let mv = Move::new(from, to, kind);
        if self.found.is_none() && (self.is_wanted)(mv) {
            self.found = Some(mv);
        }
    }
}

/// Selects moves at compile time.
pub(super) trait Wanted {
    /// Generate captures and promotions?
    const NOISY: bool;
    /// Generate all other moves?
    const QUIET: bool;
}

pub(super) struct All;
pub(super) struct Noisy;
pub(super) struct Quiet;

impl Wanted for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Wanted for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Wanted for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}
