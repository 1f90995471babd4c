//! What the board asks a variant.

use std::fmt::Debug;

use super::{FenError, Position};
use crate::types::{Color, Key, Outcome};

/// The rules of a game, as far as they go beyond how the pieces move. A variant answers for facts;
/// nobody asks which variant it is.
pub trait Rules: Copy + Default + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// What the game counts besides the position: `()`, or the checks that are left. It is saved
    /// with every move and comes back when the move is taken back.
    type State: Copy + Default + Eq + Debug + Send + Sync;

    /// The CECP name: `normal`, `3check`.
    const NAME: &'static str;
    /// The position a game begins from.
    const START_FEN: &'static str;
    /// Does giving check change [`Rules::State`]? If not, nobody looks whether a move gives check.
    const COUNTS_CHECKS: bool = false;

    /// Do endgame tablebases of standard chess hold?
    const HAS_TABLEBASES: bool = false;

    /// A move of `giver` has left the enemy king attacked.
    fn after_check(_state: &mut Self::State, _giver: Color) {}

    /// The state's part of the position's key.
    fn key(_state: &Self::State) -> Key {
        Key::ZERO
    }

    /// The end of the game beyond mate, stalemate and the draw rules. It outranks all of them.
    fn outcome(_state: &Self::State) -> Option<Outcome> {
        None
    }

    /// Can neither side win any more, however badly the other plays?
    fn is_insufficient_material(pos: &Position<Self>) -> bool {
        super::draws::is_dead_material(pos)
    }

    /// The state that a FEN tells: by its check counters, if it has any, and by the colour of the
    /// side that gives the check standing on the board, if one does.
    fn read_state(
        counters: Option<&str>,
        _checker: Option<Color>,
    ) -> Result<Self::State, FenError> {
        match counters {
            None => Ok(Self::State::default()),
            Some(text) => Err(FenError::Counters(text.to_owned())),
        }
    }

    /// The state as the fifth field of a FEN, if the game has one.
    fn write_state(_state: &Self::State) -> Option<String> {
        None
    }

    /// The state in words for people, if there is something to say.
    fn describe_state(_state: &Self::State) -> Option<String> {
        None
    }
}
