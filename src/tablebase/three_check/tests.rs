//! Tests of whole tables: against forward search, for consistency, and with damaged files.

use std::collections::HashMap;
use std::sync::LazyLock;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::board::{Position, Setup};
use crate::types::{MAX_PLY, Piece};
use crate::variants::{ChecksLeft, ThreeCheck};

/// A folder with the tables of three men, made once for all tests.
struct Made {
    _folder: tempfile::TempDir,
    tables: ThreeCheckTables,
}

static MADE: LazyLock<Made> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for ending in Ending::all().iter().filter(|ending| ending.men() == 3) {
        make(ending, folder.path());
    }
    let tables = ThreeCheckTables::open(&[folder.path()]).unwrap();
    Made { _folder: folder, tables }
});

fn make(ending: &Ending, folder: &Path) {
    let tables = ThreeCheckTables::open(&[folder]).unwrap();
    let solved = solve(ending, &tables, |_| {}).unwrap();
    write(ending, &solved, folder).unwrap();
}

fn ending(name: &str) -> Ending {
    name.parse().unwrap()
}

/// The position with these men in the types of the engine; `None` if it is illegal.
fn position(men: &Men, side: Color, left: [u8; 2]) -> Option<Position<ThreeCheck>> {
    let mut setup = Setup::empty();
    for (_, color, kind, square) in men.iter() {
        setup.pieces[usize::from(square)] = Some(Piece::new(color, kind));
    }
    setup.side_to_move = side;
    setup.state = ChecksLeft::new(left[0], left[1]);
    setup.try_into().ok()
}

/// Can the side to move force the end of the game within `plies`? Plain search of all moves, by the
/// rules of the engine. `wins` says for whom: the side to move or its opponent.
fn forces(pos: &mut Position<ThreeCheck>, plies: usize, wins: bool, known: &mut Known) -> bool {
    if let Some(outcome) = pos.variant_outcome() {
        return (outcome.winner == Some(pos.side_to_move())) == wins;
    }
    let moves = pos.legal_moves();
    if moves.is_empty() {
        return !wins && pos.in_check();
    }
    if plies == 0 {
        return false;
    }
    let key = (pos.key().bits(), plies, wins);
    if let Some(&found) = known.get(&key) {
        return found;
    }
    let mut after = |mv| {
        pos.make_move(mv);
        let found = forces(pos, plies - 1, !wins, known);
        pos.unmake_move();
        found
    };
    let found =
        if wins { moves.iter().any(|&mv| after(mv)) } else { moves.iter().all(|&mv| after(mv)) };
    known.insert(key, found);
    found
}

type Known = HashMap<(u64, usize, bool), bool>;

/// Compares random positions of an ending with a forward search. Returns how many wins and losses
/// were proven with their distance.
fn compare(name: &str, samples: usize, plies: usize) -> usize {
    compare_with(&MADE.tables, name, samples, plies)
}

fn compare_with(tables: &ThreeCheckTables, name: &str, samples: usize, plies: usize) -> usize {
    let index = Index::new(&ending(name));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut proven, mut tried) = (0, 0);
    let mut known = Known::new();
    while tried < samples {
        let Some(men) = index.men(random.random_range(0..index.size())) else { continue };
        let side = Color::ALL[random.random_range(0..2)];
        let left = [random.random_range(1..=3), random.random_range(1..=3)];
        let Some(mut pos) = position(&men, side, left) else { continue };
        tried += 1;
        let value = tables.value(&men, side, left).unwrap();
        let (distance, wins) = match value {
            CheckValue::Win(distance) => (usize::from(distance), true),
            CheckValue::Loss(distance) => (usize::from(distance), false),
            CheckValue::Draw => (MAX_PLY, true),
        };
        if distance <= plies {
            proven += 1;
            assert!(forces(&mut pos, distance, wins, &mut known), "{value:?}: {}", pos.fen());
            if distance >= 2 {
                assert!(!forces(&mut pos, distance - 2, wins, &mut known), "{}", pos.fen());
            }
        } else {
            for wins in [true, false] {
                assert!(!forces(&mut pos, plies, wins, &mut known), "{value:?}: {}", pos.fen());
            }
        }
        if known.len() > 1 << 20 {
            known.clear();
        }
    }
    proven
}

#[test]
fn values_of_three_men_are_those_of_a_forward_search() {
    for (name, samples, least) in
        [("KQvK", 100, 60), ("KRvK", 100, 60), ("KBvK", 60, 1), ("KNvK", 60, 3), ("KPvK", 60, 5)]
    {
        let proven = compare(name, samples, 5);
        assert!(proven >= least, "{name}: {proven} of {samples} within five plies");
    }
}

/// The whole table of each ending: the longest win in plies, and the numbers of wins, draws and losses
/// of the side to move, over all counts.
#[test]
fn tables_of_three_men_are_consistent() {
    for (name, longest, counts) in [
        ("KQvK", 8, [108_381, 17_286, 150_672]),
        ("KRvK", 10, [131_376, 16_683, 151_275]),
        ("KBvK", 38, [144_945, 16_758, 151_218]),
        ("KNvK", 34, [153_837, 18_306, 149_937]),
        ("KPvK", 44, [200_833, 134_911, 161_284]),
    ] {
        let mut layers = Vec::new();
        let positions = verify(&MADE.tables, &ending(name), |done| layers.push(done));
        assert_eq!(positions, Ok(counts.iter().sum()), "{name}");
        assert_eq!(layers, [1, 2, 3]);
        let table = MADE.tables.table(&ending(name)).unwrap();
        assert_eq!((table.longest(), table.counts()), (longest, counts), "{name}");
    }
}

#[test]
fn exchanged_colours_have_the_same_value() {
    for name in ["KNvK", "KPvK"] {
        let index = Index::new(&ending(name));
        for number in (0..index.size()).step_by(97) {
            let Some(men) = index.men(number) else { continue };
            let mut swapped = Men::kings(men.squares[1] ^ 56, men.squares[0] ^ 56);
            for (_, color, kind, square) in men.iter().skip(2) {
                swapped.add(!color, kind, square ^ 56);
            }
            for (side, left) in [(Color::White, [2, 3]), (Color::Black, [1, 2])] {
                let value = MADE.tables.value(&men, side, left);
                assert_eq!(MADE.tables.value(&swapped, !side, [left[1], left[0]]), value);
                assert_eq!(MADE.tables.value(&men, side, [left[0], 1]), value, "a bare king");
            }
        }
    }
}

#[test]
fn a_changed_value_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = ending("KNvK");
    let tables = ThreeCheckTables::open(&[folder.path()]).unwrap();
    let mut solved = solve(&wrong, &tables, |_| {}).unwrap();
    let values = &mut solved.layers[1][0];
    let place = values.iter().position(|&code| code == 6).unwrap();
    values[place] = 4;
    write(&wrong, &solved, folder.path()).unwrap();
    let tables = ThreeCheckTables::open(&[folder.path()]).unwrap();
    let found = verify(&tables, &wrong, |_| {});
    assert!(matches!(found, Err(VerifyError::Contradiction { .. })), "{found:?}");
}

#[test]
fn an_ending_needs_the_tables_of_its_captures() {
    let folder = tempfile::tempdir().unwrap();
    let tables = ThreeCheckTables::open(&[folder.path()]).unwrap();
    assert_eq!(solve(&ending("KPvK"), &tables, |_| {}).err(), Some(SolveError::MissingTable));
    assert_eq!(verify(&tables, &ending("KNvK"), |_| {}), Err(VerifyError::Missing(ending("KNvK"))));
}

/// A device would give bytes for ever.
#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let ending = ending("KQvK");
    let path = folder.path().join("KQvK.t3c");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    let tables = ThreeCheckTables::open(&[folder.path()]).unwrap();
    assert!(tables.table(&ending).is_none());
    let notice = format!("{}: not a table of this version", path.display());
    assert_eq!(tables.take_notices(), [notice]);
}

/// An ending of four men with nine layers, made and compared with the forward search.
#[test]
#[ignore = "takes a minute"]
fn tables_of_four_men_are_right() {
    let folder = tempfile::tempdir().unwrap();
    let ending = ending("KRvKN");
    for ending in ending.successors().iter().chain([&ending]) {
        make(ending, folder.path());
    }
    let tables = ThreeCheckTables::open(&[folder.path()]).unwrap();
    assert!(verify(&tables, &ending, |_| {}).is_ok());
    assert!(compare_with(&tables, "KRvKN", 200, 5) >= 40);
}
