//! Draws that the board alone can tell: repetition, fifty moves, dead material.

use super::{Position, Rules};

impl<R: Rules> Position<R> {
    /// How many times this position has occurred earlier in the game.
    pub fn repetitions(&self) -> usize {
        self.earlier_occurrences().count()
    }

    /// Has this position occurred since `ply` moves after the game was set up, or twice at all? Then
    /// a search calls it a draw: once inside its own tree is enough.
    pub fn is_repetition_for_search(&self, root_ply: usize) -> bool {
        self.earlier_occurrences().enumerate().any(|(count, at)| at >= root_ply || count >= 1)
    }

    /// The plies at which this position occurred before, the latest first.
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> {
        let now = self.history.len();
        let reach = usize::from(self.state.reversible).min(now);
        (4..=reach)
            .step_by(2)
            .map(move |back| now - back)
            .filter(|&at| self.history[at].key == self.state.key)
    }

    /// Have both sides made fifty moves without a capture or a pawn move? A mate on the board comes
    /// before this.
    pub fn is_fifty_moves(&self) -> bool {
        self.state.halfmove_clock >= 100
    }

    /// Can neither side win any more?
    pub fn is_insufficient_material(&self) -> bool {
        R::is_insufficient_material(self)
    }
}
