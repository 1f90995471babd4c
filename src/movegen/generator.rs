//! The order of generation, and the shorter path in check.

use std::marker::PhantomData;

use super::Legality;
use super::sink::{Sink, Wanted};
use crate::board::{Position, Rules};
use crate::types::Color;

/// Generates the moves of one position into a sink. `W` selects which moves.
pub(super) struct Generator<'a, R: Rules, W: Wanted, S: Sink> {
    pub(super) pos: &'a Position<R>,
    pub(super) us: Color,
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
        let us = pos.side_to_move();
        let mut this = Generator { pos, us, legality, sink, wanted: PhantomData::<W> };
        if legality.in_check() {
            this.evade();
        } else {
            this.pawns::<false>();
            this.knights::<false>();
            this.sliders::<false>();
            this.king();
            this.castling();
        }
    }

    /// Generates check evasions.
    #[inline(never)]
    fn evade(&mut self) {
        if !self.legality.is_double_check() {
            self.pawns::<true>();
            self.knights::<true>();
            self.sliders::<true>();
        }
        self.king();
    }
}
