//! `trebuchet check`: judges recorded games of bots, for graders.
//!
//! It reads debug logs of xboard, WinBoard and `trebuchet match`, and PGN files, with any engine in them.
//! For each game of a bot it says for each [`Item`](item::Item) whether the bot has kept it. It starts no
//! engine: it judges what the files say.

mod board_order;
mod clocks;
mod conditions;
mod debug_log;
mod dialogue;
mod ending;
pub mod item;
mod json;
mod legality;
mod log_reader;
mod pgn_games;
mod pings;
mod report;
mod rubric;
mod sheet;
mod stage_pawns;
mod stage_random;
mod summary;
mod table;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use board_order::BoardOrder;
use conditions::Conditions;
use log_reader::Seat;
use report::GameReport;
use rubric::{Rubric, RubricError};
use summary::{BotSummary, summarize, tell_apart};

use trebuchet::play::Stage;

/// Judge recorded games of bots: legal moves, the rules of a stage, clocks, protocol manners.
///
/// Reads debug logs of xboard, WinBoard and `trebuchet match`, and PGN files. Exit status: 0 every item was kept, or the rubric was passed; 1 an item was broken, or the rubric was not passed; 2 wrong arguments, or a file that cannot be read or has no game of the bot.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    /// The stage of the bot: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
    /// In the stage pawns, the first pawn in the order of the squares has to move. The order is named by
    /// its first two squares: a1b1 goes along the ranks, a1a2 along the files
    #[arg(long, value_name = "ORDER", num_args = 0..=1, require_equals = true, default_missing_value = "a1b1")]
    board_order: Option<BoardOrder>,
    /// The engine of a log that is judged; by default the first, or both with --name
    #[arg(long, value_enum)]
    engine: Option<EngineChoice>,
    /// Judge only bots whose name contains this text; a PGN file has no first engine, but names
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Milliseconds by which a move may exceed the clock
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    margin: u64,
    /// Give points for each item, as this TOML file says
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,
    /// Write the results to this JSON file; `-` writes them to standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Show only the summary of each bot
    #[arg(long)]
    quiet: bool,
    /// Debug logs and PGN files
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
}

/// Which engine of a log is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum EngineChoice {
    /// The engine of `-fcp`
    First,
    /// The engine of `-scp`
    Second,
    Both,
}

impl EngineChoice {
    fn includes(self, seat: Seat) -> bool {
        match self {
            EngineChoice::First => seat == Seat::First,
            EngineChoice::Second => seat == Seat::Second,
            EngineChoice::Both => true,
        }
    }
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckConclusion {
    Passed,
    Broken,
    /// A file could not be judged.
    BadFile,
}

impl CheckConclusion {
    /// The exit status of the tool.
    pub const fn exit_code(self) -> u8 {
        match self {
            CheckConclusion::Passed => 0,
            CheckConclusion::Broken => 1,
            CheckConclusion::BadFile => 2,
        }
    }
}

/// Why nothing could be judged.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Rubric(#[from] RubricError),
    #[error("{0}: {1}")]
    Json(PathBuf, io::Error),
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl CheckError {
    /// The exit status of the tool.
    pub const fn exit_code(&self) -> u8 {
        2
    }
}

/// Why a file could not be judged.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("no game in it")]
    NoGame,
    #[error("no game of the bot in it; its bots: {0}")]
    OtherBots(String),
    #[error("{0} was started, but never asked for a move")]
    NeverAsked(String),
}

/// Runs the tool.
///
/// # Errors
/// If the rubric is wrong, or a result cannot be written. Files that cannot be judged are named on
/// standard error, and the others are judged.
pub fn run(args: &CheckArgs) -> Result<CheckConclusion, CheckError> {
    let rubric = args.rubric.as_deref().map(Rubric::read).transpose()?;
    let conditions = Conditions {
        stage: args.stage,
        board_order: args.board_order,
        margin: Duration::from_millis(args.margin),
    };
    let (mut reports, mut has_errors) = (Vec::new(), false);
    for path in &args.logs {
        let found = read(path, &conditions).map_err(FileError::from);
        match found.and_then(|found| args.select(found, &mut reports)) {
            Ok(()) => {}
            Err(error) => {
                eprintln!("trebuchet: {}: {error}", path.display());
                has_errors = true;
            }
        }
    }
    tell_apart(&mut reports);
    let bots = summarize(&reports, conditions.items());
    args.show(&conditions, &reports, &bots, rubric.as_ref())?;
    let has_passed = bots.iter().all(|bot| bot.has_passed(rubric.as_ref()));
    Ok(match (has_errors, has_passed) {
        (true, _) => CheckConclusion::BadFile,
        (false, true) => CheckConclusion::Passed,
        (false, false) => CheckConclusion::Broken,
    })
}

/// How much of a file is read to see what kind it is, in bytes.
const LOOK: usize = 256 * 1024;

/// Reads a file and judges all games in it.
fn read(path: &Path, conditions: &Conditions) -> io::Result<Vec<GameReport>> {
    let name: Arc<str> = Arc::from(sheet::shown(&path.to_string_lossy()));
    let mut input = BufReader::with_capacity(LOOK, File::open(path)?);
    let is_log = input
        .fill_buf()?
        .split(|&byte| byte == b'\n')
        .any(|line| log_reader::is_protocol_line(line.trim_ascii_end()));
    if is_log {
        debug_log::check(input, &name, conditions)
    } else {
        pgn_games::check(input, &name, conditions)
    }
}

impl CheckArgs {
    /// Takes the reports on the bots that the user has asked for.
    fn select(
        &self,
        found: Vec<GameReport>,
        reports: &mut Vec<GameReport>,
    ) -> Result<(), FileError> {
        if found.is_empty() {
            return Err(FileError::NoGame);
        }
        let by_default = if self.name.is_some() { EngineChoice::Both } else { EngineChoice::First };
        let engines = self.engine.unwrap_or(by_default);
        let wanted = self.name.as_deref().unwrap_or_default().to_lowercase();
        let mut names: Vec<String> = found.iter().map(|report| report.name.clone()).collect();
        names.sort();
        names.dedup();
        let is_selected = |report: &GameReport| {
            report.seat.is_none_or(|seat| engines.includes(seat))
                && report.name.to_lowercase().contains(&wanted)
        };
        let selected: Vec<GameReport> = found.into_iter().filter(is_selected).collect();
        let has_games = selected.iter().any(|report| report.game > 0);
        let idle = selected.first().map(|idle| idle.name.clone());
        // A bot that was only started counts if nothing else does.
        reports.extend(selected.into_iter().filter(|report| report.game > 0 || !has_games));
        match idle {
            None => Err(FileError::OtherBots(names.join(", "))),
            Some(name) if !has_games => Err(FileError::NeverAsked(name)),
            Some(_) => Ok(()),
        }
    }

    /// Shows the results, and writes the JSON file.
    fn show(
        &self,
        conditions: &Conditions,
        reports: &[GameReport],
        bots: &[BotSummary],
        rubric: Option<&Rubric>,
    ) -> Result<(), CheckError> {
        let mut text = String::new();
        let written = self.write_tables(&mut text, conditions, reports, bots, rubric);
        written.expect("a String takes every text");
        if let Some(path) = &self.json {
            let json = json::write(conditions, reports, bots, rubric) + "\n";
            if path.as_os_str() == "-" {
                text = json;
            } else {
                std::fs::write(path, json)
                    .map_err(|error| CheckError::Json(path.clone(), error))?;
            }
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    fn write_tables(
        &self,
        out: &mut String,
        conditions: &Conditions,
        reports: &[GameReport],
        bots: &[BotSummary],
        rubric: Option<&Rubric>,
    ) -> std::fmt::Result {
        let mut parts = Vec::new();
        if !self.quiet {
            let (mut games, mut violations) = (String::new(), String::new());
            table::write_games(&mut games, reports, conditions.items())?;
            table::write_violations(&mut violations, reports, conditions.items())?;
            parts.extend([games, violations]);
        }
        for bot in bots {
            let mut part = String::new();
            table::write_summary(&mut part, bot, rubric)?;
            parts.push(part);
        }
        parts.retain(|part| !part.is_empty());
        out.push_str(&parts.join("\n"));
        Ok(())
    }
}
