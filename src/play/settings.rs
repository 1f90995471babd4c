//! How the engine plays, and what it may use of the machine.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{BookSettings, GREATEST_LIMITED_ELO, SkillLevel, Stage};
use crate::eval::EvalKind;
use crate::skill::LEAST_ELO;
use crate::tablebase::TablePaths;
use crate::threads::processors;
use crate::types::Depth;

/// How the engine plays.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSettings {
    pub stage: Stage,
    /// How strong the engine plays.
    pub level: SkillLevel,
    /// How strong the engine plays in Elo, up to [`GREATEST_LIMITED_ELO`]; 0 leaves that
    /// to the level.
    pub strength: u32,
    /// The strength follows the results of the player from game to game.
    pub adaptive: bool,
    /// At a level, take a human time for moves against a person.
    pub human_time: bool,
    /// Seeds the moves of stages and levels that play at random and the choice among book moves; 0
    /// makes every run different.
    pub seed: u64,
    /// The size of the transposition table, in MiB.
    pub hash: usize,
    /// The number of search threads.
    pub threads: usize,
    /// How many best lines a search shows.
    pub lines: usize,
    /// How many centipawns the engine gives up to avoid a draw; negative seeks draws.
    pub contempt: i32,
    /// The time that each move loses between the engine's clock and the GUI's.
    pub move_overhead: Duration,
    pub book: BookSettings,
    /// The folders of the endgame tables.
    pub tables: TablePaths,
    /// The least depth in plies at which the search looks into the largest endgame tables.
    pub probe_depth: Depth,
    pub eval: EvalKind,
    /// The file of the network, for the variant for which it was made; empty for the built-in networks.
    pub network_file: String,
    /// Constants of the search, by name, for tuning. Unknown names are ignored.
    pub parameters: BTreeMap<String, i32>,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings {
            stage: Stage::Full,
            level: SkillLevel::Master,
            strength: 0,
            adaptive: false,
            human_time: true,
            seed: 0,
            hash: 64,
            threads: 1,
            lines: 1,
            contempt: 0,
            move_overhead: Duration::from_millis(30),
            book: BookSettings::default(),
            tables: TablePaths::default(),
            probe_depth: 1,
            eval: EvalKind::default(),
            network_file: String::new(),
            parameters: BTreeMap::new(),
        }
    }
}

impl EngineSettings {
    /// The strength in Elo to which the engine is limited, apart from an adaptive level; `None` for full
    /// strength.
    pub fn limited_elo(&self) -> Option<u32> {
        match self.strength {
            0 => self.level.strength(),
            elo => Some(elo.clamp(LEAST_ELO, GREATEST_LIMITED_ELO)),
        }
    }

    /// The engine's name with its version. If the engine does not play as well as it can, the name
    /// says how it plays, because windows and game records show only the name.
    pub fn engine_name(&self) -> String {
        let name = concat!("Trebuchet ", env!("CARGO_PKG_VERSION"));
        match self.stage {
            Stage::Full if self.adaptive => format!("{name} (adaptive)"),
            Stage::Full => match self.limited_elo() {
                Some(elo) if self.strength > 0 => format!("{name} ({elo} Elo)"),
                Some(_) => format!("{name} ({})", self.level),
                None => name.to_owned(),
            },
            stage => format!("{name} ({stage})"),
        }
    }

    /// The settings within what the machine allows.
    pub(super) fn within(self, limits: &ResourceLimits) -> EngineSettings {
        EngineSettings {
            hash: self.hash.clamp(1, limits.hash.max(1)),
            threads: self.threads.clamp(1, limits.threads.max(1)),
            book: BookSettings {
                file: if limits.files { self.book.file } else { String::new() },
                variety: self.book.variety.min(100),
                ..self.book
            },
            network_file: if limits.files { self.network_file } else { String::new() },
            adaptive: self.adaptive && limits.files,
            tables: if limits.files { self.tables } else { TablePaths::default() },
            ..self
        }
    }
}

/// The largest transposition table that can be asked for, in MiB.
pub const MAX_HASH: usize = 65_536;

/// The largest number of search threads that can be asked for.
pub const MAX_THREADS: usize = 256;
/// The greatest seed: GUIs take numbers of 32 bits.
pub const MAX_SEED: u64 = i32::MAX as u64;

/// What an engine may use of the machine.
#[derive(Clone, Copy, Debug)]
pub struct ResourceLimits {
    /// May settings name files?
    pub files: bool,
    /// The largest transposition table, in MiB.
    pub hash: usize,
    /// The largest number of search threads.
    pub threads: usize,
}

impl ResourceLimits {
    /// No limits but those of the options.
    pub const OWNER: ResourceLimits =
        ResourceLimits { files: true, hash: MAX_HASH, threads: MAX_THREADS };

    /// The limits for the owner of this machine: a thread for each processor. With more threads than
    /// processors the main thread waits for the others and oversteps its time.
    pub fn of_this_machine() -> ResourceLimits {
        ResourceLimits { threads: processors().min(MAX_THREADS), ..ResourceLimits::OWNER }
    }
}
