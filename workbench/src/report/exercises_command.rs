//! `trebuchet exercises`: the mistakes of one player in many games, as a page of exercises.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::analysis::AnalysisError;
use super::annotate::Conclusion;
use super::html;
use super::outputs::{self, OutputError, Target};
use super::pipeline::Pipeline;
use super::progress::{ProgressError, ProgressFile};
use super::search::SearchSettings;
use super::search_args::SearchArgs;
use super::source::SourceGame;
use crate::files::{self, MAX_GAMES};
use crate::interrupts::on_interrupt;
use trebuchet::notation::pgn::{self, Flaw};
use trebuchet::text::tell;
use trebuchet::types::Color;

/// The nodes for each position if no limit is given: those of the coach.
const NODES: u64 = 100_000;

/// Make exercises of the mistakes that a player made in games: one HTML page for the browser.
///
/// The page shows the position before each mistake, and the player looks for a better move. Each try gets a
/// verdict with its reason. What is found comes again after days; what is not found stays due. The
/// exercises are sorted by what went wrong, and three sentences say what to work on. Only the games are
/// taken in which the tag White or Black has the player's name. Without a limit, each position is searched
/// with 100,000 nodes, as the coach does.
///
/// Ctrl-C keeps what the searches of the positions have found in a file whose name ends in .progress. The
/// same command then needs no time for them.
///
/// Exit status: 0 the page is written, 1 a game or a file cannot be used, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct ExercisesArgs {
    /// PGN files
    #[arg(required = true, value_name = "GAMES.pgn")]
    games: Vec<PathBuf>,
    /// The name of the player as in the tags White and Black, in capital or small letters; may be given
    /// several times for one who has several names
    #[arg(long, required = true, value_name = "NAME")]
    player: Vec<String>,
    /// The HTML file to write; - is standard output
    #[arg(long, value_name = "FILE", default_value = "exercises.html")]
    html: PathBuf,
    #[command(flatten)]
    search: SearchArgs,
    /// Replace a file that this program has not written
    #[arg(long)]
    force: bool,
}

/// Why the page could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ExercisesError {
    #[error("{0}: {1}")]
    Read(PathBuf, io::Error),
    #[error("there is no game")]
    NoGame,
    #[error("{0} is not a player of these games. Players: {1}")]
    NoPlayer(String, String),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Progress(#[from] ProgressError),
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// How many players are named if the wanted one has not played.
const MOST_NAMES: usize = 8;

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, the player is in no game, or the games could not be analysed.
pub fn run(args: &ExercisesArgs) -> Result<Conclusion, ExercisesError> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // Best effort: without a handler, Ctrl-C ends the program at once, and the progress file stays, too.
    let _ = on_interrupt(move || flag.store(true, Ordering::Relaxed));
    make(args, &interrupted, &mut |text| tell(text))
}

/// The games of the player.
#[derive(Default)]
struct Games {
    sources: Vec<SourceGame>,
    /// The player's side in each.
    sides: Vec<Color>,
    /// Others who have played, for a message.
    others: Vec<String>,
    has_problems: bool,
}

fn make(
    args: &ExercisesArgs,
    interrupted: &AtomicBool,
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Conclusion, ExercisesError> {
    let games = read(args, tell)?;
    let name = args.player.first().map_or("", String::as_str);
    if games.sources.is_empty() {
        if games.others.is_empty() || games.has_problems {
            return Err(ExercisesError::NoGame);
        }
        return Err(ExercisesError::NoPlayer(name.to_owned(), games.others.join(", ")));
    }
    let target = Target::new(&args.html);
    outputs::check(&[&target], &args.games, args.force)?;
    let file =
        outputs::progress_path(&[&target]).map(|path| ProgressFile::open(&path)).transpose()?;
    let usual = SearchSettings { nodes: Some(NODES), ..SearchSettings::default() };
    let sides: Vec<[bool; 2]> =
        games.sides.iter().map(|side| Color::ALL.map(|color| color == *side)).collect();
    let pipeline = Pipeline {
        sources: &games.sources,
        sides: &sides,
        settings: &args.search.settings(usual),
        threads: args.search.threads(),
        interrupted,
        exercises_left: |done, total| {
            format!("{done} of {total} exercises were made; the same command makes them again")
        },
    };
    let Some((annotated, file)) = pipeline.run(file, tell)? else {
        return Ok(Conclusion::Interrupted);
    };
    target.write(html::exercises_page(name, &annotated).as_bytes())?;
    if let Some(path) = target.path() {
        tell(&format!("written: {}", path.display()));
    }
    if let Some(file) = file {
        file.remove()?;
    }
    Ok(if games.has_problems { Conclusion::Problems } else { Conclusion::Done })
}

/// Reads the files and chooses the games of the player.
fn read(args: &ExercisesArgs, tell: &mut dyn FnMut(&str)) -> Result<Games, ExercisesError> {
    let mut games = Games::default();
    for path in &args.games {
        let bytes = files::read(path, MAX_GAMES)
            .map_err(|error| ExercisesError::Read(path.clone(), error))?;
        let text = pgn::decode(&bytes);
        for (number, game) in (1..).zip(pgn::read(&text)) {
            let names =
                ["White", "Black"].map(|tag| game.tag(tag).unwrap_or_default().trim().to_owned());
            let is_player = |name: &String| {
                args.player.iter().any(|wanted| wanted.to_lowercase() == name.to_lowercase())
            };
            let Some(side) = names.iter().position(is_player) else {
                games.others.extend(names.into_iter().filter(|name| !name.is_empty()));
                games.others.sort();
                games.others.dedup();
                games.others.truncate(MOST_NAMES);
                continue;
            };
            let mut problems: Vec<String> = game.flaws.iter().map(Flaw::to_string).collect();
            match SourceGame::new(game) {
                Ok(source) => {
                    problems.extend(source.problem.clone());
                    games.sources.push(source);
                    games.sides.push(Color::ALL[side]);
                }
                Err((_, error)) => problems.push(error.to_string()),
            }
            for problem in problems {
                games.has_problems = true;
                tell(&format!("{}, game {number}: {problem}", path.display()));
            }
        }
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: ExercisesArgs,
    }

    #[test]
    fn tables_that_cannot_be_used_are_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (games, html, tables) = (path("games.pgn"), path("page.html"), path("none"));
        std::fs::write(&games, "[White \"Anna\"]\n\n1. e4 e5 2. Nf3 *\n").unwrap();
        let words = ["exercises", &games, "--player=anna", "--html", &html, "--nodes=100"];
        let more = ["--cores=2", "--hash=1", "--tablebases", &tables];
        let Cli { args } = Cli::parse_from([&words[..], &more].concat());
        let mut told = Vec::new();
        let mut tell = |text: &str| told.push(text.to_owned());
        let conclusion = make(&args, &AtomicBool::new(false), &mut tell).unwrap();
        assert_eq!(conclusion, Conclusion::Done);
        let notices =
            told.iter().filter(|text| text.starts_with(&format!("tablebases in {tables}")));
        assert_eq!(notices.count(), 1, "{told:?}");
    }
}
