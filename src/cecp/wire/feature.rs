//! The `feature` command and the options an engine declares with it.

use std::fmt;

/// One `NAME=VALUE` of a feature line.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    pub name: String,
    pub value: FeatureValue,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FeatureValue {
    Number(i64),
    Text(String),
    /// The declaration of an engine option.
    Option(Declaration),
}

impl Feature {
    pub fn number(name: &str, value: i64) -> Feature {
        Feature { name: name.to_owned(), value: FeatureValue::Number(value) }
    }

    pub fn text(name: &str, value: &str) -> Feature {
        Feature { name: name.to_owned(), value: FeatureValue::Text(value.to_owned()) }
    }

    pub fn option(declaration: Declaration) -> Feature {
        Feature { name: "option".to_owned(), value: FeatureValue::Option(declaration) }
    }

    /// Reads the rest of a `feature` line. Features that are not understood are left out, as GUIs do.
    pub(super) fn parse_all(mut text: &str) -> Vec<Feature> {
        let mut features = Vec::new();
        loop {
            text = text.trim_start();
            let Some((name, rest)) = text.split_once('=') else { return features };
            let name = name.rsplit(char::is_whitespace).next().unwrap_or(name);
            let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
            let (value, rest) = match quoted {
                Some((value, rest)) => (Feature::quoted(name, value), rest),
                None => {
                    let (value, rest) =
                        rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
                    (value.parse().map(FeatureValue::Number).ok(), rest)
                }
            };
            features.extend(value.map(|value| Feature { name: name.to_owned(), value }));
            text = rest;
        }
    }

    fn quoted(name: &str, value: &str) -> Option<FeatureValue> {
        if name == "option" {
            Declaration::parse(value).map(FeatureValue::Option)
        } else {
            Some(FeatureValue::Text(value.to_owned()))
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.value {
            FeatureValue::Number(number) => write!(f, "{}={number}", self.name),
            FeatureValue::Text(text) => write!(f, "{}=\"{text}\"", self.name),
            FeatureValue::Option(declaration) => write!(f, "{}=\"{declaration}\"", self.name),
        }
    }
}

/// An engine option: its name, and how a GUI shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub name: String,
    pub widget: Widget,
}

/// The kinds of options, with their present values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Widget {
    Check(bool),
    Spin {
        value: i64,
        min: i64,
        max: i64,
    },
    Slider {
        value: i64,
        min: i64,
        max: i64,
    },
    Combo {
        choices: Vec<String>,
        chosen: usize,
    },
    Text(String),
    File(String),
    Path(String),
    Button,
    /// A button; the GUI first sends all changed options.
    Save,
    /// A button that resets all options; no GUI is known to have it.
    Reset,
}

impl Widget {
    /// The name of the kind, without its hyphen.
    pub const fn kind(&self) -> &'static str {
        match self {
            Widget::Check(_) => "check",
            Widget::Spin { .. } => "spin",
            Widget::Slider { .. } => "slider",
            Widget::Combo { .. } => "combo",
            Widget::Text(_) => "string",
            Widget::File(_) => "file",
            Widget::Path(_) => "path",
            Widget::Button => "button",
            Widget::Save => "save",
            Widget::Reset => "reset",
        }
    }

    fn parse(kind: &str, rest: &str) -> Option<Widget> {
        let numbers = || {
            let mut words = rest.split_whitespace().map(|word| word.parse::<i64>().ok());
            Some((words.next()??, words.next()??, words.next()??))
        };
        Some(match kind {
            "check" => Widget::Check(rest.trim() != "0"),
            "spin" => numbers().map(|(value, min, max)| Widget::Spin { value, min, max })?,
            "slider" => numbers().map(|(value, min, max)| Widget::Slider { value, min, max })?,
            "combo" => {
                let choices: Vec<&str> = rest.split("///").map(str::trim).collect();
                let chosen = choices.iter().position(|choice| choice.starts_with('*')).unwrap_or(0);
                let choices = choices
                    .iter()
                    .map(|choice| choice.trim_start_matches('*').to_owned())
                    .collect();
                Widget::Combo { choices, chosen }
            }
            "string" => Widget::Text(rest.to_owned()),
            "file" => Widget::File(rest.to_owned()),
            "path" => Widget::Path(rest.to_owned()),
            "button" => Widget::Button,
            "save" => Widget::Save,
            "reset" => Widget::Reset,
            _ => return None,
        })
    }
}

impl Declaration {
    /// Reads `NAME -KIND …`. The name may have blanks and hyphens.
    fn parse(text: &str) -> Option<Declaration> {
        text.match_indices(" -").find_map(|(at, _)| {
            let rest = &text[at + 2..];
            let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            Some(Declaration {
                name: text[..at].trim().to_owned(),
                widget: Widget::parse(kind, rest)?,
            })
        })
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} -{}", self.name, self.widget.kind())?;
        match &self.widget {
            Widget::Check(set) => write!(f, " {}", i32::from(*set)),
            Widget::Spin { value, min, max } | Widget::Slider { value, min, max } => {
                write!(f, " {value} {min} {max}")
            }
            Widget::Combo { choices, chosen } => {
                for (index, choice) in choices.iter().enumerate() {
                    let separator = if index == 0 { "" } else { " ///" };
                    let star = if index == *chosen { "*" } else { "" };
                    write!(f, "{separator} {star}{choice}")?;
                }
                Ok(())
            }
            // The blank is required even before an empty text.
            Widget::Text(text) | Widget::File(text) | Widget::Path(text) => write!(f, " {text}"),
            Widget::Button | Widget::Save | Widget::Reset => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_print_as_they_are_read() {
        for line in [
            "ping=1 setboard=1 myname=\"Fairy-Max 5.0b\" variants=\"normal,3check\"",
            "option=\"Hash -spin 64 1 65536\" option=\"Stage -combo pawns /// random /// *full\"",
            "option=\"LogFile -file \" option=\"Clear Hash -button\" option=\"Ponder -check 1\"",
            "option=\"Multi-PV Margin -slider 0 -5 1000\" option=\"Keep -save\" option=\"Bad -reset\"",
            "done=1",
        ] {
            let printed: Vec<String> =
                Feature::parse_all(line).iter().map(Feature::to_string).collect();
            assert_eq!(printed.join(" "), line);
        }
    }

    #[test]
    fn malformed_features_are_left_out() {
        let names = |line| {
            Feature::parse_all(line).into_iter().map(|feature| feature.name).collect::<Vec<_>>()
        };
        assert_eq!(names("myname=Fairy-Stockfish ping=1"), ["ping"]);
        assert_eq!(names("junk ping=1 option=\"Hash -spin 1 2\" done=1"), ["ping", "done"]);
        assert_eq!(names("myname=\"open"), Vec::<String>::new());
        assert_eq!(names(""), Vec::<String>::new());
    }
}
