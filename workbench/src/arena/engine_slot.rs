//! The two engines of a debug log, as xboard counts them.

use std::fmt;

/// One of the two engines of a log or a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EngineSlot {
    First,
    Second,
}

impl EngineSlot {
    pub const ALL: [EngineSlot; 2] = [EngineSlot::First, EngineSlot::Second];

    /// What stands in a debug log between the arrow and the line that is sent or received.
    pub const fn log_prefix(self) -> &'static str {
        match self {
            EngineSlot::First => "first :",
            EngineSlot::Second => "second:",
        }
    }
}

impl fmt::Display for EngineSlot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            EngineSlot::First => "first",
            EngineSlot::Second => "second",
        })
    }
}
