//! The search window.

use std::ops::Neg;

use crate::types::{Ply, Score};

/// The scores still of interest: a node that finds one at or above `beta` need not look further,
/// one that cannot exceed `alpha` does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// Every score.
    pub const FULL: Window =
        Window { alpha: Score::cp(-Score::INFINITE.value()), beta: Score::INFINITE };

    pub const fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// The null window that asks: is it more than `alpha`?
    pub fn above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + Score::cp(1) }
    }

    /// The null window that asks: is it `beta` or more?
    pub fn at_least(beta: Score) -> Window {
        Window { alpha: beta - Score::cp(1), beta }
    }

    /// Is there no score in it any more?
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Mate distance pruning: no line through a node at `ply` can lose earlier or win sooner than
    /// right there.
    pub fn clamp_to_ply(self, ply: Ply) -> Window {
        Window {
            alpha: self.alpha.max(Score::loss_in(ply)),
            beta: self.beta.min(Score::win_in(ply + 1)),
        }
    }
}

/// The same window for the other side.
impl Neg for Window {
    type Output = Window;

    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
