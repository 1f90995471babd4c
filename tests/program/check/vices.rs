//! Bots that are broken on purpose: each is caught with its criterion, and with no other.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use super::{Checked, TREBUCHET, describe, logs};

/// Plays two games of a bot with a vice against one without, from this position. The folder has the logs
/// and `games.pgn`.
fn play(stage: &str, vice: &str, fen: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let openings = folder.path().join("start.epd");
    fs::write(&openings, format!("{fen}\n")).unwrap();
    // What has to happen has plenty of time: the machine may be busy. A bot that never answers has to make its
    // first moves in half a minute.
    let (clock, stall, startup) = match vice {
        "late" => ("tc=1", "60", "60"),
        "silent-without-pawns" => ("tc=30", "2", "60"),
        "never-done" => ("tc=600", "60", "30"),
        _ => ("tc=600", "60", "60"),
    };
    let bot = format!("{} {clock}", describe("bot", stage, vice));
    let other = format!("{} tc=600", describe("other", "full", "none"));
    let output = Command::new(TREBUCHET)
        .args(["match", "--engine", &bot, "--engine", &other, "--games", "2", "--quiet"])
        .args(["--openings", openings.to_str().unwrap(), "--max-moves", "8", "--no-adjudication"])
        .args(["--stall", stall, "--startup", startup, "--concurrency", "2"])
        .args(["--logs", folder.path().to_str().unwrap()])
        .args(["--pgn", folder.path().join("games.pgn").to_str().unwrap()])
        .output()
        .unwrap();
    let logs = logs(folder.path());
    assert_eq!(logs.len(), 2, "{vice}: {}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// Plays two games, and judges their logs.
fn trial(stage: &str, vice: &str, fen: &str, options: &[&str]) -> Checked {
    let folder = play(stage, vice, fen);
    Checked::of(&[&["--stage", stage], options].concat(), &logs(folder.path()))
}

/// The bot is caught with one criterion.
fn assert_caught(stage: &str, vice: &str, fen: &str, criterion: &str) {
    let options: &[&str] = if criterion == "board-order" { &["--board-order"] } else { &[] };
    let checked = trial(stage, vice, fen, options);
    assert_eq!(checked.broken(), [criterion], "{vice}: {checked:#?}");
    assert_eq!(checked.code, Some(1), "{vice}: {checked:#?}");
    assert_eq!(checked.errors, "", "{vice}");
}

fn assert_clean(stage: &str, fen: &str, options: &[&str]) {
    let checked = trial(stage, "none", fen, options);
    assert_eq!(checked.broken(), Vec::<&str>::new(), "{checked:#?}");
    assert_eq!(checked.code, Some(0), "{checked:#?}");
    assert_eq!(checked.errors, "");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Both sides promote at once, and have other pawns.
const PROMOTION: &str = "7k/1P4pp/8/8/8/8/1p4PP/7K w - - 0 1";
/// Each side has one pawn move, then none.
const LAST_PAWN: &str = "7k/8/p7/8/p7/P7/8/7K w - - 0 1";
/// A pawn of each side can capture, and another can push.
const CAPTURES: &str = "4k3/p6p/8/3p1p2/4P3/8/P6P/4K3 w - - 0 1";
/// Both sides can castle.
const CASTLING: &str = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1";

#[test]
fn bots_without_a_vice_are_clean() {
    for fen in [START, PROMOTION, LAST_PAWN, CAPTURES] {
        assert_clean("pawns", fen, &["--board-order"]);
    }
    for fen in [START, CASTLING, PROMOTION] {
        assert_clean("random", fen, &[]);
    }
    assert_clean("full", START, &["--engine", "both"]);
}

#[test]
fn illegal_moves_are_caught() {
    assert_caught("full", "illegal", START, "legal-moves");
    assert_caught("pawns", "illegal", START, "legal-moves");
    assert_caught("full", "castles-wrongly", START, "legal-moves");
}

#[test]
fn late_moves_are_caught() {
    assert_caught("full", "late", START, "clock");
}

#[test]
fn bots_that_break_the_rules_of_the_stage_pawns_are_caught() {
    assert_caught("pawns", "moves-pieces", START, "pawns-only");
    assert_caught("pawns", "pushes", CAPTURES, "captures-first");
    assert_caught("pawns", "other-order", START, "board-order");
    assert_caught("pawns", "underpromotes", PROMOTION, "promotes-to-queen");
}

#[test]
fn missed_resignations_are_caught() {
    let item = "resigns-without-pawn-move";
    assert_caught("pawns", "moves-without-pawns", LAST_PAWN, item);
    assert_caught("pawns", "silent-without-pawns", LAST_PAWN, item);
    assert_caught("pawns", "resigns-early", START, item);
}

#[test]
fn bots_that_break_the_rules_of_the_stage_random_are_caught() {
    assert_caught("random", "never-castles", CASTLING, "castles-at-once");
    let fen = "4k3/p6p/8/3pP3/8/8/P6P/4K3 w - d6 0 1";
    assert_caught("random", "never-en-passant", fen, "en-passant-at-once");
}

#[test]
fn bad_manners_are_caught() {
    assert_caught("full", "claims-win", START, "result-claims");
    assert_caught("full", "claims-draw", START, "result-claims");
    assert_caught("full", "refuses", START, "accepts-legal-moves");
    assert_caught("full", "talks", START, "nothing-misread");
    assert_caught("full", "crashes", START, "keeps-running");
    assert_caught("full", "never-done", START, "features");
}

#[test]
fn the_last_words_of_a_bot_are_not_its_verdict() {
    let folder = play("full", "crashes-loudly", START);
    let files = [logs(folder.path()), vec![folder.path().join("games.pgn")]];
    for files in files {
        let checked = Checked::of(&["--name", "bot", "--json", "-"], &files);
        for wrong in ["\"ending\": \"illegal move\"", "\"ending\": \"time\""] {
            assert!(!checked.text.contains(wrong), "{wrong}: {}", checked.text);
        }
        assert!(checked.text.contains("\"ending\": \"crash\""), "{}", checked.text);
        let checked = Checked::of(&["--name", "bot"], &files);
        assert_eq!(checked.broken(), ["keeps-running"], "{checked:#?}");
    }
}
