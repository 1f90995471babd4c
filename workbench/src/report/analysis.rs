//! The analysis of games: all their positions, searched by several threads.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, thread};

use super::progress::{self, ProgressError, ProgressFile};
use super::search::{LINES, SearchSettings, new_analyst};
use super::source::SourceGame;
use trebuchet::coach::Line;
use trebuchet::play::Game;
use trebuchet::threads::{SEARCH_STACK, lock};
use trebuchet::types::{Move, Ply};

/// What was found in each position of a game: index 0 is the start position. Empty where the game is
/// over.
pub type Findings = Vec<Vec<Line>>;

/// Why games could not be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    #[error(transparent)]
    Progress(#[from] ProgressError),
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    #[error("a search has failed")]
    Panic,
    /// With the number of positions that are searched, and of all positions.
    #[error("interrupted after {0} of {1} positions")]
    Interrupted(usize, usize),
}

/// A position to search: the game and the number of its moves made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    game: usize,
    plies: Ply,
}

/// What the threads share.
struct Work<'a> {
    /// The places left, the next one last.
    left: Vec<Place>,
    findings: Vec<Findings>,
    file: Option<ProgressFile>,
    done: usize,
    report: &'a mut (dyn FnMut(Step) + Send),
}

/// What happens during an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// So many positions are already known, of so many.
    Begin(usize, usize),
    /// One more position is searched.
    Searched,
    /// A sentence about memory or tables.
    Notice(String),
}

/// Searches all positions of the games on `threads` threads. The results do not depend on the number
/// of threads, unless the time of a search is limited. What is found is also kept in the open progress
/// file, and what is already there is not searched again.
///
/// # Errors
/// An [`AnalysisError`]; the progress file then has what was found so far.
pub fn analyse(
    games: &[SourceGame],
    settings: &SearchSettings,
    threads: usize,
    file: Option<ProgressFile>,
    interrupted: &AtomicBool,
    report: &mut (dyn FnMut(Step) + Send),
) -> Result<(Vec<Findings>, Option<ProgressFile>), AnalysisError> {
    let places = places(games);
    let total = places.len();
    let mut findings: Vec<Findings> =
        games.iter().map(|game| vec![Vec::new(); game.moves.len() + 1]).collect();
    let mut left = Vec::new();
    for place in places.into_iter().rev() {
        let game = &games[place.game];
        let key = progress::key(game, place.plies, settings);
        let known = file.as_ref().and_then(|file| file.find(key));
        match known.filter(|lines| are_legal(game, place.plies, lines)) {
            Some(lines) => findings[place.game][place.plies] = lines.to_vec(),
            None => left.push(place),
        }
    }
    let done = total - left.len();
    report(Step::Begin(done, total));
    let threads = threads.min(left.len());
    let work = Mutex::new(Work { left, findings, file, done, report });
    on_threads(threads, &|| search_places(games, settings, &work, interrupted))?;
    let work = work.into_inner().unwrap_or_else(|error| error.into_inner());
    if work.done < total {
        return Err(AnalysisError::Interrupted(work.done, total));
    }
    Ok((work.findings, work.file))
}

/// Runs the same work on so many threads, which can search.
///
/// # Errors
/// The first error of a thread, or if none can be started.
pub fn on_threads(
    threads: usize,
    work: &(dyn Fn() -> Result<(), AnalysisError> + Sync),
) -> Result<(), AnalysisError> {
    thread::scope(|scope| {
        let builder = || thread::Builder::new().name("search".to_owned()).stack_size(SEARCH_STACK);
        let running: Vec<_> = (0..threads)
            .map(|_| builder().spawn_scoped(scope, work).map_err(AnalysisError::Thread))
            .collect();
        // Best effort: fewer threads do the same work.
        let mut outcome = match running.iter().any(Result::is_ok) || threads == 0 {
            true => Ok(()),
            false => Err(AnalysisError::Thread(io::ErrorKind::OutOfMemory.into())),
        };
        for thread in running.into_iter().flatten() {
            outcome = thread.join().unwrap_or(Err(AnalysisError::Panic)).and(outcome);
        }
        outcome
    })
}

/// The places of all games that need a search, in order. A game that is over needs none at its end.
fn places(games: &[SourceGame]) -> Vec<Place> {
    let mut places = Vec::new();
    for (index, game) in games.iter().enumerate().filter(|(_, game)| !game.moves.is_empty()) {
        let last = usize::from(end(game).outcome().is_none());
        places.extend((0..game.moves.len() + last).map(|plies| Place { game: index, plies }));
    }
    places
}

/// The position at the end of a game.
fn end(game: &SourceGame) -> Box<dyn Game> {
    let mut board = game.start();
    game.moves.iter().for_each(|&mv| board.play(mv));
    board
}

/// Searches places until none is left or the user interrupts.
fn search_places(
    games: &[SourceGame],
    settings: &SearchSettings,
    work: &Mutex<Work>,
    interrupted: &AtomicBool,
) -> Result<(), AnalysisError> {
    let mut analysts = HashMap::new();
    while !interrupted.load(Ordering::Relaxed) {
        // Not `while let`, which would hold the lock during the search.
        let next = lock(work).left.pop();
        let Some(place) = next else { break };
        let game = &games[place.game];
        let analyst =
            analysts.entry(game.variant).or_insert_with(|| new_analyst(game.variant, settings));
        let moves = &game.moves[..place.plies];
        let found = analyst.search(&game.start_fen, moves, LINES, interrupted);
        let mut work = lock(work);
        analyst.take_notices().into_iter().for_each(|text| (work.report)(Step::Notice(text)));
        let Some(lines) = found else { break };
        if let Some(file) = &mut work.file {
            let added = file.add(progress::key(game, place.plies, settings), &lines);
            if let Err(error) = added {
                // The other threads end, too.
                work.left.clear();
                return Err(error.into());
            }
        }
        work.findings[place.game][place.plies] = lines;
        work.done += 1;
        (work.report)(Step::Searched);
    }
    Ok(())
}

/// Are these lines that a search can find in this position?
fn are_legal(game: &SourceGame, plies: Ply, lines: &[Line]) -> bool {
    let mut board = game.start();
    game.moves.iter().take(plies).for_each(|&mv| board.play(mv));
    let is_legal = |moves: &[Move]| {
        let mut board = board.fork();
        moves.iter().all(|&mv| {
            let is_legal = board.legal_moves().contains(&mv);
            if is_legal {
                board.play(mv);
            }
            is_legal
        })
    };
    !lines.is_empty() && lines.iter().all(|line| !line.moves.is_empty() && is_legal(&line.moves))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use trebuchet::notation::pgn;

    const GAMES: &str = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# *\n\n\
        [Variant \"3check\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Bxf7+ *\n\n\
        [Variant \"kingofthehill\"]\n\n1. e4 e5 2. Ke2 Ke7 3. Ke3 *\n\n\
        [Variant \"fischerandom\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n\
        1. g3 g6 *\n\n1-0";

    fn games() -> Vec<SourceGame> {
        pgn::read(GAMES).map(|game| SourceGame::new(game).unwrap()).collect()
    }

    fn settings() -> SearchSettings {
        SearchSettings { nodes: Some(1500), hash: 1, ..SearchSettings::default() }
    }

    /// Analyses the games and returns the findings, the steps, and the end. Interrupts after `most`
    /// positions.
    fn run(
        threads: usize,
        file: Option<ProgressFile>,
        most: usize,
    ) -> (Result<Vec<Findings>, String>, Vec<Step>) {
        let interrupted = AtomicBool::new(false);
        let mut steps = Vec::new();
        let mut left = most;
        let mut report = |step: Step| {
            left -= usize::from(step == Step::Searched);
            interrupted.store(left == 0, Ordering::Relaxed);
            steps.push(step);
        };
        let found = analyse(&games(), &settings(), threads, file, &interrupted, &mut report);
        let found = found.map(|(findings, file)| {
            file.into_iter().for_each(|file| file.remove().unwrap());
            findings
        });
        (found.map_err(|error| error.to_string()), steps)
    }

    #[test]
    fn every_position_is_searched_but_those_that_end_a_game() {
        let (findings, steps) = run(1, None, usize::MAX);
        let findings = findings.unwrap();
        let counts: Vec<usize> = findings.iter().map(Vec::len).collect();
        assert_eq!(counts, [6, 6, 6, 3, 1]);
        // The mate needs no search, and a game without moves has no position to judge.
        let searched = counts.iter().sum::<usize>() - 2;
        assert_eq!(steps[0], Step::Begin(0, searched));
        assert_eq!(steps[1..], vec![Step::Searched; searched]);
        assert!(findings[0][5].is_empty() && findings[4][0].is_empty());
        assert_eq!(findings[0][4][0].score, trebuchet::types::Score::win_in(1));
        assert!(findings.iter().flatten().flatten().all(|line| !line.moves.is_empty()));
        // The threads share the work, and the result is the same.
        assert_eq!(run(3, None, usize::MAX).0, Ok(findings));
    }

    #[test]
    fn an_interrupted_analysis_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress");
        let open = || Some(ProgressFile::open(&path).unwrap());
        let (expected, steps) = run(1, None, usize::MAX);
        let total = steps.len() - 1;
        assert_eq!(
            run(1, open(), 5).0.unwrap_err(),
            format!("interrupted after 5 of {total} positions")
        );
        assert!(run(2, open(), 4).0.is_err());
        let (found, steps) = run(1, open(), usize::MAX);
        assert_eq!(found, expected);
        let known = Cell::new(0);
        assert!(matches!(&steps[0], Step::Begin(done, of) if {
            known.set(*done);
            *of == total
        }));
        assert!((9..12).contains(&known.get()), "{known:?}");
        assert_eq!(steps.len() - 1, total - known.get());
        assert!(!path.exists());
    }

    #[test]
    fn lines_that_are_not_legal_are_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress");
        let mut file = ProgressFile::open(&path).unwrap();
        let games = games();
        let black = Line { moves: vec![games[0].moves[1]], ..lines(&games)[0].clone() };
        for lines in [vec![black], vec![], vec![Line { moves: vec![], ..lines(&games)[0].clone() }]]
        {
            assert!(!are_legal(&games[0], 0, &lines));
            file.add(progress::key(&games[0], 0, &settings()), &lines).unwrap();
        }
        drop(file);
        let (found, steps) = run(1, Some(ProgressFile::open(&path).unwrap()), usize::MAX);
        assert!(matches!(steps[0], Step::Begin(0, _)));
        assert!(are_legal(&games[0], 0, &found.unwrap()[0][0]));
    }

    fn lines(games: &[SourceGame]) -> Vec<Line> {
        let moves = games[0].moves[..1].to_vec();
        vec![Line { score: trebuchet::types::Score::ZERO, depth: 1, moves }]
    }
}
