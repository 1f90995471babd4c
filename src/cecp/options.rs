//! The options of the engine: each defined once, in [`TABLE`].
//!
//! The table declares the options to a GUI, reads `option NAME=VALUE`, and fills the README. Names
//! are one word, and if one begins with another, it stands behind it: some GUIs take the first word
//! only, or search saved settings for the beginning of a name. Imports `play`, `eval` and the wire;
//! knows no session.

use std::fmt::Write;
use std::time::Duration;

use crate::eval::EvalKind;
use crate::play::{DrawPolicy, EngineSettings, MAX_HASH, MAX_STRENGTH, SkillLevel, Stage};

use super::wire::{Declaration, Widget};

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

    /// The option as the engine declares it to a GUI, with its present value.
    pub fn declaration(&self, settings: &Settings) -> Declaration {
        let mut settings = settings.clone();
        let widget = match self.kind {
            Kind::Check(field) => Widget::Check(*field(&mut settings)),
            Kind::Spin { min, max, get, .. } => Widget::Spin { value: get(&settings), min, max },
            Kind::Combo { choices, get, .. } => {
                let choices = choices().into_iter().map(str::to_owned).collect();
                Widget::Combo { choices, chosen: get(&settings) }
            }
            Kind::File(field) => Widget::File(presentable(field(&mut settings))),
            Kind::Path(field) => Widget::Path(presentable(field(&mut settings))),
            Kind::Press(_) => Widget::Button,
        };
        Declaration { name: self.name.to_owned(), widget }
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

/// The name of a file as a feature can hold it; empty for a name that no feature can hold, such as
/// one with a quote.
fn presentable(file: &str) -> String {
    let is_plain = |byte: u8| byte != b'"' && (b' '..=b'~').contains(&byte);
    if file.len() <= 1000 && file.bytes().all(is_plain) { file.to_owned() } else { String::new() }
}

/// The option of this name.
///
/// # Errors
/// [`OptionError::Unknown`] if no option has this name.
pub fn find(name: &str) -> Result<&'static EngineOption, OptionError> {
    TABLE.iter().find(|option| option.name == name).ok_or(OptionError::Unknown)
}

/// The options as a Markdown table, for the README.
pub fn markdown() -> String {
    let settings = Settings::default();
    let mut table =
        String::from("| option | kind | default | range | meaning |\n|---|---|---|---|---|\n");
    for option in TABLE {
        let widget = option.declaration(&settings).widget;
        let (default, range) = match &widget {
            Widget::Check(set) => (i32::from(*set).to_string(), "0, 1".to_owned()),
            Widget::Spin { value, min, max } => (value.to_string(), format!("{min} to {max}")),
            Widget::Combo { choices, chosen } => (choices[*chosen].clone(), choices.join(", ")),
            _ => (String::new(), String::new()),
        };
        let (name, kind, help) = (option.name, widget.kind(), option.help);
        writeln!(table, "| `{name}` | {kind} | {default} | {range} | {help} |")
            .expect("writing to a string does not fail");
    }
    table
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
    fn options_are_declared_with_their_present_value() {
        let mut settings = Settings::default();
        set(&mut settings, "Stage", "random").unwrap();
        set(&mut settings, "MoveOverhead", "100").unwrap();
        let lines: Vec<String> =
            TABLE.iter().map(|option| option.declaration(&settings).to_string()).collect();
        assert_eq!(
            lines,
            [
                "Stage -combo pawns /// *random /// full",
                "Level -combo Beginner /// Amateur /// Intermediate /// Hard /// *Master",
                "Strength -spin 0 0 2850",
                "Seed -spin 0 0 2147483647",
                "Coach -check 0",
                "HeatMap -combo off /// *position /// game",
                "PopupVerdicts -check 0",
                "OwnBook -check 1",
                "BookFile -file ",
                "BookVariety -spin 50 0 100",
                "Hash -spin 64 1 65536",
                "ClearHash -button",
                "Ponder -check 1",
                "MultiPV -spin 1 1 100",
                "Contempt -spin 0 -500 500",
                "Resign -spin 1000 0 20000",
                "Draws -combo never /// accept /// *offer",
                "MoveOverhead -spin 100 0 10000",
                "SyzygyPath -path ",
                "ThreeCheckPath -path ",
                "ProbeDepth -spin 1 1 100",
                "Eval -combo *network /// classic",
                "EvalFile -file ",
                "LogFile -file ",
            ]
        );
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

    #[test]
    fn the_table_for_the_readme_has_a_row_for_each() {
        let table = markdown();
        assert_eq!(table.lines().count(), TABLE.len() + 2);
        assert!(table.contains("| `Hash` | spin | 64 | 1 to 65536 | size of"));
    }
}
