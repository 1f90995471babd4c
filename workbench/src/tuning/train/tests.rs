//! Tests of whole trainings.

use std::fs;

use clap::Parser;
use tempfile::TempDir;

use super::*;
use crate::tuning::positions::{Header, TrainingPosition, write_blocks};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::board::Position;
use trebuchet::variants::Standard;

#[derive(clap::Parser)]
struct Cli {
    #[command(flatten)]
    args: TrainArgs,
}

/// Positions of random games, each worth more for the side that has more pieces.
fn positions(count: usize, seed: u64) -> Vec<TrainingPosition> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut pos = Position::<Standard>::start();
        for _ in 0..120 {
            let moves = pos.legal_moves().sorted();
            let Some(&mv) = moves.choose(&mut random) else { break };
            pos.make_move(mv);
            let us = pos.side_to_move();
            let men = |side| pos.all_pieces(side).count() as f32;
            let lead = (men(us) - men(!us)).clamp(-4.0, 4.0);
            positions.push(TrainingPosition::new(&pos, 0.5 + lead / 10.0, 1));
        }
    }
    positions
}

/// A folder with the file `positions` of random games of these variants.
fn folder(variants: &[&str]) -> TempDir {
    folder_with(variants, [3000, 300])
}

/// A folder with this many positions for training and validation, or some more.
fn folder_with(variants: &[&str], counts: [usize; 2]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (training, validation) = (positions(counts[0], 1), positions(counts[1], 2));
    let mut bytes = Header {
        variants: variants.iter().map(|&name| name.to_owned()).collect(),
        training: training.len() as u64,
        validation: validation.len() as u64,
        fingerprint: 5,
        settings: Vec::new(),
    }
    .write();
    write_blocks(&mut bytes, training.into_iter().map(Ok)).unwrap();
    write_blocks(&mut bytes, validation.into_iter().map(Ok)).unwrap();
    fs::write(folder.path().join("positions"), bytes).unwrap();
    folder
}

/// Learns the positions of the folder. What is printed goes to `out`.
fn run(folder: &TempDir, words: &str, out: &mut dyn Write) -> Result<(), TrainError> {
    let path = |word: &str| match word.strip_prefix('@') {
        Some(name) => folder.path().join(name).display().to_string(),
        None => word.to_owned(),
    };
    let words = format!("train @positions --batch 256 --threads 1 {words}");
    train(&Cli::parse_from(words.split_whitespace().map(path)).args, out)
}

/// Takes a few lines.
struct Lines(usize);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.iter().filter(|byte| **byte == b'\n').count())
            .ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_training_that_is_interrupted_ends_like_one_that_is_not() {
    let folder = folder(&["normal"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let mut printed = Vec::new();
    run(&folder, "--out @a --epochs 3", &mut printed).unwrap();
    let text = String::from_utf8(printed).unwrap();
    let losses: Vec<f64> = text
        .lines()
        .filter_map(|line| line.split_once(": loss ")?.1.split_once(',')?.0.parse().ok())
        .collect();
    assert_eq!(losses.len(), 3, "{text}");
    assert!(losses[2] < losses[0], "{text}");
    // Its output is closed before it can tell of the second epoch, which it has kept.
    let error = run(&folder, "--out @b --epochs 3", &mut Lines(2)).unwrap_err();
    assert!(matches!(error, TrainError::Output(_)), "{error}");
    let mut printed = Vec::new();
    run(&folder, "--out @b --epochs 3", &mut printed).unwrap();
    assert!(String::from_utf8(printed).unwrap().contains("goes on after epoch 2"));
    assert!(read("a") == read("b") && read("a.checkpoint") == read("b.checkpoint"));
}

#[test]
fn weights_that_grow_beyond_all_limits_make_no_network() {
    let folder = folder(&["normal"]);
    let error = run(&folder, "--out @a --epochs 30 --rate 1000", &mut io::sink()).unwrap_err();
    assert!(matches!(error, TrainError::TooGreat), "{error}");
    assert!(!folder.path().join("a").exists());
}

/// Each would replace what the other has learnt.
#[cfg(unix)]
#[test]
fn one_training_at_a_time_has_a_checkpoint() {
    let folder = folder(&["normal"]);
    let checkpoint = folder.path().join("a.checkpoint");
    let other = HeldFile::open(&checkpoint).unwrap();
    let error = run(&folder, "--out @a --epochs 1", &mut io::sink()).unwrap_err();
    assert!(error.to_string().ends_with("a.checkpoint: another run uses it"), "{error}");
    drop(other);
    run(&folder, "--out @a --epochs 1", &mut io::sink()).unwrap();
}

#[test]
fn a_checkpoint_of_another_training_is_refused_with_what_differs() {
    let folder = folder(&["normal"]);
    run(&folder, "--out @a --epochs 1", &mut io::sink()).unwrap();
    for (words, difference) in [
        ("--epochs 2", "epochs 1 instead of 2"),
        ("--epochs 1 --result-share 0.3", "result-share 0 instead of 0.3"),
        ("--epochs 1 --game 3check --seed 4", "game normal instead of 3check, seed 1 instead of 4"),
    ] {
        let error = run(&folder, &format!("--out @a {words}"), &mut io::sink()).unwrap_err();
        let TrainError::OtherTraining(_, found) = error else { panic!("{error}") };
        assert_eq!(found, difference);
    }
}

#[test]
fn a_training_goes_on_from_the_weights_with_which_it_began() {
    let folder = folder(&["normal"]);
    let path = |name: &str| folder.path().join(name);
    let run = |words: &str| run(&folder, &format!("{words} --epochs 1"), &mut io::sink());
    for (name, seed) in [("one", 1), ("two", 2)] {
        run(&format!("--out @{name} --seed {seed}")).unwrap();
    }
    fs::copy(path("one"), path("from")).unwrap();
    run("--out @net --from @from").unwrap();
    // The same weights under another name.
    run("--out @net --from @one").unwrap();
    fs::copy(path("two"), path("from")).unwrap();
    let error = run("--out @net --from @from").unwrap_err();
    let TrainError::OtherTraining(_, difference) = error else { panic!("{error}") };
    assert!(difference.starts_with("from ") && !difference.contains(','), "{difference}");
}

#[test]
fn a_network_grows_and_does_not_shrink() {
    let folder = folder(&["normal"]);
    let run = |words: &str| run(&folder, &format!("{words} --epochs 1"), &mut io::sink());
    let hidden = |name: &str| {
        let network = network::load(&folder.path().join(name), "normal").unwrap();
        network.hidden().neurons()
    };
    run("--out @a").unwrap();
    run("--out @b --hidden 256 --from @a").unwrap();
    run("--out @c --from @b.checkpoint").unwrap();
    run("--out @d --hidden 512").unwrap();
    assert_eq!(["a", "b", "c", "d"].map(hidden), [128, 256, 256, 512]);
    let error = run("--out @e --hidden 256 --from @d").unwrap_err().to_string();
    assert!(error.ends_with("d has 512 hidden neurons, and a network does not shrink to 256"));
    assert!(Cli::try_parse_from(["train", "x", "--out", "y", "--hidden", "200"]).is_err());
}

/// The network of chess is a better beginning than random weights for a game like chess.
#[test]
fn a_training_may_begin_with_the_network_of_another_game() {
    let chess = folder(&["normal"]);
    run(&chess, "--out @chess --epochs 1", &mut io::sink()).unwrap();
    let game = folder(&["3check"]);
    let from = chess.path().join("chess");
    let words = format!("--out @net --epochs 1 --rate 0.0000001 --from {}", from.display());
    run(&game, &words, &mut io::sink()).unwrap();
    let [before, after] = [(from, "normal"), (game.path().join("net"), "3check")]
        .map(|(path, game)| network::load(&path, game).unwrap());
    let pos = Position::<Standard>::start();
    assert_eq!(before.evaluate(&pos), after.evaluate(&pos));
}

#[test]
fn games_with_different_networks_are_learnt_together_on_demand() {
    let one = folder(&["normal", "fischerandom"]);
    let mut said = Vec::new();
    run(&one, "--out @net --epochs 1", &mut said).unwrap();
    assert!(!String::from_utf8(said).unwrap().contains("learns from"));
    network::load(&one.path().join("net"), Standard::NETWORK_GAME).unwrap();
    let two = folder(&["normal", "3check"]);
    let error = run(&two, "--out @net --epochs 1", &mut io::sink()).unwrap_err().to_string();
    assert!(error.contains("different networks, 3check, normal: --game says"), "{error}");
    let mut said = Vec::new();
    run(&two, "--out @net --epochs 1 --game 3check", &mut said).unwrap();
    let said = String::from_utf8(said).unwrap();
    assert!(
        said.contains("\na network for 3check learns from positions of 3check, normal\n"),
        "{said}"
    );
    network::load(&two.path().join("net"), "3check").unwrap();
    let unknown = folder(&["checkers"]);
    let error = run(&unknown, "--out @net", &mut io::sink()).unwrap_err();
    assert!(matches!(error, TrainError::UnknownVariant(_)), "{error}");
}

#[test]
fn no_file_is_learnt_twice() {
    let folder = folder(&["normal"]);
    let error = run(&folder, "@./positions --out @net", &mut io::sink()).unwrap_err();
    assert!(matches!(error, TrainError::Repeated(_)), "{error}");
}

#[test]
fn the_part_that_has_no_positions_is_named() {
    let error = |counts: [usize; 2]| {
        run(&folder_with(&["normal"], counts), "--out @net", &mut io::sink()).unwrap_err()
    };
    assert!(matches!(error([0, 100]), TrainError::NoTraining));
    assert!(matches!(error([100, 0]), TrainError::NoValidation));
}

#[cfg(unix)]
#[test]
fn a_device_is_no_network() {
    let folder = folder(&["normal"]);
    let error = run(&folder, "--out /dev/null", &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "/dev/null: not a file");
    assert!(!Path::new("/dev/null.checkpoint").exists());
}
