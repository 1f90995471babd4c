//! Tests of whole runs, and of single games.

use std::fs;
use std::path::Path;

use clap::Parser;

use super::*;
use crate::tuning::selfplay::ScoredMove;
use trebuchet::variants::{Standard, ThreeCheck};

#[derive(clap::Parser)]
struct Cli {
    #[command(flatten)]
    args: DatagenArgs,
}

/// Settings for quick games, unless a test names its own.
const QUICK: [(&str, &str); 2] = [("--nodes", "100"), ("--hash", "1")];

/// Runs the tool for three-check with a few quick games. Returns what it prints: the totals and the
/// warnings.
fn datagen(out: &Path, options: &str) -> Result<(String, String), DatagenError> {
    let command = ["datagen", out.to_str().unwrap()];
    let options = QUICK
        .into_iter()
        .filter(|(name, _)| !options.contains(name))
        .fold(options.to_owned(), |options, (name, value)| format!("{options} {name} {value}"));
    let args = Cli::parse_from(command.into_iter().chain(options.split_whitespace())).args;
    let (mut out, mut warnings) = (Vec::new(), Vec::new());
    generate::<ThreeCheck>(&args, &mut out, &mut warnings)?;
    Ok((String::from_utf8(out).unwrap(), String::from_utf8(warnings).unwrap()))
}

/// The greatest number needs no more memory than the least.
#[test]
fn the_missing_games_are_counted_and_not_listed() {
    let mut missing = Missing { numbers: 0..u32::MAX, played: [0, 2].into() };
    assert_eq!([missing.next(), missing.next()], [Some(1), Some(3)]);
    let few = Missing { numbers: 0..4, played: [0, 2, 7].into() };
    assert_eq!(few.collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn a_file_is_continued_with_its_own_settings_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let (one, _) = datagen(&path, "--games 1").unwrap();
    assert!(one.starts_with("games 1 plies "), "{one}");
    let before = fs::read(&path).unwrap();
    for (options, difference) in [
        ("--seed 1", "seed 0 instead of 1"),
        ("--nodes 101", "nodes 100 instead of 101"),
        ("--hash 2", "hash 1 instead of 2"),
        ("--win-score 2000", "win-score 1500 instead of 2000"),
        (
            "--opening-score 200 --win-plies 6",
            "opening-score 300 instead of 200, win-plies 4 instead of 6",
        ),
        ("--random-counts 0.3 --seed 2", "seed 0 instead of 2, random-counts 0.27 instead of 0.3"),
    ] {
        let error = datagen(&path, &format!("--games 2 {options}")).unwrap_err().to_string();
        assert!(error.contains(&format!("other settings: {difference} (")), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    let (two, warnings) = datagen(&path, "--games 2").unwrap();
    assert_eq!((&two[..8], warnings.as_str()), ("games 2 ", ""));
    let (three, _) = datagen(&path, "--games 3 --seed 1 --mix").unwrap();
    assert!(three.starts_with("games 3 "), "{three}");
}

#[test]
fn a_file_of_another_engine_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let settings = GameSettings { seed: 0, ..settings(0.27) };
    let description = settings.description::<ThreeCheck>();
    let allowed = Continuation::default();
    let mut writer = GameWriter::open(&path, "3check", &description, allowed, &mut |_| ()).unwrap();
    // Another engine would find another score.
    let mut game = settings.play(&mut settings.player::<ThreeCheck>(), 0).unwrap();
    game.moves[0].score += Score::cp(1);
    writer.write(&game).unwrap();
    drop(writer);
    let before = fs::read(&path).unwrap();
    let error = datagen(&path, "--games 2").unwrap_err();
    assert!(matches!(error, DatagenError::OtherEngine { number: 0, .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(datagen(&path, "--games 2 --mix").is_ok());
}

#[test]
fn a_closed_standard_output_is_an_error_and_not_a_panic() {
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let command = ["datagen", path.to_str().unwrap(), "--nodes", "50", "--games", "1"];
    let args = Cli::parse_from(command).args;
    let error = generate::<Standard>(&args, &mut Closed, &mut Closed).unwrap_err();
    assert!(matches!(error, DatagenError::Output(_)), "{error}");
}

#[test]
fn what_is_cut_off_or_skipped_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    datagen(&path, "--games 2").unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let (totals, warnings) = datagen(&path, "--games 2").unwrap();
    assert!(totals.starts_with("games 2 "), "{totals}");
    assert!(warnings.contains("are a part of a game"), "{warnings}");
    assert_eq!(fs::read(&path).unwrap(), whole);

    let mut damaged = whole.clone();
    damaged[whole.len() - 20] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let error = datagen(&path, "--games 2").unwrap_err().to_string();
    assert!(error.contains("is damaged at byte "), "{error}");
    assert_eq!(fs::read(&path).unwrap(), damaged);
    let (totals, warnings) = datagen(&path, "--games 2 --skip-damage").unwrap();
    assert!(totals.starts_with("games 2 "), "{totals}");
    assert!(warnings.contains(" damaged bytes from byte "), "{warnings}");
    assert!(fs::read(&path).unwrap().starts_with(&damaged));
}

#[test]
fn nonsense_is_refused() {
    for options in [
        "--games 0",
        "--nodes 0",
        "--nodes 99999999999",
        "--threads 0",
        "--hash 0",
        "--hash 65537",
        "--opening-score 9",
        "--opening-nodes 0",
        "--win-score 99",
        "--win-plies 0",
        "--draw-score -1",
        "--draw-plies 0",
        "--random-counts nan",
        "--random-counts 1.5",
        "--random-counts -0.1",
    ] {
        let words = ["datagen", "x"].into_iter().chain(options.split_whitespace());
        assert!(Cli::try_parse_from(words).is_err(), "{options}");
    }
}

/// Settings with this share of random counts.
fn settings(random_race_levels: f64) -> GameSettings {
    GameSettings {
        soft_nodes: 100,
        openings: Openings { random_race_levels, ..Openings::default() },
        adjudication: Adjudication::default(),
        hash_mebibytes: 1,
        seed: 7,
    }
}

/// Plays the moves of a game, which must be legal.
fn replay<V: Variant>(game: &StoredGame) -> Position<V> {
    let mut pos = Position::<V>::from_fen(&game.fen).unwrap();
    for ScoredMove { mv, .. } in &game.moves {
        assert!(pos.legal_moves().contains(mv), "{} {mv}", pos.fen());
        pos.make_move(*mv);
    }
    pos
}

#[test]
fn games_depend_on_seed_and_number_alone() {
    // In chess, evaluations count less with few pieces, but not here.
    fn check<V: Variant>() {
        let settings = settings(0.5);
        let mut player = settings.player::<V>();
        let [first, second] = [3, 4].map(|number| settings.play(&mut player, number).unwrap());
        assert_ne!(first.fen, second.fen);
        assert_eq!(settings.play(&mut settings.player::<V>(), 4).unwrap(), second);
        assert_eq!(settings.play(&mut player, 3).unwrap(), first);
        let other = GameSettings { seed: 8, ..settings.clone() };
        assert_ne!(other.play(&mut other.player::<V>(), 3).unwrap(), first);
    }
    check::<Standard>();
    check::<ThreeCheck>();
}

#[test]
fn games_are_legal_and_end_as_they_say() {
    fn check<V: Variant>() {
        let settings = settings(0.5);
        let mut player = settings.player::<V>();
        let mut adjudicated = 0;
        for number in 0..6 {
            let game = settings.play(&mut player, number).unwrap();
            let pos = replay::<V>(&game);
            if let Some(outcome) = pos.outcome() {
                assert_eq!(outcome.winner, game.winner, "{}", V::NAME);
            } else if let Some(winner) = game.winner {
                // The last score is that of the side that has moved.
                let last = game.moves.last().unwrap().score;
                let has_moved = !pos.side_to_move();
                let ahead = if last > Score::ZERO { has_moved } else { !has_moved };
                assert_eq!(ahead, winner, "{}", V::NAME);
                adjudicated += 1;
            }
        }
        assert!(adjudicated > 0, "{}", V::NAME);
    }
    check::<Standard>();
    check::<ThreeCheck>();
}

#[test]
fn about_half_of_the_games_begin_with_counts() {
    let settings = settings(0.5);
    let mut player = settings.player::<ThreeCheck>();
    let fens: Vec<String> =
        (0..20).map(|number| settings.play(&mut player, number).unwrap().fen).collect();
    let with_counts = fens.iter().filter(|fen| !fen.contains(" 3+3 ")).count();
    assert!((4..=16).contains(&with_counts), "{with_counts} of 20");
}
