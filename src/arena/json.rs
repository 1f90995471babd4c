//! JSON values and their text.
//!
//! Written by hand: results in a fixed shape need no library.

use std::fmt::{self, Display, Write};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Text(String),
    /// Infinite numbers and NaN do not exist in JSON; they are written as null.
    Number(f64),
    Count(u64),
    Bool(bool),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
    Null,
}

impl Json {
    /// A text, as it is.
    pub fn text(text: impl Display) -> Json {
        Json::Text(text.to_string())
    }
}

impl From<Option<f64>> for Json {
    fn from(number: Option<f64>) -> Json {
        number.map_or(Json::Null, Json::Number)
    }
}

/// The value in one line.
impl Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Text(text) => write_text(f, text),
            Json::Number(number) if number.is_finite() => write!(f, "{number}"),
            Json::Number(_) | Json::Null => f.write_str("null"),
            Json::Count(count) => write!(f, "{count}"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::List(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
                }
                f.write_char(']')
            }
            Json::Object(fields) => {
                f.write_char('{')?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}\"{name}\": {value}", if index > 0 { ", " } else { "" })?;
                }
                f.write_char('}')
            }
        }
    }
}

fn write_text(f: &mut fmt::Formatter, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
