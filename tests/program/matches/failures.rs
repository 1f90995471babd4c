//! Engines that lose by what they do, and engines that cannot be used.

use super::bad_engine::describe;
use super::{CALM, PATIENCE, assert_both_forfeited, assert_faults, run, trial};

#[test]
fn silent_engines_lose() {
    assert_faults("mute", PATIENCE, "stalls", "engine stalls");
}

#[test]
fn a_match_with_an_engine_that_never_moves_fails() {
    let report = trial("frozen", PATIENCE, &["--startup", "1"]);
    assert_eq!(report.code, 4, "{}", report.stderr);
    assert_both_forfeited(&report, "frozen", "stalls", "engine stalls");
    assert!(
        report.stderr.contains("frozen has made no move in this match, and forfeits in 2 games"),
        "{}",
        report.stderr
    );
    // It ends after three games of a hundred.
    let report = trial("frozen", PATIENCE, &["--startup", "1", "--stall", "1", "--games", "100"]);
    assert_eq!((report.code, report.games.len()), (4, 3), "{}", report.stderr);
}

#[test]
fn late_engines_lose() {
    assert_faults("slow", "tc=1", "time losses", "loses on time");
    let report = trial("slow", "tc=1", &["--margin", "60000"]);
    assert_eq!(report.summary.matches("time losses").count(), 0, "{}", report.summary);
}

#[test]
fn crashed_engines_lose_and_are_restarted() {
    assert_faults("crash", CALM, "crashes", "engine has ended (exit status: 1)");
    assert_faults("abort", CALM, "crashes", "engine has ended (signal: 6");
}

#[test]
fn illegal_moves_lose() {
    assert_faults("illegal", CALM, "illegal moves", "illegal move: e1e5");
    assert_faults("nonsense", CALM, "illegal moves", "illegal move: xyzzy (not understood)");
    assert_faults("twice", CALM, "illegal moves", "illegal move");
}

#[test]
fn false_claims_lose() {
    assert_faults("claims-draw", CALM, "false claims", "false claim: 1/2-1/2 Draw by repetition");
    assert_faults("protests", CALM, "false claims", "refuses a legal move");
    // It claims a win for each side: one claim is false, the other is a resignation.
    let report = trial("claims-win", CALM, &[]);
    assert!(
        report.summary.contains("\"losses\": 2}, \"faults\": {\"false claims\": 1}"),
        "{}",
        report.summary
    );
}

#[test]
fn floods_end_with_the_clock() {
    assert_faults("flood", PATIENCE, "stalls", "engine stalls");
    assert_faults("flood-of-bytes", PATIENCE, "stalls", "engine stalls");
}

#[test]
fn engines_that_cannot_be_used_end_the_match() {
    for (vice, reason) in [
        ("dead", "dead: has ended (exit status: 3)\n"),
        ("last-words", "last-words: has ended (exit status: 3): cannot load libfoo.so\n"),
        ("endless", "endless: declares too many features\n"),
    ] {
        let report = trial(vice, CALM, &[]);
        assert_eq!((report.code, report.games.len()), (4, 0), "{vice}");
        assert!(report.stderr.contains(reason), "{vice}: {}", report.stderr);
    }
    let output =
        run(&["--engine", "/no/such/engine", "--engine", &describe("good"), "--depth", "1"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("engine: cannot be started"));
}

#[test]
fn uci_engines_misbehave_as_well() {
    for (vice, limit, fault) in [
        ("mute", PATIENCE, "stalls"),
        ("crash", CALM, "crashes"),
        ("flood", PATIENCE, "stalls"),
        ("no-pong", CALM, "stalls"),
        ("slow", "tc=1", "time losses"),
    ] {
        let report = trial(vice, limit, &["--each", "uci"]);
        assert!(
            report.summary.contains(&format!("\"losses\": 2}}, \"faults\": {{\"{fault}\": 2}}")),
            "{vice}: {}",
            report.summary
        );
    }
    assert!(trial("good", CALM, &["--each", "uci"]).summary.contains("\"draws\": 2"));
}
