//! The options of the engine: each defined once, in [`TABLE`], for all protocols.
//!
//! Names are one word. An option whose name begins with another's comes after that one, such as `Eval`
//! and `EvalFile`: some GUIs take the first word only, or search saved settings for the beginning of a
//! name.

use std::mem;
use std::time::Duration;

use crate::eval::EvalKind;
use crate::play::{DrawPolicy, EngineSettings, MAX_HASH, MAX_STRENGTH, SkillLevel, Stage};

/// The present values of all options, and the settings that only the command line offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// How the engine plays.
    pub engine: EngineSettings,
    /// How the session treats the GUI and the opponent.
    pub session: SessionSettings,
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
        help: "how strong the engine plays; Master is its full strength",
        kind: Kind::Combo {
            choices: || SkillLevel::ALL.map(SkillLevel::name).to_vec(),
            get: |settings| settings.engine.level as usize,
            set: |settings, index| settings.engine.level = SkillLevel::ALL[index],
        },
    },
    EngineOption {
        name: "Strength",
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
        help: "helps a learner: verdicts on moves, reasons of hints, contested squares",
        kind: Kind::Check(|settings| &mut settings.session.coach),
    },
    EngineOption {
        name: "HeatMap",
        help: "what the coach's colours show: the contested squares of the position or of the whole game",
        kind: Kind::Combo {
            choices: || HeatDisplay::ALL.map(HeatDisplay::name).to_vec(),
            get: |settings| settings.session.heat_map as usize,
            set: |settings, index| settings.session.heat_map = HeatDisplay::ALL[index],
        },
    },
    EngineOption {
        name: "PopupVerdicts",
        help: "shows the coach's verdicts on bad moves in a window, too",
        kind: Kind::Check(|settings| &mut settings.session.popup_verdicts),
    },
    EngineOption {
        name: "OwnBook",
        help: "plays the opening from the engine's book",
        kind: Kind::Check(|settings| &mut settings.engine.book.is_used),
    },
    EngineOption {
        name: "BookFile",
        help: "Polyglot file with the book; empty for the built-in books",
        kind: Kind::File(|settings| &mut settings.engine.book.file),
    },
    EngineOption {
        name: "BookVariety",
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
        help: "forgets what earlier searches have found",
        kind: Kind::Press(Button::ClearHash),
    },
    EngineOption {
        name: "Ponder",
        help: "thinks on the opponent's time, when the GUI has pondering on as well",
        kind: Kind::Check(|settings| &mut settings.session.ponder),
    },
    EngineOption {
        name: "MultiPV",
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
        help: "draws by agreement: never, accept fair offers, or offer them too",
        kind: Kind::Combo {
            choices: || DrawPolicy::ALL.map(DrawPolicy::name).to_vec(),
            get: |settings| settings.session.draws as usize,
            set: |settings, index| settings.session.draws = DrawPolicy::ALL[index],
        },
    },
    EngineOption {
        name: "MoveOverhead",
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
        help: "folders with Syzygy endgame tables for chess; empty for none",
        kind: Kind::Path(|settings| &mut settings.engine.tables.syzygy),
    },
    EngineOption {
        name: "ThreeCheckPath",
        help: "folders with endgame tables for three-check; empty for none",
        kind: Kind::Path(|settings| &mut settings.engine.tables.three_check),
    },
    EngineOption {
        name: "ProbeDepth",
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
        help: "the evaluation: the network, where the game has one, or the hand-written classic one",
        kind: Kind::Combo {
            choices: || EvalKind::ALL.map(EvalKind::name).to_vec(),
            get: |settings| settings.engine.eval as usize,
            set: |settings, index| settings.engine.eval = EvalKind::ALL[index],
        },
    },
    EngineOption {
        name: "EvalFile",
        help: "file with another network for the game; empty for the built-in networks",
        kind: Kind::File(|settings| &mut settings.engine.network_file),
    },
    EngineOption {
        name: "LogFile",
        help: "file for a log of the dialogue; empty for no log",
        kind: Kind::File(|settings| &mut settings.session.log_file),
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

/// The option of this name.
///
/// # Errors
/// [`OptionError::Unknown`] if no option has this name.
pub fn find(name: &str) -> Result<&'static EngineOption, OptionError> {
    TABLE.iter().find(|option| option.name == name).ok_or(OptionError::Unknown)
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
        for (index, option) in TABLE.iter().enumerate() {
            assert!(option.name.chars().all(|c| c.is_ascii_alphanumeric()), "{}", option.name);
            let is_longer = |earlier: &EngineOption| earlier.name.starts_with(option.name);
            assert!(!TABLE[..index].iter().any(is_longer), "{}", option.name);
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
