//! A hint in two steps.

use crate::types::{Move, Ply};

/// A hint in two steps: first what to look at, and when asked again at the same ply, the move.
#[derive(Clone, Copy, Debug, Default)]
pub struct HintSteps {
    /// The ply of the first step, and the move that it means.
    first: Option<(Ply, Move)>,
}

impl HintSteps {
    /// The move that the first step at this ply means, if it was given.
    pub fn meant(&self, ply: Ply) -> Option<Move> {
        self.first.filter(|(at, _)| *at == ply).map(|(_, mv)| mv)
    }

    /// Notes the first step.
    pub fn begin(&mut self, ply: Ply, mv: Move) {
        self.first = Some((ply, mv));
    }
}
