//! Settings as TOML text: of a match, of scenes, of a rubric, of a queue and of a bot.

use serde::de::DeserializeOwned;

/// A mistake in a text of settings. It is told in one line: it may become a cell of a table, or a line of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct SettingsError {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

/// Reads settings. A byte order mark at the start is left out.
///
/// # Errors
/// At the first mistake. If it is in the value of a key, the message begins with the key.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, SettingsError> {
    let text = text.trim_start_matches('\u{feff}');
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let key = text[begin..start].split_once('=').map_or("", |(key, _)| key.trim());
        let message = error.message().replace('\n', ", ");
        SettingsError {
            line: 1 + text[..start].matches('\n').count(),
            message: if key.is_empty() { message } else { format!("{key}: {message}") },
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn mistake(text: &str) -> String {
        parse::<BTreeMap<String, u8>>(text).unwrap_err().to_string()
    }

    #[test]
    fn settings_are_read_with_and_without_a_byte_order_mark() {
        for text in ["a = 3", "\u{feff}a = 3"] {
            assert_eq!(parse(text), Ok(BTreeMap::from([("a".to_owned(), 3_u8)])), "{text:?}");
        }
    }

    #[test]
    fn a_mistake_is_one_line_with_the_number_of_its_line() {
        assert_eq!(mistake("a = 3\nb = 'x'"), "2: b: invalid type: string \"x\", expected u8");
        for text in ["a = 3\n\nb = ", "a = 3\n\n= 4", "a = 3\n\nb", "a = 3\r\n\r\nb 4\r\n"] {
            let mistake = mistake(text);
            assert!(mistake.starts_with("3: ") && !mistake.contains(['\n', '\r']), "{mistake:?}");
        }
    }
}
