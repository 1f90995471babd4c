//! What the tables gain: how often the search keeps a win without them and with them.

use std::io::{self, Write};
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::make::with_needed;
use super::{EgtbError, open};
use trebuchet::board::{Position, Setup};
use trebuchet::search::{Limits, PositionSearch, Silent, StopToken};
use trebuchet::tablebase::three_check::{CheckValue, Ending, Index, ThreeCheckTables};
use trebuchet::tablebase::{TablePaths, Tablebases, men_of};
use trebuchet::types::{Color, Move, Piece};
use trebuchet::variants::{ChecksLeft, ThreeCheck, Variant};

/// What to measure for each ending.
pub struct Task {
    pub positions: u32,
    pub games: u32,
    pub nodes: u64,
    pub seed: u64,
}

/// The most random positions of an ending that are tried.
const MOST_TRIES: u64 = 1_000_000;

/// Searches positions and plays games of the endings, without the tables and with them.
pub fn run(folder: &Path, endings: &[Ending], task: &Task) -> Result<(), EgtbError> {
    let tables = open(folder)?;
    // The engine reads a list of folders.
    let list = std::env::join_paths([folder])
        .map_err(|error| EgtbError::Folder(folder.to_owned(), io::Error::other(error)))?;
    let paths =
        TablePaths { three_check: list.to_string_lossy().into_owned(), ..TablePaths::default() };
    // Without a table that an ending needs, moves that keep the win would count as mistakes.
    for ending in &with_needed(endings)? {
        if tables.table(ending).is_none() {
            for notice in tables.take_notices() {
                writeln!(io::stderr(), "trebuchet: {notice}")?;
            }
            return Err(EgtbError::NoTableOf(ending.clone(), folder.to_owned()));
        }
    }
    for ending in endings {
        let positions = sharp_positions(&tables, ending, task);
        for (name, paths) in [("without tables", &TablePaths::default()), ("with tables", &paths)] {
            let mut search = ThreeCheck::new_search();
            search.set_tables(Tablebases::open::<ThreeCheck>(paths).0);
            let kept = positions.iter().filter(|pos| {
                search.clear();
                choose(&mut *search, pos, task.nodes).is_some_and(|mv| keeps_win(&tables, pos, mv))
            });
            let kept = kept.count();
            let games = positions.iter().take(task.games as usize);
            let (mut won, mut played) = (0, 0);
            for pos in games {
                search.clear();
                won += u32::from(wins_game(&mut *search, &tables, pos.clone(), task.nodes));
                played += 1;
            }
            writeln!(
                io::stdout(),
                "{ending} {name}: keeps the win in {kept} of {} positions, wins {won} of {played} games",
                positions.len()
            )?;
        }
    }
    Ok(())
}

/// Random positions in which some moves win and some do not.
fn sharp_positions(
    tables: &ThreeCheckTables,
    ending: &Ending,
    task: &Task,
) -> Vec<Position<ThreeCheck>> {
    let index = Index::new(ending);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(task.seed);
    let mut found = Vec::new();
    for _ in 0..MOST_TRIES {
        if found.len() == task.positions as usize {
            break;
        }
        let Some(men) = index.men(random.random_range(0..index.size())) else { continue };
        let mut setup = Setup::empty();
        for (_, color, kind, square) in men.iter() {
            setup.pieces[usize::from(square)] = Some(Piece::new(color, kind));
        }
        setup.side_to_move = Color::ALL[random.random_range(0..2)];
        setup.state = ChecksLeft::new(random.random_range(1..=3), random.random_range(1..=3));
        let Ok(pos) = Position::<ThreeCheck>::try_from(setup) else { continue };
        if !matches!(value_of(tables, &pos), Some(CheckValue::Win(_))) {
            continue;
        }
        if pos.legal_moves().iter().any(|&mv| !keeps_win(tables, &pos, mv)) {
            found.push(pos);
        }
    }
    found
}

fn choose(
    search: &mut dyn PositionSearch<ThreeCheck>,
    pos: &Position<ThreeCheck>,
    nodes: u64,
) -> Option<Move> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    search.run(pos, &limits, &StopToken::new(), &mut Silent).best
}

/// Does the engine win a won position against the longest resistance?
fn wins_game(
    search: &mut dyn PositionSearch<ThreeCheck>,
    tables: &ThreeCheckTables,
    mut pos: Position<ThreeCheck>,
    nodes: u64,
) -> bool {
    let us = pos.side_to_move();
    loop {
        if let Some(outcome) = pos.outcome() {
            return outcome.winner == Some(us);
        }
        let mv = if pos.side_to_move() == us {
            choose(search, &pos, nodes)
        } else {
            longest_resistance(tables, &mut pos)
        };
        let Some(mv) = mv else { return false };
        pos.make_move(mv);
    }
}

/// The move after which the opponent needs longest, or a move that does not lose.
fn longest_resistance(tables: &ThreeCheckTables, pos: &mut Position<ThreeCheck>) -> Option<Move> {
    let moves = pos.legal_moves();
    let mut rank = |mv: Move| {
        pos.make_move(mv);
        let value = value_of(tables, pos);
        pos.unmake_move();
        match value {
            Some(CheckValue::Win(plies)) => i32::from(plies),
            Some(CheckValue::Loss(_)) => 2000,
            _ => 1000,
        }
    };
    moves.iter().copied().max_by_key(|&mv| rank(mv))
}

fn keeps_win(tables: &ThreeCheckTables, pos: &Position<ThreeCheck>, mv: Move) -> bool {
    let after = pos.after(mv);
    matches!(value_of(tables, &after), Some(CheckValue::Loss(_)))
}

/// The value for the side to move, also of a game that is over.
fn value_of(tables: &ThreeCheckTables, pos: &Position<ThreeCheck>) -> Option<CheckValue> {
    if pos.variant_outcome().is_some() {
        return Some(CheckValue::Loss(0));
    }
    let left = Color::ALL.map(|color| pos.state().of(color));
    tables.value(&men_of(pos)?, pos.side_to_move(), left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_without_the_tables_that_it_needs_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = |folder: &Path, ending: &str| {
            let task = Task { positions: 1, games: 1, nodes: 1, seed: 1 };
            run(folder, &[ending.parse().unwrap()], &task).unwrap_err().to_string()
        };
        let missing = |ending| format!("no table of {ending} in {}", folder.path().display());
        assert_eq!(error(folder.path(), "KQvK"), missing("KQvK"));
        assert_eq!(error(folder.path(), "KQvKR"), missing("KQvK"));
        assert_eq!(
            error(folder.path(), "KPvKP"),
            "KPvKP cannot be made: a pawn can be taken en passant there"
        );
    }

    /// On Windows, a list of folders has quotation marks.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_no_list_of_folders_can_have_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("a:b");
        std::fs::create_dir(&list).unwrap();
        let task = Task { positions: 1, games: 1, nodes: 1, seed: 1 };
        let error = run(&list, &["KQvK".parse().unwrap()], &task).unwrap_err().to_string();
        assert!(error.starts_with(&list.display().to_string()), "{error}");
    }
}
