//! `option`: what can be set in an engine.

use std::fmt;

use nom::Parser;

use super::grammar::{EMPTY, keyword, tidy, word, words_until};

/// The declaration of an option. The name may have blanks, as in `Clear Hash`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub name: String,
    pub kind: OptionKind,
}

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    Check {
        default: bool,
    },
    /// A number in these limits.
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// One of these values.
    Combo {
        default: String,
        values: Vec<String>,
    },
    /// No value: it starts something.
    Button,
    Text {
        default: String,
    },
    /// Any other type: what follows the name.
    Other(String),
}

const KEYS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl Declaration {
    /// Reads what follows the word `option`. `None` without a name.
    pub(super) fn parse(text: &str) -> Option<Declaration> {
        let mut name = (keyword("name"), words_until(|word| word == "type"));
        let (kind, (_, name)) = name.parse(text).ok()?;
        if name.is_empty() {
            return None;
        }
        let name = name.join(" ");
        let kind = OptionKind::parse(kind).unwrap_or_else(|| OptionKind::Other(tidy(kind)));
        Some(Declaration { name, kind })
    }
}

impl OptionKind {
    /// Reads `type …`; `None` if it is not one of the known types with everything that it needs.
    fn parse(text: &str) -> Option<OptionKind> {
        let (mut rest, (_, kind)) = (keyword("type"), word).parse(text).ok()?;
        let (mut default, mut min, mut max) = (None, None, None);
        let mut values = Vec::new();
        while let Ok((after, key)) = word(rest) {
            let (after, value) = words_until(|word| KEYS.contains(&word)).parse(after).ok()?;
            rest = after;
            let value = value.join(" ");
            match key {
                "default" => default = Some(value),
                "min" => min = value.parse().ok(),
                "max" => max = value.parse().ok(),
                "var" => values.push(value),
                _ => return None,
            }
        }
        let number = |text: &Option<String>| text.as_ref()?.parse().ok();
        Some(match kind {
            "check" => OptionKind::Check { default: default? == "true" },
            "spin" => OptionKind::Spin { default: number(&default)?, min: min?, max: max? },
            "combo" => OptionKind::Combo { default: default?, values },
            "button" => OptionKind::Button,
            "string" => {
                let default = default.filter(|text| text != EMPTY).unwrap_or_default();
                OptionKind::Text { default }
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "option name {}", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, " type check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, " type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, values } => {
                write!(f, " type combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            OptionKind::Button => f.write_str(" type button"),
            OptionKind::Text { default } => {
                let default = if default.is_empty() { EMPTY } else { default };
                write!(f, " type string default {default}")
            }
            OptionKind::Other(text) if text.is_empty() => Ok(()),
            OptionKind::Other(text) => write!(f, " {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Declaration> {
        Declaration::parse(line.strip_prefix("option")?)
    }

    #[test]
    fn declarations_print_as_they_are_read() {
        for line in [
            "option name Nullmove type check default true",
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name Contempt type spin default -5 min -100 max 100",
            "option name UCI_Variant type combo default chess var chess var 3check var from position",
            "option name Clear Hash type button",
            "option name SyzygyPath type string default <empty>",
            "option name EvalFile type string default nn 1.nnue",
            // Not as the protocol has it.
            "option name A",
            "option name A type file default x",
            "option name A type spin default x min 0 max 2",
            "option name A type",
        ] {
            assert_eq!(read(line).unwrap().to_string(), line);
        }
    }

    #[test]
    fn names_may_have_blanks_and_are_needed() {
        let line = "option name Clear  Hash type button";
        let clear = Declaration { name: "Clear Hash".to_owned(), kind: OptionKind::Button };
        assert_eq!(read(line), Some(clear));
        let text = |line| read(line).map(|option| option.kind);
        let empty = OptionKind::Text { default: String::new() };
        assert_eq!(text("option name Path type string default"), Some(empty.clone()));
        assert_eq!(text("option name Path type string"), Some(empty));
        for line in ["option", "option name", "option name type check", "option Hash type spin"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
