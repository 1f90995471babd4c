//! `trebuchet exam`: examines a bot in scenes.
//!
//! A scene is a position or the beginning of a game, and what the bot must do then. `scene` has them,
//! `accept` what they accept; `examiner` plays them with a bot, and `report` tells the results. The
//! conversation is the one of `comply`, and the rules of the stages are judged as by `check`.

mod accept;
mod examiner;
mod report;
mod scene;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use examiner::Examiner;
use report::{ExamReport, SceneReport, points};
use scene::{Scene, SceneError};

use super::engines::{EngineError, EngineSpec, StopSignal};
use super::judging::settings::CheckSettings;
use crate::files;
use trebuchet::play::Stage;
use trebuchet::variants::VariantId;

/// Examine a bot that speaks CECP in scenes: positions in which it must do the right thing.
///
/// A scene that fails is played once more. Exit status: 0 no scene fails, 1 a scene fails, 2 wrong arguments or scenes, 4 the bot cannot be started, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct ExamArgs {
    /// The stage of the bot: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// The scenes of this TOML file instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    scenes: Option<PathBuf>,
    /// Only the scene with this id, or those whose titles contain this text
    #[arg(long, value_name = "SCENE", default_value = "")]
    only: String,
    /// Another number makes other moves before the scenes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// List the scenes with what they are for, and run nothing
    #[arg(long)]
    list: bool,
    /// Show the dialogue of every scene, not only of those that fail
    #[arg(long)]
    verbose: bool,
    /// Write the result of every scene to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The folder to run the bot in
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The bot's command and its arguments
    #[arg(last = true, required_unless_present = "list")]
    command: Vec<String>,
}

/// Why an examination ended early.
#[derive(Debug, thiserror::Error)]
pub enum ExamError {
    #[error(transparent)]
    Scenes(#[from] SceneError),
    #[error(
        "no scene of this stage and game has the id or a title with `{0}`; `--list` shows them"
    )]
    NoSuchScene(String),
    #[error("{0}")]
    Stage(String),
    #[error("there are no scenes of the stage {stage} in {variant}")]
    NoScenes { stage: &'static str, variant: &'static str },
    #[error("the bot {0}")]
    Bot(EngineError),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Output(#[from] io::Error),
    #[error("interrupted")]
    Interrupted,
}

impl From<EngineError> for ExamError {
    fn from(error: EngineError) -> ExamError {
        match error {
            EngineError::Interrupted => ExamError::Interrupted,
            error => ExamError::Bot(error),
        }
    }
}

impl ExamError {
    /// The exit status of the tool.
    pub const fn exit_code(&self) -> u8 {
        match self {
            ExamError::Scenes(_)
            | ExamError::NoSuchScene(_)
            | ExamError::Stage(_)
            | ExamError::NoScenes { .. } => 2,
            ExamError::Bot(_) | ExamError::File { .. } | ExamError::Output(_) => 4,
            ExamError::Interrupted => 130,
        }
    }
}

/// Runs the tool, and returns its exit status.
///
/// # Errors
/// If there is no scene, the bot cannot be started, a file or standard output cannot be written, or the
/// user interrupts.
pub fn run(args: &ExamArgs) -> Result<u8, ExamError> {
    let scenes = chosen_scenes(args)?;
    if args.list {
        let mut out = io::stdout().lock();
        for scene in &scenes {
            let (id, title, why) = (&scene.id, &scene.title, &scene.why);
            let points = points(scene.points);
            writeln!(out, "{id:<22} {points}: the bot {title}\n{:22} {why}", "")?;
        }
        return Ok(0);
    }
    let file_error = |path: &Path, error| ExamError::File { path: path.to_owned(), error };
    if let Some(path) = &args.json {
        let inputs = files::named_in(&args.command, args.dir.as_deref());
        let inputs = inputs.into_iter().chain(args.scenes.clone());
        files::check_json_output(path, inputs).map_err(|error| file_error(path, error))?;
    }
    let mut reports = Vec::new();
    let outcome = examine(args, &scenes, &mut reports);
    let report = ExamReport {
        stage: args.stage.name(),
        variant: args.variant.name(),
        seed: args.seed,
        command: &args.command,
        points: reports.iter().map(|scene: &SceneReport| scene.points).sum(),
        of: scenes.iter().map(|scene| scene.points).sum(),
        scenes: &reports,
    };
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report).map_err(io::Error::from);
        text.and_then(|text| files::replace(path, (text + "\n").as_bytes()))
            .map_err(|error| file_error(path, error))?;
    }
    outcome?;
    report.print_summary()?;
    Ok(u8::from(!report.is_passed()))
}

fn chosen_scenes(args: &ExamArgs) -> Result<Vec<Scene>, ExamError> {
    if let Some(problem) = args.stage.problem(args.variant) {
        return Err(ExamError::Stage(problem));
    }
    let mut scenes = match &args.scenes {
        Some(path) => scene::read(path, args.stage, args.variant)?,
        None => scene::built_in(args.stage, args.variant),
    };
    if scenes.is_empty() {
        let (stage, variant) = (args.stage.name(), args.variant.title());
        return Err(ExamError::NoScenes { stage, variant });
    }
    scenes.retain(|scene| scene.id == args.only || scene.title.contains(&args.only));
    if scenes.is_empty() { Err(ExamError::NoSuchScene(args.only.clone())) } else { Ok(scenes) }
}

/// Plays the scenes, prints each result and adds it to `reports`.
fn examine(
    args: &ExamArgs,
    scenes: &[Scene],
    reports: &mut Vec<SceneReport>,
) -> Result<(), ExamError> {
    let spec = EngineSpec {
        command: args.command.clone(),
        directory: args.dir.clone(),
        ..EngineSpec::default()
    };
    let settings =
        CheckSettings { stage: args.stage, board_order: None, margin: Duration::from_millis(200) };
    let stop = StopSignal::on_interrupt();
    let mut examiner = Examiner::start(&spec, stop, args.variant, settings, args.seed)?;
    for scene in scenes {
        let report = examiner.examine(scene)?;
        report.print(args.verbose)?;
        reports.push(report);
    }
    Ok(())
}
