//! The command line of `trebuchet match`, its defaults and its errors.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use serde::Deserialize;

use super::engine_settings::EngineSettings;
use super::values::{Number, Seconds, rule, scalar, word};
use crate::arena::engines::spec::SpecError;
use crate::arena::engines::{EngineLimits, EngineSpec, TimeControl, Timeouts};
use crate::arena::games::openings::{OpeningError, Openings};
use crate::arena::tournament::adjudication::{AdjudicationRules, DrawRule, ResignRule, RuleError};
use crate::arena::tournament::event::MatchError;
use crate::arena::tournament::pairing::Tournament;
use crate::arena::tournament::plan::{OnFailure, Plan};
use crate::arena::tournament::resume::ForeignGame;
use crate::arena::tournament::sprt::{Sprt, SprtError};
use crate::counts::count;
use crate::files;
use crate::settings_text::SettingsError;
use trebuchet::board::{EndgameTables, Rules};
use trebuchet::for_variant;
use trebuchet::tablebase::{SyzygyTables, TablebaseError};
use trebuchet::variants::VariantId;

/// A number of games or plies.
type Count = Number<1, 10_000_000>;
type Plies = Number<0, 100>;
type Depth = Number<1, { u32::MAX as u64 }>;

/// Play matches between engines.
///
/// Each engine is described by one argument with settings `key=value`: cmd, arg, proto=cecp|uci|auto,
/// name, dir, env.NAME, option.NAME, init, fen=remaining|given|plain|moves, ponder, restart, tc, st,
/// nodes, depth. A word without `=` is the command; `cecp` and `uci` are short for proto=cecp and
/// proto=uci. Quotes protect blanks. Without a protocol, the engine is asked which one it speaks.
///
/// Examples: --engine fairymax --engine 'stockfish option.Hash=16 "option.Skill Level=3"'
/// --engine 'name="my engine" cmd="./new --stage full" tc=10+0.1'
///
/// Exit status: 0 the match was played or H1 accepted, 1 H0 accepted, 2 wrong arguments or files,
/// 3 an SPRT ended without a verdict, 4 the match could not go on, or an engine never made a move (see
/// --on-failure), 5 the disk is full, 130 interrupted.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchArgs {
    /// Read settings from this TOML file. Its keys are the options of this list, and `[[engine]]` begins
    /// the settings of an engine. An option on the command line replaces the one in the file
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(super) config: Option<PathBuf>,
    /// An engine; give two or more
    #[arg(long, value_name = "ENGINE", required_unless_present = "config")]
    pub(super) engine: Vec<EngineSettings>,
    /// Settings for all engines; each engine's own settings override them
    #[arg(long, value_name = "SETTINGS")]
    pub(super) each: Option<EngineSettings>,
    /// The variant, by its CECP name [default: normal]
    #[arg(long, value_enum)]
    #[serde(deserialize_with = "word")]
    pub(super) variant: Option<VariantId>,
    /// Games for each pairing, rounded up to an even number: every opening is played with both colours
    /// [default: 100]
    #[arg(long)]
    #[serde(deserialize_with = "scalar")]
    pub(super) games: Option<Count>,
    /// How the engines are paired [default: round-robin]
    #[arg(long, value_enum)]
    #[serde(deserialize_with = "word")]
    pub(super) tournament: Option<Tournament>,
    /// Games that run at the same time [default: 1]
    #[arg(long)]
    #[serde(deserialize_with = "scalar")]
    pub(super) concurrency: Option<Number<1, 512>>,
    /// Time control [MOVES/]TIME[+INCREMENT] in seconds or MIN:SS: 40/60, 5+0.05, inf
    #[arg(long, value_name = "TC", conflicts_with = "st")]
    #[serde(deserialize_with = "scalar")]
    pub(super) tc: Option<TimeControl>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS")]
    #[serde(deserialize_with = "scalar")]
    pub(super) st: Option<Seconds>,
    /// Nodes for each move
    #[arg(long)]
    #[serde(deserialize_with = "scalar")]
    pub(super) nodes: Option<Number<1, { u64::MAX }>>,
    /// Plies of search for each move
    #[arg(long)]
    #[serde(deserialize_with = "scalar")]
    pub(super) depth: Option<Depth>,
    /// Let the engines ponder
    #[arg(long)]
    pub(super) ponder: bool,
    /// Openings from this EPD, PGN or Polyglot file (.bin); by default Trebuchet's own balanced openings
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    #[serde(deserialize_with = "scalar")]
    pub(super) openings: Option<PathBuf>,
    /// How many plies of each game of a PGN file, or line of a book, to use as an opening [default: 12]
    #[arg(long, value_name = "PLIES")]
    #[serde(deserialize_with = "scalar")]
    pub(super) opening_plies: Option<Count>,
    /// Use the openings in random order
    #[arg(long, conflicts_with = "random_plies")]
    pub(super) shuffle: bool,
    /// Openings of this many random plies; 0 is the start position
    #[arg(long, value_name = "PLIES")]
    #[serde(deserialize_with = "scalar")]
    pub(super) random_plies: Option<Plies>,
    /// The seed of random openings and random orders [default: 1]
    #[arg(long)]
    #[serde(deserialize_with = "scalar")]
    pub(super) seed: Option<u64>,
    /// End the match with a sequential test: elo0=0 elo1=10 alpha=0.05 beta=0.05
    #[arg(long, num_args = 1..=4, value_name = "SETTING")]
    #[serde(deserialize_with = "rule::<_, Sprt>")]
    pub(super) sprt: Option<Vec<String>>,
    /// Adjudicate wins on which both engines' scores agree: moves=4 score=900 (default in chess)
    #[arg(long, num_args = 0..=2, value_name = "SETTING")]
    #[serde(deserialize_with = "rule::<_, ResignRule>")]
    pub(super) resign: Option<Vec<String>>,
    /// Adjudicate draws on which both engines' scores agree: after=40 moves=8 score=10 (default in
    /// chess)
    #[arg(long, num_args = 0..=3, value_name = "SETTING")]
    #[serde(deserialize_with = "rule::<_, DrawRule>")]
    pub(super) draw: Option<Vec<String>>,
    /// Adjudicate endgames with the Syzygy tables in this folder
    #[arg(long, value_name = "FOLDER")]
    #[serde(deserialize_with = "scalar")]
    pub(super) tablebases: Option<PathBuf>,
    /// Play every game to its end by the rules
    #[arg(long, conflicts_with_all = ["resign", "draw", "tablebases"])]
    pub(super) no_adjudication: bool,
    /// Adjudicate a draw after this many full moves
    #[arg(long, value_name = "MOVES")]
    #[serde(deserialize_with = "scalar")]
    pub(super) max_moves: Option<Depth>,
    /// Milliseconds by which a move may exceed the clock [default: 0]
    #[arg(long, value_name = "MS")]
    #[serde(deserialize_with = "scalar")]
    pub(super) margin: Option<Number<0, 86_400_000>>,
    /// Seconds until a silent engine is killed, counted from the fall of its flag or, without a clock,
    /// from the start of its turn [default: 10]
    #[arg(long, value_name = "SECONDS")]
    #[serde(deserialize_with = "scalar")]
    pub(super) stall: Option<Seconds>,
    /// Seconds an engine has to start; it has half of that, but at least 5, to answer a ping [default: 10]
    #[arg(long, value_name = "SECONDS")]
    #[serde(deserialize_with = "scalar")]
    pub(super) startup: Option<Seconds>,
    /// What follows if an engine cannot be started, cannot play the game, or forfeits its first three games
    /// without a move [default: end with two engines, withdraw with more]
    #[arg(long, value_enum, value_name = "WHAT")]
    #[serde(deserialize_with = "word")]
    pub(super) on_failure: Option<OnFailure>,
    /// Write the games to this PGN file
    #[arg(long, value_name = "FILE")]
    #[serde(deserialize_with = "scalar")]
    pub(super) pgn: Option<PathBuf>,
    /// Continue the match whose games are in the PGN file
    #[arg(long)]
    pub(super) resume: bool,
    /// Write a summary to this JSON file
    #[arg(long, value_name = "FILE")]
    #[serde(deserialize_with = "scalar")]
    pub(super) json: Option<PathBuf>,
    /// Write a debug log of each game, as xboard does, to this folder
    #[arg(long, value_name = "FOLDER")]
    #[serde(deserialize_with = "scalar")]
    pub(super) logs: Option<PathBuf>,
    /// The event in the PGN [default: Trebuchet match]
    #[arg(long)]
    #[serde(deserialize_with = "scalar")]
    pub(super) event: Option<String>,
    /// Show only the result
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Wrong arguments, or the reason why the match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchToolError {
    /// A setting in the file of `--config` is wrong.
    #[error("{}:{error}", path.display())]
    Config { path: PathBuf, error: SettingsError },
    #[error("engine: {0}")]
    Spec(#[from] SpecError),
    #[error("a match needs two engines or more")]
    TooFewEngines,
    #[error("two engines are called {0}: name one of them, as in --engine 'name=other …'")]
    SameName(String),
    #[error("{0} has no limit: give one (--tc, --st, --nodes, --depth)")]
    Unlimited(String),
    #[error("--resume needs the PGN file of the match (--pgn)")]
    ResumeWithoutPgn,
    #[error("--sprt: {0}")]
    Sprt(#[from] SprtError),
    #[error("a sequential test needs exactly two engines")]
    SprtPlayers,
    #[error("adjudication: {0}")]
    Rule(#[from] RuleError),
    #[error("tablebases: {0}")]
    Tablebase(#[from] TablebaseError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error("--opening-plies belongs to a file of openings: name it with --openings")]
    PliesWithoutFile,
    #[error("{0} exists already: continue it (--resume) or name another file")]
    PgnExists(PathBuf),
    #[error(
        "{0} has logs of another match; name another folder, or continue that match with --resume"
    )]
    LogsExist(PathBuf),
    #[error("{0}: this file is named for the games and for the summary")]
    SharedFile(PathBuf),
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error(transparent)]
    Foreign(#[from] ForeignGame),
    #[error(transparent)]
    Match(#[from] MatchError),
}

impl MatchToolError {
    /// The exit status of the tool: 5 if the disk is full, 4 if the match could not go on for another reason, 2
    /// for wrong arguments or files.
    pub fn exit_code(&self) -> u8 {
        match self {
            MatchToolError::File(_, error) | MatchToolError::Match(MatchError::Log(_, error))
                if files::is_full(error) =>
            {
                5
            }
            MatchToolError::Match(_) => 4,
            _ => 2,
        }
    }
}

impl MatchArgs {
    pub(super) fn variant(&self) -> VariantId {
        self.variant.unwrap_or(VariantId::Standard)
    }

    /// The number of games for each meeting.
    pub(super) fn games(&self) -> usize {
        self.games.map_or(100, Count::size)
    }

    /// The settings of the match.
    pub(super) fn plan(&self) -> Result<Plan, MatchToolError> {
        let engines = self.read_engines()?;
        let names: Vec<String> = engines.iter().map(EngineSpec::label).collect();
        if let Some((_, name)) =
            names.iter().enumerate().find(|(index, name)| names[..*index].contains(name))
        {
            return Err(MatchToolError::SameName(name.clone()));
        }
        if self.resume && self.pgn.is_none() {
            return Err(MatchToolError::ResumeWithoutPgn);
        }
        if let Some(folder) = &self.logs {
            let failed = |error| MatchToolError::File(folder.clone(), error);
            fs::create_dir_all(folder).map_err(failed)?;
            let mut entries = fs::read_dir(folder).map_err(failed)?.flatten();
            let goes_on = self.resume && self.pgn.as_ref().is_some_and(|path| path.exists());
            if !goes_on && entries.any(|entry| is_log(&entry.path())) {
                return Err(MatchToolError::LogsExist(folder.clone()));
            }
        }
        let ten_seconds = Seconds(Duration::from_secs(10));
        Ok(Plan {
            event: self.event.clone().unwrap_or_else(|| "Trebuchet match".to_owned()),
            engines,
            names,
            adjudication: self.read_adjudication()?,
            tablebase: match &self.tablebases {
                Some(folder) => {
                    Some(for_variant!(self.variant(), V => SyzygyTables::open::<V>(folder))?)
                }
                None => None,
            },
            margin: Duration::from_millis(self.margin.map_or(0, Number::get)),
            stall: self.stall.unwrap_or(ten_seconds).0,
            timeouts: Timeouts::of_startup(self.startup.unwrap_or(ten_seconds).0),
            concurrency: self.concurrency.map_or(1, Number::size),
            logs: self.logs.clone(),
            on_failure: self.on_failure.unwrap_or(OnFailure::of_players(self.engine.len())),
            sprt: self.read_sprt()?,
        })
    }

    fn read_engines(&self) -> Result<Vec<EngineSpec>, MatchToolError> {
        if self.engine.len() < 2 {
            return Err(MatchToolError::TooFewEngines);
        }
        let time_control = match (self.st, self.tc) {
            (Some(Seconds(time)), _) => TimeControl::PerMove(time),
            (None, tc) => tc.unwrap_or_default(),
        };
        let limits = EngineLimits {
            time_control,
            depth: self.depth.map(as_u32),
            nodes: self.nodes.map(Number::get),
        };
        let mut common = EngineSpec { ponder: self.ponder, limits, ..EngineSpec::default() };
        if let Some(each) = &self.each {
            each.apply(&mut common)?;
        }
        let mut engines = Vec::new();
        for settings in &self.engine {
            let mut engine = common.clone();
            settings.apply(&mut engine)?;
            if engine.command.is_empty() {
                return Err(SpecError::NoCommand(settings.to_string()).into());
            }
            if engine.limits.is_unlimited() {
                return Err(MatchToolError::Unlimited(engine.label()));
            }
            engines.push(engine);
        }
        Ok(engines)
    }

    /// The openings of the match. What is to be said of their file goes to `notices`.
    pub(super) fn read_openings(
        &self,
        notices: &mut Vec<String>,
    ) -> Result<Openings, MatchToolError> {
        let (variant, seed) = (self.variant(), self.seed.unwrap_or(1));
        let mut openings = match (&self.openings, self.random_plies) {
            (Some(path), _) => {
                let plies = self.opening_plies.map_or(12, Count::size);
                let (openings, left_out) =
                    for_variant!(variant, V => Openings::from_file::<V>(path, plies, seed))?;
                if left_out > 0 {
                    let games = count(left_out, "game");
                    let why = format!("over within {plies} plies, and no opening");
                    notices.push(format!("{}: {games} left out: {why}", path.display()));
                }
                openings
            }
            (None, _) if self.opening_plies.is_some() => {
                return Err(MatchToolError::PliesWithoutFile);
            }
            (None, Some(plies)) => Openings::Random { plies: plies.size(), seed },
            (None, None) => {
                let (text, name) = (variant.openings(), "the built-in openings");
                for_variant!(variant, V => Openings::from_epd::<V>(text, name))?
            }
        };
        if self.shuffle {
            openings.shuffle(seed);
        }
        Ok(openings)
    }

    /// The sequential test, if there is one.
    fn read_sprt(&self) -> Result<Option<Sprt>, MatchToolError> {
        let Some(words) = &self.sprt else { return Ok(None) };
        if self.engine.len() != 2 {
            return Err(MatchToolError::SprtPlayers);
        }
        Ok(Some(words.join(" ").parse()?))
    }

    /// Without an explicit rule, scores decide games only in variants with the endgames of chess: there a
    /// lead in material wins, and level endgames are drawn.
    fn read_adjudication(&self) -> Result<AdjudicationRules, MatchToolError> {
        let tables = for_variant!(self.variant(), V => <V as Rules>::ENDGAME_TABLES);
        let by_default = tables == EndgameTables::Syzygy && !self.no_adjudication;
        let resign: Option<ResignRule> = match &self.resign {
            Some(words) => Some(words.join(" ").parse()?),
            None => by_default.then(ResignRule::default),
        };
        let draw: Option<DrawRule> = match &self.draw {
            Some(words) => Some(words.join(" ").parse()?),
            None => by_default.then(DrawRule::default),
        };
        Ok(AdjudicationRules { resign, draw, max_moves: self.max_moves.map(as_u32) })
    }
}

fn as_u32(number: Depth) -> u32 {
    u32::try_from(number.get()).unwrap_or(u32::MAX)
}

/// Is it the log of a game?
fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "debug")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn games_that_are_no_openings_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, "1. e4 e5 2. Nf3 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
        for (plies, told) in [("3", 0), ("4", 1)] {
            let (openings, opening_plies) = (Some(path.clone()), plies.parse().ok());
            let args = MatchArgs { openings, opening_plies, ..MatchArgs::default() };
            let mut notices = Vec::new();
            assert_eq!(args.read_openings(&mut notices).unwrap().count(), Some(2 - told));
            assert_eq!(notices.len(), told);
            let end = "games.pgn: 1 game left out: over within 4 plies, and no opening";
            assert!(notices.iter().all(|notice| notice.ends_with(end)), "{notices:?}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        #[derive(Debug, clap::Parser)]
        struct Cli {
            #[command(flatten)]
            _args: MatchArgs,
        }

        let parse = |option| Cli::try_parse_from(["match", "--engine=a", option]);
        assert!(parse("--games=1").is_ok());
        for option in [
            "--games=0",
            "--games=10000001",
            "--nodes=0",
            "--depth=0",
            "--depth=-1",
            "--opening-plies=0",
            "--random-plies=101",
            "--max-moves=0",
            "--margin=99999999999",
            "--concurrency=0",
            "--tc=nan",
            "--tc=1+inf",
            "--st=0",
            "--on-failure=panic",
        ] {
            assert!(parse(option).is_err(), "{option}");
        }
    }
}
