//! The queue of matches as a process.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::matches::bad_engine::describe;

/// Two tests: of one engine against another, and of an engine that cannot be started.
fn tests() -> String {
    let [good, plain] = ["good", "plain"].map(describe);
    format!(
        "[common]\ngames = 2\nmax-moves = 3\nrandom-plies = 0\nstartup = 60\nstall = 60\neach = 'tc=600'\n\n\
         [[test]]\nname = 'first'\nengine = [{good:?}, {plain:?}]\n\n\
         [[test]]\nname = 'missing'\nengine = [{good:?}, 'name=none cmd=/no/such/engine']\n\n\
         [[test]]\nname = 'last'\ngames = 4\nengine = [{plain:?}, {good:?}]\n"
    )
}

fn run(file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trebuchet")).arg("queue").arg(file).output().unwrap()
}

#[test]
fn a_queue_plays_every_test_once_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tests.toml");
    fs::write(&file, tests()).unwrap();
    let output = run(&file);
    assert!(output.status.success(), "{output:?}");
    let results = folder.path().join("tests.results");
    let lines = fs::read_to_string(&results).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines[0].starts_with("first: +0 -0 =2 of 2"), "{lines:?}");
    assert!(lines[1].starts_with("missing: failed, see "), "{lines:?}");
    assert!(lines[2].starts_with("last: +0 -0 =4 of 4"), "{lines:?}");
    assert_eq!(lines.len(), 3);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);

    // As if the last test had been killed: its games are there, its line is not.
    fs::write(&results, format!("{}\n{}\n", lines[0], lines[1])).unwrap();
    let games = folder.path().join("tests.games/last.pgn");
    let before = fs::read_to_string(&games).unwrap();
    let output = run(&file);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), lines[2]);
    assert_eq!(fs::read_to_string(&games).unwrap(), before, "no game is played twice");
    assert_eq!(fs::read_to_string(&results).unwrap().lines().collect::<Vec<_>>(), lines);

    // Nothing is left.
    let output = run(&file);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
}
