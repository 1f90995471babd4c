//! The values of options, as they are written on the command line and in a TOML file.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;
use serde::de::{self, Deserializer, Error, Visitor};

use crate::seconds;

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Number<MIN, MAX> {
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number as a size. None of ours is greater than a size can be.
    pub fn size(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const MIN: u64, const MAX: u64> FromStr for Number<MIN, MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Number<MIN, MAX>, String> {
        let number = text.parse().ok().filter(|number| (MIN..=MAX).contains(number));
        number.map(Number).ok_or_else(|| format!("`{text}` is not a number from {MIN} to {MAX}"))
    }
}

/// A number of seconds above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seconds, String> {
        let time = seconds::read(text).filter(|time| !time.is_zero());
        time.map(Seconds).ok_or_else(|| format!("`{text}` is not a number of seconds above 0"))
    }
}

/// A single value of a TOML file. Its text is that of the command line.
#[derive(Clone, Debug)]
pub struct Scalar(pub String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct ScalarVisitor;

        impl Visitor<'_> for ScalarVisitor {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a text or a number")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar(text.to_owned()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar(number.to_string()))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Scalar, E> {
                Ok(Scalar(number.to_string()))
            }

            fn visit_bool<E: de::Error>(self, is_on: bool) -> Result<Scalar, E> {
                Ok(Scalar(is_on.to_string()))
            }
        }

        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// A value of a TOML file: a scalar, a list of scalars, or a table of scalars.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "this value cannot be used here")]
pub enum Value {
    Switch(bool),
    Single(Scalar),
    List(Vec<Scalar>),
    Table(BTreeMap<String, Scalar>),
}

/// Reads a value of a TOML file as the command line does.
///
/// # Errors
/// If it is a list or a table, or not a value of this type.
pub fn scalar<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: fmt::Display>,
{
    let Scalar(text) = Scalar::deserialize(deserializer)?;
    text.parse().map(Some).map_err(D::Error::custom)
}

/// Reads one of the words that the command line knows.
///
/// # Errors
/// If it is none of them.
pub fn word<'de, D: Deserializer<'de>, T: ValueEnum>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let Scalar(text) = Scalar::deserialize(deserializer)?;
    T::from_str(&text, false).map(Some).map_err(|_| {
        let words = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let words: Vec<String> = words.map(|word| word.get_name().to_owned()).collect();
        D::Error::custom(format!("`{text}` is none of: {}", words.join(", ")))
    })
}

/// Reads the settings of a rule such as `elo0=0 elo1=5`: as a text, a list of texts, or a table. `true` is
/// the rule with its defaults, `false` no rule. Returns the words of the command line.
///
/// # Errors
/// If they are no settings of this rule.
pub fn rule<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<Vec<String>>, D::Error>
where
    T: FromStr<Err: fmt::Display>,
{
    let words: Vec<String> = match Value::deserialize(deserializer)? {
        Value::Switch(false) => return Ok(None),
        Value::Switch(true) => Vec::new(),
        Value::Single(Scalar(text)) => text.split_whitespace().map(str::to_owned).collect(),
        Value::List(texts) => texts.into_iter().map(|Scalar(text)| text).collect(),
        Value::Table(table) => {
            table.into_iter().map(|(key, Scalar(value))| format!("{key}={value}")).collect()
        }
    };
    words.join(" ").parse::<T>().map_err(D::Error::custom)?;
    Ok(Some(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_bounds() {
        type Small = Number<1, 12>;
        assert_eq!("12".parse::<Small>().map(Small::get), Ok(12));
        for text in ["0", "13", "-1", "1.5", "many", ""] {
            let message = format!("`{text}` is not a number from 1 to 12");
            assert_eq!(text.parse::<Small>(), Err(message));
        }
        for text in ["nan", "inf", "-1", "0", "1e9", ""] {
            assert!(text.parse::<Seconds>().is_err(), "{text}");
        }
    }
}
