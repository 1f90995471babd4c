//! The targets of the Makefile that start the engine give it the right arguments.

use std::io::ErrorKind;
use std::process::Command;

use crate::process::ROOT;

/// What `cargo` would be called with; `None` without make.
fn cargo_arguments(arguments: &[&str]) -> Option<String> {
    let logs = tempfile::tempdir().unwrap();
    let make = Command::new("make")
        .args(arguments)
        .arg("CARGO=echo")
        .arg(format!("LOGS={}", logs.path().display()))
        // A make that runs these tests hands its variables down.
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .env_remove("STAGE")
        .env_remove("VARIANT")
        .env_remove("ARGS")
        .current_dir(ROOT)
        .output();
    let output = match make {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        result => result.unwrap(),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(text.lines().count(), 1, "xboard reads every line as protocol: {text}");
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// xboard splits the command of `-fcp` at blanks and knows no quotes within it, so each stage needs a
/// target or a variable without blanks.
#[test]
fn every_stage_has_a_short_command() {
    for (arguments, expected) in [
        (&["run"][..], ""),
        (&["run-pawns"], "--stage pawns"),
        (&["run-random"], "--stage random"),
        (&["run", "STAGE=full"], ""),
        (&["run", "STAGE=pawns"], "--stage pawns"),
        (&["run", "STAGE=random", "VARIANT=3check"], "--stage random --variant 3check"),
        (&["run", "ARGS=perft 3"], "perft 3"),
    ] {
        let Some(called) = cargo_arguments(arguments) else { return };
        let called = called.strip_prefix("run --quiet --release --").unwrap();
        assert_eq!(called.trim(), expected, "{arguments:?}");
    }
}

/// Where there is neither xboard nor WinBoard, `make play` plays on the terminal.
#[cfg(unix)]
#[test]
fn without_xboard_the_game_is_played_on_the_terminal() {
    let make = |target: &str| {
        let output = Command::new("make")
            .args(["--dry-run", target, "VARIANT=3check"])
            .env_remove("MAKEFLAGS")
            .env_remove("MAKELEVEL")
            .current_dir(ROOT)
            .output();
        output.ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    for target in ["play", "play3", "debug"] {
        let Some(commands) = make(target) else { return };
        let terminal = commands.lines().find(|line| line.contains("[ -t 0 ]")).unwrap();
        assert!(terminal.contains("release/trebuchet --stage full"), "{terminal}");
        assert!(terminal.contains("--variant 3check"), "{terminal}");
    }
}
