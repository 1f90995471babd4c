//! The analysis of games: all their positions, searched by several threads, and then the better moves that criticism
//! rests on.

use std::collections::HashMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::progress::{self, ProgressError, ProgressFile};
use super::search::{LINES, SearchSettings, new_analyst};
use super::source::SourceGame;
use crate::parallel::{ThreadError, on_available_threads};
use trebuchet::coach::Line;
use trebuchet::play::{Game, confirm, unconfirmed};
use trebuchet::threads::lock;
use trebuchet::types::{Move, Ply};

/// What was found in the positions of a game, by the number of moves made. Empty where the game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// The best lines, as the search of the position found them.
    pub searched: Vec<Vec<Line>>,
    /// The same for the judgement of the move that was played there. If it is criticised, the move that should have
    /// been played has the score of a search after it, as the move itself has.
    pub confirmed: Vec<Vec<Line>>,
}

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

impl From<ThreadError> for AnalysisError {
    fn from(error: ThreadError) -> AnalysisError {
        match error {
            ThreadError::Start(error) => AnalysisError::Thread(error),
            ThreadError::Panic => AnalysisError::Panic,
        }
    }
}

/// A position to search: the game and the number of its moves made, and perhaps a move that is played there
/// instead of the game's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    game: usize,
    plies: Ply,
    instead: Option<Move>,
}

impl Place {
    fn moves(self, games: &[SourceGame]) -> Vec<Move> {
        let made = &games[self.game].moves[..self.plies];
        made.iter().copied().chain(self.instead).collect()
    }

    /// How many lines the search looks for: the second one is for comparison with the first.
    fn lines(self) -> usize {
        if self.instead.is_some() { 1 } else { LINES }
    }
}

/// What happens during an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// How many positions are known already, and of how many.
    Begin(usize, usize),
    /// One more position is searched.
    Searched,
    /// A sentence about memory or tables.
    Notice(String),
}

/// Searches all positions of the games on `threads` threads, then the positions after the moves that should have been
/// played instead of those that are criticised. The results do not depend on the number of threads, unless the time
/// of a search is limited. What is found is also kept in the open progress file, and what is already there is not
/// searched again.
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
    let mut analysis = Analysis { games, settings, threads, interrupted, file, report, done: 0 };
    let mut findings: Vec<Findings> = (games.iter())
        .map(|game| Findings {
            searched: vec![Vec::new(); game.moves.len() + 1],
            confirmed: Vec::new(),
        })
        .collect();
    for (place, lines) in analysis.search(places(games))? {
        findings[place.game].searched[place.plies] = lines;
    }
    findings.iter_mut().for_each(|found| found.confirmed = found.searched.clone());
    let mut known: HashMap<(usize, Ply), Vec<Move>> = HashMap::new();
    loop {
        let places = criticisms(games, &findings, &known);
        if places.is_empty() {
            return Ok((findings, analysis.file));
        }
        for (place, answers) in analysis.search(places)? {
            let Place { game, plies, instead } = place;
            known.entry((game, plies)).or_default().extend(instead);
            let played = games[game].moves[plies];
            let Findings { searched, confirmed } = &mut findings[game];
            // Both moves are compared by searches of the positions after them.
            confirm(&mut confirmed[plies], played, searched[plies + 1].first().cloned());
            if let Some(instead) = instead {
                confirm(&mut confirmed[plies], instead, answers.into_iter().next());
            }
        }
    }
}

/// The moves that should have been played instead of criticised ones, but for those that are already `known` to be
/// better or not.
fn criticisms(
    games: &[SourceGame],
    findings: &[Findings],
    known: &HashMap<(usize, Ply), Vec<Move>>,
) -> Vec<Place> {
    let mut places = Vec::new();
    for (index, (game, found)) in games.iter().zip(findings).enumerate() {
        let mut board = game.start();
        for (plies, &mv) in game.moves.iter().enumerate() {
            let lines = &found.confirmed[plies];
            let known = known.get(&(index, plies)).map_or(&[][..], Vec::as_slice);
            let better = unconfirmed(&*board, mv, lines, &found.searched[plies + 1], known);
            places.extend(better.map(|mv| Place { game: index, plies, instead: Some(mv) }));
            board.play(mv);
        }
    }
    places
}

/// What the searches of an analysis share.
struct Analysis<'a> {
    games: &'a [SourceGame],
    settings: &'a SearchSettings,
    threads: usize,
    interrupted: &'a AtomicBool,
    file: Option<ProgressFile>,
    report: &'a mut (dyn FnMut(Step) + Send),
    /// The places of the searches before.
    done: usize,
}

/// What the threads share.
struct Work<'a> {
    /// The places left, the next one last.
    left: Vec<Place>,
    found: Vec<(Place, Vec<Line>)>,
    file: &'a mut Option<ProgressFile>,
    report: &'a mut (dyn FnMut(Step) + Send),
}

impl Analysis<'_> {
    /// Searches the places, but for those that the progress file has.
    fn search(&mut self, places: Vec<Place>) -> Result<Vec<(Place, Vec<Line>)>, AnalysisError> {
        let total = places.len();
        let (mut left, mut found) = (Vec::new(), Vec::with_capacity(total));
        for place in places.into_iter().rev() {
            let board = position(self.games, place);
            // Games may go on after a draw by repetition, but what is better there ends with it.
            if place.instead.is_some() && board.outcome().is_some() {
                found.push((place, Vec::new()));
                continue;
            }
            let key = self.key(place);
            let known = self.file.as_ref().and_then(|file| file.find(key));
            match known.filter(|lines| are_legal(&*board, lines)) {
                Some(lines) => found.push((place, lines.to_vec())),
                None => left.push(place),
            }
        }
        (self.report)(Step::Begin(found.len(), total));
        let threads = self.threads.min(left.len());
        let &mut Analysis { games, settings, interrupted, .. } = self;
        let (file, report) = (&mut self.file, &mut *self.report);
        let work = Mutex::new(Work { left, found, file, report });
        on_available_threads(threads, &|| search_places(games, settings, &work, interrupted))?;
        let work = work.into_inner().unwrap_or_else(|error| error.into_inner());
        let found = work.found;
        if found.len() < total {
            let before = self.done;
            return Err(AnalysisError::Interrupted(before + found.len(), before + total));
        }
        self.done += total;
        Ok(found)
    }

    fn key(&self, place: Place) -> u64 {
        let (game, moves) = (&self.games[place.game], place.moves(self.games));
        progress::key(game, &moves, place.lines(), self.settings)
    }
}

/// The places of all games that need a search, in order. A game that is over needs none at its end.
fn places(games: &[SourceGame]) -> Vec<Place> {
    let mut places = Vec::new();
    for (index, game) in games.iter().enumerate().filter(|(_, game)| !game.moves.is_empty()) {
        let place = |plies| Place { game: index, plies, instead: None };
        let end = place(game.moves.len());
        let last = usize::from(position(games, end).outcome().is_none());
        places.extend((0..game.moves.len() + last).map(place));
    }
    places
}

fn position(games: &[SourceGame], place: Place) -> Box<dyn Game> {
    let mut board = games[place.game].start();
    place.moves(games).into_iter().for_each(|mv| board.play(mv));
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
        let moves = place.moves(games);
        let found = analyst.search(&game.start_fen, &moves, place.lines(), interrupted);
        let mut work = lock(work);
        analyst.take_notices().into_iter().for_each(|text| (work.report)(Step::Notice(text)));
        let Some(lines) = found else { break };
        if let Some(file) = &mut work.file {
            let added = file.add(progress::key(game, &moves, place.lines(), settings), &lines);
            if let Err(error) = added {
                // The other threads end, too.
                work.left.clear();
                return Err(error.into());
            }
        }
        work.found.push((place, lines));
        (work.report)(Step::Searched);
    }
    Ok(())
}

/// Are these lines that a search can find in this position?
fn are_legal(board: &dyn Game, lines: &[Line]) -> bool {
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
        let counts: Vec<usize> = findings.iter().map(|found| found.searched.len()).collect();
        assert_eq!(counts, [6, 6, 6, 3, 1]);
        // The mate needs no search, and a game without moves has no position to judge.
        let searched = counts.iter().sum::<usize>() - 2;
        assert_eq!(steps[0], Step::Begin(0, searched));
        assert_eq!(steps[1..=searched], vec![Step::Searched; searched]);
        let [mate, .., empty] = &findings[..] else { panic!("{counts:?}") };
        assert!(mate.searched[5].is_empty() && empty.searched[0].is_empty());
        assert_eq!(mate.searched[4][0].score, trebuchet::types::Score::win_in(1));
        let lines = findings.iter().flat_map(|found| found.searched.iter().flatten());
        assert!(lines.clone().count() > 0 && lines.clone().all(|line| !line.moves.is_empty()));
        // The threads share the work, and the result is the same.
        assert_eq!(run(3, None, usize::MAX).0, Ok(findings));
    }

    #[test]
    fn the_better_move_of_a_criticism_gets_a_search_of_its_own() {
        let (findings, steps) = run(1, None, usize::MAX);
        let (games, findings) = (games(), findings.unwrap());
        // Black's king walks into a mate, and another move would not have lost much.
        let (searched, confirmed) = (&findings[0].searched[3], &findings[0].confirmed[3]);
        assert!(confirmed[0].score > trebuchet::types::Score::cp(-200), "{confirmed:?}");
        assert_ne!(searched, confirmed);
        let moves: Vec<Move> =
            games[0].moves[..3].iter().chain(&confirmed[0].moves[..1]).copied().collect();
        let mut analyst = new_analyst(games[0].variant, &settings());
        let answer =
            analyst.search(&games[0].start_fen, &moves, 1, &AtomicBool::new(false)).unwrap();
        assert_eq!(
            (confirmed[0].score, confirmed[0].depth),
            (-answer[0].score, answer[0].depth + 1)
        );
        assert_eq!(confirmed[0].moves[1..], answer[0].moves);
        // No criticism rests on a move that is not confirmed, and each is searched once.
        let begins = steps.iter().filter(|step| matches!(step, Step::Begin(..))).count();
        assert!((2..=LINES + 1).contains(&begins), "{steps:?}");
        // What is not criticised stays as the search found it.
        assert_eq!(findings[0].searched[0], findings[0].confirmed[0]);
    }

    #[test]
    fn an_interrupted_analysis_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress");
        let open = || Some(ProgressFile::open(&path).unwrap());
        let (expected, steps) = run(1, None, usize::MAX);
        let Step::Begin(0, total) = steps[0] else { panic!("{steps:?}") };
        let searched = steps.iter().filter(|step| **step == Step::Searched).count();
        assert_eq!(
            run(1, open(), 5).0.unwrap_err(),
            format!("interrupted after 5 of {total} positions")
        );
        assert!(run(2, open(), 4).0.is_err());
        // Again, after the first search of a better move.
        let (stopped, steps) = run(1, open(), total - 8);
        let Step::Begin(known, _) = steps[0] else { panic!("{steps:?}") };
        assert!((9..12).contains(&known), "{known}");
        let message = format!("interrupted after {} of ", known + total - 8);
        assert!(stopped.is_err_and(|text| text.starts_with(&message)), "{message}");
        let (found, steps) = run(1, open(), usize::MAX);
        assert_eq!(found, expected);
        assert_eq!(steps[0], Step::Begin(total, total));
        let left = steps.iter().filter(|step| **step == Step::Searched).count();
        assert_eq!(left, searched - (known + total - 8));
        assert!(left > 0 && !path.exists());
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
            assert!(!are_legal(&*games[0].start(), &lines));
            file.add(progress::key(&games[0], &[], LINES, &settings()), &lines).unwrap();
        }
        drop(file);
        let (found, steps) = run(1, Some(ProgressFile::open(&path).unwrap()), usize::MAX);
        assert!(matches!(steps[0], Step::Begin(0, _)));
        assert!(are_legal(&*games[0].start(), &found.unwrap()[0].searched[0]));
    }

    fn lines(games: &[SourceGame]) -> Vec<Line> {
        let moves = games[0].moves[..1].to_vec();
        vec![Line { score: trebuchet::types::Score::ZERO, depth: 1, moves }]
    }
}
