//! Opening books with the real binary: the tools, the options, and Debian's `polyglot` as the other
//! program that reads and writes them.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use trebuchet::book::Book;

use crate::process::{Engine, PATIENCE, ROOT, program};

/// Three games. Every move of a position has another number of points.
const GAMES: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 O-O 6. c3 d6 1-0\n\n\
    [Event \"b\"]\n[Result \"1/2-1/2\"]\n\n\
    1. d4 d5 2. c4 dxc4 3. e4 b5 1/2-1/2\n\n\
    [Event \"c\"]\n[Result \"0-1\"]\n\n\
    1. e4 c5 2. e5 d5 3. exd6 Qxd6 0-1\n\n\
    [Event \"d\"]\n[Result \"1/2-1/2\"]\n\n\
    1. h4 a5 2. h5 g5 3. hxg6 a4 4. gxh7 a3 5. hxg8=N axb2 1/2-1/2\n\n";

/// Runs the binary in a folder and returns its exit status and output.
fn trebuchet(folder: &TempDir, arguments: &[&str]) -> (i32, String) {
    let output = program().args(arguments).current_dir(folder).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

fn folder_with_games() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    let make = ["book", "make", "our.bin", "games.pgn", "--moves=5", "--min-games=1"];
    let made = (0, "4 games, 0 left out\nour.bin: 22 positions, 24 moves\n".to_owned());
    assert_eq!(trebuchet(&folder, &make), made);
    folder
}

#[test]
fn a_book_is_made_shown_checked_and_merged() {
    let folder = folder_with_games();
    let show = |arguments: &[&str]| {
        let (status, text) = trebuchet(&folder, &[&["book", "show"], arguments].concat());
        assert_eq!(status, 0, "{text}");
        text.lines().skip(1).collect::<Vec<_>>().join("\n")
    };
    let start = "move      weight  share\n\
                 e4             2  50.0%\nd4             1  25.0%\nh4             1  25.0%";
    assert_eq!(show(&["--book=our.bin"]), start);
    let castling = "move      weight  share\nO-O            2 100.0%";
    assert_eq!(show(&["--book=our.bin", "1.e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]), castling);
    assert_eq!(show(&["--book=our.bin", "a4"]), "no book move");
    assert_eq!(show(&["--book=our.bin", "--variant=3check"]), "no book move");

    // The name of a file is a book, and not a move.
    assert_eq!(show(&["our.bin"]), start);
    assert_eq!(show(&["./our.bin"]), start);
    assert_eq!(show(&["our.bin", "1.e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]), castling);
    let (status, text) = trebuchet(&folder, &["book", "show", "our.bin", "e4", "e4"]);
    assert_eq!(status, 1);
    assert!(text.starts_with("trebuchet: e4: "), "{text}");
    for name in ["their.bin", "books/their.bin"] {
        let (status, text) = trebuchet(&folder, &["book", "show", name]);
        let refusal = format!("trebuchet: {name}: neither a file, nor a legal move, nor a FEN\n");
        assert_eq!((status, text), (1, refusal));
    }

    let (status, text) = trebuchet(&folder, &["book", "check", "our.bin"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.starts_with("24 entries, 22 positions\n16 positions can be reached"), "{text}");
    let (status, text) = trebuchet(&folder, &["book", "check", "our.bin", "--variant=3check"]);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.contains("problem: no moves in the start position of 3check; --variant checks "),
        "{text}"
    );

    let merge =
        |other| trebuchet(&folder, &["book", "merge", "our.bin", other, "--add", "-o", "two.bin"]);
    let (status, text) = merge("./our.bin");
    assert_eq!(status, 1);
    assert!(text.contains("./our.bin is named twice: its moves would count twice"), "{text}");
    fs::copy(folder.path().join("our.bin"), folder.path().join("copy.bin")).unwrap();
    let (status, text) = merge("copy.bin");
    assert_eq!((status, text.as_str()), (0, "two.bin: 22 positions, 24 moves\n"));
    assert_eq!(show(&["--book=two.bin"]).lines().nth(1), Some("e4             4  50.0%"));
    let (status, text) = trebuchet(&folder, &["book", "merge", "our.bin", "-o", "two.bin"]);
    assert_eq!(status, 1);
    assert!(text.contains("two.bin exists"), "{text}");
}

/// The search would take days.
#[test]
fn games_that_cannot_be_read_are_found_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let make = ["book", "make", "our.bin", "gmaes.pgn", "--positions=100000"];
    let (status, said) = trebuchet(&folder, &make);
    assert!(status == 1 && said.contains("gmaes.pgn"), "{status} {said}");
}

#[test]
fn the_command_line_names_the_book_or_none() {
    let folder = folder_with_games();
    let path = folder.path().join("our.bin");
    let path = path.to_str().unwrap();
    let mut engine = Engine::greeted(&["--book", path]);
    engine.send("new\nbk");
    let (lines, _) = engine.ping(1);
    let expected = [
        " move      weight  share",
        " e4             2  50.0%",
        " d4             1  25.0%",
        " h4             1  25.0%",
        "",
    ];
    assert_eq!(lines, expected);
    engine.send("option BookVariety=0\npost\ngo");
    let lines = engine.lines_to("move e2e4");
    assert_eq!(lines.first().unwrap(), "0 0 0 0 (e4 50%, d4 25%, h4 25%)");
    engine.quit();

    let mut engine = Engine::start(&["--no-book"]);
    engine.send("xboard\nprotover 2");
    let all = engine.lines_to("feature done=1").join("\n");
    assert!(all.contains("OwnBook -check 0"), "{all}");
    engine.quit();

    let mut engine = Engine::start(&["--book", "no/such/file"]);
    engine.send("xboard\nprotover 2");
    engine.lines_to("feature done=1");
    let line = engine.line_within(PATIENCE).unwrap();
    assert!(line.starts_with("tellusererror The book cannot be used: no/such/file: "), "{line}");
    engine.send("new\nsd 1\nusermove e2e4\nping 1");
    engine.lines_to("pong 1");
    engine.quit();
}

#[test]
fn the_built_in_books_are_sound() {
    let folder = tempfile::tempdir().unwrap();
    for variant in ["normal", "3check"] {
        let (status, text) = trebuchet(&folder, &["book", "check", "--variant", variant]);
        assert_eq!(status, 0, "{variant}: {text}");
        let numbers = text.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<usize> = numbers.filter_map(|number| number.parse().ok()).collect();
        let &[entries, positions, reached, without_weight] = &numbers[..] else { panic!("{text}") };
        assert!((1000..6250).contains(&entries), "{variant}: {text}");
        assert!(reached > 40 && reached <= positions && without_weight == 0, "{variant}: {text}");
    }
    for variant in ["kingofthehill", "fischerandom"] {
        let (status, text) = trebuchet(&folder, &["book", "show", "--variant", variant]);
        assert_eq!(status, 1);
        let expected =
            format!("trebuchet: there is no built-in book for {variant}: name the file of one\n");
        assert_eq!(text, expected);
    }
}

/// Debian's `polyglot` in a folder. Ends the test if it fails.
fn polyglot(folder: &TempDir, arguments: &[&str]) {
    let output = Command::new("/usr/games/polyglot")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("polyglot is installed");
    assert!(output.status.success(), "{output:?}");
}

fn load(folder: &TempDir, name: &str) -> Book {
    Book::load(&folder.path().join(name)).unwrap()
}

/// Entries in an order that does not depend on ties.
fn entries(book: &Book) -> Vec<(u64, u16, u16)> {
    let mut entries: Vec<_> =
        book.entries().map(|entry| (entry.key, entry.code, entry.weight)).collect();
    entries.sort_unstable();
    entries
}

#[test]
#[ignore = "needs polyglot"]
fn polyglot_makes_the_same_book_from_the_same_games() {
    let folder = folder_with_games();
    let make = "make-book -pgn games.pgn -bin their.bin -max-ply 10 -min-game 1";
    polyglot(&folder, &make.split(' ').collect::<Vec<_>>());
    assert_eq!(entries(&load(&folder, "our.bin")), entries(&load(&folder, "their.bin")));
    let (status, text) = trebuchet(&folder, &["book", "check", "their.bin"]);
    assert_eq!(status, 0, "{text}");
}

#[test]
#[ignore = "needs polyglot"]
fn polyglot_reads_our_books() {
    let folder = folder_with_games();
    let dump = |color: &str| {
        let words = ["dump-book", "-bin", "our.bin", "-color", color, "-out", "dump.txt"];
        polyglot(&folder, &words);
        fs::read_to_string(folder.path().join("dump.txt")).unwrap()
    };
    let white = dump("white");
    for line in [
        "1. e4{50%} e5 2. Nf3{100%} Nc6 3. Bc4{100%} Bc5 4. O-O{100%} Nf6 5. d3{100%}",
        "1. d4{25%} d5 2. c4{100%} dxc4 3. e4{100%}",
        "1. h4{25%} a5 2. h5{100%} g5 3. hxg6{100%} a4 4. gxh7{100%} a3 5. hxg8=N{100%}",
    ] {
        assert!(white.contains(line), "{line}\n{white}");
    }
    assert!(dump("black").contains("1. e4 c5{100%} 2. e5 d5{100%} 3. exd6 Qxd6{100%}"));
    // Polyglot adds the weights, too.
    fs::copy(folder.path().join("our.bin"), folder.path().join("copy.bin")).unwrap();
    polyglot(&folder, &["merge-book", "-in1", "our.bin", "-in2", "copy.bin", "-out", "m.bin"]);
    let merge = ["book", "merge", "our.bin", "copy.bin", "--add", "-o", "two.bin"];
    let (status, text) = trebuchet(&folder, &merge);
    assert_eq!(status, 0, "{text}");
    assert_eq!(entries(&load(&folder, "m.bin")), entries(&load(&folder, "two.bin")));
}

/// The built-in book of chess, as a file for another program.
#[test]
#[ignore = "needs polyglot"]
fn polyglot_walks_through_the_built_in_book() {
    let folder = tempfile::tempdir().unwrap();
    let built_in = Path::new(ROOT).join("variants/standard/book.bin");
    fs::copy(built_in, folder.path().join("book.bin")).unwrap();
    polyglot(&folder, &["dump-book", "-bin", "book.bin", "-color", "white", "-out", "dump.txt"]);
    let dump = fs::read_to_string(folder.path().join("dump.txt")).unwrap();
    assert!(dump.lines().filter(|line| line.contains("1. ")).count() >= 50, "{dump}");
}
