//! Endgame tables in play: what the search does with them, and what it does with damaged files.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::board::Position;
use trebuchet::search::{
    Limits, Observer, PositionSearch, Progress, RootStatus, Search, SearchRules, StopToken,
};
use trebuchet::tablebase::three_check::{
    CheckValue, Ending, Index, ThreeCheckTables, file_name, solve, write,
};
use trebuchet::tablebase::{SyzygyTables, TablePaths, TableResult, Tablebases, men_of};
use trebuchet::types::{Color, Move, Outcome, Reason, Score};
use trebuchet::variants::{Standard, ThreeCheck};

/// Real tables of three men.
const SYZYGY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/syzygy");

/// A folder with the tables of three-check of three men, made once.
static CHECKS: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for ending in Ending::all().iter().filter(|ending| ending.men() == 3) {
        let tables = ThreeCheckTables::open(&[folder.path()]).unwrap();
        write(ending, &solve(ending, &tables, |_| {}).unwrap(), folder.path()).unwrap();
    }
    folder
});

/// Notes the table hits of the last line.
#[derive(Default)]
struct Hits(u64);

impl Observer for Hits {
    fn line(&mut self, progress: Progress) {
        self.0 = progress.tablebase_hits;
    }
    fn root(&mut self, _: RootStatus) {}
}

fn paths(folder: &Path) -> TablePaths {
    let folder = folder.to_str().unwrap().to_owned();
    TablePaths { syzygy: folder.clone(), three_check: folder }
}

/// Searches a position. Returns the best move, the score, and the table hits.
fn search<V: SearchRules>(
    folder: &Path,
    pos: &Position<V>,
    depth: i32,
) -> (Option<Move>, Score, u64) {
    let mut search = Search::<V>::new();
    search.set_tables(Tablebases::open::<V>(&paths(folder)).0);
    let mut hits = Hits::default();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let found = search.run(pos, &limits, &StopToken::new(), &mut hits);
    (found.best, found.score, hits.0)
}

fn chess(fen: &str) -> Position<Standard> {
    Position::from_fen(fen).unwrap()
}

#[test]
fn the_root_has_the_score_of_the_tables() {
    for (fen, score) in [
        // Won, lost and drawn.
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", Score::table_win(0)),
        ("8/8/8/3k4/8/8/8/KR6 b - - 0 1", -Score::table_win(0)),
        ("8/8/8/4k3/8/4P3/4K3/8 w - - 0 1", Score::ZERO),
        // The win comes too late, and so does the loss.
        ("8/8/8/3k4/8/8/8/KR6 w - - 90 90", Score::cp(3)),
        ("8/8/8/3k4/8/8/8/KR6 b - - 90 90", Score::cp(-3)),
        // The distance to a mate is better than the result.
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", Score::win_in(1)),
    ] {
        let (_, found, hits) = search(Path::new(SYZYGY), &chess(fen), 4);
        assert_eq!(found, score, "{fen}");
        assert!(hits > 0, "{fen}");
    }
}

#[test]
fn the_tables_decide_nodes_of_the_search() {
    // Three men after Re2xe3.
    let pos = chess("8/8/8/8/8/k3n3/4R3/4K3 w - - 0 1");
    let mut search = Search::<Standard>::new();
    search.set_tables(Tablebases::open::<Standard>(&paths(Path::new(SYZYGY))).0);
    for (probe_depth, is_known) in [(1, true), (5, false)] {
        search.set_probe_depth(probe_depth);
        search.clear();
        let mut hits = Hits::default();
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let found = search.run(&pos, &limits, &StopToken::new(), &mut hits);
        assert_eq!((found.score.is_win(), hits.0 > 0), (is_known, is_known), "{probe_depth}");
        assert_eq!(found.best.unwrap().to_string(), "e2e3");
    }
}

#[test]
fn missing_tables_are_never_asked() {
    let pos = chess("8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1");
    let (_, _, hits) = search(Path::new("/nonexistent"), &pos, 6);
    assert_eq!(hits, 0);
    // Tables are open, but none of a rook, and this ending is never left for another one of three men.
    let folder = tempfile::tempdir().unwrap();
    let mut copied = 0;
    for file in fs::read_dir(SYZYGY).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap();
        if !name.to_str().unwrap().contains('R') {
            fs::copy(&file, folder.path().join(name)).unwrap();
            copied += 1;
        }
    }
    assert!(copied > 0);
    let (_, _, hits) = search(folder.path(), &chess("8/8/8/3k4/8/8/3r4/K7 w - - 0 1"), 3);
    assert_eq!(hits, 0);
}

#[test]
fn a_win_comes_in_time_whatever_the_search_thinks() {
    for fen in ["8/8/8/3k4/8/8/8/KR6 w - - 62 90", "4k3/8/4K3/4P3/8/8/8/8 w - - 40 60"] {
        let mut pos = chess(fen);
        let mut search = Search::<Standard>::new();
        search.set_tables(Tablebases::open::<Standard>(&paths(Path::new(SYZYGY))).0);
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let outcome = loop {
            if let Some(outcome) = pos.outcome() {
                break outcome;
            }
            let found = search.run(&pos, &limits, &StopToken::new(), &mut Hits::default());
            pos.make_move(found.best.unwrap());
        };
        assert_eq!(outcome, Outcome::win(Color::White, Reason::Checkmate), "{fen}");
    }
}

#[test]
fn distances_tell_cursed_wins_from_wins() {
    let tables = SyzygyTables::open_all(&[Path::new(SYZYGY)]).unwrap();
    let (tables_of_all, notices) = Tablebases::open::<Standard>(&paths(Path::new(SYZYGY)));
    assert_eq!((tables_of_all.most_men::<Standard>(), notices.len()), (3, 0));
    let pos = chess("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    let plies = tables.distance(&pos).unwrap();
    assert!((20..=32).contains(&plies), "{plies}");
    // The clock decides.
    let result = |side: char, clock: i32| {
        let pos = chess(&format!("8/8/8/3k4/8/8/8/KR6 {side} - - {clock} 90"));
        tables_of_all.root_advice(&pos, &pos.legal_moves()).unwrap().moves[0].result
    };
    assert_eq!(result('w', 100 - plies), TableResult::Win);
    assert_eq!(result('w', 102 - plies), TableResult::CursedWin);
    assert_eq!(result('b', 90), TableResult::BlessedLoss);
}

#[test]
fn damaged_files_of_syzygy_never_end_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let pos = chess("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for damage in 0..60 {
        for entry in fs::read_dir(SYZYGY).unwrap() {
            let path = entry.unwrap().path();
            let mut bytes = fs::read(&path).unwrap();
            if path.extension().is_some_and(|extension| extension != "md") && bytes.len() > 100 {
                match damage % 3 {
                    0 => bytes.truncate(16 + 64 * random.random_range(0..bytes.len() / 64)),
                    1 => bytes.truncate(random.random_range(0..bytes.len())),
                    _ => (0..20).for_each(|_| {
                        let at = random.random_range(0..bytes.len());
                        bytes[at] = random.random();
                    }),
                }
            }
            fs::write(folder.path().join(path.file_name().unwrap()), bytes).unwrap();
        }
        let (best, ..) = search(folder.path(), &pos, 3);
        assert!(best.is_some_and(|mv| pos.legal_moves().contains(&mv)));
    }
}

#[test]
fn a_damaged_file_is_noticed_once() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        let bytes = fs::read(Path::new(SYZYGY).join(name)).unwrap();
        fs::write(folder.path().join(name), vec![0; bytes.len()]).unwrap();
    }
    let (tables, notices) = Tablebases::open::<Standard>(&paths(folder.path()));
    assert_eq!(notices.len(), 0, "the files are not read yet: {notices:?}");
    let pos = chess("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    assert_eq!((tables.probe(&pos), tables.probe(&pos)), (None, None));
    assert_eq!(tables.take_notices().len(), 1);
    // Another file of a size that no table has.
    fs::write(folder.path().join("KQvK.rtbw"), [1, 2, 3]).unwrap();
    let (_, notices) = Tablebases::open::<Standard>(&paths(folder.path()));
    assert_eq!(notices.len(), 1, "{notices:?}");
    let (_, notices) = Tablebases::open::<Standard>(&paths(Path::new("/nonexistent")));
    assert!(notices[0].starts_with("tablebases in /nonexistent: "), "{notices:?}");
}

/// The value of a position of three-check as a score.
fn score_of(value: CheckValue) -> Score {
    match value {
        CheckValue::Win(plies) => Score::win_in(plies.into()),
        CheckValue::Draw => Score::ZERO,
        CheckValue::Loss(plies) => Score::loss_in(plies.into()),
    }
}

#[test]
fn a_shallow_search_of_three_check_sees_to_the_end() {
    let tables = ThreeCheckTables::open(&[CHECKS.path()]).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    for name in ["KNvK", "KPvK"] {
        let index = Index::new(&name.parse().unwrap());
        let mut tried = 0;
        while tried < 40 {
            let Some(men) = index.men(random.random_range(0..index.size())) else { continue };
            let mut rows = [[' '; 8]; 8];
            for (_, color, kind, square) in men.iter() {
                let letter = trebuchet::types::Piece::new(color, kind).fen_letter();
                rows[usize::from(7 - square / 8)][usize::from(square % 8)] = letter;
            }
            let board: Vec<String> = rows
                .iter()
                .map(|row| row.iter().map(|&c| if c == ' ' { '1' } else { c }).collect())
                .collect();
            let side = ["w", "b"][tried % 2];
            let left = random.random_range(1..=3);
            let fen = format!("{} {side} - - {left}+3 0 1", board.join("/"));
            let Ok(pos) = Position::<ThreeCheck>::from_fen(&fen) else { continue };
            if pos.outcome().is_some() {
                continue;
            }
            tried += 1;
            let value = tables.value(&men_of(&pos).unwrap(), pos.side_to_move(), [left, 3]);
            let (_, score, _) = search(CHECKS.path(), &pos, 3);
            assert_eq!(score, score_of(value.unwrap()), "{fen}");
        }
    }
}

#[test]
fn a_position_of_three_check_is_shown_with_its_value_and_its_moves() {
    for (fen, value, moves) in [
        (
            "8/8/8/8/8/1K6/2Q5/k7 w - - 3+3 0 1",
            "the side to move wins in 1 ply",
            "Qc1# wins in 1 ply",
        ),
        (
            "k7/8/1K6/8/8/8/8/2Q5 b - - 3+3 0 1",
            "the side to move loses in 4 plies",
            "Kb8 loses in 4 plies",
        ),
        ("8/8/8/8/8/8/1kQ5/7K b - - 3+3 0 1", "a draw", "Kxc2 draws"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
            .args(["egtb", "show", "--tables"])
            .args([CHECKS.path().as_os_str(), fen.as_ref()])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(&format!("{fen}: {value}\n{moves}\n")), "{text}");
    }
}

#[test]
fn damaged_tables_of_three_check_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let ending: Ending = "KNvK".parse().unwrap();
    let path = folder.path().join(file_name(&ending));
    let whole = fs::read(CHECKS.path().join(file_name(&ending))).unwrap();
    let pos = Position::<ThreeCheck>::from_fen("8/8/8/3k4/8/8/8/KN6 w - - 3+3 0 1").unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for damage in 0..60 {
        let mut bytes = whole.clone();
        match damage % 3 {
            0 => bytes.truncate(random.random_range(0..bytes.len())),
            1 => {
                let at = random.random_range(0..bytes.len());
                bytes[at] ^= 1 << random.random_range(0..8);
            }
            _ => bytes.push(0),
        }
        fs::write(&path, bytes).unwrap();
        let (tables, notices) = Tablebases::open::<ThreeCheck>(&paths(folder.path()));
        assert_eq!(notices.len(), 0);
        assert_eq!((tables.probe(&pos), tables.probe(&pos)), (None, None));
        assert_eq!(tables.take_notices().len(), 1, "noticed once");
    }
    // The table of another ending under this name.
    fs::copy(CHECKS.path().join("KBvK.t3c"), &path).unwrap();
    let (tables, _) = Tablebases::open::<ThreeCheck>(&paths(folder.path()));
    assert_eq!(tables.probe(&pos), None);
    fs::write(&path, whole).unwrap();
    let (tables, _) = Tablebases::open::<ThreeCheck>(&paths(folder.path()));
    assert!(matches!(tables.probe(&pos), Some(TableResult::WinIn(_))));
}

/// The last thinking line of an answer: the table hits stand before the tab.
fn hits_in(line: &str) -> Option<u64> {
    line.split_once('\t')?.0.split_whitespace().last()?.parse().ok()
}

#[test]
fn a_gui_can_name_the_folders_in_every_way() {
    let checks = CHECKS.path().display();
    let chess = "setboard 8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1";
    let three_check = "variant 3check\nsetboard 8/8/8/3k4/8/3r4/8/KN6 w - - 3+3 0 1";
    for (arguments, lines, position) in [
        (vec![], format!("egtpath syzygy {SYZYGY}"), chess),
        (vec![], format!("egtpath trebuchet {checks}"), three_check),
        (vec![], format!("option SyzygyPath={SYZYGY}"), chess),
        (vec![], format!("option ThreeCheckPath={checks}"), three_check),
        (vec![format!("--tablebases={SYZYGY}")], String::new(), chess),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut engine = crate::process::Engine::greeted(&arguments);
        engine.send(&format!("{lines}\nnew\nforce\n{position}\npost\nsd 6\ngo"));
        let thinking = engine.lines_to("move ");
        let hits = thinking.iter().rev().find_map(|line| hits_in(line));
        assert!(hits > Some(0), "{lines} {arguments:?}: {thinking:?}");
        engine.quit();
    }
}
