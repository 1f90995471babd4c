//! The options of the engine: each defined once, in [`TABLE`], for all protocols.
//!
//! Names are one word. An option whose name begins with another's comes after that one, such as `Eval`
//! and `EvalFile`: some GUIs take the first word only, or search saved settings for the beginning of a
//! name.

use std::mem;
use std::time::Duration;

use crate::eval::EvalKind;
use crate::play::{
    DrawPolicy, EngineSettings, MAX_HASH, MAX_STRENGTH, MAX_THREADS, SkillLevel, Stage,
};
use crate::skill::LEAST_ELO;
use crate::variants::VariantId;

/// The present values of all options, and the settings that only the command line offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// How the engine plays.
    pub engine: EngineSettings,
    /// How the session treats the GUI and the opponent.
    pub session: SessionSettings,
    /// What only UCI has.
    pub uci: UciSettings,
}

/// The settings of a session of UCI.
#[derive(Clone, Debug, PartialEq)]
pub struct UciSettings {
    /// The UCI name of the game, without the difference that Chess960 makes.
    pub variant: usize,
    /// Castling is written as king takes rook, and in chess kings and rooks start on any file.
    pub is_chess960: bool,
    /// Lines of thinking have the chances of a win, a draw and a loss.
    pub shows_wdl: bool,
    /// Play with the strength `elo`.
    pub limits_strength: bool,
    pub elo: u32,
    /// Every search is an analysis.
    pub analyses: bool,
}

impl Default for UciSettings {
    fn default() -> UciSettings {
        UciSettings {
            variant: 0,
            is_chess960: false,
            shows_wdl: false,
            limits_strength: false,
            elo: 1500,
            analyses: false,
        }
    }
}

/// The values of the option `UCI_Variant`: the games as UCI names them. `chess` is the first.
pub fn uci_variants() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for variant in VariantId::ALL {
        if !names.contains(&variant.uci_name()) {
            names.push(variant.uci_name());
        }
    }
    names
}

/// The settings that concern the session alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionSettings {
    /// Think on the opponent's time, if the GUI allows it too.
    pub ponder: bool,
    /// Resign when this many centipawns behind; 0 never resigns.
    pub resign: i32,
    pub draws: DrawPolicy,
    /// Help a learner: with verdicts, reasons of hints, and the heat map.
    pub coach: bool,
    /// What the coach's heat map shows.
    pub heat_map: HeatDisplay,
    /// Show verdicts on bad moves in windows, too.
    pub popup_verdicts: bool,
    /// The file for the run log; empty for no log.
    pub log_file: String,
}

impl Default for SessionSettings {
    fn default() -> SessionSettings {
        SessionSettings {
            ponder: true,
            resign: 1000,
            draws: DrawPolicy::Offer,
            coach: false,
            heat_map: HeatDisplay::Position,
            popup_verdicts: false,
            log_file: String::new(),
        }
    }
}

/// What a heat map of contested squares shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeatDisplay {
    Off,
    /// The position on the board.
    Position,
    /// The whole game, summed up.
    Game,
}

impl HeatDisplay {
    const ALL: [HeatDisplay; 3] = [HeatDisplay::Off, HeatDisplay::Position, HeatDisplay::Game];

    const fn name(self) -> &'static str {
        match self {
            HeatDisplay::Off => "off",
            HeatDisplay::Position => "position",
            HeatDisplay::Game => "game",
        }
    }
}

/// One option.
pub struct EngineOption {
    pub name: &'static str,
    /// The protocols that have the option.
    pub protocols: Protocols,
    /// The purpose of the option, in one phrase.
    pub help: &'static str,
    kind: Kind,
}

/// The widget of an option, and the setting behind it.
enum Kind {
    Check(fn(&mut Settings) -> &mut bool),
    Spin {
        min: i64,
        max: i64,
        get: fn(&Settings) -> i64,
        set: fn(&mut Settings, i64),
    },
    /// A choice among words, by their index.
    Combo {
        choices: fn() -> Vec<&'static str>,
        get: fn(&Settings) -> usize,
        set: fn(&mut Settings, usize),
    },
    /// The name of a file of this machine.
    File(fn(&mut Settings) -> &mut String),
    /// Folders of this machine.
    Path(fn(&mut Settings) -> &mut String),
    Press(Button),
}

/// The protocols that have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocols {
    /// Both, under the same name.
    Both,
    /// Both; UCI has a customary name of its own for it.
    Named(&'static str),
    Cecp,
    Uci,
}

/// The present value of an option, and what else it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionState {
    Check(bool),
    /// A number of this range.
    Spin {
        value: i64,
        min: i64,
        max: i64,
    },
    /// One of these words, by its index.
    Combo {
        choices: Vec<&'static str>,
        chosen: usize,
    },
    /// The name of a file of this machine; empty for none.
    File(String),
    /// Folders of this machine; empty for none.
    Path(String),
    Button,
}

/// What a button option asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Forget what earlier searches have found.
    ClearHash,
}

/// Every option, in the order in which a GUI shows them.
pub const TABLE: &[EngineOption] = &[
    EngineOption {
        name: "Stage",
        protocols: Protocols::Both,
        help: "how moves are chosen: pawns only, at random, or by searching",
        kind: Kind::Combo {
            choices: || Stage::ALL.map(Stage::name).to_vec(),
            get: |settings| {
                Stage::ALL.iter().position(|&stage| stage == settings.engine.stage).unwrap_or(0)
            },
            set: |settings, index| settings.engine.stage = Stage::ALL[index],
        },
    },
    EngineOption {
        name: "Level",
        protocols: Protocols::Both,
        help: "how strong the engine plays; Master is its full strength",
        kind: Kind::Combo {
            choices: || SkillLevel::ALL.map(SkillLevel::name).to_vec(),
            get: |settings| settings.engine.level as usize,
            set: |settings, index| settings.engine.level = SkillLevel::ALL[index],
        },
    },
    EngineOption {
        name: "Strength",
        protocols: Protocols::Cecp,
        help: "how strong the engine plays, in Elo; 0 leaves that to the level",
        kind: Kind::Spin {
            min: 0,
            max: MAX_STRENGTH as i64,
            get: |settings| i64::from(settings.engine.strength),
            set: |settings, elo| settings.engine.strength = elo as u32,
        },
    },
    EngineOption {
        name: "Seed",
        protocols: Protocols::Both,
        help: "makes the stage `random`, the levels and the choice among book moves repeatable; 0 makes every run different",
        kind: Kind::Spin {
            min: 0,
            max: i32::MAX as i64,
            get: |settings| settings.engine.seed as i64,
            set: |settings, seed| settings.engine.seed = seed as u64,
        },
    },
    EngineOption {
        name: "Coach",
        protocols: Protocols::Cecp,
        help: "helps a learner: verdicts on moves, reasons of hints, contested squares",
        kind: Kind::Check(|settings| &mut settings.session.coach),
    },
    EngineOption {
        name: "HeatMap",
        protocols: Protocols::Cecp,
        help: "what the coach's colours show: the contested squares of the position or of the whole game",
        kind: Kind::Combo {
            choices: || HeatDisplay::ALL.map(HeatDisplay::name).to_vec(),
            get: |settings| settings.session.heat_map as usize,
            set: |settings, index| settings.session.heat_map = HeatDisplay::ALL[index],
        },
    },
    EngineOption {
        name: "PopupVerdicts",
        protocols: Protocols::Cecp,
        help: "shows the coach's verdicts on bad moves in a window, too",
        kind: Kind::Check(|settings| &mut settings.session.popup_verdicts),
    },
    EngineOption {
        name: "OwnBook",
        protocols: Protocols::Both,
        help: "plays the opening from the engine's book",
        kind: Kind::Check(|settings| &mut settings.engine.book.is_used),
    },
    EngineOption {
        name: "BookFile",
        protocols: Protocols::Both,
        help: "Polyglot file with the book; empty for the built-in books",
        kind: Kind::File(|settings| &mut settings.engine.book.file),
    },
    EngineOption {
        name: "BookVariety",
        protocols: Protocols::Both,
        help: "0 always plays the heaviest book move, 50 chooses by weight, 100 all moves alike",
        kind: Kind::Spin {
            min: 0,
            max: 100,
            get: |settings| i64::from(settings.engine.book.variety),
            set: |settings, variety| settings.engine.book.variety = variety as u8,
        },
    },
    EngineOption {
        name: "Hash",
        protocols: Protocols::Both,
        help: "size of the transposition table in MiB; `memory` sets the same",
        kind: Kind::Spin {
            min: 1,
            max: MAX_HASH as i64,
            get: |settings| settings.engine.hash as i64,
            set: |settings, mebibytes| settings.engine.hash = mebibytes as usize,
        },
    },
    EngineOption {
        name: "ClearHash",
        protocols: Protocols::Named("Clear Hash"),
        help: "forgets what earlier searches have found",
        kind: Kind::Press(Button::ClearHash),
    },
    EngineOption {
        name: "Ponder",
        protocols: Protocols::Both,
        help: "thinks on the opponent's time, when the GUI has pondering on as well",
        kind: Kind::Check(|settings| &mut settings.session.ponder),
    },
    EngineOption {
        name: "MultiPV",
        protocols: Protocols::Both,
        help: "how many best lines a search shows; more than one costs strength",
        kind: Kind::Spin {
            min: 1,
            max: 100,
            get: |settings| settings.engine.lines as i64,
            set: |settings, lines| settings.engine.lines = lines as usize,
        },
    },
    EngineOption {
        name: "Contempt",
        protocols: Protocols::Both,
        help: "centipawns to give up to avoid a draw; a negative number seeks draws",
        kind: Kind::Spin {
            min: -500,
            max: 500,
            get: |settings| i64::from(settings.engine.contempt),
            set: |settings, centipawns| settings.engine.contempt = centipawns as i32,
        },
    },
    EngineOption {
        name: "Resign",
        protocols: Protocols::Cecp,
        help: "resigns after several moves this many centipawns behind; 0 never resigns",
        kind: Kind::Spin {
            min: 0,
            max: 20_000,
            get: |settings| i64::from(settings.session.resign),
            set: |settings, centipawns| settings.session.resign = centipawns as i32,
        },
    },
    EngineOption {
        name: "Draws",
        protocols: Protocols::Cecp,
        help: "draws by agreement: never, accept fair offers, or offer them too",
        kind: Kind::Combo {
            choices: || DrawPolicy::ALL.map(DrawPolicy::name).to_vec(),
            get: |settings| settings.session.draws as usize,
            set: |settings, index| settings.session.draws = DrawPolicy::ALL[index],
        },
    },
    EngineOption {
        name: "MoveOverhead",
        protocols: Protocols::Named("Move Overhead"),
        help: "milliseconds lost on each move between the engine's clock and the GUI's",
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
            get: |settings| settings.engine.move_overhead.as_millis() as i64,
            set: |settings, millis| {
                settings.engine.move_overhead = Duration::from_millis(millis as u64)
            },
        },
    },
    EngineOption {
        name: "SyzygyPath",
        protocols: Protocols::Both,
        help: "folders with Syzygy endgame tables for chess; empty for none",
        kind: Kind::Path(|settings| &mut settings.engine.tables.syzygy),
    },
    EngineOption {
        name: "ThreeCheckPath",
        protocols: Protocols::Both,
        help: "folders with endgame tables for three-check; empty for none",
        kind: Kind::Path(|settings| &mut settings.engine.tables.three_check),
    },
    EngineOption {
        name: "ProbeDepth",
        protocols: Protocols::Both,
        help: "depth in plies from which the search looks into the largest endgame tables",
        kind: Kind::Spin {
            min: 1,
            max: 100,
            get: |settings| i64::from(settings.engine.probe_depth),
            set: |settings, plies| settings.engine.probe_depth = plies as i32,
        },
    },
    EngineOption {
        name: "Eval",
        protocols: Protocols::Both,
        help: "the evaluation: the network, where the game has one, or the hand-written classic one",
        kind: Kind::Combo {
            choices: || EvalKind::ALL.map(EvalKind::name).to_vec(),
            get: |settings| settings.engine.eval as usize,
            set: |settings, index| settings.engine.eval = EvalKind::ALL[index],
        },
    },
    EngineOption {
        name: "EvalFile",
        protocols: Protocols::Both,
        help: "file with another network for the game; empty for the built-in networks",
        kind: Kind::File(|settings| &mut settings.engine.network_file),
    },
    EngineOption {
        name: "LogFile",
        protocols: Protocols::Both,
        help: "file for a log of the dialogue; empty for no log",
        kind: Kind::File(|settings| &mut settings.session.log_file),
    },
    EngineOption {
        name: "Threads",
        protocols: Protocols::Uci,
        help: "how many threads search; in CECP the command `cores`",
        kind: Kind::Spin {
            min: 1,
            max: MAX_THREADS as i64,
            get: |settings| settings.engine.threads as i64,
            set: |settings, threads| settings.engine.threads = threads as usize,
        },
    },
    EngineOption {
        name: "UCI_Variant",
        protocols: Protocols::Uci,
        help: "the game",
        kind: Kind::Combo {
            choices: uci_variants,
            get: |settings| settings.uci.variant,
            set: |settings, index| settings.uci.variant = index,
        },
    },
    EngineOption {
        name: "UCI_Chess960",
        protocols: Protocols::Uci,
        help: "Chess960: castling is written as king takes rook",
        kind: Kind::Check(|settings| &mut settings.uci.is_chess960),
    },
    EngineOption {
        name: "UCI_LimitStrength",
        protocols: Protocols::Uci,
        help: "plays with the strength `UCI_Elo`",
        kind: Kind::Check(|settings| &mut settings.uci.limits_strength),
    },
    EngineOption {
        name: "UCI_Elo",
        protocols: Protocols::Uci,
        help: "how strong the engine plays with `UCI_LimitStrength`, in Elo",
        kind: Kind::Spin {
            min: LEAST_ELO as i64,
            max: MAX_STRENGTH as i64,
            get: |settings| i64::from(settings.uci.elo),
            set: |settings, elo| settings.uci.elo = elo as u32,
        },
    },
    EngineOption {
        name: "UCI_ShowWDL",
        protocols: Protocols::Uci,
        help: "shows the chances of a win, a draw and a loss",
        kind: Kind::Check(|settings| &mut settings.uci.shows_wdl),
    },
    EngineOption {
        name: "UCI_AnalyseMode",
        protocols: Protocols::Uci,
        help: "searches for study: without the book, with full strength",
        kind: Kind::Check(|settings| &mut settings.uci.analyses),
    },
];

/// Why an option was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("no such option")]
    Unknown,
    #[error("not a value of this option")]
    BadValue,
}

impl EngineOption {
    /// Is it an option in CECP?
    pub const fn is_in_cecp(&self) -> bool {
        !matches!(self.protocols, Protocols::Uci)
    }

    /// The name in UCI, if it is an option there.
    pub const fn uci_name(&self) -> Option<&'static str> {
        match self.protocols {
            Protocols::Both | Protocols::Uci => Some(self.name),
            Protocols::Named(name) => Some(name),
            Protocols::Cecp => None,
        }
    }

    /// Does it name files of this machine? Remote clients do not get such options.
    pub const fn touches_files(&self) -> bool {
        matches!(self.kind, Kind::File(_) | Kind::Path(_))
    }

    /// The present value and the range.
    pub fn state(&self, settings: &Settings) -> OptionState {
        let mut settings = settings.clone();
        match self.kind {
            Kind::Check(field) => OptionState::Check(*field(&mut settings)),
            Kind::Spin { min, max, get, .. } => {
                OptionState::Spin { value: get(&settings), min, max }
            }
            Kind::Combo { choices, get, .. } => {
                OptionState::Combo { choices: choices(), chosen: get(&settings) }
            }
            Kind::File(field) => OptionState::File(mem::take(field(&mut settings))),
            Kind::Path(field) => OptionState::Path(mem::take(field(&mut settings))),
            Kind::Press(_) => OptionState::Button,
        }
    }

    /// Sets the option to a value as the GUI writes it. A number outside the range is clamped. A
    /// button changes no setting; it is returned for the session to act on.
    ///
    /// # Errors
    /// [`OptionError::BadValue`] if the value does not suit the option; nothing is changed then.
    pub fn set(
        &self,
        settings: &mut Settings,
        value: Option<&str>,
    ) -> Result<Option<Button>, OptionError> {
        let value = value.unwrap_or_default();
        match self.kind {
            Kind::Check(field) => {
                *field(settings) = match value {
                    "1" | "true" => true,
                    "0" | "false" => false,
                    _ => return Err(OptionError::BadValue),
                }
            }
            Kind::Spin { min, max, set, .. } => {
                let number: f64 = value.parse().map_err(|_| OptionError::BadValue)?;
                if number.is_nan() {
                    return Err(OptionError::BadValue);
                }
                set(settings, (number as i64).clamp(min, max));
            }
            Kind::Combo { choices, set, .. } => {
                let index = choices().iter().position(|&choice| choice == value);
                set(settings, index.ok_or(OptionError::BadValue)?);
            }
            Kind::File(field) | Kind::Path(field) => value.clone_into(field(settings)),
            Kind::Press(button) => return Ok(Some(button)),
        }
        Ok(None)
    }
}

/// The option of CECP with this name.
///
/// # Errors
/// [`OptionError::Unknown`] if no option has this name.
pub fn find(name: &str) -> Result<&'static EngineOption, OptionError> {
    let mut options = TABLE.iter().filter(|option| option.is_in_cecp());
    options.find(|option| option.name == name).ok_or(OptionError::Unknown)
}

/// The option of UCI with this name, in capitals or small letters.
///
/// # Errors
/// [`OptionError::Unknown`] if no option has this name.
pub fn find_in_uci(name: &str) -> Result<&'static EngineOption, OptionError> {
    let is_named =
        |option: &&EngineOption| option.uci_name().is_some_and(|it| it.eq_ignore_ascii_case(name));
    TABLE.iter().find(is_named).ok_or(OptionError::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(
        settings: &mut Settings,
        name: &str,
        value: &str,
    ) -> Result<Option<Button>, OptionError> {
        find(name)?.set(settings, Some(value))
    }

    #[test]
    fn names_are_one_word_and_stand_before_longer_ones() {
        let names: Vec<&str> =
            TABLE.iter().filter(|option| option.is_in_cecp()).map(|option| option.name).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{name}");
            assert!(!names[..index].iter().any(|earlier| earlier.starts_with(name)), "{name}");
        }
    }

    #[test]
    fn no_two_options_of_uci_have_the_same_name() {
        let names: Vec<&str> = TABLE.iter().filter_map(EngineOption::uci_name).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].iter().any(|other| other.eq_ignore_ascii_case(name)), "{name}");
            let found = find_in_uci(&name.to_uppercase()).unwrap();
            assert_eq!(found.uci_name(), Some(*name));
        }
    }

    #[test]
    fn values_are_read_sanely() {
        let mut settings = Settings::default();
        for (value, hash) in
            [("128", 128), ("99999999999999999999", MAX_HASH), ("-5", 1), ("16.9", 16)]
        {
            assert_eq!(set(&mut settings, "Hash", value), Ok(None));
            assert_eq!(settings.engine.hash, hash);
        }
        assert_eq!(set(&mut settings, "Contempt", "-20"), Ok(None));
        assert_eq!(settings.engine.contempt, -20);
        assert_eq!(set(&mut settings, "ClearHash", ""), Ok(Some(Button::ClearHash)));
        assert_eq!(set(&mut settings, "LogFile", "/tmp/a=b c"), Ok(None));
        assert_eq!(settings.session.log_file, "/tmp/a=b c");
        let before = settings.clone();
        for (name, value, error) in [
            ("Hash", "lots", OptionError::BadValue),
            ("Hash", "nan", OptionError::BadValue),
            ("Hash", "", OptionError::BadValue),
            ("Ponder", "maybe", OptionError::BadValue),
            ("Stage", "queens", OptionError::BadValue),
            ("hash", "1", OptionError::Unknown),
        ] {
            assert_eq!(set(&mut settings, name, value), Err(error), "{name}={value}");
        }
        assert_eq!(settings, before);
    }
}
