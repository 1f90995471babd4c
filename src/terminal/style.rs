//! How the screen looks: plain, or with colours and chess symbols where the terminal has them.

/// The look of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Colours for the board and the last move.
    pub color: bool,
    /// Chess symbols instead of letters.
    pub symbols: bool,
    /// A line that shows the thinking and changes in place.
    pub live: bool,
}

impl Style {
    /// Letters alone, for pipes and files.
    pub(super) const PLAIN: Style = Style { color: false, symbols: false, live: false };

    /// The style for a terminal, by its environment variables.
    #[cfg(any(unix, test))]
    pub(super) fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Style {
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        let is_simple = variable("TERM").is_none_or(|term| term == "dumb");
        // The first of these that is set names the locale.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
        let locale = locale.unwrap_or_default().to_ascii_lowercase();
        Style {
            color: !is_simple && variable("NO_COLOR").is_none(),
            symbols: !is_simple && (locale.contains("utf-8") || locale.contains("utf8")),
            live: !is_simple,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(variables: &[(&str, &str)]) -> Style {
        Style::of_terminal(|name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_decides() {
        let (term, utf8) = (("TERM", "xterm-256color"), ("LANG", "de_DE.UTF-8"));
        assert_eq!(style(&[term, utf8]), Style { color: true, symbols: true, live: true });
        assert_eq!(style(&[term]), Style { color: true, symbols: false, live: true });
        assert!(!style(&[term, utf8, ("LC_ALL", "C")]).symbols);
        assert!(style(&[term, ("LC_ALL", ""), ("LANG", "C.utf8")]).symbols);
        assert!(!style(&[term, ("NO_COLOR", "1")]).color);
        assert!(style(&[term, ("NO_COLOR", "")]).color);
        assert_eq!(style(&[("TERM", "dumb"), utf8]), Style::PLAIN);
        assert_eq!(style(&[utf8]), Style::PLAIN);
    }
}
