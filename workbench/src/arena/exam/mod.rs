//! `trebuchet exam`: examines a bot, or all bots of a class, in scenes.
//!
//! A scene is a position or the beginning of a game, and what the bot must do then. `scene` has them,
//! `accept` what they accept, `variation` and `mirror` how a seed varies them; `examiner` plays them with a bot, over a
//! `driver` for `cecp`, `uci` or a real `xboard`. `examination` builds and examines one bot,
//! `class` all in a folder. `report` has the results; `forms` writes them for programs, `page` for people. The
//! conversation is the one of `comply`, and the rules of the stages are judged as by `check`.

mod accept;
mod bot;
mod build;
mod cecp;
mod class;
mod confine;
mod driver;
mod edit;
mod examination;
mod examiner;
mod forms;
mod games;
mod mirror;
mod page;
mod report;
mod scene;
mod scene_page;
mod strength;
mod uci;
mod variation;
mod xboard;

use std::io::{self, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::counts::points;
use bot::{Bot, BotError, SpokenProtocol};
use class::Class;
use confine::{Confine, Confinement};
use examination::Examination;
use forms::Form;
use games::GameRules;
use report::{ExamReport, SceneReport};
use scene::{Scene, SceneError};
use xboard::Xboard;

use super::engines::{EngineError, EngineSpec, StopSignal, TimeControl};
use super::tournament::event::MatchError;
use super::tournament::resume::ResumeError;
use crate::files;
use trebuchet::play::Stage;
use trebuchet::variants::VariantId;

/// How late a move may be, in scenes and in games.
const MARGIN: Duration = Duration::from_millis(200);

/// Examine a bot that speaks CECP or UCI, or a class of them, in scenes: positions in which it must do the right thing.
///
/// FOLDER is built and run as a course says: by `make build` and `make run`, or by the commands in its file exam.toml. A scene that fails is played once more. Exit status: 0 all scenes are passed, 1 a scene fails or is not tested or the bot cannot be built, 2 wrong arguments, scenes or files, 4 the bot or an opponent cannot be started, or xboard or bubblewrap is missing, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct ExamArgs {
    /// The folder of a bot, to be built and examined
    #[arg(value_name = "FOLDER", conflicts_with_all = ["dir", "command", "class", "list"])]
    folder: Option<PathBuf>,
    /// The stage of the bot: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// The protocol of the bot; auto finds it out
    #[arg(long, value_enum, default_value = "auto")]
    protocol: SpokenProtocol,
    /// Play the scenes through a real xboard, which must be installed, with Xvfb where there is no screen
    #[arg(long, conflicts_with = "list")]
    xboard: bool,
    /// The scenes of this TOML file instead of the built-in ones; may be given several times, and `built-in` names the built-in ones
    #[arg(long, value_name = "FILE")]
    scenes: Vec<PathBuf>,
    /// Only the scene with this id, or those whose titles contain this text
    #[arg(long, value_name = "SCENE", default_value = "", hide_default_value = true)]
    only: String,
    /// Another number varies the scenes in another way
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// List the scenes with what they are for, and run nothing, as `exam scenes` does; `--html` shows them with their boards
    #[arg(long, conflicts_with_all = ["json", "csv", "junit", "gradescope", "classroom50"])]
    list: bool,
    /// Show the dialogue of every scene, not only of those that fail
    #[arg(long)]
    verbose: bool,
    /// The command that builds the bot in a folder; an empty one builds nothing. No shell runs it: for `&&` or `>` write sh -c '...'
    #[arg(long, value_name = "COMMAND", default_value = "make build", value_parser = bot::without_shell)]
    build: String,
    /// The command that runs the bot in a folder, without a shell, too
    #[arg(long, value_name = "COMMAND", default_value = "make run", value_parser = bot::without_shell)]
    run: String,
    /// How many seconds a build may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    build_limit: u64,
    /// Are bots in folders confined by bubblewrap?
    #[arg(long, value_enum, default_value = "auto")]
    confine: Confine,
    /// The most memory of a process of the bot in MiB, counted as address space; 0 for any, which bots on .NET need
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(..=1 << 40))]
    memory: u64,
    /// Examine the bot in each folder inside this one
    #[arg(long, value_name = "FOLDER", requires = "output", conflicts_with_all = ["dir", "command", "list", "FileArgs"])]
    class: Option<PathBuf>,
    /// The folder for the results of the class; bots that have results there are not examined again
    // `requires` alone is passed over beside a bot, which `class` conflicts with.
    #[arg(long, value_name = "FOLDER", requires = "class", conflicts_with_all = ["folder", "command", "list"])]
    output: Option<PathBuf>,
    /// Play this many games against each of our playing levels, up to the first that wins them all; 2 without a number
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "2", value_parser = ladder_games)]
    ladder: Option<u32>,
    /// Let the ladder have this engine instead of our levels, in the form of `match --engine`; may be given several times, the weakest engine first
    #[arg(long, value_name = "ENGINE", requires = "ladder")]
    opponent: Vec<EngineSpec>,
    /// The file for the games against the levels; in a class each bot has its own
    #[arg(long, value_name = "FILE", requires = "ladder", conflicts_with = "class")]
    pgn: Option<PathBuf>,
    /// Let the bots of a class play this many games against each other
    #[arg(long, value_name = "GAMES", requires = "class", conflicts_with_all = ["folder", "command", "list"], value_parser = even_games)]
    tournament: Option<u32>,
    /// From this number of bots on they do not all meet: a Swiss tournament
    #[arg(long, value_name = "BOTS", default_value_t = 12, requires = "tournament")]
    swiss: usize,
    /// The clock of all games
    #[arg(long, value_name = "TIME", default_value = "3+0.02")]
    tc: TimeControl,
    /// How many bots of a class are examined at a time; by default as many as there are processors
    #[arg(long, value_name = "N", requires = "class", conflicts_with_all = ["folder", "command", "list"])]
    concurrency: Option<NonZeroUsize>,
    #[command(flatten)]
    files: FileArgs,
    /// The folder to run the bot's command in
    #[arg(long, value_name = "FOLDER", requires = "command")]
    dir: Option<PathBuf>,
    /// The bot's command and its arguments
    #[arg(last = true)]
    command: Vec<String>,
}

/// A number of games of which each opening can be played with both colours.
fn even_games(text: &str) -> Result<u32, String> {
    let games = text
        .parse()
        .ok()
        .filter(|games: &u32| (2..=1000).contains(games) && games.is_multiple_of(2));
    games.ok_or_else(|| {
        "an even number from 2 to 1000: each opening is played with both colours".into()
    })
}

/// As [`even_games`], but a word behind `--ladder` may be meant as the folder of the bot.
fn ladder_games(text: &str) -> Result<u32, String> {
    if text.parse::<f64>().is_err() {
        return Err(
            "--ladder takes a number of games; put the FOLDER before it, or write --ladder=2"
                .into(),
        );
    }
    even_games(text)
}

/// The files for the results of one bot. A file of another form is not replaced.
#[derive(Clone, Debug, clap::Args)]
struct FileArgs {
    /// Write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a line for each scene to this file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the results as `results.json` of Gradescope
    #[arg(long, value_name = "FILE")]
    gradescope: Option<PathBuf>,
    /// Write the results as `result.json` of Classroom 50
    #[arg(long, value_name = "FILE")]
    classroom50: Option<PathBuf>,
    /// Write a page with the scenes, their boards and dialogues
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl FileArgs {
    /// The files that are to be written.
    fn named(&self) -> impl Iterator<Item = (Form, &PathBuf)> {
        let files = [
            (Form::Json, &self.json),
            (Form::Csv, &self.csv),
            (Form::Junit, &self.junit),
            (Form::Gradescope, &self.gradescope),
            (Form::Classroom50, &self.classroom50),
            (Form::Html, &self.html),
        ];
        files.into_iter().filter_map(|(form, path)| Some((form, path.as_ref()?)))
    }
}

impl ExamArgs {
    /// Are the scenes to be listed? `exam scenes` does that, too, where there is no such folder.
    fn lists_scenes(&self) -> bool {
        let is_word = |folder: &PathBuf| folder == Path::new("scenes") && !folder.exists();
        self.list || self.folder.as_ref().is_some_and(is_word)
    }

    /// A file that is named for two results. A device or a pipe takes several.
    fn repeated_file(&self) -> Option<PathBuf> {
        let named = self.files.named().map(|(_, path)| path).chain(&self.pgn);
        let paths: Vec<PathBuf> =
            named.filter(|path| path.is_file() || !path.exists()).cloned().collect();
        files::repeated(&paths).map(Path::to_owned)
    }

    /// The name that two opponents share, if any do.
    fn repeated_opponent(&self) -> Option<String> {
        let names: Vec<String> = self.opponent.iter().map(EngineSpec::label).collect();
        let number = (1..names.len()).find(|&number| names[..number].contains(&names[number]))?;
        names.into_iter().nth(number)
    }

    fn confinement(&self) -> Confinement {
        Confinement { when: self.confine, memory: NonZeroU64::new(self.memory) }
    }

    fn game_rules(&self, games: u32, concurrency: usize) -> GameRules {
        GameRules {
            variant: self.variant,
            games: games as usize,
            time_control: self.tc,
            concurrency,
            seed: self.seed,
            opponents: self.opponent.clone(),
        }
    }

    /// In a class no bot sees the others, or what was found of them. The folder of the results may hold the class
    /// and, as a home folder, the compilers, too: then only the bots' own results are hidden.
    fn hidden(&self) -> Vec<PathBuf> {
        let canonical = |folder: &PathBuf| files::canonical(folder).ok();
        let class = self.class.as_ref().and_then(canonical);
        let results = self.output.as_ref().and_then(canonical).map(|output| {
            let holds_bots = class.as_ref().is_some_and(|class| class.starts_with(&output));
            if holds_bots { output.join(class::BOTS) } else { output }
        });
        class.into_iter().chain(results).collect()
    }

    fn examination(&self, scenes: Vec<Scene>) -> Examination {
        Examination {
            stage: self.stage,
            variant: self.variant,
            seed: self.seed,
            protocol: self.protocol,
            has_xboard: self.xboard,
            scenes,
            build_limit: Duration::from_secs(self.build_limit),
            confinement: self.confinement(),
            hidden: self.hidden(),
        }
    }
}

/// Why an examination ended early.
#[derive(Debug, thiserror::Error)]
pub enum ExamError {
    #[error("name a bot: its FOLDER, `--class FOLDER` for a class, or its command after `--`")]
    NoBot,
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
    #[error(transparent)]
    Folder(#[from] BotError),
    #[error("{}: there is no folder inside", .0.display())]
    EmptyClass(PathBuf),
    #[error("bots cannot be confined: `bwrap` of bubblewrap is missing, or the system forbids it")]
    NoBubblewrap,
    #[error("`xboard` is missing, or there is neither a screen nor `Xvfb`")]
    NoXboard,
    #[error("there is no screen or no folder for xboard: {0}")]
    Xboard(io::Error),
    #[error("xboard does not know the rules of {0}")]
    UnknownToXboard(&'static str),
    #[error("the results of a class cannot be kept inside its folder")]
    OutputInClass,
    #[error(
        "the games of the bot `{0}` and the results of the bot `{0}.games` would be in one file: give one of \
         the folders another name"
    )]
    SharedFile(String),
    #[error("{}: this file is named for two results", .0.display())]
    SharedResults(PathBuf),
    #[error("the bot {0}")]
    Bot(EngineError),
    #[error("the bot {0}")]
    Unfit(String),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Output(#[from] io::Error),
    #[error("`--ladder` needs a file for the games: `--pgn FILE`")]
    NoGamesFile,
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error("two opponents are called {0}: name one of them, as in --opponent 'name=other …'")]
    SameOpponents(String),
    #[error("the opponent {name} {why}")]
    Opponent { name: String, why: String },
    #[error("{}: {error}; without this file the tournament begins anew", path.display())]
    Games { path: PathBuf, error: Box<ResumeError> },
    #[error(
        "{}: these games were paired for other bots or another number of games; without this file the tournament \
         begins anew",
        .0.display()
    )]
    OtherRounds(PathBuf),
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
            ExamError::NoBot
            | ExamError::Scenes(_)
            | ExamError::NoSuchScene(_)
            | ExamError::Stage(_)
            | ExamError::NoScenes { .. }
            | ExamError::Folder(_)
            | ExamError::EmptyClass(_)
            | ExamError::UnknownToXboard(_)
            | ExamError::OutputInClass
            | ExamError::SharedFile(_)
            | ExamError::SharedResults(_)
            | ExamError::NoGamesFile
            | ExamError::SameOpponents(_)
            | ExamError::Games { .. }
            | ExamError::OtherRounds(_)
            | ExamError::File { .. }
            | ExamError::Output(_) => 2,
            ExamError::NoBubblewrap
            | ExamError::NoXboard
            | ExamError::Xboard(_)
            | ExamError::Bot(_)
            | ExamError::Unfit(_)
            | ExamError::Match(_)
            | ExamError::Opponent { .. } => 4,
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
    if !args.list && args.folder.is_none() && args.class.is_none() && args.command.is_empty() {
        return Err(ExamError::NoBot);
    }
    let scenes = chosen_scenes(args)?;
    if args.lists_scenes() {
        unless_unread(list(args, &scenes))?;
        if let Some(path) = &args.files.html {
            write_scene_page(args, &scenes, path)?;
        }
        return Ok(0);
    }
    if let Some(name) = args.repeated_opponent() {
        return Err(ExamError::SameOpponents(name));
    }
    if !args.confinement().is_possible() {
        return Err(ExamError::NoBubblewrap);
    }
    if args.xboard && !xboard::knows(args.variant) {
        return Err(ExamError::UnknownToXboard(args.variant.title()));
    }
    if args.xboard && !Xboard::is_installed() {
        return Err(ExamError::NoXboard);
    }
    let examination = args.examination(scenes);
    match (&args.class, &args.output) {
        (Some(folder), Some(output)) => examine_class(args, &examination, folder, output),
        _ => examine_bot(args, &examination),
    }
}

fn list(args: &ExamArgs, scenes: &[Scene]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for scene in scenes {
        let prepared = scene.prepare(args.variant, args.seed);
        let shown = prepared.as_ref().map_or(scene, |prepared| &prepared.scene);
        let (id, title, why) = (&shown.id, &shown.title, &shown.why);
        let points = points(scene.points);
        writeln!(out, "{id:<22} {points}: the bot {title}\n{:22} {why}", "")?;
        match prepared {
            Ok(prepared) => writeln!(out, "{:22} {}", "", scene_page::in_words(&prepared))?,
            Err(error) => writeln!(out, "{:22} {error}", "")?,
        }
    }
    Ok(())
}

fn write_scene_page(args: &ExamArgs, scenes: &[Scene], path: &Path) -> Result<(), ExamError> {
    let page = scene_page::scene_page(scenes, args.stage, args.variant, args.seed);
    files::check_output_like(path, Form::Html.start(), &args.scenes)
        .and_then(|()| files::replace(path, page.as_bytes()))
        .map_err(|error| ExamError::File { path: path.to_owned(), error })
}

fn examine_bot(args: &ExamArgs, examination: &Examination) -> Result<u8, ExamError> {
    let bot = match &args.folder {
        Some(folder) => match Bot::in_folder(folder, &args.build, &args.run) {
            Err(error @ BotError::Folder { .. }) => return Err(error.into()),
            found => found.map_err(|error| (folder, error)),
        },
        None => Ok(Bot::program(&args.command, args.dir.as_deref())),
    };
    if let Some(path) = args.repeated_file() {
        return Err(ExamError::SharedResults(path));
    }
    let file_error = |path: &Path, error| ExamError::File { path: path.to_owned(), error };
    for (form, path) in args.files.named() {
        let program = bot.as_ref().ok();
        let program = program.map(|bot| files::named_in(&bot.command, bot.folder.as_deref()));
        let inputs = program.into_iter().flatten().chain(args.scenes.clone());
        files::check_output_like(path, form.start(), inputs)
            .map_err(|error| file_error(path, error))?;
    }
    let games = match (args.ladder, &args.pgn) {
        (Some(_), None) => return Err(ExamError::NoGamesFile),
        (None, _) => None,
        (Some(games), Some(path)) => {
            files::check_output_like(path, games::FIRST_TAG, &args.scenes)
                .map_err(|error| file_error(path, error))?;
            Some((args.game_rules(games, 1), path))
        }
    };
    let stop = StopSignal::on_interrupt();
    let tell = |scene: &SceneReport| Ok(unless_unread(scene.print(args.verbose))?);
    let mut report = match &bot {
        Ok(bot) => examination.examine(bot, &stop, tell)?,
        Err((folder, error)) => examination.unfit(folder, error),
    };
    let mut is_played = Ok(());
    if let (Ok(bot), Some((rules, path)), None) = (&bot, games, &report.problem) {
        let ladder = rules.ladder(&examination.spec_as_found(bot, &report), path, &stop);
        is_played = ladder.map(|ladder| report.add_ladder(ladder, &rules));
    }
    for (form, path) in args.files.named() {
        files::replace(path, form.text(&report).as_bytes())
            .map_err(|error| file_error(path, error))?;
    }
    unless_unread(tell_end(&report))?;
    // The scenes are not lost if the ladder cannot be played.
    is_played?;
    let is_unbuilt = report.is_unbuilt();
    match report.problem {
        Some(problem) if !is_unbuilt => Err(ExamError::Unfit(problem)),
        _ => Ok(u8::from(is_unbuilt || !report.is_passed())),
    }
}

/// A reader that has left, such as a pager, neither ends an examination nor changes its result.
fn unless_unread(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints the output of a build that failed, the games for the strength, and the sum.
fn tell_end(report: &ExamReport) -> io::Result<()> {
    let failed = report.build.iter().filter(|build| build.problem.is_some());
    let mut out = io::stdout().lock();
    failed.flat_map(|build| &build.output).try_for_each(|line| writeln!(out, "        {line}"))?;
    for rung in &report.ladder {
        writeln!(out, "{}", ExamReport::rung(rung))?;
    }
    if let Some(strength) = report.strength_in_words() {
        writeln!(out, "Elo: {strength}.")?;
    }
    writeln!(out, "{}", report.summary())
}

fn examine_class(
    args: &ExamArgs,
    examination: &Examination,
    folder: &Path,
    output: &Path,
) -> Result<u8, ExamError> {
    let class = class_of(args, folder, output);
    let reports = class.examine(examination, &StopSignal::on_interrupt())?;
    let passed = reports.iter().filter(|report| report.is_passed()).count();
    let (count, page) = (reports.len(), output.join("class.html"));
    let mut out = io::stdout().lock();
    unless_unread(writeln!(
        out,
        "{passed} of {count} bots pass every scene; see {}",
        page.display()
    ))?;
    Ok(u8::from(passed < reports.len()))
}

fn class_of(args: &ExamArgs, folder: &Path, output: &Path) -> Class {
    let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let concurrency = args.concurrency.unwrap_or_else(processors).get();
    Class {
        folder: folder.to_owned(),
        output: output.to_owned(),
        build: args.build.clone(),
        run: args.run.clone(),
        concurrency,
        ladder: args.ladder.map(|games| args.game_rules(games, 1)),
        tournament: args.tournament.map(|games| args.game_rules(games, concurrency)),
        swiss_from: args.swiss,
    }
}

fn chosen_scenes(args: &ExamArgs) -> Result<Vec<Scene>, ExamError> {
    if let Some(problem) = args.stage.problem(args.variant) {
        return Err(ExamError::Stage(problem));
    }
    let mut scenes = scene::of_lists(&args.scenes, args.stage, args.variant)?;
    if scenes.is_empty() {
        let (stage, variant) = (args.stage.name(), args.variant.title());
        return Err(ExamError::NoScenes { stage, variant });
    }
    scenes.retain(|scene| scene.id == args.only || scene.title.contains(&args.only));
    if scenes.is_empty() { Err(ExamError::NoSuchScene(args.only.clone())) } else { Ok(scenes) }
}
