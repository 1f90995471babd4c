//! Text of the GUI repeated inside one of our lines.

use super::misread::word_in_error;

/// The longest text that is repeated, in characters.
const ECHO_LIMIT: usize = 100;

/// The text made safe to stand in one of our lines: short, and in printable ASCII. A text with a word
/// that makes xboard misread an error line becomes `-`.
pub fn echo(text: &str) -> String {
    let printable = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '.' };
    let cleaned: String = text.trim().chars().take(ECHO_LIMIT).map(printable).collect();
    if cleaned.is_empty() || word_in_error(&cleaned).is_some() { "-".to_owned() } else { cleaned }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn echoes_are_harmless() {
        assert_eq!(echo("frobnicate 12"), "frobnicate 12");
        assert_eq!(echo("  caf\u{e9}\0\u{7}x "), "caf...x");
        assert_eq!(echo("drawing"), "-");
        assert_eq!(echo("e2e4?"), "-");
        assert_eq!(echo(""), "-");
        assert_eq!(echo(&"z".repeat(70_000)).len(), 100);
    }
}
