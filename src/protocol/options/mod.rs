//! The options of the engine: each defined once, in [`TABLE`], for all protocols.
//!
//! Names are one word. An option whose name begins with another's comes after that one, such as `Eval`
//! and `EvalFile`: some GUIs take the first word only, or search saved settings for the beginning of a
//! name.

mod constants;
mod remark;
mod table;

use std::mem;

use table::ADAPTIVE;

use crate::play::{DrawPolicy, EngineSettings, GREATEST_LIMITED_ELO};
use crate::skill::LEAST_ELO;
use crate::variants::VariantId;

pub use constants::Constant;
pub use remark::OptionRemark;
pub use table::TABLE;

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
    /// The index of the game's UCI name, without the difference that Chess960 makes.
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

impl UciSettings {
    /// The usual settings with a limited strength in Elo; 0 does not limit it.
    pub fn with_strength(elo: u32) -> UciSettings {
        match elo {
            0 => UciSettings::default(),
            elo => UciSettings {
                limits_strength: true,
                elo: elo.clamp(LEAST_ELO, GREATEST_LIMITED_ELO),
                ..UciSettings::default()
            },
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
    /// Tell the learner when a move of the engine was a mistake.
    pub tells_mistakes: bool,
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
            tells_mistakes: true,
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

impl OptionState {
    /// What the option takes, in words: `a number from 1 to 100`.
    pub fn expected(&self) -> String {
        match self {
            OptionState::Check(_) => "true or false".to_owned(),
            OptionState::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            OptionState::Combo { choices, .. } => format!("one of: {}", choices.join(", ")),
            OptionState::File(_) => "the name of a file".to_owned(),
            OptionState::Path(_) => "the names of folders".to_owned(),
            OptionState::Button => "no value".to_owned(),
        }
    }
}

/// What a button option asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Forget what earlier searches have found.
    ClearHash,
    /// Forget where the player stands.
    ResetRating,
}

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

    /// Does it name files of this machine, or work with one? Remote clients do not get such options.
    pub fn needs_files(&self) -> bool {
        matches!(self.kind, Kind::File(_) | Kind::Path(_) | Kind::Press(Button::ResetRating))
            || self.name == ADAPTIVE
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
                let number = number(value).ok_or(OptionError::BadValue)?;
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

    /// The number that [`EngineOption::set`] takes instead of one outside the range.
    pub fn number_taken_for(&self, value: Option<&str>) -> Option<i64> {
        let Kind::Spin { min, max, .. } = self.kind else { return None };
        let number = number(value.unwrap_or_default())? as i64;
        Some(number.clamp(min, max)).filter(|&taken| taken != number)
    }
}

/// A number as GUIs write it, some with a decimal point.
fn number(value: &str) -> Option<f64> {
    value.parse().ok().filter(|number: &f64| !number.is_nan())
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
    use crate::play::MAX_HASH;

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

    #[test]
    fn an_option_tells_what_it_takes() {
        let expected = |name| find(name).unwrap().state(&Settings::default()).expected();
        assert_eq!(expected("MultiPV"), "a number from 1 to 100");
        assert_eq!(expected("Ponder"), "true or false");
        assert_eq!(expected("HeatMap"), "one of: off, position, game");
    }

    #[test]
    fn a_number_outside_the_range_has_the_nearest_one_taken_for_it() {
        let taken = |name, value| find(name).unwrap().number_taken_for(Some(value));
        assert_eq!(taken("MultiPV", "101"), Some(100));
        assert_eq!(taken("MultiPV", "-1e300"), Some(1));
        assert_eq!(taken("MultiPV", "100"), None);
        assert_eq!(taken("MultiPV", "nan"), None);
        assert_eq!(taken("Ponder", "2"), None);
    }
}
