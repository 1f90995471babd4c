//! Bots with one fault each, in Python and C, take `trebuchet exam`: the first scene that fails names the
//! fault. `broken_bot.py` and `first_week.c` have the bots.

use std::path::Path;
use std::process::Command;
use std::thread;

use crate::process::ROOT;

/// A fault: its name, the stage of the bot, the scenes to play if not all, the first line that fails.
type Fault = (&'static str, &'static str, &'static str, &'static str);

/// Where a failure takes ten seconds or repeats in every scene, only some scenes are played.
const IN_PYTHON: &[Fault] = &[
    ("bare-move", "random", "first-move", "makes the first move of the game: writes `"),
    (
        "upper-case",
        "random",
        "",
        "makes the first move of the game: plays B2B3: not a move in a notation",
    ),
    ("no-flush", "random", "first-move", "makes the first move of the game: "),
    ("no-newline", "random", "first-move", "makes the first move of the game: "),
    (
        "asks-back",
        "random",
        "first-move",
        "makes the first move of the game: does not move within 10 s",
    ),
    (
        "silent",
        "random",
        "first-move",
        "makes the first move of the game: does not move within 10 s",
    ),
    ("late", "random", "first-move", "makes the first move of the game: does not move within 10 s"),
    ("no-pong", "random", "first-move", "makes the first move of the game: does not answer ping"),
    ("ends-at-force", "random", "first-move", "makes the first move of the game: has ended"),
    ("crashes-on-time", "random", "first-move", "makes the first move of the game: has ended"),
    ("illegal", "random", "", "makes the first move of the game: plays a1a3: blocked"),
    (
        "moves-of-others",
        "random",
        "",
        "makes the first move of the game: plays g8h6: the man on g8 belongs to the opponent",
    ),
    ("resigns-at-once", "random", "", "makes the first move of the game: resigns"),
    (
        "claims-win",
        "random",
        "",
        "makes the first move of the game: claims 1-0 although the game goes on",
    ),
    (
        "moves-pieces",
        "pawns",
        "",
        "makes the first move of the game: plays b1c3: the bot moves a knight",
    ),
    (
        "only-white",
        "random",
        "answers",
        "answers the first move of its opponent: does not move within 10 s",
    ),
    (
        "ignores-force",
        "random",
        "",
        "takes over White in the middle of a game: plays h7h5 in force mode",
    ),
    (
        "ignores-go",
        "random",
        "takes over",
        "takes over White in the middle of a game: does not move within 10 s",
    ),
    ("ignores-new", "random", "another", "begins another game as White: "),
    ("two-moves", "random", "another", "begins another game as White: "),
    (
        "two-moves",
        "random",
        "first-move",
        "makes the first move of the game: plays b2b3 although it has moved",
    ),
    (
        "refuses",
        "random",
        "first-answer",
        "answers the first move of its opponent: calls the legal move e2e4 illegal",
    ),
    (
        "old-moves",
        "random",
        "first-answer",
        "answers the first move of its opponent: does not understand the move usermove e2e4",
    ),
    (
        "keeps-its-side",
        "random",
        "another",
        "begins another game as Black: does not move within 10 s",
    ),
    (
        "no-en-passant",
        "random",
        "",
        "takes en passant as White: plays g1f3 instead of the capture en passant",
    ),
    (
        "late-en-passant",
        "random",
        "",
        "does not take en passant a move later: plays e5d6: the piece does not",
    ),
    ("never-castles", "random", "", "castles short as White: plays h2h3 instead of e1g1"),
    ("castles-long-only", "random", "", "castles short as White: plays h2h3 instead of e1g1"),
    ("castles-through-check", "random", "", "does not castle through check: plays e1g1: "),
    ("ignores-check", "random", "", "blocks a check as White: plays "),
    (
        "plays-after-mate",
        "random",
        "",
        "does not move when it is mated: plays h5e1 although the game is over",
    ),
    ("pushes", "pawns", "", "takes with a White pawn that can take: plays g2g4 instead of e4f5"),
    (
        "underpromotes",
        "pawns",
        "",
        "promotes a White pawn to a queen: plays h7g8n instead of h7g8q",
    ),
    (
        "never-resigns",
        "pawns",
        "",
        "resigns as White when no pawn can move: plays f1e2 instead of resigning",
    ),
];

const IN_C: &[Fault] = &[
    (
        "unflushed",
        "full",
        "first-move",
        "makes the first move of the game: does not move within 10 s",
    ),
    ("fixed", "full", "takes over", "takes over White in the middle of a game: "),
    ("talks", "full", "first-move", "makes the first move of the game: does not move within 10 s"),
];

/// What is printed of a bot, and whether it has passed.
fn exam(stage: &str, only: &str, command: &[&str]) -> (String, bool) {
    let mut exam = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
    exam.args(["exam", "--stage", stage, "--only", only, "--"]).args(command);
    let output = exam.env_remove("PYTHONUNBUFFERED").output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success())
}

fn python() -> String {
    std::env::var("TREBUCHET_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

fn assert_named((fault, stage, only, wanted): Fault, command: &[&str]) {
    let (said, has_passed) = exam(stage, only, command);
    let first = said.lines().find_map(|line| line.strip_prefix("FAIL  ")).unwrap_or_default();
    assert!(!has_passed && first.starts_with(wanted), "{fault}: {said}");
}

#[test]
#[ignore = "needs python-chess"]
fn the_first_failure_names_the_fault() {
    let python = python();
    let script = Path::new(ROOT).join("tests/clients/broken_bot.py");
    let script = script.to_str().expect("the checkout has a plain path");
    for stage in ["pawns", "random"] {
        let (said, has_passed) = exam(stage, "", &[&python, script, stage, "none"]);
        assert!(has_passed, "{said}");
    }
    // Most of the time the bots wait.
    thread::scope(|scope| {
        for faults in IN_PYTHON.chunks(IN_PYTHON.len().div_ceil(4)) {
            let python = &python;
            scope.spawn(move || {
                for &fault in faults {
                    assert_named(fault, &[python, script, fault.1, fault.0]);
                }
            });
        }
    });
}

#[test]
#[ignore = "needs a C compiler"]
fn bots_of_the_first_week_are_told_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    let source = Path::new(ROOT).join("tests/clients/first_week.c");
    let built = Command::new("cc").arg("-o").arg(&bot).arg(&source).status().unwrap();
    assert!(built.success());
    for &fault in IN_C {
        assert_named(fault, &[bot.to_str().unwrap(), fault.0]);
    }
}

/// On a busy machine: the second process gets more time.
#[test]
#[ignore = "needs python-chess"]
fn a_bot_that_starts_late_loses_no_points() {
    let python = python();
    let bot = Path::new(ROOT).join("tests/clients/broken_bot.py");
    let command = [python.as_str(), bot.to_str().unwrap(), "random", "slow-start"];
    let (said, has_passed) = exam("random", "first-answer", &command);
    assert!(has_passed && said.contains("declares its features later than 10 s"), "{said}");
}
