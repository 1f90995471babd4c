//! What the evaluation asks a variant.
//!
//! Imports `board` and `types`. It computes nothing itself.

use crate::board::{Position, Rules};
use crate::types::Color;

/// A variant's answers to the evaluation.
pub trait EvalRules: Rules {
    /// The text of the variant's `eval.params`.
    const WEIGHTS: &'static str;

    /// The variant's file `net.nnue`; `None` if it is played without a network.
    const NETWORK: Option<&'static [u8]> = None;

    /// The CECP name of the game for which its networks are made: another game's if they share them.
    const NETWORK_GAME: &'static str;

    /// The number of race levels, at most [`MAX_RACE_LEVELS`]. A race level says how close a side
    /// is to an end of the game that the variant adds: in three-check, the checks it has given.
    /// King danger and the tempo have a value for each level. 1 means that there is no race.
    const RACE_LEVELS: usize = 1;

    /// The race level that a side has reached: 0 to [`EvalRules::RACE_LEVELS`] - 1.
    #[inline(always)]
    fn race_level(_state: &Self::State, _color: Color) -> usize {
        0
    }

    /// A state in which White and Black have reached these race levels.
    fn state_at(_levels: [usize; 2]) -> Self::State {
        Self::State::default()
    }

    /// The side of the board from which the squares of a side's pieces count in the tables of squares.
    #[inline(always)]
    fn looks_from(us: Color) -> Color {
        us
    }

    /// Are the endgames those of standard chess? Then a lead in material does not always win, and a bare
    /// king is driven to the edge to be mated.
    const HAS_DRAWN_ENDGAMES: bool = false;

    /// Does the classic evaluation know how to win against a bare king? Then it evaluates the positions in which one
    /// side has only its king. The games from which networks learn end before that: a network knows that such a
    /// position is won, but not what brings the win nearer.
    const HAS_WAY_AGAINST_BARE_KING: bool = false;

    /// Terms that only this variant has. Its `eval.params` gives their values beside those of the
    /// common terms, and `trebuchet tune` fits them in the same way.
    ///
    /// For a game in which the king wants to reach the centre:
    /// ```ignore
    /// const EXTRA_TERMS: &'static [ExtraTerm] = &[ExtraTerm::new("king_to_centre", 4)];
    ///
    /// fn count_extra_terms(pos: &Position<Self>, us: Color, add: &mut impl FnMut(usize, usize, i32)) {
    ///     add(0, distance_to_centre(pos.king(us)), 1);
    /// }
    /// ```
    /// with `king_to_centre = 60:40 30:20 10:10 0:0` in `eval.params`.
    const EXTRA_TERMS: &'static [ExtraTerm] = &[];

    /// Counts the extra terms for one side. `add(term, index, count)` adds `count` times the value
    /// `index` of the term `EXTRA_TERMS[term]` to that side's score.
    #[inline(always)]
    fn count_extra_terms(
        _pos: &Position<Self>,
        _us: Color,
        _add: &mut impl FnMut(usize, usize, i32),
    ) {
    }

    /// Counts extra terms as dangers to the king of one side, in the same way. Dangers count by the square
    /// of their sum.
    #[inline(always)]
    fn count_extra_dangers(
        _pos: &Position<Self>,
        _us: Color,
        _add: &mut impl FnMut(usize, usize, i32),
    ) {
    }
}

/// The greatest number of race levels that a variant may have.
pub const MAX_RACE_LEVELS: usize = 3;

/// The greatest number of values that the extra terms of a variant may have together: two tables
/// of squares.
pub const MAX_EXTRA_VALUES: usize = 128;

/// A term that one variant adds to the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraTerm {
    /// The name in `eval.params`, different from the names of the common terms.
    pub name: &'static str,
    /// The number of its values.
    pub len: usize,
}

impl ExtraTerm {
    pub const fn new(name: &'static str, len: usize) -> ExtraTerm {
        ExtraTerm { name, len }
    }
}
