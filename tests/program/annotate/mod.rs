//! `trebuchet annotate`: the files it writes, those it keeps, and how it goes on after Ctrl-C. Other
//! programs read what it writes: see `readers`.

mod readers;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use trebuchet::notation::pgn::{self, PgnGame};

/// Games of four variants, with side lines, glyphs and comments.
const GAMES: &str = include_str!("../../data/games.pgn");

/// Limits for quick and repeatable searches.
const QUICK: [&str; 4] = ["--nodes", "3000", "--hash", "1"];

/// A folder with the games in the file `games.pgn`.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("games.pgn", GAMES);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, sorted.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
        command.current_dir(self.0.path()).arg("annotate").args(arguments).stdin(Stdio::null());
        command
    }

    /// Runs the command. Returns its exit status, standard output and standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        said(self.command(arguments).args(QUICK).output().unwrap())
    }
}

fn said(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn games(text: &str) -> Vec<PgnGame> {
    pgn::read(text).collect()
}

/// The annotated games of [`GAMES`], as they are written with the limits of [`QUICK`].
fn annotated_games(folder: &Folder) -> String {
    let (status, out, said) = folder.run(&["games.pgn"]);
    assert_eq!((status, out.as_str()), (0, ""), "{said}");
    folder.read("games.annotated.pgn")
}

#[test]
fn games_of_four_variants_are_annotated() {
    let folder = Folder::new();
    let text = annotated_games(&folder);
    assert_eq!(folder.files(), ["games.annotated.pgn", "games.html", "games.pgn"]);
    assert_eq!(folder.read("games.pgn"), GAMES);
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.starts_with('[')), "{text}");
    let (before, after) = (games(GAMES), games(&text));
    assert_eq!(after.len(), 4);
    for (before, after) in before.iter().zip(&after) {
        // All that the source has is still there.
        for (name, value) in &before.tags {
            assert_eq!(after.tag(name), Some(value.as_str()));
        }
        assert_eq!(before.result, after.result);
        assert!(after.tag("Annotator").unwrap().starts_with("Trebuchet "));
        for tag in ["WhiteAccuracy", "BlackAccuracy"] {
            let percent: f64 = after.tag(tag).unwrap().parse().unwrap();
            assert!((0.0..=100.0).contains(&percent), "{percent}");
        }
        assert_eq!(before.moves.len(), after.moves.len());
        for (mv, annotated) in before.moves.iter().zip(&after.moves) {
            assert_eq!(mv.san, annotated.san);
            assert!(annotated.nags.ends_with(&mv.nags), "{annotated:?}");
            assert!(annotated.variations.starts_with(&mv.variations), "{annotated:?}");
            for part in mv.comment.iter().flat_map(|text| text.split(" [")) {
                assert!(annotated.comment.as_deref().unwrap().contains(part), "{annotated:?}");
            }
        }
        // Every position but that of a finished game has its evaluation.
        let (last, others) = after.moves.split_last().unwrap();
        let has_eval =
            |comment: &Option<String>| comment.as_deref().unwrap_or_default().contains("[%eval ");
        assert!(others.iter().all(|mv| has_eval(&mv.comment)), "{text}");
        let is_over = last.san.ends_with('#');
        assert_eq!(has_eval(&last.comment), !is_over, "{text}");
    }
    // A blunder has words and a better line; the glyph of the source stays the only one.
    let blunder = &after[0].moves[3];
    let words = blunder.comment.as_deref().unwrap();
    assert!(words.starts_with("[%eval #1] (Trebuchet: ?? Blunder, loses "), "{words}");
    assert_eq!((blunder.nags.as_slice(), blunder.variations.len()), (&[2][..], 3));
    let line = blunder.variations.last().unwrap();
    let depth = line.moves.last().unwrap().comment.as_deref().unwrap();
    assert!(depth.starts_with("(Trebuchet: ") && depth.contains(", depth "), "{depth}");
    assert!(words.contains(&format!("Better: {}", line.moves[0].san)), "{words}");
}

/// The games that differ most from chess: without pawns or a king, with compulsory captures, explosions and drops.
const OTHER_GAMES: [(&str, &str); 7] = [
    ("Racing Kings", "1. Kh3 Ka3 *"),
    ("Horde", "1. c6 bxc6 2. bxc6 *"),
    ("Antichess", "1. e4 d5 2. exd5 Qxd5 *"),
    ("Suicide", "1. e4 d5 2. exd5 Qxd5 *"),
    ("Giveaway", "1. e4 d5 2. exd5 Qxd5 *"),
    ("Atomic", "1. Nf3 a6 2. Ne5 a5 3. Nxd7# 1-0"),
    ("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. P@e4 *"),
];

#[test]
fn the_other_games_are_annotated_too() {
    let folder = Folder::new();
    let text =
        OTHER_GAMES.map(|(name, moves)| format!("[Variant \"{name}\"]\n\n{moves}\n\n")).concat();
    folder.write("other.pgn", &text);
    let (status, _, said) = folder.run(&["other.pgn"]);
    assert_eq!(status, 0, "{said}");
    let annotated = folder.read("other.annotated.pgn");
    let after = games(&annotated);
    let sans = |games: &[PgnGame]| -> Vec<Vec<String>> {
        games.iter().map(|game| game.moves.iter().map(|mv| mv.san.clone()).collect()).collect()
    };
    assert_eq!(sans(&after), sans(&games(&text)));
    for ((name, _), game) in OTHER_GAMES.iter().zip(&after) {
        assert_eq!(game.tag("Variant"), Some(*name));
        assert!(game.moves[0].comment.as_deref().unwrap().starts_with("[%eval "), "{game}");
    }
    assert!(!folder.read("other.html").contains("not analysed"));
    // It understands what it has written.
    let (status, again, said) = folder.run(&["other.annotated.pgn", "--pgn", "-"]);
    assert_eq!((status, again), (0, annotated), "{said}");
}

#[test]
fn a_result_does_not_depend_on_threads_or_on_an_earlier_annotation() {
    let folder = Folder::new();
    let first = annotated_games(&folder);
    let (_, one, _) = folder.run(&["games.pgn", "--cores", "1", "--pgn", "-"]);
    let (_, three, _) = folder.run(&["games.pgn", "--cores", "3", "--pgn", "-"]);
    assert_eq!((one.as_str(), three.as_str()), (first.as_str(), first.as_str()));
    // Its own annotations are replaced, not doubled.
    let (status, again, said) = folder.run(&["games.annotated.pgn", "--pgn", "-"]);
    assert_eq!((status, again.as_str()), (0, first.as_str()), "{said}");
}

#[test]
fn standard_input_is_annotated_to_standard_output() {
    let folder = Folder::new();
    let mut command = folder.command(&["-", "--game", "2"]);
    command.args(QUICK).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    running.stdin.take().unwrap().write_all(GAMES.as_bytes()).unwrap();
    let (status, out, told) = said(running.wait_with_output().unwrap());
    assert_eq!((status, games(&out).len()), (0, 1), "{told}");
    assert_eq!(games(&out)[0].tag("Event"), Some("Three-check"));
    assert_eq!(folder.files(), ["games.pgn"]);
}

#[test]
fn bad_games_do_not_spoil_the_others() {
    let folder = Folder::new();
    folder.write(
        "bad.pgn",
        b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n\r\n1. e4 e5 2. Ke3 Nf6 *\r\n\r\n[Variant \"Shogi\"]\r\n\r\n1. e4 *\r\n\r\n\
          [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\r\n\r\n*\r\n\r\n1. d4 -- *\r\n\r\n1. c4 *\r\n\r\n\
          [Event \"6\"]\r\n[Black \"x]\r\n\r\n1. c4 {open e5 *\r\n",
    );
    let (status, _, said) = folder.run(&["bad.pgn"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "bad.pgn, game 1: 2. Ke3 cannot be played: the piece does not move like that",
            "bad.pgn, game 2: the variant \"Shogi\" is not known",
            "bad.pgn, game 3: its start position is not legal: White needs exactly one king",
            "bad.pgn, game 4: 1... -- cannot be played: not understood",
            "bad.pgn, game 6: this tag cannot be read: [Black \"x]",
            "bad.pgn, game 6: a comment is never closed, so moves after it are not read",
        ]
    );
    assert_eq!(status, 1);
    let text = folder.read("bad.annotated.pgn");
    let games = games(&text);
    let sans =
        |game: &PgnGame| -> Vec<String> { game.moves.iter().map(|mv| mv.san.clone()).collect() };
    // Nothing of the source is lost.
    assert_eq!(
        games.iter().map(sans).collect::<Vec<_>>().concat().join(" "),
        "e4 e5 Ke3 Nf6 e4 d4 -- c4 c4"
    );
    assert_eq!(games[0].tag("White"), Some("Müller"));
    let report = folder.read("bad.html");
    let refused = "? – ?: not analysed, the variant &quot;Shogi&quot; is not known";
    assert!(report.contains(refused), "{report}");
    let comment = games[0].moves[1].comment.as_deref().unwrap();
    assert!(
        comment
            .ends_with("(Trebuchet: 2. Ke3 cannot be played: the piece does not move like that)")
    );
    assert!(games[4].moves[0].comment.is_some());
}

#[test]
fn what_cannot_be_used_is_refused_before_the_search() {
    let folder = Folder::new();
    folder.write("empty.pgn", "");
    folder.write("mine.pgn", "[Event \"mine\"]\n\n1. e4 *\n");
    folder.write("games.html", "my page");
    for (arguments, message) in [
        (&["none.pgn"][..], "none.pgn: No such file"),
        (&["empty.pgn"], "empty.pgn: no game\ntrebuchet: there is no game\n"),
        (&["games.pgn", "--game", "9"], "there is no game 9"),
        (&["games.pgn"], "games.html: this file is not one of Trebuchet's; --force replaces it"),
        (&["games.pgn", "--pgn", "mine.pgn"], "mine.pgn: this file is not one of Trebuchet's"),
        (&["games.pgn", "--force", "--pgn", "./games.pgn"], "this is a source"),
        (&["games.pgn", "mine.pgn", "--pgn", "mine.pgn"], "this is a source"),
        (&["games.pgn", "--pgn", "x", "--html", "x"], "two outputs have this name"),
        (&["games.pgn", "--pgn", "none/x"], "none/x: "),
        (&["games.pgn", "--time", "0"], "not a number of seconds"),
        (&["games.pgn", "--time", "nan"], "not a number of seconds"),
        (&[], "required"),
    ] {
        let (status, out, said) = folder.run(arguments);
        assert!(said.contains(message) && out.is_empty() && status > 0, "{arguments:?}: {said}");
    }
    assert_eq!(folder.files(), ["empty.pgn", "games.html", "games.pgn", "mine.pgn"]);
    assert_eq!(folder.read("games.html"), "my page");
    let (status, _, said) = folder.run(&["games.pgn", "empty.pgn", "--game", "1", "--force"]);
    assert_eq!((status, said.contains("empty.pgn: no game")), (1, true), "{said}");
    assert_eq!(games(&folder.read("games.annotated.pgn")).len(), 1);
    assert_ne!(folder.read("games.html"), "my page");
    // Its own files are replaced without a question.
    assert_eq!(folder.run(&["games.pgn", "--game", "1"]).0, 0);
    // A number that the file does not have is told beside one that it has.
    let (status, _, said) = folder.run(&["games.pgn", "--game", "1", "--game", "9"]);
    assert_eq!((status, said.contains("games.pgn: there is no game 9")), (1, true), "{said}");
    assert_eq!(games(&folder.read("games.annotated.pgn")).len(), 1);
}

#[test]
fn an_earlier_output_among_the_sources_is_passed_over() {
    let folder = Folder::new();
    let first = annotated_games(&folder);
    let (status, _, said) = folder.run(&["games.annotated.pgn", "games.pgn"]);
    let note = "games.annotated.pgn: passed over, because it is the output for games.pgn\n";
    assert_eq!((status, said.starts_with(note)), (0, true), "{said}");
    assert_eq!(folder.read("games.annotated.pgn"), first);
    assert_eq!(folder.files(), ["games.annotated.pgn", "games.html", "games.pgn"]);
}

#[test]
fn several_files_go_into_one() {
    let folder = Folder::new();
    folder.write("other.pgn", "1. a4 *");
    let (status, _, said) = folder.run(&["other.pgn", "games.pgn", "--pgn", "all.pgn"]);
    assert_eq!((status, games(&folder.read("all.pgn")).len()), (0, 5), "{said}");
    assert_eq!(folder.files(), ["all.pgn", "games.pgn", "other.pgn"]);
}

/// A long game, for tests that interrupt its analysis.
fn long_game() -> String {
    let moves = "Nf3 Nf6 Nc3 Nc6 e4 e5 Bb5 Bb4 O-O O-O d3 d6 Bg5 Bg4 h3 h6 Bxf6 Bxf3 Qxf3 Qxf6";
    format!("[Event \"long\"]\n\n{moves} *\n")
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_found() {
    let folder = Folder::new();
    folder.write("long.pgn", long_game());
    let arguments = ["long.pgn", "--nodes", "60000", "--hash", "1"];
    let mut running = folder.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
    let progress = folder.path("long.annotated.pgn.progress");
    // The first line is not yet a position.
    while !fs::read_to_string(&progress).is_ok_and(|text| text.lines().count() > 3) {
        assert!(running.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = running.id().to_string();
    crate::process::signal("-INT", &id);
    let (status, _, told) = said(running.wait_with_output().unwrap());
    assert_eq!(status, 130, "{told}");
    assert!(told.starts_with("interrupted: "), "{told}");
    assert!(told.ends_with(" of 21 positions are searched; the same command goes on from there\n"));
    assert_eq!(folder.files(), ["games.pgn", "long.annotated.pgn.progress", "long.pgn"]);

    // The rest of a line that was cut off does no harm.
    let mut text = fs::read(&progress).unwrap();
    text.truncate(text.len() - 3);
    fs::write(&progress, text).unwrap();
    let (status, _, told) = said(folder.command(&arguments).output().unwrap());
    assert_eq!(status, 0, "{told}");
    let resumed = folder.read("long.annotated.pgn");
    assert!(!progress.exists());
    let whole = [&arguments[..], &["--pgn", "-"]].concat();
    let (_, at_once, _) = said(folder.command(&whole).output().unwrap());
    assert_eq!(resumed, at_once);
}

/// Nothing is found yet that could be kept. A shell may have made its children deaf to Ctrl-C, which `env`
/// undoes.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_and_sigterm_end_the_reading() {
    use std::os::unix::process::ExitStatusExt;

    let folder = Folder::new();
    for (name, number) in [("-INT", 2), ("-TERM", 15)] {
        let annotate = folder.command(&["-"]);
        let mut running = Command::new("env")
            .arg("--default-signal=INT")
            .arg(annotate.get_program())
            .args(annotate.get_args())
            .current_dir(annotate.get_current_dir().unwrap())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // More than a pipe holds: it is read.
        let mut input = running.stdin.take().unwrap();
        input.write_all(GAMES.repeat(1 + 300_000 / GAMES.len()).as_bytes()).unwrap();
        let id = running.id().to_string();
        crate::process::signal(name, &id);
        let start = std::time::Instant::now();
        while running.try_wait().unwrap().is_none() {
            if start.elapsed() > crate::process::PATIENCE {
                running.kill().unwrap();
                panic!("it goes on reading");
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(running.wait().unwrap().signal(), Some(number));
        drop(input);
    }
    assert_eq!(folder.files(), ["games.pgn"]);
}

#[test]
fn a_lesson_without_a_punishment_names_the_better_move() {
    let folder = Folder::new();
    let start = "[FEN \"6k1/5ppp/8/7r/8/8/5PPP/R5K1 w - - 0 1\"]";
    folder.write("own.pgn", format!("{start}\n\n1. h3 h6 *\n"));
    assert_eq!(folder.run(&["own.pgn"]).0, 0);
    let page = folder.read("own.html");
    let (_, lesson) = page.split_once("class=\"lesson-text\">").expect("a lesson");
    let (text, _) = lesson.split_once('<').unwrap();
    assert!(text.starts_with("Missed mate") && text.ends_with("Better: Ra8# mates"), "{text}");
}

#[test]
fn what_is_kept_is_not_searched_again() {
    let folder = Folder::new();
    let run = || {
        let (status, _, said) = folder.run(&["own.pgn", "--keep"]);
        assert_eq!(status, 0, "{said}");
        (folder.read("own.annotated.pgn"), folder.read("own.annotated.pgn.progress"))
    };
    folder.write("own.pgn", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# *\n");
    let (first, kept) = run();
    assert_eq!(run(), (first.clone(), kept.clone()));
    // Each search adds a line: of a second game, only its own positions are searched.
    folder.write("own.pgn", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# *\n\n1. e4 c5 *\n");
    let (both, more) = run();
    assert!(both.starts_with(&first) && more.starts_with(&kept), "{both}");
    assert_eq!(more.lines().count() - kept.lines().count(), 1, "{more}");
    // Without the option, nothing stays.
    assert_eq!(folder.run(&["own.pgn"]).0, 0);
    assert!(!folder.files().contains(&"own.annotated.pgn.progress".to_owned()));
}

#[test]
fn a_foreign_progress_file_is_not_touched() {
    let folder = Folder::new();
    folder.write("games.annotated.pgn.progress", "my notes");
    let (status, _, said) = folder.run(&["games.pgn"]);
    assert_eq!((status, said.contains("not a progress file")), (1, true), "{said}");
    assert_eq!(folder.read("games.annotated.pgn.progress"), "my notes");
    assert!(!Path::new(&folder.path("games.annotated.pgn")).exists());
}
