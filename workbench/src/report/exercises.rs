//! Looks for the exercises of games: the moments in which a player lost something. Every legal move is judged
//! there, so that a page without an engine can answer whatever the reader tries.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::analysis::{AnalysisError, Findings, Step};
use super::annotation::{AnnotatedGame, AnnotatedPly, Exercise};
use super::search::{Analyst, SearchSettings, new_analyst};
use super::source::SourceGame;
use crate::parallel::on_available_threads;
use trebuchet::coach::{Line, Verdict};
use trebuchet::play::{self, Game};
use trebuchet::threads::lock;
use trebuchet::types::Color;

/// The most exercises of one side in a game: those in which it lost most.
const MOST: usize = 6;

/// A game whose exercises are looked for.
pub struct Task<'a> {
    pub source: &'a SourceGame,
    pub findings: &'a Findings,
    pub game: &'a mut AnnotatedGame,
    /// Whose exercises are wanted: White's and Black's.
    pub sides: [bool; 2],
}

/// Finds the exercises on `threads` threads. `settings` are those of the analysis: a try gets a part of its
/// limits. What is found does not depend on the number of threads, unless the time of a search is limited.
///
/// # Errors
/// An [`AnalysisError`]; there are then no exercises.
pub fn find(
    tasks: &mut [Task],
    settings: &SearchSettings,
    threads: usize,
    interrupted: &AtomicBool,
    report: &mut (dyn FnMut(Step) + Send),
) -> Result<(), AnalysisError> {
    let settings = settings.for_tries();
    let places: Vec<(usize, usize)> = (tasks.iter().enumerate())
        .flat_map(|(index, task)| moments(task).into_iter().map(move |ply| (index, ply)))
        .collect();
    report(Step::Begin(0, places.len()));
    let total = places.len();
    let left = Mutex::new((places.into_iter().rev().collect::<Vec<_>>(), report));
    let found = Mutex::new(Vec::with_capacity(total));
    let games: Vec<(&SourceGame, &Findings)> =
        tasks.iter().map(|task| (task.source, task.findings)).collect();
    on_available_threads(threads.min(total), &|| -> Result<(), AnalysisError> {
        let mut analysts: HashMap<_, Box<dyn Analyst>> = HashMap::new();
        loop {
            let next = lock(&left).0.pop();
            let Some((index, ply)) = next else { return Ok(()) };
            let (source, findings) = games[index];
            let analyst = (analysts.entry(source.variant))
                .or_insert_with(|| new_analyst(source.variant, &settings));
            let exercise = exercise(source, findings, ply, analyst.as_mut(), interrupted);
            if interrupted.load(Ordering::Relaxed) {
                return Ok(());
            }
            lock(&found).push((index, exercise));
            (lock(&left).1)(Step::Searched);
        }
    })?;
    let mut found = found.into_inner().unwrap_or_else(|error| error.into_inner());
    if found.len() < total {
        return Err(AnalysisError::Interrupted(found.len(), total));
    }
    found.sort_by_key(|(_, exercise)| exercise.as_ref().map(|exercise| exercise.ply));
    for (index, exercise) in found {
        tasks[index].game.exercises.extend(exercise);
    }
    Ok(())
}

/// The moves that become exercises, by their index: mistakes, and missed wins.
fn moments(task: &Task) -> Vec<usize> {
    let mut moments = Vec::new();
    for side in Color::ALL.into_iter().filter(|side| task.sides[side.index()]) {
        let is_moment = |ply: &AnnotatedPly| {
            let verdict = ply.judgement.verdict;
            ply.mover == side && ply.judgement.is_criticism() && verdict != Verdict::Inaccuracy
        };
        let plies = &task.game.plies;
        let mut own: Vec<usize> = (0..plies.len()).filter(|&at| is_moment(&plies[at])).collect();
        // Of equal losses the earlier ones come first: the sort is stable.
        own.sort_by(|&a, &b| plies[b].judgement.loss.total_cmp(&plies[a].judgement.loss));
        own.truncate(MOST);
        moments.extend(own);
    }
    moments.sort_unstable();
    moments
}

/// Judges all moves in the position before a move of the game. `None` if there is nothing better, or if the user
/// interrupts.
fn exercise(
    source: &SourceGame,
    findings: &Findings,
    ply: usize,
    analyst: &mut dyn Analyst,
    interrupted: &AtomicBool,
) -> Option<Exercise> {
    let mut before = source.start();
    source.moves[..ply].iter().for_each(|&mv| before.play(mv));
    let lines = &findings.confirmed[ply];
    let played = before.assess(lines, source.moves[ply], &findings.searched[ply + 1]);
    let better = before.parse_move(played.better.as_ref()?.line.first()?).ok()?;
    let mut moves = source.moves[..=ply].to_vec();
    let mut tries = Vec::new();
    for mv in before.legal_moves() {
        if mv == source.moves[ply] {
            tries.push((mv, played.clone()));
            continue;
        }
        // The lines of the analysis have the scores of their moves already, and so has the end of the game, such as a
        // draw by repetition.
        let mut end = before.fork();
        end.play(mv);
        let is_known =
            end.outcome().is_some() || lines.iter().any(|line| line.moves.first() == Some(&mv));
        moves[ply] = mv;
        let after = match is_known {
            true => Vec::new(),
            false => analyst.search(&source.start_fen, &moves, 1, interrupted)?,
        };
        tries.push((mv, before.assess(lines, mv, &after)));
    }
    let mut study = |position: &dyn Game, count: usize| -> Vec<Line> {
        if position.outcome().is_some() {
            return Vec::new();
        }
        analyst.search(&position.fen(), &[], count, interrupted).unwrap_or_default()
    };
    let clue = play::clue(&*before, better, &mut study);
    Some(Exercise { ply, played, clue, tries })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{analysis::analyse, judge};
    use trebuchet::notation::pgn;

    fn found(text: &str, sides: [bool; 2], threads: usize) -> AnnotatedGame {
        let source = SourceGame::new(pgn::read(text).next().unwrap()).unwrap();
        let settings = SearchSettings { nodes: Some(3000), hash: 1, ..SearchSettings::default() };
        let interrupted = AtomicBool::new(false);
        let sources = [source];
        let (findings, _) =
            analyse(&sources, &settings, 1, None, &interrupted, &mut |_| {}).unwrap();
        let mut game = judge::annotate(&sources[0], &findings[0], &settings);
        let task = Task { source: &sources[0], findings: &findings[0], game: &mut game, sides };
        find(&mut [task], &settings, threads, &interrupted, &mut |_| {}).unwrap();
        game
    }

    #[test]
    fn every_try_is_judged_with_its_reason() {
        let text = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";
        let game = found(text, [false, true], 1);
        let [exercise] = &game.exercises[..] else { panic!("{:?}", game.exercises) };
        assert_eq!((exercise.ply, &*exercise.played.san), (3, "Ke7"));
        assert_eq!(exercise.tries.len(), 26);
        let said = |san: &str| {
            let (_, said) = exercise.tries.iter().find(|(_, said)| said.san == san).unwrap();
            (said.judgement.verdict, said.punishment().unwrap_or_default())
        };
        assert_eq!(said("Ke7").1, "It allows mate in 1: Qxe5#");
        assert_eq!(said("Nc6"), (Verdict::Good, String::new()));
        let (verdict, punishment) = said("Qg5");
        assert_eq!(verdict, Verdict::Blunder);
        assert!(punishment.starts_with("It leaves the queen on g5 to be taken"), "{punishment}");
        // The threads share the work, and what they find is the same.
        assert_eq!(
            format!("{:?}", found(text, [false, true], 3).exercises),
            format!("{:?}", game.exercises)
        );
        assert!(found(text, [false, false], 1).exercises.is_empty());
    }

    #[test]
    fn a_try_that_repeats_the_position_for_the_third_time_is_a_draw() {
        let text = "[FEN \"6k1/8/8/8/8/8/5Q1K/8 w - - 0 1\"]\n\n\
            1. Kh1 Kh8 2. Kg1 Kg8 3. Kh1 Kh8 4. Kg1 Kg8 5. Qf7+ Kxf7 1/2-1/2";
        let game = found(text, [true, false], 1);
        let exercise = game.exercises.iter().find(|exercise| exercise.ply == 8).unwrap();
        let verdict = |san: &str| {
            let found = exercise.tries.iter().find(|(_, said)| said.san == san);
            found.unwrap().1.judgement.verdict
        };
        assert_eq!([verdict("Kh1"), verdict("Kg2")], [Verdict::Blunder, Verdict::Good]);
    }

    #[test]
    fn an_interruption_ends_the_search() {
        let source = SourceGame::new(pgn::read("1. f3 e5 2. g4 *").next().unwrap()).unwrap();
        let settings = SearchSettings { nodes: Some(1000), hash: 1, ..SearchSettings::default() };
        let sources = [source];
        let no = AtomicBool::new(false);
        let (findings, _) = analyse(&sources, &settings, 1, None, &no, &mut |_| {}).unwrap();
        let mut game = judge::annotate(&sources[0], &findings[0], &settings);
        let sides = [true, true];
        let task = Task { source: &sources[0], findings: &findings[0], game: &mut game, sides };
        let ended = find(&mut [task], &settings, 2, &AtomicBool::new(true), &mut |_| {});
        assert!(matches!(ended, Err(AnalysisError::Interrupted(0, 1..))));
        assert!(game.exercises.is_empty());
    }
}
