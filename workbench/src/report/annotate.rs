//! `trebuchet annotate`: analyses games and writes them with the analysis.

use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::analysis::AnalysisError;
use super::annotated_pgn;
use super::annotation::AnnotatedGame;
use super::html;
use super::outputs::{self, OutputError, Target};
use super::pipeline::Pipeline;
use super::progress::{ProgressError, ProgressFile};
use super::search::SearchSettings;
use super::search_args::SearchArgs;
use super::source::{SourceError, SourceGame};
use crate::files::{self, MAX_GAMES};
use crate::interrupts::on_interrupt;
use trebuchet::notation::pgn::{self, PgnGame};
use trebuchet::text::printable;
use trebuchet::types::Color;

/// Analyse the games of PGN files: search every move, say which were mistakes, and show better ones.
///
/// Writes GAME.annotated.pgn and GAME.html beside GAME.pgn. The games may be of every variant that the
/// engine plays; the tag Variant names it. The annotated PGN has all that the source has. For each move
/// it adds the evaluation ([%eval 0.35]); for a mistake also a glyph ($2), words and a better line. An
/// earlier annotation by this program is replaced. Without a limit, each position is searched for a second.
///
/// Ctrl-C keeps what is found so far in a file whose name ends in .progress. The same command then goes
/// on where it was. With --keep the file stays at the end, too, and the next run searches only what is new.
///
/// Exit status: 0 all games were analysed, 1 a game has an illegal move, an unknown variant, a bad
/// start position, a broken tag or an unclosed comment, or a file cannot be used, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct AnnotateArgs {
    /// PGN files; - is standard input
    #[arg(required = true, value_name = "GAME.pgn")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
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
    /// Leave the exercises out of the report. Looking for them takes a part of the time of the analysis
    #[arg(long)]
    no_exercises: bool,
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
        let _ = on_interrupt(move || flag.store(true, Ordering::Relaxed));
    })
}

/// A game of the input, as it can be analysed or not.
type Input = Result<SourceGame, (Box<PgnGame>, SourceError)>;

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
    let file =
        outputs::progress_path(&targets).map(|path| ProgressFile::open(&path)).transpose()?;

    let settings = args.search.settings(SearchSettings {
        time: Some(Duration::from_secs(1)),
        ..SearchSettings::default()
    });
    let games: Vec<SourceGame> =
        groups.iter().flat_map(|group| group.inputs.iter().flatten().cloned()).collect();
    // A report is a part of the group; only its games have exercises.
    let sides: Vec<[bool; 2]> = groups
        .iter()
        .flat_map(|group| {
            let has_exercises = group.html.is_some() && !args.no_exercises;
            group.inputs.iter().flatten().map(move |_| [has_exercises; 2])
        })
        .collect();
    let pipeline = Pipeline {
        sources: &games,
        sides: &sides,
        settings: &settings,
        threads: args.search.threads(),
        interrupted,
        exercises_left: |_, _| {
            "the exercises are not complete; the same command looks for them again".to_owned()
        },
    };
    let Some((annotated, file)) = pipeline.run(file, &mut tell)? else {
        return Ok(Conclusion::Interrupted);
    };
    let mut annotated = annotated.into_iter();
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
        let mut last = 0;
        for (number, game) in (1..).zip(pgn::read(&text)) {
            last = number;
            if !self.game.is_empty() && !self.game.contains(&number) {
                continue;
            }
            for flaw in &game.flaws {
                tell(Note::Problem(format!("{name}, game {number}: {flaw}")));
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
        if last == 0 {
            tell(Note::Problem(format!("{name}: no game")));
        } else if let Some(number) = self.game.iter().find(|&&number| number > last) {
            tell(Note::Problem(format!("{name}: there is no game {number}")));
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
                    Err((game, error)) => annotated_pgn::write_refused(PgnGame::clone(game), error),
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
            let refused: Vec<String> = self.inputs.iter().filter_map(refusal).collect();
            target.write(html::page(games, &refused).as_bytes())?;
        }
        Ok(())
    }
}

/// Why a game is not in the report, with its players.
fn refusal(input: &Input) -> Option<String> {
    let (game, error) = input.as_ref().err()?;
    let [white, black] = ["White", "Black"].map(|name| game.tag(name).unwrap_or("?"));
    Some(format!("{white} – {black}: not analysed, {error}"))
}

/// The annotated PGN that is written for a source.
fn annotated_name(source: &Path) -> Target {
    Target::beside(source, ".annotated.pgn")
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

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::types::{GameResult, Score};
    use trebuchet::variants::VariantId;

    #[test]
    fn the_players_are_told_with_their_accuracy() {
        let game = AnnotatedGame {
            variant: VariantId::Standard,
            tags: vec![("White".to_owned(), "Anna".to_owned())],
            comment: None,
            opening: None,
            start_fen: String::new(),
            start_score: Score::ZERO,
            plies: Vec::new(),
            result: GameResult::Unfinished,
            ending: None,
            problem: None,
            accuracy: [Some(87.26), None],
            limits: String::new(),
            engine: String::new(),
            heat: new_game(VariantId::Standard).heat_map(),
            exercises: Vec::new(),
        };
        assert_eq!(summary(&game), "Anna - ?: accuracy 87.3% and -");
    }
}
