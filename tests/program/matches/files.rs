//! The files of a match: what stays of them when something goes wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::bad_engine::describe;
use super::{folder, run};

const GAMES: usize = 4;

/// The arguments of a match of quick games between two engines that play random moves.
fn arguments(pgn: &Path, more: &[&str]) -> Vec<String> {
    let options = [
        "--engine",
        &describe("plain"),
        "--engine",
        &describe("other").replace("name=other", "name=b"),
        "--games",
        &GAMES.to_string(),
        "--random-plies",
        "2",
        "--max-moves",
        "10",
        "--st",
        "600",
        "--startup",
        "60",
        "--pgn",
        pgn.to_str().unwrap(),
    ];
    options.iter().chain(more).map(|&option| option.to_owned()).collect()
}

fn play(pgn: &Path, more: &[&str]) -> Output {
    let arguments = arguments(pgn, more);
    run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The rounds and players of the games that have a result after their moves, in order.
fn rounds(pgn: &Path) -> Vec<String> {
    let text = fs::read_to_string(pgn).unwrap();
    assert!(text.ends_with("\n\n"), "{text}");
    let mut rounds: Vec<String> = trebuchet::notation::pgn::read(&text)
        .map(|game| {
            let tag = |name| game.tag(name).unwrap();
            assert_eq!(game.result.token(), tag("Result"), "{game}");
            assert_eq!(game.moves.len().to_string(), tag("PlyCount"), "{game}");
            format!("{} {}", tag("Round"), tag("White"))
        })
        .collect();
    rounds.sort();
    rounds
}

const ALL_ROUNDS: [&str; GAMES] = ["1.1 plain", "1.2 b", "2.1 plain", "2.2 b"];

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let (a, b) = (describe("good"), describe("late-pong"));
    let play = |games: &str, more: &[&str]| {
        let mut arguments = vec![
            "--engine",
            &a,
            "--engine",
            &b,
            "--depth",
            "1",
            "--random-plies",
            "3",
            "--max-moves",
            "5",
        ];
        arguments.extend(["--games", games, "--pgn", pgn.to_str().unwrap()]);
        arguments.extend(more);
        run(&arguments)
    };
    assert_eq!(play("2", &[]).status.code(), Some(0));
    assert_eq!(play("4", &[]).status.code(), Some(2), "the file is there already");
    assert_eq!(play("4", &["--seed", "2", "--resume"]).status.code(), Some(2), "other openings");
    assert_eq!(play("4", &["--resume"]).status.code(), Some(0));
    let rounds = |pgn: &Path| -> Vec<String> {
        let text = fs::read_to_string(pgn).unwrap();
        trebuchet::notation::pgn::read(&text)
            .map(|game| game.tag("Round").unwrap().to_owned())
            .collect()
    };
    assert_eq!(rounds(&pgn), ["1.1", "1.2", "2.1", "2.2"]);
}

#[test]
fn a_game_that_is_cut_off_is_played_again() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    assert_eq!(play(&pgn, &["--quiet"]).status.code(), Some(0));
    let whole = fs::read(&pgn).unwrap();
    assert_eq!(rounds(&pgn), ALL_ROUNDS);
    let last = String::from_utf8_lossy(&whole).rfind("[Event ").unwrap();
    for (length, message) in [
        (whole.len() - 2, ""),
        (whole.len() - 8, " bytes are a part of a game and are removed"),
        (last + 4, "the last 4 bytes are a part of a game and are removed"),
    ] {
        fs::write(&pgn, &whole[..length]).unwrap();
        let output = play(&pgn, &["--resume"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("removed"), !message.is_empty());
        assert_eq!(rounds(&pgn), ALL_ROUNDS, "{length}");
        let text = fs::read(&pgn).unwrap();
        assert_eq!(text[..last], whole[..last]);
    }
}

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_games() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    // The limit, in blocks of 512 or 1024 bytes, falls into one of the first games.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let program = env!("CARGO_BIN_EXE_trebuchet");
    let output = Command::new("sh")
        .args(["-c", script, "sh", program, "match"])
        .args(arguments(&pgn, &["--quiet"]))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("games.pgn: "), "{}", stderr(&output));
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(text.is_empty() || text.ends_with("\n\n"), "{text}");
    let output = play(&pgn, &["--resume", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(rounds(&pgn), ALL_ROUNDS);
}

#[test]
fn a_summary_that_cannot_be_written_is_refused_before_the_first_game() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let missing = folder.join("no/such/result.json");
    for bad in [missing.as_path(), &folder] {
        let output = play(&pgn, &["--quiet", "--json", bad.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(bad.to_str().unwrap()), "{}", stderr(&output));
        assert!(!pgn.exists());
    }
    let output = play(&pgn, &["--quiet", "--json", pgn.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let message = "games.pgn: this file is named for the games and for the summary\n";
    assert!(stderr(&output).ends_with(message) && !pgn.exists(), "{}", stderr(&output));
    // An older summary stays until the new one is there; a match that is refused leaves none.
    let json = folder.join("result.json");
    let refused = ["--quiet", "--json", json.to_str().unwrap(), "--engine", "name=b cmd=x"];
    assert_eq!(play(&pgn, &refused).status.code(), Some(2));
    assert!(!json.exists());
    fs::write(&json, "old").unwrap();
    assert_eq!(play(&pgn, &refused).status.code(), Some(2));
    assert_eq!(fs::read_to_string(&json).unwrap(), "old");
}

/// The logs of a match are not replaced by those of the next one.
#[test]
fn logs_of_another_match_are_kept() {
    let folder = folder();
    let (pgn, logs) = (folder.join("games.pgn"), folder.join("logs"));
    let logs = ["--logs", logs.to_str().unwrap()];
    assert_eq!(play(&pgn, &logs).status.code(), Some(0));
    let files = || {
        let entries = fs::read_dir(folder.join("logs")).unwrap();
        let mut files: Vec<_> = entries
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap()))
            .collect();
        files.sort();
        files
    };
    let before = files();
    assert_eq!(before.len(), GAMES);
    let refused = play(&folder.join("others.pgn"), &logs);
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("has logs of another match"), "{text}");
    assert_eq!(files(), before);
    // Without games there is nothing to resume.
    let refused = play(&folder.join("others.pgn"), &[&logs[..], &["--resume"]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(files(), before);
    // All games are there: nothing is left to play.
    assert_eq!(play(&pgn, &[&logs[..], &["--resume"]].concat()).status.code(), Some(0));
    assert_eq!(files(), before);
}
