//! What OpenBench asks of an engine: docs/openbench.md.

use std::process::Command;

use trebuchet::board::Position;
use trebuchet::variants::Standard;

use crate::process::ROOT;

/// The standard output of the program. Panics if it fails.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// OpenBench takes the leftmost number with a blank and `nodes`, or `nodes`, a blank and a number; and the
/// same for `nps`. So nothing before the last line may look like that.
#[test]
fn bench_ends_with_nodes_and_speed() {
    let text = printed(&["bench", "--depth", "4"]);
    let (games, last) = text.trim_end().rsplit_once('\n').unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{last}") };
    assert!(nps.parse::<u64>().is_ok(), "{last}");
    let sum: u64 =
        games.lines().map(|line| line.split_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!(nodes.parse(), Ok(sum));
    assert!(!games.contains("nodes") && !games.contains("nps"), "{games}");
}

#[test]
fn openings_are_balanced_positions_and_the_same_for_a_seed() {
    let openings = |request: &str| {
        let text = printed(&[request, "quit"]);
        let fens: Vec<String> = text
            .lines()
            .map(|line| line.strip_prefix("info string genfens ").unwrap().to_owned())
            .collect();
        for fen in &fens {
            let position = Position::<Standard>::from_fen(fen).unwrap();
            assert!(position.outcome().is_none(), "{fen}");
        }
        fens
    };
    let first = openings("genfens 5 seed 42 book None");
    assert_eq!(first.len(), 5);
    assert_eq!(openings("genfens 5 seed 42 book None"), first);
    assert_ne!(openings("genfens 5 seed 43 book None"), first);
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - ce 0;\n").unwrap();
    let from_book = openings(&format!("genfens 3 seed 1 book {}", book.display()));
    assert_eq!(from_book.len(), 3);
    // The book's position has eight pawns, and the start of the game sixteen.
    let is_from_book = |fen: &String| {
        let board = fen.split(' ').next().unwrap_or_default();
        (5..=8).contains(&board.matches(['P', 'p']).count())
    };
    assert!(from_book.iter().all(is_from_book), "{from_book:?}");
}

/// What cannot be done is an error: no request goes on for ever.
#[test]
fn openings_that_cannot_be_found_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let from_book = format!("genfens 3 seed 1 book {}", book.display());
    let mut cases = vec![
        ("", "genfens x".to_owned(), "is not `genfens N seed S book FILE`"),
        ("\n \n", from_book.clone(), "book.epd: there is no position in it"),
        ("4k3/8/8/8/8/8/8/QQQQK3 w - - ce 0;\n", from_book, "1000 lines in a row lead to no"),
    ];
    if cfg!(unix) {
        cases.push(("", "genfens 1 book /dev/zero".to_owned(), "/dev/zero: not a regular file"));
    }
    for (text, request, message) in cases {
        std::fs::write(&book, text).unwrap();
        let refused = Command::new(env!("CARGO_BIN_EXE_trebuchet")).arg(&request).output().unwrap();
        assert_eq!(refused.status.code(), Some(1), "{request}");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(told.contains(message), "{request}: {told}");
    }
}

/// `make EXE=NAME EVALFILE=FILE`: the first target builds, with the network in the environment, and copies.
#[test]
fn make_builds_as_openbench_asks() {
    let make = Command::new("make")
        .args(["--dry-run", "EXE=Trebuchet-1234abcd", "EVALFILE=Networks/5678"])
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO")
        .current_dir(ROOT)
        .output();
    let Ok(output) = make else { return };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = "EVALFILE=Networks/5678 cargo build --release\n\
                    cp target/release/trebuchet Trebuchet-1234abcd\n";
    assert_eq!(text, expected);
}
