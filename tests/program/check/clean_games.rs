//! A hundred games without a fault: no alarm.

use std::process::Command;

use trebuchet::variants::VariantId;

use super::{Checked, TREBUCHET, logs};

/// Plays games between two stages of the engine and judges both sides. Returns the number of games.
fn play(variant: &str, stages: [&str; 2], games: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let engine = |number: usize| {
        let stage = stages[number];
        // A search of few nodes is as clean as a long one. Without a book the games differ more.
        let more = if stage == "full" { "--no-book" } else { "--seed 5" };
        format!("name={stage}{number} cmd=\"'{TREBUCHET}' --stage {stage} {more}\" tc=600 depth=2")
    };
    let output = Command::new(TREBUCHET)
        .args(["match", "--engine", &engine(0), "--engine", &engine(1), "--variant", variant])
        .args(["--games", &games.to_string(), "--no-adjudication", "--max-moves", "60"])
        .args(["--quiet", "--startup", "60", "--logs", folder.path().to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let logs = logs(folder.path());
    assert_eq!(logs.len(), games);
    for (seat, stage) in ["first", "second"].into_iter().zip(stages) {
        for margin in ["200", "0"] {
            let mut options = vec!["--engine", seat, "--stage", stage, "--margin", margin];
            if stage == "pawns" {
                options.push("--board-order");
            }
            let checked = Checked::of(&options, &logs);
            assert_eq!(checked.broken(), Vec::<&str>::new(), "{variant}, {seat}: {checked:#?}");
            assert_eq!((checked.code, checked.errors.as_str()), (Some(0), ""), "{checked:#?}");
        }
    }
    games
}

#[test]
fn a_few_games_without_a_fault() {
    for variant in VariantId::ALL {
        // Racing Kings has no pawns.
        let first = if *variant == VariantId::RacingKings { "full" } else { "pawns" };
        assert_eq!(play(variant.name(), [first, "random"], 2), 2);
    }
}

#[test]
#[ignore = "plays 146 games, which takes a minute or two"]
fn many_games_without_a_fault() {
    let mut games = 0;
    for variant in VariantId::ALL {
        games += play(variant.name(), ["random", "full"], 6);
        if *variant != VariantId::RacingKings {
            games += play(variant.name(), ["pawns", "random"], 4);
            games += play(variant.name(), ["full", "pawns"], 4);
        }
    }
    assert_eq!(games, 146);
}
