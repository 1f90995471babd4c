//! Engines that lose by what they do, and engines that cannot be used.

use std::thread;

use super::bad_engine::describe;
use super::{
    CALM, PATIENCE, assert_both_forfeited, assert_faults, assert_stalls, folder, run, trial,
};

#[test]
fn silent_engines_lose() {
    assert_stalls("mute");
}

#[test]
fn a_match_with_an_engine_that_never_moves_fails() {
    // It answers nothing, from its start on. The games run at the same time, for the sake of the test.
    let play = |games: &str, concurrency: &str| {
        let settings = ["--each", "cecp", "--startup", "30", "--stall", "3"];
        let amount = ["--games", games, "--concurrency", concurrency];
        trial("frozen", PATIENCE, &[&settings[..], &amount[..]].concat())
    };
    let (report, long) = thread::scope(|scope| {
        let long = scope.spawn(|| play("100", "3"));
        (play("2", "2"), long.join().unwrap())
    });
    assert_eq!(report.code, 4, "{}", report.stderr);
    assert_both_forfeited(&report, "frozen", "stalls", "engine stalls");
    assert!(
        report.stderr.contains("frozen has made no move in this match, and forfeits in 2 games"),
        "{}",
        report.stderr
    );
    // It ends after three games of a hundred.
    assert_eq!((long.code, long.games.len()), (4, 3), "{}", long.stderr);
}

#[test]
fn an_engine_that_moved_before_the_match_was_resumed_is_not_idle() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let plain = describe("plain");
    let play = |vice: &str, games: &str, more: &[&str]| {
        let other = describe(vice).replace(&format!("name={vice} "), "name=other ");
        let players = ["--engine", &plain, "--engine", &other, "--each", CALM];
        let short = ["--max-moves", "4", "--random-plies", "0", "--games", games];
        let pgn = ["--pgn", pgn.to_str().unwrap()];
        run(&[&players[..], &short[..], &pgn[..], more].concat())
    };
    for (vice, games, more) in [("good", "2", &[][..]), ("dies", "4", &["--resume"])] {
        let output = play(vice, games, more);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{vice}: {stderr}");
    }
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[Ending \"crash\"]").count(), 2, "{text}");
}

#[test]
fn late_engines_lose() {
    let report = trial("slow", "tc=1", &[]);
    assert_both_forfeited(&report, "slow", "time losses", "loses on time");
    let report = trial("slow", "tc=1", &["--margin", "60000"]);
    assert!(report.summary.contains("\"slow\""), "{}", report.summary);
    assert_eq!(report.summary.matches("time losses").count(), 0, "{}", report.summary);
}

#[test]
fn crashed_engines_lose_and_are_restarted() {
    assert_faults("crash", "crashes", "engine has ended (exit status: 1)");
    assert_faults("abort", "crashes", "engine has ended (signal: 6");
}

#[test]
fn illegal_moves_lose() {
    assert_faults("illegal", "illegal moves", "illegal move: e1e5");
    assert_faults("nonsense", "illegal moves", "illegal move: xyzzy (not understood)");
    assert_faults("twice", "illegal moves", "illegal move");
}

#[test]
fn false_claims_lose() {
    assert_faults("claims-draw", "false claims", "false claim: 1/2-1/2 Draw by repetition");
    assert_faults("protests", "false claims", "refuses a legal move");
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
    assert_stalls("flood");
    assert_stalls("flood-of-bytes");
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
    for (vice, limit, stall, fault) in [
        ("mute", PATIENCE, "3", "stalls"),
        ("crash", CALM, "60", "crashes"),
        ("flood", PATIENCE, "3", "stalls"),
        ("no-pong", CALM, "60", "stalls"),
        ("slow", "tc=1", "60", "time losses"),
    ] {
        let more = ["--each", "uci", "--stall", stall, "--concurrency", "2"];
        let report = trial(vice, limit, &more);
        assert!(
            report.summary.contains(&format!("\"losses\": 2}}, \"faults\": {{\"{fault}\": 2}}")),
            "{vice}: {}",
            report.summary
        );
    }
    assert!(trial("good", CALM, &["--each", "uci"]).summary.contains("\"draws\": 2"));
}
