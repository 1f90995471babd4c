//! Text of the GUI repeated inside one of our lines.

use super::misread::word_in_error;

/// The longest text that is repeated, in characters.
const ECHO_LIMIT: usize = 100;

/// The longest message for people, in characters.
const MESSAGE_LIMIT: usize = 500;

/// The text made safe to stand in one of our lines: short, and in printable ASCII. A text with a word
/// that makes xboard misread an error line becomes `-`.
pub fn echo(text: &str) -> String {
    let cleaned = printable(text, ECHO_LIMIT);
    if cleaned.is_empty() || word_in_error(&cleaned).is_some() { "-".to_owned() } else { cleaned }
}

/// A message for people made safe for one line, such as `telluser` or a remark of the coach: in printable
/// ASCII and not too long.
pub fn message(text: &str) -> String {
    printable(text, MESSAGE_LIMIT)
}

fn printable(text: &str, limit: usize) -> String {
    let printable = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '.' };
    text.trim().chars().take(limit).map(printable).collect()
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
        assert_eq!(message("caf\u{e9}: No such file?\n"), "caf.: No such file?");
        assert_eq!(message(&"z".repeat(70_000)).len(), 500);
    }
}
