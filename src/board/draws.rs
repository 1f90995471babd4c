//! Draws by repetition, by the fifty-move rule, and by insufficient material.

use super::{Position, Rules};

/// The plies without a capture or a pawn move after which the fifty-move rule makes a draw.
pub const FIFTY_MOVES: u32 = 100;

impl<R: Rules> Position<R> {
    /// The number of times that this position has occurred earlier in the game.
    pub fn repetitions(&self) -> usize {
        self.earlier_occurrences().count()
    }

    /// Should a search score this position as a draw by repetition? Yes if it occurred after the
    /// search's root, at `root_ply` plies since the game was set up, or at least twice in the whole
    /// game.
    pub fn is_repetition_for_search(&self, root_ply: usize) -> bool {
        self.earlier_occurrences().enumerate().any(|(count, at)| at >= root_ply || count >= 1)
    }

    /// Has any position occurred twice since the last irreversible move?
    pub fn has_repeated(&self) -> bool {
        let now = self.history.len();
        let first = now - usize::from(self.state.reversible).min(now);
        let key = |at: usize| if at == now { self.state.key } else { self.history[at].key };
        (first + 4..=now).any(|at| (first..=at - 4).any(|before| key(before) == key(at)))
    }

    /// The plies at which this position occurred before, the latest first.
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> {
        let now = self.history.len();
        let reach = usize::from(self.state.reversible).min(now);
        // A half-open range: the library steps through one faster.
        (4..reach + 1)
            .step_by(2)
            .map(move |back| now - back)
            .filter(|&at| self.history[at].key == self.state.key)
    }

    /// Has the fifty-move rule been reached? A mate on the board takes precedence.
    pub fn is_fifty_moves(&self) -> bool {
        self.fifty_move_clock() >= FIFTY_MOVES
    }

    /// Plies towards the fifty-move rule, as [`Position::halfmove_clock`]; 0 in a game without the rule.
    #[inline(always)]
    pub fn fifty_move_clock(&self) -> u32 {
        if R::HAS_FIFTY_MOVE_RULE { self.halfmove_clock() } else { 0 }
    }

    /// Is it a draw by insufficient material, because neither side can win?
    pub fn is_insufficient_material(&self) -> bool {
        R::is_insufficient_material(self)
    }
}
