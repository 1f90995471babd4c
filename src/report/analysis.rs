//! The analysis of games: all their positions, searched by several threads.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, thread};

use super::progress::{self, ProgressError, ProgressFile};
use super::search::{FoundLine, SearchSettings, new_analyst};
use super::source::SourceGame;
use crate::play::Game;
use crate::threads::{SEARCH_STACK, lock};
use crate::types::{Move, Ply};

/// What was found in each position of a game: index 0 is the start position. Empty where the game is
/// over.
pub type Findings = Vec<Vec<FoundLine>>;

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
/// of threads, unless the time of a search is limited. What is found is also kept in the progress file
/// named by the caller, and what is already there is not searched again.
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
    thread::scope(|scope| {
        let search = || search_places(games, settings, &work, interrupted);
        let builder = || thread::Builder::new().name("search".to_owned()).stack_size(SEARCH_STACK);
        let running: Vec<_> = (0..threads)
            .map(|_| builder().spawn_scoped(scope, search).map_err(AnalysisError::Thread))
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
    })?;
    let work = work.into_inner().unwrap_or_else(|error| error.into_inner());
    if work.done < total {
        return Err(AnalysisError::Interrupted(work.done, total));
    }
    Ok((work.findings, work.file))
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
        let found = analyst.search(game, place.plies, interrupted);
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
fn are_legal(game: &SourceGame, plies: Ply, lines: &[FoundLine]) -> bool {
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
