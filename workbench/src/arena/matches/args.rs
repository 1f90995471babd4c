//! The command line of `trebuchet match`, its defaults and its errors.

use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use crate::arena::engines::limits::read_seconds;
use crate::arena::engines::spec::SpecError;
use crate::arena::engines::{EngineLimits, EngineSpec, Pace, Timeouts};
use crate::arena::games::openings::{OpeningError, Openings};
use crate::arena::tournament::adjudication::{AdjudicationRules, DrawRule, ResignRule, RuleError};
use crate::arena::tournament::pairing::Tournament;
use crate::arena::tournament::resume::ForeignGame;
use crate::arena::tournament::runner::{MatchError, OnFailure, Plan};
use crate::arena::tournament::sprt::{Sprt, SprtError};
use trebuchet::eval::EvalRules;
use trebuchet::for_variant;
use trebuchet::tablebase::{SyzygyTables, TablebaseError};
use trebuchet::variants::VariantId;

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
/// --on-failure), 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchArgs {
    /// Read settings from this TOML file. Its keys are the options of this list, and `[[engine]]` begins
    /// the settings of an engine. An option on the command line replaces the one in the file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// An engine; give two or more
    #[arg(long, value_name = "ENGINE", required_unless_present = "config")]
    engine: Vec<String>,
    /// Settings for all engines; each engine's own settings override them
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    each: String,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    pub(super) variant: VariantId,
    /// Games for each pairing, rounded up to an even number: every opening is played with both colours
    #[arg(long, default_value_t = 100, value_parser = read_count)]
    pub(super) games: usize,
    /// How the engines are paired
    #[arg(long, value_enum, default_value_t)]
    pub(super) tournament: Tournament,
    /// Games that run at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Time control [MOVES/]TIME[+INCREMENT] in seconds or MIN:SS: 40/60, 5+0.05, inf
    #[arg(long, value_name = "TC", conflicts_with = "st")]
    tc: Option<Pace>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", value_parser = read_duration)]
    st: Option<Duration>,
    /// Nodes for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies of search for each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Let the engines ponder
    #[arg(long)]
    ponder: bool,
    /// Openings from this EPD, PGN or Polyglot file (.bin); by default Trebuchet's own balanced openings
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<PathBuf>,
    /// How many plies of each game of a PGN file, or line of a book, to use as an opening
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = read_count)]
    opening_plies: usize,
    /// Use the openings in random order
    #[arg(long)]
    shuffle: bool,
    /// Openings of this many random plies; 0 is the start position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(0..=100))]
    random_plies: Option<u16>,
    /// The seed of random openings and random orders
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End the match with a sequential test: elo0=0 elo1=10 alpha=0.05 beta=0.05
    #[arg(long, num_args = 1..=4, value_name = "SETTING")]
    sprt: Option<Vec<String>>,
    /// Adjudicate wins on which both engines' scores agree: moves=4 score=900 (default in chess)
    #[arg(long, num_args = 0..=2, value_name = "SETTING")]
    resign: Option<Vec<String>>,
    /// Adjudicate draws on which both engines' scores agree: after=40 moves=8 score=10 (default in
    /// chess)
    #[arg(long, num_args = 0..=3, value_name = "SETTING")]
    draw: Option<Vec<String>>,
    /// Adjudicate endgames with the Syzygy tables in this folder
    #[arg(long, value_name = "FOLDER")]
    tablebases: Option<PathBuf>,
    /// Play every game to its end by the rules
    #[arg(long, conflicts_with_all = ["resign", "draw", "tablebases"])]
    no_adjudication: bool,
    /// Adjudicate a draw after this many full moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Milliseconds by which a move may exceed the clock
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    margin: u64,
    /// Seconds until a silent engine is killed, counted from the fall of its flag or, without a clock,
    /// from the start of its turn
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = read_duration)]
    stall: Duration,
    /// Seconds an engine has to start; it has half of that, but at least 5, to answer a ping
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = read_duration)]
    startup: Duration,
    /// What follows if an engine cannot be started, cannot play the game, or forfeits its first three games
    /// without a move
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    on_failure: OnFailure,
    /// Write the games to this PGN file
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Continue the match whose games are in the PGN file
    #[arg(long)]
    pub(super) resume: bool,
    /// Write a summary to this JSON file
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write a debug log of each game, as xboard does, to this folder
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// The event in the PGN
    #[arg(long, default_value = "Trebuchet match")]
    event: String,
    /// Show only the result
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Wrong arguments, or the reason why the match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchToolError {
    #[error("engine: {0}")]
    Spec(#[from] SpecError),
    #[error("a match needs two engines or more")]
    TooFewEngines,
    #[error("two engines are called {0}: name them (name=…)")]
    SameName(String),
    #[error("{0} has no limit: give one (--tc, --st, --nodes, --depth)")]
    Unlimited(String),
    #[error("--resume needs the PGN file of the match (--pgn)")]
    NothingToResume,
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
    #[error("{0} exists already: continue it (--resume) or name another file")]
    PgnExists(PathBuf),
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error(transparent)]
    Foreign(#[from] ForeignGame),
    #[error(transparent)]
    Match(#[from] MatchError),
}

impl MatchToolError {
    /// The exit status of the tool: 4 if the match could not go on, 2 for wrong arguments or files.
    pub const fn exit_code(&self) -> u8 {
        match self {
            MatchToolError::Match(_) => 4,
            _ => 2,
        }
    }
}

impl MatchArgs {
    /// The settings of the match.
    pub(super) fn plan(&self) -> Result<Plan, MatchToolError> {
        let engines = self.read_engines()?;
        let names: Vec<String> = engines.iter().map(EngineSpec::label).collect();
        if let Some((_, name)) =
            names.iter().enumerate().find(|(index, name)| names[..*index].contains(name))
        {
            return Err(MatchToolError::SameName(name.clone()));
        }
        if let Some(folder) = &self.logs {
            fs::create_dir_all(folder)
                .map_err(|error| MatchToolError::File(folder.clone(), error))?;
        }
        if self.resume && self.pgn.is_none() {
            return Err(MatchToolError::NothingToResume);
        }
        Ok(Plan {
            event: self.event.clone(),
            engines,
            names,
            adjudication: self.read_adjudication()?,
            tablebase: match &self.tablebases {
                Some(folder) => {
                    Some(for_variant!(self.variant, V => SyzygyTables::open::<V>(folder))?)
                }
                None => None,
            },
            margin: Duration::from_millis(self.margin),
            stall: self.stall,
            timeouts: Timeouts::of_startup(self.startup),
            concurrency: usize::from(self.concurrency),
            logs: self.logs.clone(),
            on_failure: self.on_failure,
            sprt: self.read_sprt()?,
        })
    }

    fn read_engines(&self) -> Result<Vec<EngineSpec>, MatchToolError> {
        if self.engine.len() < 2 {
            return Err(MatchToolError::TooFewEngines);
        }
        let pace = match (self.st, self.tc) {
            (Some(time), _) => Pace::PerMove(time),
            (None, tc) => tc.unwrap_or_default(),
        };
        let limits = EngineLimits { pace, depth: self.depth, nodes: self.nodes };
        let mut common = EngineSpec { ponder: self.ponder, limits, ..EngineSpec::default() };
        common.apply(&self.each)?;
        let mut engines = Vec::new();
        for text in &self.engine {
            let mut engine = common.clone();
            engine.apply(text)?;
            if engine.command.is_empty() {
                return Err(SpecError::NoCommand(text.clone()).into());
            }
            if engine.limits.is_unlimited() {
                return Err(MatchToolError::Unlimited(engine.label()));
            }
            engines.push(engine);
        }
        Ok(engines)
    }

    /// The openings of the match.
    pub(super) fn read_openings(&self) -> Result<Openings, MatchToolError> {
        let mut openings = match (&self.openings, self.random_plies) {
            (Some(path), _) => {
                let plies = self.opening_plies;
                for_variant!(self.variant, V => Openings::from_file::<V>(path, plies, self.seed))?
            }
            (None, Some(plies)) => Openings::Random { plies: plies.into(), seed: self.seed },
            (None, None) => {
                let (text, name) = (self.variant.openings(), "the built-in openings");
                for_variant!(self.variant, V => Openings::from_epd::<V>(text, name))?
            }
        };
        if self.shuffle {
            openings.shuffle(self.seed);
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

    /// Without an explicit rule, scores decide games only in variants where a lead in material wins
    /// and level endgames are drawn.
    fn read_adjudication(&self) -> Result<AdjudicationRules, MatchToolError> {
        let has_drawn_endgames = for_variant!(self.variant, V => V::HAS_DRAWN_ENDGAMES);
        let by_default = has_drawn_endgames && !self.no_adjudication;
        let resign: Option<ResignRule> = match &self.resign {
            Some(words) => Some(words.join(" ").parse()?),
            None => by_default.then(ResignRule::default),
        };
        let draw: Option<DrawRule> = match &self.draw {
            Some(words) => Some(words.join(" ").parse()?),
            None => by_default.then(DrawRule::default),
        };
        Ok(AdjudicationRules { resign, draw, max_moves: self.max_moves })
    }
}

fn read_duration(text: &str) -> Result<Duration, &'static str> {
    read_seconds(text).filter(|time| !time.is_zero()).ok_or("not a number of seconds above 0")
}

/// A number of games or plies.
fn read_count(text: &str) -> Result<usize, BadCount> {
    text.parse().ok().filter(|count| (1..=MAX_COUNT).contains(count)).ok_or(BadCount)
}

/// The greatest number of games or plies.
const MAX_COUNT: usize = 10_000_000;

#[derive(Debug, thiserror::Error)]
#[error("not a number from 1 to {MAX_COUNT}")]
struct BadCount;

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

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
            "--max-moves=0",
            "--margin=99999999999",
            "--concurrency=0",
            "--tc=nan",
            "--tc=1+inf",
        ] {
            assert!(parse(option).is_err(), "{option}");
        }
        for seconds in ["nan", "inf", "-1", "0", "1e9", ""] {
            assert!(read_duration(seconds).is_err(), "{seconds}");
        }
    }
}
