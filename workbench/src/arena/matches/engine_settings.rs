//! The settings of an engine, from the command line or from a table of a TOML file.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::values::{Scalar, Value};
use crate::arena::engines::EngineSpec;
use crate::arena::engines::spec::SpecError;

/// The description of an engine, or of all engines.
#[derive(Clone, Debug)]
pub enum EngineSettings {
    /// `cmd=./new option.Hash=16`.
    Text(String),
    /// Settings and their values.
    Table(Vec<(String, String)>),
}

impl EngineSettings {
    /// Applies the settings over earlier ones.
    ///
    /// # Errors
    /// If a setting is unknown or has a bad value.
    pub fn apply(&self, spec: &mut EngineSpec) -> Result<(), SpecError> {
        match self {
            EngineSettings::Text(text) => spec.apply(text),
            EngineSettings::Table(settings) => {
                settings.iter().try_for_each(|(key, value)| spec.set(key, value))
            }
        }
    }
}

impl fmt::Display for EngineSettings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            EngineSettings::Text(text) => f.write_str(text),
            EngineSettings::Table(settings) => {
                let words = settings.iter().map(|(key, value)| format!("{key}={value}"));
                f.write_str(&words.collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// As on the command line. Mistakes are found when the settings are applied.
impl FromStr for EngineSettings {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<EngineSettings, Infallible> {
        Ok(EngineSettings::Text(text.to_owned()))
    }
}

/// A table, or a text as on the command line.
impl<'de> Deserialize<'de> for EngineSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EngineSettings, D::Error> {
        struct EngineVisitor;

        impl<'de> Visitor<'de> for EngineVisitor {
            type Value = EngineSettings;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the settings of an engine: a table or a text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<EngineSettings, E> {
                EngineSpec::default().apply(text).map_err(E::custom)?;
                Ok(EngineSettings::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EngineSettings, A::Error> {
                let mut settings = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    settings.extend(map.next_value_seed(SettingOf(key))?);
                }
                // The entries of a table have no order, but `arg` adds to `cmd`.
                settings.sort_by_key(|(key, _)| key != "cmd");
                Ok(EngineSettings::Table(settings))
            }
        }

        deserializer.deserialize_any(EngineVisitor)
    }
}

/// The settings that add up.
const LISTS: [&str; 2] = ["arg", "init"];

/// Reads the value of the engine's setting with this key: one, a list, or a table such as `option`.
struct SettingOf(String);

impl<'de> DeserializeSeed<'de> for SettingOf {
    type Value = Vec<(String, String)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let SettingOf(key) = self;
        let settings: Vec<(String, String)> = match Value::deserialize(deserializer)? {
            Value::Switch(is_on) => vec![(key, is_on.to_string())],
            Value::Single(Scalar(text)) => vec![(key, text)],
            Value::List(_) if !LISTS.contains(&key.as_str()) => {
                let hint =
                    if key == "cmd" { ": words behind the program belong to `arg`" } else { "" };
                return Err(D::Error::custom(format!("takes one value, not a list{hint}")));
            }
            Value::List(texts) => {
                texts.into_iter().map(|Scalar(text)| (key.clone(), text)).collect()
            }
            Value::Table(table) => table
                .into_iter()
                .map(|(name, Scalar(text))| (format!("{key}.{name}"), text))
                .collect(),
        };
        let mut spec = EngineSpec::default();
        settings
            .iter()
            .try_for_each(|(key, value)| spec.set(key, value))
            .map_err(D::Error::custom)?;
        Ok(settings)
    }
}
