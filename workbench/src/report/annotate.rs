//! `trebuchet annotate`: analyses games and writes them with the analysis.

use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::analysis::{AnalysisError, Step, analyse};
use super::annotated_pgn;
use super::annotation::AnnotatedGame;
use super::html;
use super::judge;
use super::outputs::{self, OutputError, Target};
use super::progress::{ProgressError, ProgressFile};
use super::search::SearchSettings;
use super::source::{SourceError, SourceGame};
use crate::files::{self, MAX_GAMES};
use crate::seconds;
use trebuchet::args::{hash, threads};
use trebuchet::notation::pgn::{self, PgnGame};
use trebuchet::text::printable;
use trebuchet::threads::processors;
use trebuchet::types::{Color, Depth};

/// Analyse the games of PGN files: search every move, say which were mistakes, and show better ones.
///
/// Writes GAME.annotated.pgn and GAME.html beside GAME.pgn. The games may be of every variant that the
/// engine plays; the tag Variant names it. The annotated PGN has all that the source has. For each move
/// it adds the evaluation ([%eval 0.35]); for a mistake also a glyph ($2), words and a better line. An
/// earlier annotation by this program is replaced.
///
/// Ctrl-C keeps what is found so far in a file whose name ends in .progress. The same command then goes
/// on where it was. With --keep the file stays at the end, too, and the next run searches only what is new.
///
/// Exit status: 0 all games were analysed, 1 a game has an illegal move, an unknown variant or a bad
/// start position, or a file cannot be used, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct AnnotateArgs {
    /// PGN files; - is standard input
    #[arg(required = true, value_name = "GAME.pgn")]
    games: Vec<PathBuf>,
    /// Seconds for each move; 1 if no other limit is given
    #[arg(long, value_name = "SECONDS", value_parser = read_move_time)]
    time: Option<Duration>,
    /// Plies of search for each move
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..=100))]
    depth: Option<Depth>,
    /// Nodes for each move. Without --time, the result is the same on every run and with every number of
    /// cores
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many positions to search at the same time, each with one thread; by default as many as there
    /// are processors
    #[arg(long, value_name = "N", value_parser = threads())]
    cores: Option<u16>,
    /// The size of the transposition table of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = hash())]
    hash: u32,
    /// Folders with endgame tables, for chess and for three-check
    #[arg(long, value_name = "DIRS", default_value = "", hide_default_value = true)]
    tablebases: String,
    /// Take only the game with this number of each file, counted from 1; may be given several times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Vec<u32>,
    /// Write all games to this PGN file, and no other files than those that are named; - is standard
    /// output, the default for games from standard input
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write a report on all games to this HTML file, and no other files than those that are named
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Keep what is found: the next run with the same limits searches only positions that are new
    #[arg(long)]
    keep: bool,
    /// Replace files that this command has not written
    #[arg(long)]
    force: bool,
}

/// Why the games could not be annotated.
#[derive(Debug, thiserror::Error)]
pub enum AnnotateError {
    #[error("{0}: {1}")]
    Read(PathBuf, io::Error),
    #[error("there is no game{0}")]
    NoGame(String),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Progress(#[from] ProgressError),
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    Done,
    /// A game could not be analysed to its end.
    Problems,
    Interrupted,
}

impl Conclusion {
    /// The exit status of the command.
    pub const fn exit_code(self) -> u8 {
        match self {
            Conclusion::Done => 0,
            Conclusion::Problems => 1,
            Conclusion::Interrupted => 130,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or the games could not be analysed.
pub fn run(args: &AnnotateArgs) -> Result<Conclusion, AnnotateError> {
    let interrupted = Arc::new(AtomicBool::new(false));
    annotate(args, &interrupted, &mut io::stderr(), || {
        let flag = Arc::clone(&interrupted);
        // Best effort: without a handler, Ctrl-C ends the program at once, and the progress file stays,
        // too.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    })
}

/// A game of the input, as it can be analysed or not.
type Input = Result<SourceGame, (PgnGame, SourceError)>;

/// What people should know about the sources.
enum Note {
    /// A game or a file that cannot be analysed to its end.
    Problem(String),
    PassedOver(String),
}

/// Games that are written to the same files.
struct Group {
    sources: Vec<PathBuf>,
    inputs: Vec<Input>,
    pgn: Option<Target>,
    html: Option<Target>,
}

/// Annotates the games and tells `messages` what people should know. Calls `catch_interrupts` when there is
/// something to be kept: until then, Ctrl-C ends the program at once.
fn annotate(
    args: &AnnotateArgs,
    interrupted: &AtomicBool,
    messages: &mut (dyn Write + Send),
    catch_interrupts: impl FnOnce(),
) -> Result<Conclusion, AnnotateError> {
    let mut has_problems = false;
    let mut tell = |text: &str| {
        // Best effort: the games are annotated even if nobody can be told.
        let _ = writeln!(messages, "{}", printable(text));
    };
    let groups = args.groups(&mut |note| {
        has_problems |= matches!(note, Note::Problem(_));
        let (Note::Problem(text) | Note::PassedOver(text)) = note;
        tell(&text);
    })?;
    let targets: Vec<&Target> =
        groups.iter().flat_map(|group| group.pgn.iter().chain(&group.html)).collect();
    let sources: Vec<PathBuf> = groups.iter().flat_map(|group| group.sources.clone()).collect();
    outputs::check(&targets, &sources, args.force)?;
    catch_interrupts();
    let file = progress_path(&targets).map(|path| ProgressFile::open(&path)).transpose()?;

    let settings = args.settings();
    let games: Vec<SourceGame> =
        groups.iter().flat_map(|group| group.inputs.iter().flatten().cloned()).collect();
    let threads = args.cores.map_or_else(processors, usize::from);
    let mut bar = Bar::new();
    let mut notices = Vec::new();
    let mut report = |step| match step {
        Step::Notice(text) if notices.contains(&text) => {}
        Step::Notice(text) => {
            bar.0.suspend(|| tell(&text));
            notices.push(text);
        }
        step => bar.step(step),
    };
    let analysed = analyse(&games, &settings, threads, file, interrupted, &mut report);
    bar.0.finish_and_clear();
    let (findings, file) = match analysed {
        Ok(found) => found,
        Err(AnalysisError::Interrupted(done, total)) => {
            let advice = match progress_path(&targets) {
                Some(_) => "the same command goes on from there",
                None => "nothing is kept, because no file is written",
            };
            tell(&format!("interrupted: {done} of {total} positions are searched; {advice}"));
            return Ok(Conclusion::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    let mut annotated = games
        .iter()
        .zip(&findings)
        .map(|(game, findings)| judge::annotate(game, findings, &settings));
    for group in &groups {
        let own = group.inputs.iter().filter(|input| input.is_ok()).count();
        let games: Vec<AnnotatedGame> = annotated.by_ref().take(own).collect();
        group.write(&games)?;
        games.iter().for_each(|game| tell(&summary(game)));
        for path in group.pgn.iter().chain(&group.html).filter_map(Target::path) {
            tell(&format!("written: {}", path.display()));
        }
    }
    if let Some(file) = file.filter(|_| !args.keep) {
        file.remove()?;
    }
    Ok(if has_problems { Conclusion::Problems } else { Conclusion::Done })
}

impl AnnotateArgs {
    fn settings(&self) -> SearchSettings {
        let has_limit = self.depth.is_some() || self.nodes.is_some();
        SearchSettings {
            time: self.time.or((!has_limit).then_some(Duration::from_secs(1))),
            depth: self.depth,
            nodes: self.nodes,
            hash: self.hash as usize,
            tables: self.tablebases.clone(),
        }
    }

    /// Reads the games: all in one group if outputs are named, else a group for each source.
    fn groups(&self, tell: &mut dyn FnMut(Note)) -> Result<Vec<Group>, AnnotateError> {
        let mut groups = Vec::new();
        let names_outputs = self.pgn.is_some() || self.html.is_some();
        for path in &self.games {
            // With `*.pgn` the files of an earlier run are among the sources.
            let is_output = |source: &PathBuf| annotated_name(source).path() == Some(path);
            if !names_outputs
                && let Some(source) = self.games.iter().find(|source| is_output(source))
            {
                let (path, source) = (path.display(), source.display());
                let why = format!("{path}: passed over, because it is the output for {source}");
                tell(Note::PassedOver(why));
                continue;
            }
            let inputs = self.read(path, tell)?;
            let (pgn, html) = if outputs::is_standard(path) {
                (Target::Stdout, None)
            } else {
                let html = Target::beside(path, ".html");
                (annotated_name(path), Some(html))
            };
            groups.push(Group { sources: vec![path.clone()], inputs, pgn: Some(pgn), html });
        }
        if names_outputs {
            let inputs = groups.iter_mut().flat_map(|group| mem::take(&mut group.inputs));
            let target = |path: &Option<PathBuf>| path.as_deref().map(Target::new);
            let (sources, inputs) = (self.games.clone(), inputs.collect());
            let (pgn, html) = (target(&self.pgn), target(&self.html));
            groups = vec![Group { sources, inputs, pgn, html }];
        }
        groups.retain(|group| !group.inputs.is_empty());
        if groups.is_empty() {
            let number = |number: &u32| format!(" {number}");
            return Err(AnnotateError::NoGame(self.game.iter().map(number).collect()));
        }
        Ok(groups)
    }

    /// The wanted games of a file.
    fn read(&self, path: &Path, tell: &mut dyn FnMut(Note)) -> Result<Vec<Input>, AnnotateError> {
        let (name, read) = if outputs::is_standard(path) {
            ("standard input".to_owned(), files::read_all(io::stdin().lock(), MAX_GAMES))
        } else {
            (path.display().to_string(), files::read(path, MAX_GAMES))
        };
        let bytes = read.map_err(|error| AnnotateError::Read(path.to_owned(), error))?;
        let text = pgn::decode(&bytes);
        let mut inputs = Vec::new();
        for (number, game) in (1..).zip(pgn::read(&text)) {
            if !self.game.is_empty() && !self.game.contains(&number) {
                continue;
            }
            let input = SourceGame::new(game);
            let problem = match &input {
                Ok(game) => game.problem.clone(),
                Err((_, error)) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                tell(Note::Problem(format!("{name}, game {number}: {problem}")));
            }
            inputs.push(input);
        }
        if inputs.is_empty() {
            tell(Note::Problem(format!("{name}: no game")));
        }
        Ok(inputs)
    }
}

impl Group {
    /// Writes the games. `games` are those of the inputs that could be analysed.
    fn write(&self, games: &[AnnotatedGame]) -> Result<(), OutputError> {
        if let Some(target) = &self.pgn {
            let mut annotated = games.iter();
            let mut text = String::new();
            for input in &self.inputs {
                let game = match input {
                    Err((game, error)) => annotated_pgn::write_refused(game.clone(), error),
                    Ok(source) => match annotated.next() {
                        Some(game) => annotated_pgn::write(source, game),
                        None => continue,
                    },
                };
                text += &game.to_string();
            }
            target.write(text.as_bytes())?;
        }
        if let Some(target) = &self.html {
            target.write(html::page(games).as_bytes())?;
        }
        Ok(())
    }
}

/// The annotated PGN that is written for a source.
fn annotated_name(source: &Path) -> Target {
    Target::beside(source, ".annotated.pgn")
}

/// The progress file lies beside the first output that is a file, and no terminal or pipe.
fn progress_path(targets: &[&Target]) -> Option<PathBuf> {
    let can_lie_beside = |path: &&Path| !path.metadata().is_ok_and(|found| !found.is_file());
    let path = targets.iter().filter_map(|target| target.path()).find(can_lie_beside)?;
    let mut name = path.file_name()?.to_owned();
    name.push(".progress");
    Some(path.with_file_name(name))
}

/// The players with their accuracy: `Anna - Boris: accuracy 87.3% and 91.0%`.
fn summary(game: &AnnotatedGame) -> String {
    let names = Color::ALL.map(|color| {
        let tag = color.to_string();
        let name = game.tags.iter().find(|(name, _)| *name == tag);
        name.map_or_else(|| "?".to_owned(), |(_, name)| name.clone())
    });
    let accuracy = game.accuracy.map(|accuracy| match accuracy {
        Some(percent) => format!("{percent:.1}%"),
        None => "-".to_owned(),
    });
    format!("{}: accuracy {}", names.join(" - "), accuracy.join(" and "))
}

/// A bar on standard error, shown only if that is a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Bar {
        let bar = ProgressBar::new(0);
        let template = "{wide_bar} {pos}/{len} positions, {eta} left";
        Bar(match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        })
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Begin(done, total) => {
                self.0.set_length(total as u64);
                self.0.set_position(done as u64);
                // What an earlier run has found took no time.
                self.0.reset_eta();
                self.0.enable_steady_tick(Duration::from_millis(500));
            }
            Step::Searched => self.0.inc(1),
            Step::Notice(_) => {}
        }
    }
}

/// The least and the greatest time for a move. The greatest is a day.
const LEAST_TIME: Duration = Duration::from_millis(1);
const MOST_TIME: Duration = Duration::from_secs(86_400);

/// Reads the time for a move, in seconds.
fn read_move_time(text: &str) -> Result<Duration, String> {
    let time = seconds::read(text).filter(|time| (LEAST_TIME..=MOST_TIME).contains(time));
    time.ok_or_else(|| {
        let [least, most] = [LEAST_TIME, MOST_TIME].map(|time| time.as_secs_f64());
        format!("not a number of seconds from {least} to {most}")
    })
}
