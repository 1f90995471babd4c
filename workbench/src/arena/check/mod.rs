//! `trebuchet check`: judges recorded games of bots, for graders.
//!
//! It reads debug logs of xboard, WinBoard and `trebuchet match`, and PGN files, with any engine in them.
//! The library [`judging`](super::judging) does the work; here are the arguments, the tables, the JSON and
//! the exit status.

mod json;
mod tables;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::engine_slot::EngineSlot;
use super::judging::board_order::BoardOrder;
use super::judging::check_file;
use super::judging::report::GameReport;
use super::judging::rubric::{Rubric, RubricError, has_passed};
use super::judging::settings::CheckSettings;
use super::judging::summary::{BotSummary, disambiguate_names, summarize};

use crate::files;
use trebuchet::play::Stage;
use trebuchet::text::{printable, tell};

/// Judge recorded games of bots: legal moves, the rules of a stage, clocks, protocol manners.
///
/// Reads debug logs of xboard, WinBoard and `trebuchet match`, and PGN files. Exit status: 0 every criterion was kept, or the rubric was passed; 1 a criterion was broken, or the rubric was not passed; 2 wrong arguments, or a file that cannot be read or has no game of the bot, or a game of it that cannot be read as a whole.
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
    /// Judge only bots whose name contains this text. For PGN files, this selects the player
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Milliseconds by which a move may exceed the clock
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    margin: u64,
    /// Give points for each criterion, as this TOML file says
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
    fn includes(self, slot: EngineSlot) -> bool {
        match self {
            EngineChoice::First => slot == EngineSlot::First,
            EngineChoice::Second => slot == EngineSlot::Second,
            EngineChoice::Both => true,
        }
    }
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckConclusion {
    Passed,
    Broken,
    /// A file, or a part of it, could not be judged.
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
    #[error("{} is named twice: its games would count twice", .0.display())]
    Repeated(PathBuf),
    #[error("--board-order belongs to the stage pawns: add --stage pawns")]
    OrderWithoutPawns,
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
/// If a file is named twice, the arguments or the rubric are wrong, or a result cannot be written. Files that cannot
/// be judged are named on standard error, and the others are judged.
pub fn run(args: &CheckArgs) -> Result<CheckConclusion, CheckError> {
    if args.board_order.is_some() && args.stage != Stage::Pawns {
        return Err(CheckError::OrderWithoutPawns);
    }
    if let Some(path) = args.json.as_ref().filter(|path| path.as_os_str() != "-") {
        files::check_json_output(path, args.logs.iter().chain(&args.rubric))
            .map_err(|error| CheckError::Json(path.clone(), error))?;
    }
    if let Some(path) = files::repeated(&args.logs) {
        return Err(CheckError::Repeated(path.to_owned()));
    }
    let rubric = args.rubric.as_deref().map(Rubric::read).transpose()?;
    let settings = CheckSettings {
        stage: args.stage,
        board_order: args.board_order,
        margin: Duration::from_millis(args.margin),
    };
    let (mut reports, mut has_errors) = (Vec::new(), false);
    for path in &args.logs {
        let found = check_file(path, &settings).map_err(FileError::from);
        match found.and_then(|found| args.select(found, &mut reports)) {
            Ok(problems) => {
                has_errors |= !problems.is_empty();
                for problem in problems {
                    tell(&format!("trebuchet: {}{problem}", path.display()));
                }
            }
            Err(error) => {
                tell(&format!("trebuchet: {}: {error}", path.display()));
                has_errors = true;
            }
        }
    }
    disambiguate_names(&mut reports);
    let bots = summarize(&reports, settings.criteria());
    args.show(&settings, &reports, &bots, rubric.as_ref())?;
    let have_passed = bots.iter().all(|bot| has_passed(bot, rubric.as_ref()));
    Ok(match (has_errors, have_passed) {
        (true, _) => CheckConclusion::BadFile,
        (false, true) => CheckConclusion::Passed,
        (false, false) => CheckConclusion::Broken,
    })
}

/// What of a game could not be read: `, game 3: the variant "Shogi" is not known`.
fn placed_problems(report: &GameReport) -> impl Iterator<Item = String> {
    let place = match report.game {
        0 => String::new(),
        game => format!(", game {game}"),
    };
    report.problems.iter().map(move |problem| format!("{place}: {problem}"))
}

impl CheckArgs {
    /// Takes the reports on the bots that the user has asked for. Returns what of their games could not be read,
    /// with the place in the file.
    fn select(
        &self,
        found: Vec<GameReport>,
        reports: &mut Vec<GameReport>,
    ) -> Result<Vec<String>, FileError> {
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
            report.slot.is_none_or(|slot| engines.includes(slot))
                && report.name.to_lowercase().contains(&wanted)
        };
        let selected: Vec<GameReport> = found.into_iter().filter(is_selected).collect();
        let has_games = selected.iter().any(|report| report.game > 0);
        let idle = selected.first().map(|idle| idle.name.clone());
        let mut problems: Vec<String> = selected.iter().flat_map(placed_problems).collect();
        let mut told = HashSet::new();
        problems.retain(|problem| told.insert(problem.clone()));
        // A bot that was only started counts if nothing else does.
        let counts = |it: &GameReport| it.game > 0 || !has_games && it.problems.is_empty();
        reports.extend(selected.into_iter().filter(counts));
        match idle {
            None => Err(FileError::OtherBots(names.join(", "))),
            Some(name) if !has_games && problems.is_empty() => Err(FileError::NeverAsked(name)),
            Some(_) => Ok(problems),
        }
    }

    /// Shows the results, and writes the JSON file.
    fn show(
        &self,
        settings: &CheckSettings,
        reports: &[GameReport],
        bots: &[BotSummary],
        rubric: Option<&Rubric>,
    ) -> Result<(), CheckError> {
        let mut text = printable(&self.tables(settings, reports, bots, rubric));
        if let Some(path) = &self.json {
            let json = json::write(settings, reports, bots, rubric) + "\n";
            if path.as_os_str() == "-" {
                text = json;
            } else {
                files::replace(path, json.as_bytes())
                    .map_err(|error| CheckError::Json(path.clone(), error))?;
            }
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    fn tables(
        &self,
        settings: &CheckSettings,
        reports: &[GameReport],
        bots: &[BotSummary],
        rubric: Option<&Rubric>,
    ) -> String {
        let mut parts = Vec::new();
        if !self.quiet {
            parts.push(tables::games(settings, reports));
            parts.push(tables::violations(settings, reports));
        }
        parts.extend(bots.iter().map(|bot| tables::summary(bot, rubric)));
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }
}
