//! Text of foreign files and programs, made safe for a terminal.

use std::io::{self, Write};

/// The text with a blank for each control character but the ends of lines: an escape sequence in the name of a
/// player or in an error cannot move the cursor, change colours, or do worse.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

/// Writes a line to standard error, safe for a terminal. Best effort: nobody may be there to read it.
pub fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// The beginning of a text, at most `most` characters and then `…`, in one line.
pub fn shortened(text: &str, most: usize) -> String {
    let mut safe: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most).collect();
    if text.chars().nth(most).is_some() {
        safe.push('…');
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_blanks() {
        assert_eq!(printable("a\x1b[31mb\tc\u{9b}d\x7f\r\nÄ"), "a [31mb c d  \nÄ");
    }

    #[test]
    fn a_long_text_has_a_beginning() {
        assert_eq!(shortened("a\x1b[31mb\tc\n", 20), "a [31mb c ");
        assert_eq!([2, 3].map(|most| shortened("ÄÖÜ", most)), ["ÄÖ…", "ÄÖÜ"]);
        assert_eq!(shortened("", 0), "");
    }
}
