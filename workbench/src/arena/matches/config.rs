//! The settings of a match from a TOML file. Its keys are the options of the command line; an option
//! on the command line replaces the one in the file.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::args::MatchArgs;
use crate::arena::engines::EngineSpec;
use crate::arena::tournament::adjudication::{DrawRule, ResignRule};
use crate::arena::tournament::sprt::Sprt;

/// The arguments of `trebuchet match`, from the command line and from the file of `--config`.
#[derive(Clone, Debug)]
pub struct MatchCommand(pub MatchArgs);

impl Args for MatchCommand {
    fn augment_args(command: Command) -> Command {
        MatchArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        MatchArgs::augment_args_for_update(command)
    }
}

impl FromArgMatches for MatchCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<MatchCommand, clap::Error> {
        let args = match matches.get_one::<PathBuf>("config") {
            Some(path) => read(path, matches)?,
            None => MatchArgs::from_arg_matches(matches)?,
        };
        Ok(MatchCommand(args))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = MatchCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A setting of the file, as it would be on the command line.
struct Setting {
    /// The option without its hyphens.
    key: String,
    line: usize,
    words: Vec<OsString>,
}

/// The arguments of the file and of the command line together.
fn read(path: &Path, matches: &ArgMatches) -> Result<MatchArgs, clap::Error> {
    let text =
        fs::read_to_string(path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
    let command = MatchArgs::augment_args(Command::new("match")).no_binary_name(true);
    let at = |line: usize, message: String| wrong(format!("{}:{line}: {message}", path.display()));
    let mut settings =
        read_settings(&text, &command).map_err(|error| at(error.line, error.message))?;
    let given = given_options(&command, matches);
    settings.retain(|setting| {
        !given.iter().any(|(arg, _)| is_replaced_by(&setting.key, arg, &command))
    });
    let words = settings.iter().flat_map(|setting| setting.words.iter().cloned());
    let words = words.chain(given.iter().flat_map(|(_, words)| words.iter().cloned()));
    let merged = command.clone().try_get_matches_from(words).map_err(|error| {
        let option = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(option)) => option.clone(),
            _ => String::new(),
        };
        let key = option.trim_start_matches('-').split(' ').next().unwrap_or_default();
        let message = error.to_string();
        // The rest is about the usage of the command line.
        let lines = message.lines().take_while(|line| !line.is_empty()).map(str::trim);
        let message = lines.collect::<Vec<_>>().join(" ");
        let message = message.trim_start_matches("error: ");
        match settings.iter().find(|setting| setting.key == key) {
            Some(setting) => at(setting.line, format!("{key}: {message}")),
            None => wrong(format!("{}: {message}", path.display())),
        }
    })?;
    MatchArgs::from_arg_matches(&merged)
}

fn wrong(message: String) -> clap::Error {
    clap::Error::raw(ErrorKind::InvalidValue, message + "\n")
}

/// The options that are on the command line, with their words.
fn given_options<'a>(command: &'a Command, matches: &ArgMatches) -> Vec<(&'a Arg, Vec<OsString>)> {
    let is_given = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        id != "config" && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let words = |arg: &Arg| {
        let option = OsString::from(format!("--{}", arg.get_long().unwrap_or_default()));
        let occurrences = matches
            .get_raw_occurrences(arg.get_id().as_str())
            .filter(|_| arg.get_action().takes_values());
        match occurrences {
            Some(occurrences) => occurrences
                .flat_map(|values| {
                    let values = values.map(|value| value.to_owned());
                    [option.clone()].into_iter().chain(values).collect::<Vec<_>>()
                })
                .collect(),
            None => vec![option],
        }
    };
    command.get_arguments().filter(is_given).map(|arg| (arg, words(arg))).collect()
}

/// Does the option on the command line replace the setting of the file, or exclude it?
fn is_replaced_by(key: &str, arg: &Arg, command: &Command) -> bool {
    let is_key = |arg: &&Arg| arg.get_long() == Some(key);
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id())
    };
    is_key(&arg)
        || command
            .get_arguments()
            .find(is_key)
            .is_some_and(|setting| excludes(setting, arg) || excludes(arg, setting))
}

/// What is wrong in the file, and where.
#[derive(Debug)]
struct ConfigError {
    line: usize,
    message: String,
}

/// Reads the settings in the order of the file.
fn read_settings(text: &str, command: &Command) -> Result<Vec<Setting>, ConfigError> {
    let line_of = |offset: usize| 1 + text[..offset.min(text.len())].matches('\n').count();
    let table = DeTable::parse(text).map_err(|error| ConfigError {
        line: line_of(error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    })?;
    let mut settings = Vec::new();
    for (key, line, value) in entries(table.get_ref(), &line_of) {
        let fail = |message: String| ConfigError { line, message };
        let is_known = |arg: &&Arg| arg.get_long() == Some(key) && key != "config";
        let Some(arg) = command.get_arguments().find(is_known) else {
            let known = command.get_arguments().filter_map(Arg::get_long);
            let known: Vec<&str> = known.filter(|&key| key != "config").collect();
            return Err(fail(format!("unknown setting `{key}`; known: {}", known.join(", "))));
        };
        let option = OsString::from(format!("--{key}"));
        let mut words = Vec::new();
        match (key, value) {
            ("engine" | "each", value) => {
                let (engines, form) = match value {
                    DeValue::Array(engines) if key == "engine" => {
                        (engines.iter().map(|engine| engine.get_ref()).collect(), "[[engine]]")
                    }
                    DeValue::Table(_) if key == "engine" => (Vec::new(), "[[engine]]"),
                    other => (vec![other], "[each]"),
                };
                if engines.is_empty() {
                    return Err(fail(format!("{key}: a table {form} is expected")));
                }
                for engine in engines {
                    let text = engine_text(key, line, engine, &line_of)?;
                    words.extend([option.clone(), text.into()]);
                }
            }
            // `false` is the same as no such line.
            (_, DeValue::Boolean(is_on))
                if arg.get_num_args().is_none_or(|n| n.min_values() == 0) =>
            {
                words.extend(is_on.then_some(option));
            }
            (_, value) => {
                let texts = value_words(value).ok_or_else(|| {
                    fail(format!("{key}: {} cannot be used here", value.type_str()))
                })?;
                let is_list = arg.get_num_args().is_some_and(|n| n.max_values() > 1);
                let texts: Vec<String> = if is_list {
                    texts
                        .iter()
                        .flat_map(|text| text.split_whitespace())
                        .map(str::to_owned)
                        .collect()
                } else {
                    vec![texts.join(" ")]
                };
                check_rule(key, &texts.join(" ")).map_err(|why| fail(format!("{key}: {why}")))?;
                words.push(option);
                words.extend(texts.into_iter().map(OsString::from));
            }
        }
        settings.push(Setting { key: key.to_owned(), line, words });
    }
    Ok(settings)
}

/// The entries of a table in the order of the file, with their lines.
fn entries<'a>(
    table: &'a DeTable,
    line_of: &impl Fn(usize) -> usize,
) -> Vec<(&'a str, usize, &'a DeValue<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let entry = |(key, value): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| {
        let name: &Cow<str> = key.get_ref();
        (name.as_ref(), line_of(key.span().start), value.get_ref())
    };
    entries.into_iter().map(entry).collect()
}

/// The description of an engine, as on the command line.
fn engine_text(
    table_key: &str,
    table_line: usize,
    engine: &DeValue,
    line_of: &impl Fn(usize) -> usize,
) -> Result<String, ConfigError> {
    let table = match engine {
        DeValue::String(text) => {
            let fail = |error: String| ConfigError {
                line: table_line,
                message: format!("{table_key}: {error}"),
            };
            EngineSpec::default().apply(text).map_err(|error| fail(error.to_string()))?;
            return Ok(text.to_string());
        }
        DeValue::Table(table) => table,
        _ => {
            let message = format!("{table_key}: a table is expected");
            return Err(ConfigError { line: table_line, message });
        }
    };
    let mut words = Vec::new();
    for (key, line, value) in entries(table, line_of) {
        let settings = match value {
            // option.Hash = 64
            DeValue::Table(inner) => entries(inner, line_of)
                .into_iter()
                .map(|(name, line, value)| (format!("{key}.{name}"), line, value))
                .collect(),
            _ => vec![(key.to_owned(), line, value)],
        };
        for (key, line, value) in settings {
            let fail = |message: String| ConfigError {
                line,
                message: format!("{table_key}.{key}: {message}"),
            };
            let texts = value_words(value)
                .filter(|_| !value.is_table())
                .ok_or_else(|| fail(format!("{} cannot be used here", value.type_str())))?;
            for text in texts {
                let word = quote(&format!("{key}={text}"));
                EngineSpec::default().apply(&word).map_err(|error| fail(error.to_string()))?;
                words.push(word);
            }
        }
    }
    Ok(words.join(" "))
}

/// The text in quotes, as [`split_words`](crate::arena::engines::spec::split_words) reads them.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\"'\"'"))
}

/// A value as words: each item of a list, and `key=value` for each entry of a table. `None` if it is
/// of no use here.
fn value_words(value: &DeValue) -> Option<Vec<String>> {
    let single = |value: &DeValue| match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(is_on) => Some(is_on.to_string()),
        _ => None,
    };
    match value {
        DeValue::Array(items) => items.iter().map(|item| single(item.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, value)| Some(format!("{}={}", key.get_ref(), single(value.get_ref())?)))
            .collect(),
        other => Some(vec![single(other)?]),
    }
}

/// Reads the settings that the command line reads only when the match is prepared.
fn check_rule(key: &str, text: &str) -> Result<(), String> {
    match key {
        "sprt" => text.parse::<Sprt>().map(drop).map_err(|error| error.to_string()),
        "resign" => text.parse::<ResignRule>().map(drop).map_err(|error| error.to_string()),
        "draw" => text.parse::<DrawRule>().map(drop).map_err(|error| error.to_string()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
# A test of a change.
variant = "3check"
games = 400
tc = "5+0.05"
ponder = false
quiet = true
sprt = { elo0 = 0, elo1 = 5.5 }
draw = true
resign = ["moves=3", "score=700"]

[each]
option.Hash = 64

[[engine]]
name = "it's new"
cmd = "'my engines/new' --stage full"
init = ["one", "two words"]
[engine.option]
"Skill Level" = 3

[[engine]]
cmd = "/usr/games/stockfish"
proto = "uci"
ponder = true
"#;

    fn words(text: &str) -> Result<Vec<String>, String> {
        let command = MatchArgs::augment_args(Command::new("match"));
        let settings = read_settings(text, &command)
            .map_err(|error| format!("{}: {}", error.line, error.message))?;
        let words = settings.into_iter().flat_map(|setting| setting.words);
        Ok(words.map(|word| word.into_string().unwrap()).collect())
    }

    #[test]
    fn settings_become_options() {
        let words = words(FILE).unwrap();
        assert_eq!(
            words,
            [
                "--variant",
                "3check",
                "--games",
                "400",
                "--tc",
                "5+0.05",
                "--quiet",
                "--sprt",
                "elo0=0",
                "elo1=5.5",
                "--draw",
                "--resign",
                "moves=3",
                "score=700",
                "--each",
                "'option.Hash=64'",
                "--engine",
                "'name=it'\"'\"'s new' 'cmd='\"'\"'my engines/new'\"'\"' --stage full' 'init=one' \
                 'init=two words' 'option.Skill Level=3'",
                "--engine",
                "'cmd=/usr/games/stockfish' 'proto=uci' 'ponder=true'",
            ]
        );
        let engine: EngineSpec = words[17].parse().unwrap();
        assert_eq!(engine.name.as_deref(), Some("it's new"));
        assert_eq!(engine.command, ["my engines/new", "--stage", "full"]);
        assert_eq!(engine.init, ["one", "two words"]);
        assert_eq!(engine.options, [("Skill Level".to_owned(), Some("3".to_owned()))]);
    }

    #[test]
    fn every_option_of_the_command_line_is_a_key() {
        let command = MatchArgs::augment_args(Command::new("match"));
        let keys = command.get_arguments().filter_map(Arg::get_long);
        for key in keys.filter(|key| !["config", "help", "engine", "each"].contains(key)) {
            let value = if ["sprt", "resign", "draw"].contains(&key) { "\"\"" } else { "\"1\"" };
            assert!(words(&format!("{key} = {value}")).is_ok(), "{key}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        for (text, message) in [
            ("games = 3\ngmaes = 4", "2: unknown setting `gmaes`; known: engine, each, variant, "),
            ("config = 'x'", "1: unknown setting `config`"),
            ("games = 3\ntc = ", "2: "),
            (
                "\n[[engine]]\ncmd = 'x'\ncolour = 'red'",
                "4: engine.colour: unknown setting `colour`",
            ),
            ("[engine]\ncmd = 'x'", "1: engine: a table [[engine]] is expected"),
            ("[each]\nnodes = 'few'", "2: each.nodes: bad value for `nodes`: few"),
            ("[[engine]]\noption.Hash.x = 3", "2: engine.option.Hash: table cannot be used here"),
            ("\nsprt = 'elo0=7 elo1=2'", "2: sprt: elo0 must be less than elo1"),
            ("draw = 'until=3'", "1: draw: bad setting `until=3`"),
            ("games = [[1]]", "1: games: array cannot be used here"),
        ] {
            let error = words(text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
