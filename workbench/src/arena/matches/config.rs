//! The settings of a match from a TOML file. Its keys are the options of the command line; an option
//! on the command line replaces the one in the file.

use super::args::{MatchArgs, MatchToolError};
use crate::files::{self, MAX_SETTINGS};
use crate::settings_text::{self, SettingsError};

impl MatchArgs {
    /// The arguments of the command line and those of the file of `--config` together.
    ///
    /// # Errors
    /// If the file cannot be read, or a setting in it is wrong.
    pub(super) fn with_file(self) -> Result<MatchArgs, MatchToolError> {
        let Some(path) = &self.config else { return Ok(self) };
        let text = files::read_text(path, MAX_SETTINGS)
            .map_err(|error| MatchToolError::File(path.clone(), error))?;
        let file =
            read(&text).map_err(|error| MatchToolError::Config { path: path.clone(), error })?;
        Ok(self.over(file))
    }

    /// These arguments, and those of the file that they neither replace nor exclude.
    fn over(self, mut file: MatchArgs) -> MatchArgs {
        if self.tc.is_some() || self.st.is_some() {
            (file.tc, file.st) = (None, None);
        }
        if self.openings.is_some() || self.random_plies.is_some() {
            (file.openings, file.random_plies) = (None, None);
        }
        if self.random_plies.is_some() {
            file.opening_plies = None;
        }
        if self.shuffle {
            file.random_plies = None;
        }
        file.shuffle &= self.random_plies.is_none();
        if self.no_adjudication {
            (file.resign, file.draw, file.tablebases) = (None, None, None);
        }
        if self.resign.is_some() || self.draw.is_some() || self.tablebases.is_some() {
            file.no_adjudication = false;
        }
        MatchArgs {
            config: self.config,
            engine: if self.engine.is_empty() { file.engine } else { self.engine },
            each: self.each.or(file.each),
            variant: self.variant.or(file.variant),
            games: self.games.or(file.games),
            tournament: self.tournament.or(file.tournament),
            concurrency: self.concurrency.or(file.concurrency),
            tc: self.tc.or(file.tc),
            st: self.st.or(file.st),
            nodes: self.nodes.or(file.nodes),
            depth: self.depth.or(file.depth),
            ponder: self.ponder || file.ponder,
            openings: self.openings.or(file.openings),
            opening_plies: self.opening_plies.or(file.opening_plies),
            shuffle: self.shuffle || file.shuffle,
            random_plies: self.random_plies.or(file.random_plies),
            seed: self.seed.or(file.seed),
            sprt: self.sprt.or(file.sprt),
            resign: self.resign.or(file.resign),
            draw: self.draw.or(file.draw),
            tablebases: self.tablebases.or(file.tablebases),
            no_adjudication: self.no_adjudication || file.no_adjudication,
            max_moves: self.max_moves.or(file.max_moves),
            margin: self.margin.or(file.margin),
            stall: self.stall.or(file.stall),
            startup: self.startup.or(file.startup),
            on_failure: self.on_failure.or(file.on_failure),
            pgn: self.pgn.or(file.pgn),
            resume: self.resume || file.resume,
            json: self.json.or(file.json),
            logs: self.logs.or(file.logs),
            event: self.event.or(file.event),
            quiet: self.quiet || file.quiet,
        }
    }
}

/// Are these settings of a match that can be read? Whether their files are there is not asked.
///
/// # Errors
/// At the first wrong key or value.
pub fn check_settings(text: &str) -> Result<(), SettingsError> {
    read(text).map(drop)
}

fn read(text: &str) -> Result<MatchArgs, SettingsError> {
    let file: MatchArgs = settings_text::parse(text)?;
    for (one, other, are_both) in [
        ("tc", "st", file.tc.is_some() && file.st.is_some()),
        ("openings", "random-plies", file.openings.is_some() && file.random_plies.is_some()),
        ("random-plies", "shuffle", file.random_plies.is_some() && file.shuffle),
        ("resign", "no-adjudication", file.resign.is_some() && file.no_adjudication),
        ("draw", "no-adjudication", file.draw.is_some() && file.no_adjudication),
        ("tablebases", "no-adjudication", file.tablebases.is_some() && file.no_adjudication),
    ] {
        if are_both {
            let is_key = |line: &str| {
                line.trim_start()
                    .strip_prefix(other)
                    .is_some_and(|rest| rest.trim_start().starts_with('='))
            };
            let line = 1 + text.lines().position(is_key).unwrap_or(0);
            let message = format!("`{other}` cannot be used with `{one}`");
            return Err(SettingsError { line, message });
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::super::engine_settings::EngineSettings;
    use super::*;
    use crate::arena::engines::{EngineSpec, Protocol};

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
arg = "--book"
cmd = "'my engines/new' --stage full"
init = ["one", "two words"]
[engine.option]
"Skill Level" = 3

[[engine]]
cmd = "/usr/games/stockfish"
proto = "uci"
ponder = true

[[engine]]
cmd = "x"
nodes = 5000
"#;

    fn engine(settings: &EngineSettings) -> EngineSpec {
        let mut spec = EngineSpec::default();
        settings.apply(&mut spec).unwrap();
        spec
    }

    #[test]
    fn a_file_has_the_settings_of_a_match() {
        let args = read(FILE).unwrap();
        assert_eq!(args.variant.map(|variant| variant.name()), Some("3check"));
        assert_eq!(args.games.map(|games| games.get()), Some(400));
        assert_eq!(args.tc, "5+0.05".parse().ok());
        assert_eq!((args.ponder, args.quiet, args.resume), (false, true, false));
        let words = |words: &[&str]| Some(words.iter().map(|&word| word.to_owned()).collect());
        assert_eq!(args.sprt, words(&["elo0=0", "elo1=5.5"]));
        assert_eq!(args.draw, words(&[]));
        assert_eq!(args.resign, words(&["moves=3", "score=700"]));
        let options = |list: &[(&str, &str)]| -> Vec<(String, Option<String>)> {
            list.iter().map(|&(name, value)| (name.to_owned(), Some(value.to_owned()))).collect()
        };
        assert_eq!(engine(args.each.as_ref().unwrap()).options, options(&[("Hash", "64")]));
        let [new, stockfish, x] = &args.engine[..] else { panic!() };
        let new = engine(new);
        assert_eq!(new.name.as_deref(), Some("it's new"));
        assert_eq!(new.command, ["my engines/new", "--stage", "full", "--book"]);
        assert_eq!(new.init, ["one", "two words"]);
        assert_eq!(new.options, options(&[("Skill Level", "3")]));
        let stockfish = engine(stockfish);
        assert_eq!((stockfish.protocol, stockfish.ponder), (Some(Protocol::Uci), true));
        assert_eq!(engine(x).limits.nodes, Some(5000));
    }

    #[test]
    fn the_command_line_comes_first() {
        let file =
            read("tc = 5\nopenings = 'x.epd'\ngames = 4\nseed = 7\nresign = true\nquiet = true")
                .unwrap();
        let given = MatchArgs {
            st: "1".parse().ok(),
            random_plies: "3".parse().ok(),
            games: "8".parse().ok(),
            no_adjudication: true,
            ..MatchArgs::default()
        };
        let both = given.over(file);
        assert_eq!((both.tc, both.st), (None, "1".parse().ok()));
        assert_eq!((both.openings, both.random_plies), (None, "3".parse().ok()));
        assert_eq!((both.games, both.seed), ("8".parse().ok(), "7".parse().ok()));
        assert_eq!((both.resign, both.no_adjudication, both.quiet), (None, true, true));
        let over = |given: &str, file: &str| read(given).unwrap().over(read(file).unwrap());
        assert!(!over("random-plies = 3", "shuffle = true").shuffle);
        assert_eq!(over("shuffle = true", "random-plies = 3").random_plies, None);
        let file = "openings = 'x.pgn'\nopening-plies = 8";
        assert_eq!(over("random-plies = 3", file).opening_plies, None);
    }

    #[test]
    fn every_option_of_the_command_line_is_a_key() {
        let command = MatchArgs::augment_args(Command::new("match"));
        for arg in command.get_arguments() {
            let Some(key) = arg.get_long().filter(|&key| key != "config" && key != "help") else {
                continue;
            };
            let words = arg.get_possible_values();
            let value = match key {
                "engine" => "[]".to_owned(),
                "each" | "sprt" | "resign" | "draw" => "\"\"".to_owned(),
                _ if !arg.get_action().takes_values() => "true".to_owned(),
                _ => words
                    .first()
                    .map_or("\"1\"".to_owned(), |word| format!("'{}'", word.get_name())),
            };
            let read = read(&format!("{key} = {value}"));
            assert!(read.is_ok(), "{key}: {read:?}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        for (text, message) in [
            (
                "games = 3\ngmaes = 4",
                "2: unknown field `gmaes`, expected one of `engine`, `each`, ",
            ),
            ("config = 'x'", "1: unknown field `config`"),
            ("games = 3\ntc = ", "2: "),
            ("games = 0", "1: games: `0` is not a number from 1 to 10000000"),
            ("\n[[engine]]\ncmd = 'x'\ncolour = 'red'", "4: colour: unknown setting `colour`"),
            ("[engine]\ncmd = 'x'", "1: invalid type: map, expected a sequence"),
            (
                "[each]\ncmd = ['python3', 'bot.py']",
                "2: cmd: takes one value, not a list: words behind the program belong to `arg`",
            ),
            ("[each]\ntc = [1, 2]", "2: tc: takes one value, not a list"),
            ("[each]\nnodes = 'few'", "2: nodes: bad value for `nodes`: few"),
            ("[[engine]]\noption.Hash.x = 3", "2: "),
            ("\nsprt = 'elo0=7 elo1=2'", "2: sprt: elo0 must be less than elo1"),
            ("draw = 'until=3'", "1: draw: bad setting `until=3`"),
            ("games = [[1]]", "1: games: invalid type: sequence, expected a text or a number"),
            ("tc = 1\ngames = 2\nst = 1", "3: `st` cannot be used with `tc`"),
            ("random-plies = 8\nshuffle = true", "2: `shuffle` cannot be used with `random-plies`"),
            (
                "tournament = 'knockout'",
                "1: tournament: `knockout` is none of: round-robin, gauntlet",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
