//! Text of foreign files and programs, made safe for a terminal.

/// The text with a blank for each control character but the ends of lines: an escape sequence in the name of a
/// player or in an error cannot move the cursor, change colours, or do worse.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_blanks() {
        assert_eq!(printable("a\x1b[31mb\tc\u{9b}d\x7f\r\nÄ"), "a [31mb c d  \nÄ");
    }
}
