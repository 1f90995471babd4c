//! `trebuchet exam --xboard`: scenes that a real xboard plays.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

/// What the examination of a bot through xboard prints.
fn exam(arguments: &[&str], bot: &[&str]) -> String {
    let output = Command::new(TREBUCHET)
        .args(["exam", "--xboard"])
        .args(arguments)
        .arg("--")
        .args(bot)
        .output();
    String::from_utf8(output.expect("trebuchet runs").stdout).expect("text")
}

#[test]
#[ignore = "needs xboard and Xvfb"]
fn the_stages_pass_the_scenes_that_xboard_can_play() {
    for (stage, variant, scenes) in [
        ("pawns", "normal", 15),
        ("random", "3check", 18),
        ("random", "crazyhouse", 20),
        ("random", "fischerandom", 7),
    ] {
        let arguments = ["--stage", stage, "--variant", variant];
        let said = exam(&arguments, &[TREBUCHET, "--stage", stage]);
        let last = format!("{scenes} of {scenes} points: {scenes} scenes passed, 0 failed, ");
        assert!(said.lines().last().is_some_and(|line| line.starts_with(&last)), "{said}");
    }
}

/// The bot writes its move without `move`; it ends at `go`.
#[test]
#[ignore = "needs xboard and Xvfb"]
fn what_is_wrong_with_a_bot_is_named() {
    for (answer, wanted) in [
        (
            "echo b2b3",
            "FAIL  makes the first move of the game: writes `b2b3` without `move` before it",
        ),
        ("echo move a1a3", "FAIL  makes the first move of the game: plays a1a3: blocked"),
        ("echo resign", "FAIL  makes the first move of the game: resigns"),
    ] {
        let bot = format!(
            "while read -r line; do case $line in protover*) echo feature sigint=0 done=1 ;; go) {answer} ;; esac; done"
        );
        let said = exam(&["--only", "first-move"], &["sh", "-c", &bot]);
        assert_eq!(said.lines().next(), Some(wanted), "{said}");
        assert!(said.contains("\n        > go\n"), "{said}");
    }
}

/// A bot that is named by a path in its own folder.
#[test]
#[ignore = "needs xboard and Xvfb"]
fn a_bot_runs_in_its_own_folder() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("team");
    fs::create_dir(&folder).unwrap();
    let bot = folder.join("bot.sh");
    fs::write(&bot, format!("#!/bin/sh\nexec {TREBUCHET} --stage random\n")).unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    for (place, arguments) in [(&folder, &[][..]), (&root.path().to_owned(), &["--dir", "team"])] {
        let output = Command::new(TREBUCHET)
            .args(["exam", "--xboard", "--only", "first-move"])
            .args(arguments)
            .args(["--", "./bot.sh"])
            .current_dir(place)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("1 of 1 point: 1 scene passed"), "{said}");
    }
}

/// It hears the clock of the scene, and refuses the moves of the scene in a way of its own.
#[test]
#[ignore = "needs xboard and Xvfb"]
fn a_bot_that_does_not_know_the_moves_fails() {
    let bot = "while read -r line; do case $line in protover*) echo feature sigint=0 done=1 ;; \
        [a-h][1-8]*) echo \"Error (unknown command): $line\" ;; go) echo move a2a3 ;; esac; done";
    let said = exam(&["--only", "takes-over-white"], &["sh", "-c", bot]);
    assert!(
        said.starts_with("FAIL  ") && said.contains(": does not understand the move "),
        "{said}"
    );
    let said = exam(&["--only", "first-move"], &["sh", "-c", &bot.replace("a2a3", "a2a5")]);
    assert!(said.contains("\n        > level 0 0:02 0\n"), "{said}");
}
