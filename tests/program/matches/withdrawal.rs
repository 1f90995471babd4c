//! What follows if an engine cannot go on: it loses its games, is withdrawn, or the match ends.

use std::fs;

use super::bad_engine::describe;
use super::{CALM, Report, folder, run, trial};

/// Plays a round robin of two engines that play and one that does not, four games a pair of players.
fn class(bad: &str, on_failure: &str, more: &[&str]) -> Report {
    let (good, plain) = (describe("good"), describe("plain"));
    let folder = folder();
    let (pgn, json) = (folder.join("games.pgn"), folder.join("result.json"));
    let mut arguments = vec!["--engine", &good, "--engine", &plain, "--engine", bad];
    arguments.extend(["--each", CALM, "--games", "4", "--max-moves", "4", "--random-plies", "0"]);
    arguments.extend(["--pgn", pgn.to_str().unwrap(), "--json", json.to_str().unwrap()]);
    if !on_failure.is_empty() {
        arguments.extend(["--on-failure", on_failure]);
    }
    arguments.extend(more);
    let output = run(&arguments);
    let games = fs::read_to_string(&pgn).unwrap_or_default();
    Report {
        code: output.status.code().unwrap(),
        summary: fs::read_to_string(&json).unwrap_or_default(),
        games: trebuchet::notation::pgn::read(&games)
            .map(|game| {
                let player = |color| game.tag(color).unwrap().to_owned();
                format!("{} - {} {}", player("White"), player("Black"), game.result)
            })
            .collect(),
        stderr: String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned(),
    }
}

/// How many of the games are between these players, with either colour.
fn games_between(report: &Report, a: &str, b: &str) -> usize {
    let pairs = [format!("{a} - {b} "), format!("{b} - {a} ")];
    report.games.iter().filter(|game| pairs.iter().any(|pair| game.starts_with(pair))).count()
}

#[test]
fn an_engine_that_cannot_play_is_withdrawn_and_the_others_go_on() {
    let old = format!("{} proto=cecp", describe("old"));
    for (bad, why, more) in [
        ("name=bad cmd=false", "has ended (exit status: 1)", &[][..]),
        ("name=bad cmd='false' proto=cecp", "has ended (exit status: 1)", &["--concurrency", "2"]),
        ("name=bad cmd=/no/such/engine", "cannot be started: No such file", &[]),
        (&old.replace("name=old", "name=bad"), "does not play 3check", &["--variant", "3check"]),
    ] {
        // The others go on without a word about it, too.
        let on_failure = if more.is_empty() { "" } else { "withdraw" };
        let report = class(bad, on_failure, more);
        assert_eq!(report.code, 0, "{bad}: {}", report.stderr);
        assert_eq!(games_between(&report, "good", "plain"), 4, "{bad}");
        assert_eq!(report.games.len(), 4, "{bad}");
        let said = format!("bad is withdrawn: it {why}");
        assert_eq!(report.stderr.matches(&said).count(), 1, "{}", report.stderr);
        assert!(report.stderr.contains(&format!("bad was withdrawn: it {why}")), "{bad}");
        // Another game with the engine may still be failing.
        let is_exact = !more.contains(&"--concurrency");
        assert!(!is_exact || report.stderr.contains("Game 4 of 4: "), "{}", report.stderr);
        assert!(report.summary.contains(&format!("\"withdrawn\": \"{why}")), "{}", report.summary);
    }
}

#[test]
fn an_engine_that_dies_at_its_first_move_is_withdrawn_after_three_games() {
    let report = class(&describe("dies"), "withdraw", &[]);
    assert_eq!(report.code, 0, "{}", report.stderr);
    assert_eq!(games_between(&report, "good", "plain"), 4);
    assert_eq!(report.games.len(), 7, "{}", report.stderr);
    let said = "dies is withdrawn: it has made no move, and forfeits its games";
    assert_eq!(report.stderr.matches(said).count(), 1, "{}", report.stderr);
    assert!(report.summary.contains("\"forfeits\": {\"crash\": 3}"), "{}", report.summary);
    assert_eq!(class(&describe("dies"), "end", &[]).code, 4);
}

#[test]
fn an_engine_that_cannot_play_loses_its_games() {
    for (bad, kind) in
        [("name=bad cmd=false".to_owned(), "cannot-play"), (describe("dies"), "crash")]
    {
        let report = class(&bad, "forfeit", &[]);
        assert_eq!((report.code, report.games.len()), (0, 12), "{bad}: {}", report.stderr);
        assert_eq!(games_between(&report, "good", "plain"), 4);
        let lost = format!("\"forfeits\": {{\"{kind}\": 8}}");
        assert!(report.summary.contains(&lost), "{bad}: {}", report.summary);
    }
}

#[test]
fn a_match_of_two_ends_with_one_of_them() {
    let report = trial("dead", CALM, &["--on-failure", "withdraw"]);
    assert_eq!((report.code, report.games.len()), (4, 0), "{}", report.stderr);
    assert!(report.stderr.contains("dead: has ended (exit status: 3)\n"), "{}", report.stderr);
}

/// Its other players do not meet each other.
#[test]
fn a_gauntlet_ends_with_its_first_engine() {
    let (good, plain) = (describe("good"), describe("plain"));
    let engines = ["--engine", "name=bad cmd=false", "--engine", &good, "--engine", &plain];
    let output = run(&[&["--tournament", "gauntlet", "--each", CALM][..], &engines].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{told}");
    assert!(told.contains("bad: has ended (exit status: 1)\n"), "{told}");
}
