//! The search window, and what a score found with a window says about the true score.

use std::ops::Neg;

use crate::types::{Ply, Score};

/// An alpha-beta window. A node whose score is at least `beta` is cut off; a node whose score does
/// not exceed `alpha` does not change the result.
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

    /// The null window that asks: is the score more than `alpha`?
    pub fn above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + Score::cp(1) }
    }

    /// The null window that asks: is the score `beta` or more?
    pub fn at_least(beta: Score) -> Window {
        Window { alpha: beta - Score::cp(1), beta }
    }

    /// Does no score lie between alpha and beta?
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Mate distance pruning: a line through a node at `ply` is lost there at the earliest, and won
    /// one ply later at the earliest.
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

/// What a score says about the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true score.
    Exact,
    /// The search failed high: the true score is at least this.
    Lower,
    /// The search failed low: the true score is at most this.
    Upper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_ask_what_they_say() {
        let cp = Score::cp;
        assert_eq!(Window::above(cp(7)), Window::new(cp(7), cp(8)));
        assert_eq!(Window::at_least(cp(7)), Window::new(cp(6), cp(7)));
        assert_eq!(-Window::new(cp(3), cp(9)), Window::new(cp(-9), cp(-3)));
        assert!(!Window::above(cp(7)).is_empty() && Window::new(cp(7), cp(7)).is_empty());
        let clamped = Window::new(Score::loss_in(4), Score::win_in(5));
        assert_eq!(Window::FULL.clamp_to_ply(4), clamped);
        assert_eq!(Window::above(cp(7)).clamp_to_ply(4), Window::above(cp(7)));
    }
}
