//! The description of an engine on the command line.
//!
//! `cmd="./engine --flag" proto=uci name=New dir=/tmp option.Hash=16 init="..." tc=5+0.05`: words
//! of the form `key=value`, separated by blanks. Quotes protect blanks. A word without `=` is the
//! command itself.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::limits::{EngineLimits, TimeControl, TimeControlError};
use crate::seconds;
use trebuchet::protocol::dialect::FenDialect;

/// The protocol that an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    Cecp,
    Uci,
}

impl Protocol {
    /// Its name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Cecp => "cecp",
            Protocol::Uci => "uci",
        }
    }
}

/// An engine and how to run it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EngineSpec {
    /// Its name in the match; by default that of its program.
    pub name: Option<String>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// `None`: it is found out when the match begins.
    pub protocol: Option<Protocol>,
    pub directory: Option<PathBuf>,
    /// Environment variables.
    pub environment: Vec<(String, String)>,
    /// Options in order. A button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// Lines to send as they are after the handshake.
    pub init: Vec<String>,
    pub fen: FenDialect,
    pub ponder: bool,
    /// Start a new process for every game?
    pub restart: bool,
    /// What limits its moves in games that have no limits of their own.
    pub limits: EngineLimits,
}

/// What is wrong with a description.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("missing closing quote: {0}")]
    Quote(String),
    #[error("no command (cmd=…) in: {0}")]
    NoCommand(String),
    #[error(
        "unknown setting `{0}`; known: cmd arg proto name dir env.NAME option.NAME init fen ponder restart tc st nodes depth"
    )]
    Key(String),
    #[error("bad value for `{key}`: {value}")]
    Value { key: String, value: String },
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
}

impl EngineSpec {
    /// Applies the settings in `text`, over earlier ones.
    ///
    /// # Errors
    /// If a setting is unknown or has a bad value.
    pub fn apply(&mut self, text: &str) -> Result<(), SpecError> {
        for word in split_words(text).ok_or_else(|| SpecError::Quote(text.to_owned()))? {
            match word.split_once('=') {
                Some((key, value)) => self.set(key, value)?,
                None if word == "cecp" || word == "uci" => self.set("proto", &word)?,
                None if word == "ponder" || word == "restart" => self.set(&word, "on")?,
                None => self.command.push(word),
            }
        }
        Ok(())
    }

    /// Applies one setting over earlier ones.
    ///
    /// # Errors
    /// If the setting is unknown or has a bad value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let wrong = || SpecError::Value { key: key.to_owned(), value: value.to_owned() };
        match key {
            "cmd" => {
                self.command =
                    split_words(value).filter(|words| !words.is_empty()).ok_or_else(wrong)?
            }
            "arg" => self.command.push(value.to_owned()),
            "proto" => {
                self.protocol = match value {
                    "cecp" | "xboard" => Some(Protocol::Cecp),
                    "uci" => Some(Protocol::Uci),
                    "auto" => None,
                    _ => return Err(wrong()),
                }
            }
            "name" => {
                let is_plain = !value.trim().is_empty() && !value.contains(char::is_control);
                self.name = Some(is_plain.then(|| value.trim().to_owned()).ok_or_else(wrong)?);
            }
            "dir" => self.directory = Some(PathBuf::from(value)),
            "init" => self.init.push(value.to_owned()),
            "fen" => {
                self.fen = match value {
                    "remaining" => FenDialect::Remaining,
                    "given" => FenDialect::Given,
                    "plain" => FenDialect::Plain,
                    "moves" => FenDialect::Moves,
                    _ => return Err(wrong()),
                }
            }
            "ponder" => self.ponder = read_switch(value).ok_or_else(wrong)?,
            "restart" => self.restart = read_switch(value).ok_or_else(wrong)?,
            "tc" => self.limits.time_control = value.parse()?,
            "st" => {
                self.limits.time_control = TimeControl::PerMove(
                    seconds::read(value).filter(|st| !st.is_zero()).ok_or_else(wrong)?,
                )
            }
            "nodes" => {
                self.limits.nodes =
                    Some(value.parse().ok().filter(|&nodes| nodes > 0).ok_or_else(wrong)?)
            }
            "depth" => {
                self.limits.depth =
                    Some(value.parse().ok().filter(|&depth| depth > 0).ok_or_else(wrong)?)
            }
            _ => match key.split_once('.') {
                Some(("option", name)) if !name.is_empty() => {
                    self.options.push((name.to_owned(), Some(value.to_owned())))
                }
                Some(("env", name)) if !name.is_empty() => {
                    self.environment.push((name.to_owned(), value.to_owned()))
                }
                _ => return Err(SpecError::Key(key.to_owned())),
            },
        }
        Ok(())
    }

    /// The engine's name: the one given, or that of its program.
    pub fn label(&self) -> String {
        let program = || self.command.first().map(PathBuf::from);
        let stem = || {
            program()
                .and_then(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        };
        self.name.clone().or_else(stem).unwrap_or_default()
    }
}

/// Reads a complete description, which must name a command.
impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec::default();
        spec.apply(text)?;
        if spec.command.is_empty() { Err(SpecError::NoCommand(text.to_owned())) } else { Ok(spec) }
    }
}

fn read_switch(value: &str) -> Option<bool> {
    match value {
        "on" | "true" | "1" => Some(true),
        "off" | "false" | "0" => Some(false),
        _ => None,
    }
}

/// Splits a text at blanks outside single or double quotes. `None` if a quote is not closed.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_whole_description() {
        let spec: EngineSpec = "cmd=\"./treb --stage full\" arg=-x proto=uci name='My Engine' dir=/tmp option.Hash=16 \
            option.\"Skill Level\"=3 init='one two' fen=moves ponder tc=40/60+0.5 nodes=5000"
            .parse()
            .unwrap();
        assert_eq!(spec.command, ["./treb", "--stage", "full", "-x"]);
        assert_eq!(
            spec.options,
            [("Hash".into(), Some("16".into())), ("Skill Level".into(), Some("3".into()))]
        );
        assert_eq!(
            (spec.label().as_str(), spec.protocol, spec.fen),
            ("My Engine", Some(Protocol::Uci), FenDialect::Moves)
        );
        assert_eq!(
            (spec.init[0].as_str(), spec.ponder, spec.limits.nodes),
            ("one two", true, Some(5000))
        );
    }

    #[test]
    fn a_bare_command_is_enough() {
        let spec: EngineSpec = "/usr/games/sjeng".parse().unwrap();
        assert_eq!((spec.label().as_str(), spec.protocol), ("sjeng", None));
        let spec: EngineSpec = "stockfish uci st=0.1".parse().unwrap();
        assert_eq!(
            (spec.protocol, spec.limits.time_control),
            (Some(Protocol::Uci), TimeControl::PerMove(Duration::from_millis(100)))
        );
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| text.parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error("proto=uci").starts_with("no command"));
        assert!(error("cmd=x colour=red").contains("`colour`"));
        assert_eq!(error("cmd=x proto=usi"), "bad value for `proto`: usi");
        assert!(error("cmd='x").contains("quote"));
        assert!(error("cmd=x tc=fast").contains("time control"));
        assert_eq!(error("cmd=x nodes=0"), "bad value for `nodes`: 0");
        for name in ["name=", "name=' '", "name='a\tb'"] {
            assert!(error(&format!("cmd=x {name}")).starts_with("bad value for `name`: "));
        }
    }
}
