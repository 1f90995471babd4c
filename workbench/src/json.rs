//! JSON as text.
//!
//! Written by hand: results in fixed shapes need no library.

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
    /// What is displayed, as a text.
    pub fn text(text: impl Display) -> Json {
        Json::Text(text.to_string())
    }
}

impl From<Option<f64>> for Json {
    fn from(number: Option<f64>) -> Json {
        number.map_or(Json::Null, Json::Number)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<Option<&str>> for Json {
    fn from(text: Option<&str>) -> Json {
        text.map_or(Json::Null, Json::from)
    }
}

/// In one line. All of it may stand in an HTML page: a text that holds `</script>` or `<!--` does not
/// end or change the element around it.
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
            // The last two end a line in JavaScript, but not in JSON.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => write!(f, "\\u{:04x}", u32::from(c))?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_for_json_and_for_html() {
        let text = "a\"b\\c\n\u{7f}</script><!-- é & \u{2028} \u{1f600}";
        let expected = "\"a\\\"b\\\\c\\u000a\\u007f\\u003c/script\\u003e\\u003c!-- é \\u0026 \
                        \\u2028 \u{1f600}\"";
        assert_eq!(Json::from(text).to_string(), expected);
    }

    #[test]
    fn values_are_written_in_one_line() {
        let object = Json::Object(vec![
            (
                "numbers",
                Json::List(vec![Json::Number(0.5), Json::Number(f64::NAN), Json::Count(3)]),
            ),
            ("none", Json::from(None::<f64>)),
            ("is_there", Json::Bool(true)),
        ]);
        let expected = "{\"numbers\": [0.5, null, 3], \"none\": null, \"is_there\": true}";
        assert_eq!(object.to_string(), expected);
    }
}
