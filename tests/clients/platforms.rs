//! A build for another platform, compared with Cargo's build on this machine.
//!
//! `TREBUCHET_COMMAND` names the other build and the program that runs it; without it, the tests
//! examine Cargo's build. They are ignored by default. `.ci/deep` builds for each platform and runs
//! them:
//!
//! ```text
//! TREBUCHET_COMMAND="wine trebuchet.exe" cargo test --test clients -- platforms --ignored --test-threads=1
//! ```

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use crate::process::{Engine, command};

/// Cargo's build on this machine.
const NATIVE: &str = env!("CARGO_BIN_EXE_trebuchet");

/// What a command prints to standard output. It must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{text}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

/// A new empty folder, which goes with the value, also when a test fails.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// The node counts of `bench`, without the time.
fn bench(words: &[String]) -> Vec<String> {
    let text = output(Command::new(&words[0]).args(&words[1..]).args(["bench", "--depth", "10"]));
    text.lines().filter(|line| !line.ends_with(" nps")).map(str::to_owned).collect()
}

#[test]
#[ignore = "for other platforms"]
fn bench_counts_the_same_nodes() {
    let counts = bench(&command());
    assert_eq!(counts, bench(&[NATIVE.to_owned()]));
    assert!(counts.len() > 1, "{counts:?}");
}

/// `comply` exits with success when no step fails. It may warn of a slow start.
#[test]
#[ignore = "for other platforms"]
fn no_step_of_comply_fails() {
    let text = output(Command::new(NATIVE).args(["comply", "--"]).args(command()));
    assert!(text.lines().filter(|line| line.starts_with("ok ")).count() > 100, "{text}");
}

/// The moves of each game in a PGN file, without the comments.
fn moves(pgn: &str) -> Vec<Vec<String>> {
    let mut games = Vec::new();
    for game in pgn.split("[Event ").skip(1) {
        let (_, mut text) = game.split_once("\n\n").expect("an empty line after the tags");
        let mut bare = String::new();
        while let Some((before, comment)) = text.split_once('{') {
            bare.push_str(before);
            text = comment.split_once('}').expect("a closed comment").1;
        }
        bare.push_str(text);
        games.push(bare.split_whitespace().map(str::to_owned).collect());
    }
    games
}

/// With a fixed number of nodes both builds choose the same moves, so the two games of a pair, with
/// colours swapped, are the same game.
fn compare_games(variant: &str) {
    let folder = folder();
    let (pgn, json) = (folder.path().join("games.pgn"), folder.path().join("result.json"));
    output(
        Command::new(NATIVE)
            .args(["match", "--quiet", "--variant", variant, "--games", "4", "--nodes", "2000"])
            .args(["--no-adjudication", "--startup", "60", "--stall", "60"])
            .args(["--engine", &format!("name=other cmd=\"{} --no-book\"", command().join(" "))])
            .args(["--engine", &format!("name=native cmd=\"{NATIVE} --no-book\"")])
            .args(["--pgn".as_ref(), pgn.as_os_str(), "--json".as_ref(), json.as_os_str()]),
    );
    let result = fs::read_to_string(json).unwrap();
    assert_eq!(result.matches("\"faults\": {}").count(), 2, "{result}");
    let games = moves(&fs::read_to_string(pgn).unwrap());
    assert_eq!(games.len(), 4);
    for pair in games.chunks(2) {
        assert_eq!(pair[0], pair[1]);
        assert!(pair[0].len() > 20, "{pair:?}");
    }
}

#[test]
#[ignore = "for other platforms"]
fn chess_games_are_those_of_the_native_build() {
    compare_games("normal");
}

#[test]
#[ignore = "for other platforms"]
fn three_check_games_are_those_of_the_native_build() {
    compare_games("3check");
}

/// Lines may end as on Windows.
#[test]
#[ignore = "for other platforms"]
fn a_dialogue_with_carriage_returns() {
    let mut engine = Engine::start(&[]);
    engine.send("xboard\r\nprotover 2\r");
    let features = engine.lines_to("feature done=1").join("\n");
    assert!(features.contains("variants=\"normal,3check,"), "{features}");
    engine.send("accepted done\r\nnew\r\nvariant 3check\r\ncores 2\r\nmemory 32\r\nsd 4\r\neasy\r");
    assert_eq!(engine.ping(1).0, Vec::<String>::new());
    engine.send("usermove e2e4\r");
    engine.wait_for("move ");
    engine.send("force\r\nusermove a1a5\r");
    assert!(engine.wait_for("Illegal move (").ends_with("): a1a5"));
    engine.send("setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 3+3 0 1\r\nusermove f7g7\r\ngo\r");
    assert_eq!(engine.wait_for("1-0"), "1-0 {White mates}");
    let (status, _) = engine.quit();
    assert!(has_ended_well(status), "{status}");
}

/// Did the engine end by itself, without a fault? Wine kills a process that has ended but has not
/// gone after half a second, as on a busy machine: that counts as ended.
fn has_ended_well(status: ExitStatus) -> bool {
    status.success()
        || (command()[0].ends_with("wine") && status.to_string() == "signal: 9 (SIGKILL)")
}

/// The end of its input and `quit` end the engine: while it is idle, thinks, ponders or analyses.
#[test]
#[ignore = "for other platforms"]
fn the_end_of_its_input_ends_it() {
    for variant in ["", "variant 3check\n"] {
        for mode in ["force", "go", "hard\nusermove e2e4", "analyze"] {
            let start = || {
                let mut engine = Engine::greeted(&["--no-book"]);
                engine.send(&format!("new\n{variant}post\nst 0.1\nusermove d2d4"));
                engine.wait_for("move ");
                let ponders = mode.starts_with("hard");
                let clock = if ponders { "st 0.5" } else { "level 0 60 0" };
                engine.send(&format!("new\n{variant}{clock}\nnopost\n{mode}"));
                if ponders {
                    engine.wait_for("Hint: ");
                }
                engine
            };
            let (status, _) = start().quit();
            assert!(has_ended_well(status), "quit after {mode}: {status}");
            let mut engine = start();
            engine.hang_up();
            let (status, _) = engine.end();
            assert!(has_ended_well(status), "end of input after {mode}: {status}");
        }
    }
}

#[test]
#[ignore = "for other platforms"]
fn a_log_is_written() {
    let folder = folder();
    let mut engine = Engine::start(&["--log", folder.path().to_str().unwrap()]);
    engine.send("new\nping 1");
    engine.wait_for("pong 1");
    engine.quit();
    let logs: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(logs.len(), 1, "{logs:?}");
    let text = fs::read_to_string(&logs[0]).unwrap();
    let said: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(said, ["> new", "> ping 1", "< pong 1", "> quit"]);
}
