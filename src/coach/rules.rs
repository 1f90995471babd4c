//! What the coach asks a variant.

use crate::board::Position;
use crate::search::SearchRules;
use crate::types::Color;

/// The words of a game for what happens on its board.
pub trait CoachRules: SearchRules {
    /// What people call the race to an end that the variant adds; without a race, what remains is whose
    /// move it is.
    const RACE_NAME: &'static str = "tempo";

    /// What people call the terms that only this variant's evaluation has.
    const EXTRA_NAME: &'static str = "";

    /// The nodes of a search by whose lines the coach judges: a tenth of a second at a million nodes per second.
    const STUDY_NODES: u64 = 100_000;

    /// The game's own state in words, if there is something to say: `Checks given: White 1, Black 0`.
    fn describe_state(_state: &Self::State) -> Option<String> {
        None
    }

    /// What a side has reached that is one step from an end that this game adds: `needs one more
    /// check`. `None` if it is further away.
    fn describe_last_step(_pos: &Position<Self>, _color: Color) -> Option<&'static str> {
        None
    }
}
