//! Options, and the game that they choose.

use super::{UciSession, echo};
use crate::protocol::dialect::VariantNames;
use crate::protocol::options::{
    self, Button, Constant, OptionRemark, OptionState, Settings, uci_variants,
};
use crate::variants::VariantId;

/// The option that names the game, which has many names.
const VARIANT_OPTION: &str = "UCI_Variant";
/// The option that makes chess Chess960.
const CHESS960_OPTION: &str = "UCI_Chess960";

impl UciSession {
    /// The present value of every option.
    pub(super) fn all_settings(&self) -> Settings {
        Settings {
            engine: self.engine.settings().clone(),
            session: self.settings.clone(),
            uci: self.uci.clone(),
        }
    }

    /// The game that the options choose. A game that has no Chess960 of its own stays what it is.
    pub(super) fn variant(&self) -> VariantId {
        let name = uci_variants()[self.uci.variant];
        let named = || VariantId::ALL.iter().copied().filter(|id| id.uci_name() == name);
        let is_exact = |id: &VariantId| VariantNames::of(*id).is_chess960 == self.uci.is_chess960;
        named().find(is_exact).or_else(|| named().next()).unwrap_or(VariantId::Standard)
    }

    /// `setoption`: sets an option, presses a button, or sets a constant of the search.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        if name.eq_ignore_ascii_case(VARIANT_OPTION) {
            return self.set_variant(value.unwrap_or_default());
        }
        let with_files = self.engine.resource_limits().files;
        let found = options::find_in_uci(name).ok();
        let Some(option) = found.filter(|option| with_files || !option.needs_files()) else {
            return self.set_constant(name, value);
        };
        let mut settings = self.all_settings();
        // Words of a list, in capitals or small letters.
        let value = value.map(|value| match option.state(&settings) {
            OptionState::Combo { choices, .. } => {
                let same = choices.into_iter().find(|choice| choice.eq_ignore_ascii_case(value));
                same.unwrap_or(value)
            }
            _ => value,
        });
        match option.set(&mut settings, value) {
            Ok(Some(Button::ClearHash)) => self.engine.clear(),
            Ok(Some(Button::ResetRating)) => self.engine.reset_ratings(),
            Ok(None) => {
                self.chess960_by_name &= !name.eq_ignore_ascii_case(CHESS960_OPTION);
                if let Some(taken) = option.number_taken_for(value) {
                    let (name, expected) = (&echo(name), &option.state(&settings).expected());
                    self.remark(OptionRemark::CountsAs { name, expected, taken });
                }
                // It tells if the machine allows less.
                self.apply(settings);
            }
            Err(_) => {
                let (name, value) = (&echo(name), &echo(value.unwrap_or_default()));
                let expected = &option.state(&self.all_settings()).expected();
                self.remark(OptionRemark::BadValue { name, value, expected });
            }
        }
    }

    fn remark(&mut self, remark: OptionRemark) {
        self.inform(&remark.to_string());
    }

    fn apply(&mut self, settings: Settings) {
        let Settings { mut engine, session, uci } = settings;
        engine.strength = if uci.limits_strength { uci.elo } else { 0 };
        let (hash, threads) = (engine.hash, engine.threads);
        if session.log_file != self.settings.log_file {
            self.log_request = Some(session.log_file.clone());
        }
        self.settings = session;
        self.uci = uci;
        self.engine.change_settings(|present| *present = engine);
        let allowed = self.engine.settings();
        let (allowed_hash, allowed_threads) = (allowed.hash, allowed.threads);
        if allowed_hash < hash {
            self.inform(&format!("at most {allowed_hash} MiB of hash are allowed"));
        }
        if allowed_threads < threads {
            let noun = if allowed_threads == 1 { "thread" } else { "threads" };
            self.inform(&format!("at most {allowed_threads} {noun} can be used"));
        }
    }

    /// Takes the names of python-chess, lichess, Cute Chess and our own.
    fn set_variant(&mut self, name: &str) {
        let by_uci_name = VariantId::ALL.iter().copied().find(|id| id.uci_name() == name);
        let Some(variant) = by_uci_name.or_else(|| VariantId::from_any_name(name)) else {
            let games = uci_variants().join(", ");
            return self
                .inform(&format!("unknown variant: {} (expected one of: {games})", echo(name)));
        };
        let names = VariantNames::of(variant);
        let index = uci_variants().iter().position(|&name| name == names.uci);
        self.uci.variant = index.unwrap_or_default();
        // `chess` and `chess960` are the same game; the other option tells them apart. What a name has set, the
        // next name takes back.
        let is_chess960 = names.is_chess960 && by_uci_name.is_none();
        if is_chess960 || self.chess960_by_name {
            self.chess960_by_name = is_chess960 && (self.chess960_by_name || !self.uci.is_chess960);
            self.uci.is_chess960 = is_chess960;
        }
        self.position = None;
    }

    fn set_constant(&mut self, name: &str, value: Option<&str>) {
        let Ok(constant) = Constant::find(name) else {
            return self.remark(OptionRemark::Unknown { name: &echo(name) });
        };
        let expected = constant.expected();
        match constant.read(value) {
            Ok((taken, is_outside)) => {
                self.engine.set_parameter(name, taken);
                if is_outside {
                    let (expected, taken) = (&expected, taken.into());
                    self.remark(OptionRemark::CountsAs { name, expected, taken });
                }
            }
            Err(_) => {
                let (value, expected) = (&echo(value.unwrap_or_default()), &expected);
                self.remark(OptionRemark::BadValue { name, value, expected });
            }
        }
    }
}
