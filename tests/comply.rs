//! `trebuchet comply` as a process.

use std::process::{Command, Output};

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

fn comply(arguments: &[&str]) -> Output {
    Command::new(TREBUCHET).arg("comply").args(arguments).output().unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn steps_are_shown_with_their_dialogue_and_rule() {
    let output = comply(&["--only", "three pings", "--verbose", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(0));
    let lines = lines(&output);
    assert_eq!(lines[0], "ok    three pings are answered in order, each once");
    assert_eq!(
        lines[1..7].join("|"),
        "        > ping 1|        > ping 2|        > ping 3|        < pong 1|        < pong 2|        < pong 3"
    );
    assert!(lines[7].starts_with("        rule: "));
    assert_eq!(lines[8], "1 ok, 0 warn, 0 FAIL, 0 skipped");
}

/// An engine of one line: it completes the handshake and then says nothing.
const MUTE: &str = "echo feature ping=1 done=1; while read line; do :; done";

#[cfg(unix)]
#[test]
fn missing_answers_fail() {
    let output = comply(&["--only", "at once when idle", "--", "sh", "-c", MUTE]);
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    assert_eq!(lines[0], "FAIL  `ping` is answered at once when idle: no pong within 1 s");
    assert_eq!(lines[1], "        > ping 1");
    let output = comply(&["--", "/no/such/engine"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be started"));
}

#[test]
#[ignore = "takes a minute"]
fn trebuchet_complies_with_everything() {
    let output = comply(&["--", TREBUCHET]);
    let lines = lines(&output);
    let remarks: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("warn") || line.starts_with("FAIL")).collect();
    assert!(remarks.is_empty(), "{remarks:#?}");
    assert_eq!(output.status.code(), Some(0));
    assert!(lines.len() > 100);
}
