//! Standard chess.

use crate::board::Rules;

/// Standard chess: nothing beyond the common rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

impl Rules for Standard {
    type State = ();
    const NAME: &'static str = "normal";
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
}

const _: () = assert!(size_of::<<Standard as Rules>::State>() == 0, "standard chess pays nothing");
