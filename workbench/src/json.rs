//! JSON as text: in one line, and inside HTML.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// The value in one line, with a blank after each comma and colon. Its keys must be texts; otherwise the
/// line is `null`.
pub fn line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, OneLine));
    written.map_or_else(|_| "null".to_owned(), |()| String::from_utf8_lossy(&bytes).into_owned())
}

/// The same JSON for the inside of an HTML page: a text that holds `</script>` or `<!--` does not end or
/// change the element around it.
pub fn for_html(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // In JSON, all of these stand in texts alone. The last two end a line in JavaScript.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => safe.push(c),
        }
    }
    safe
}

struct OneLine;

impl OneLine {
    fn separate<W: Write + ?Sized>(writer: &mut W, is_first: bool) -> io::Result<()> {
        if is_first { Ok(()) } else { writer.write_all(b", ") }
    }
}

impl Formatter for OneLine {
    /// A whole number has no fraction: `3`.
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, number: f64) -> io::Result<()> {
        write!(writer, "{number}")
    }

    fn begin_array_value<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        OneLine::separate(writer, first)
    }

    fn begin_object_key<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        OneLine::separate(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn values_are_written_in_one_line_in_their_order() {
        let value = json!({
            "numbers": [0.5, f64::NAN, 3, 3.0],
            "none": None::<f64>,
            "is_there": true,
            "empty": {},
            "a": "a\"b\\c\n",
        });
        let expected = "{\"numbers\": [0.5, null, 3, 3], \"none\": null, \"is_there\": true, \
                        \"empty\": {}, \"a\": \"a\\\"b\\\\c\\n\"}";
        assert_eq!(line(&value), expected);
    }

    #[test]
    fn texts_are_safe_in_html() {
        let text = "</script><!-- é & \u{2028}\u{2029} \u{1f600}";
        let safe = for_html(&line(&json!([text])));
        let expected = "[\"\\u003c/script\\u003e\\u003c!-- é \\u0026 \\u2028\\u2029 \u{1f600}\"]";
        assert_eq!(safe, expected);
        assert_eq!(serde_json::from_str::<Value>(&safe).unwrap(), json!([text]));
    }
}
