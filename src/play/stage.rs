//! The three stages of play.

use std::fmt;
use std::str::FromStr;

/// How the engine chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stage {
    /// Only pawns move.
    Pawns,
    /// Any legal move at random.
    Random,
    /// Search.
    #[default]
    Full,
}

impl Stage {
    pub const ALL: [Stage; 3] = [Stage::Pawns, Stage::Random, Stage::Full];

    pub const fn name(self) -> &'static str {
        match self {
            Stage::Pawns => "pawns",
            Stage::Random => "random",
            Stage::Full => "full",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(text: &str) -> Result<Stage, UnknownStage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == text).ok_or_else(|| UnknownStage(text.to_owned()))
    }
}

/// A stage name that there is not.
#[derive(Debug, thiserror::Error)]
#[error("no such stage: {0} (pawns, random, full)")]
pub struct UnknownStage(String);
