//! `trebuchet tune`: fits the weights of the evaluation to games of the engine against itself.
//!
//! Texel's tuning method: a position's score should predict the result of its game. The score is a
//! known function of the weights (a [`Trace`](trebuchet::eval::classic::Trace)), so the loss has a gradient.

mod adam;
mod fit;
mod model;
mod samples;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use crate::files::{self, MAX_SETTINGS};
use crate::tuning::datagen::store::{GameReader, StoreError};
use crate::tuning::inputs::{self, Repeated};
use crate::tuning::numbers::{read_rate, read_share};
use crate::tuning::selection::illegal_moves_warning;
use trebuchet::args::threads;
use trebuchet::board::FenError;
use trebuchet::eval::EvalRules;
use trebuchet::eval::classic::{Classic, Weights, WeightsError};
use trebuchet::for_variant;
use trebuchet::variants::{Variant, VariantId};

use fit::{FitSettings, fit};
use model::{Model, Target};
use samples::Samples;

/// Fit all weights of the classic evaluation to games from `datagen`, and write them to eval.params.
///
/// One game of twenty, chosen by a hash of its moves, is for validation: its positions are not learnt. The
/// weights are those after the epoch with the least loss over them. If that is not less than before, the file
/// stays as it is.
#[derive(Clone, Debug, clap::Args)]
pub struct TuneArgs {
    /// Files of games from `datagen`
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// The file with the weights to fit and replace; by default that of the variant under variants/
    #[arg(long)]
    params: Option<PathBuf>,
    /// Print the losses, but change no file
    #[arg(long)]
    dry_run: bool,
    /// Leave out what is damaged in the files; without this, a damaged file is an error
    #[arg(long)]
    skip_damage: bool,
    /// How many times to go through all positions
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    epochs: u32,
    /// Positions per step
    #[arg(long, default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The learning rate at the start, in centipawns; it falls to a hundredth
    #[arg(long, default_value_t = 1.0, value_parser = read_rate)]
    rate: f64,
    /// The share of the game's result in the target, 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.4, value_parser = read_share)]
    result_share: f64,
    /// How strongly the weights are drawn back to their first values, 0 to 1
    #[arg(long, default_value_t = 1e-8, value_parser = read_share)]
    inertia: f64,
    /// The number of threads
    #[arg(long, default_value_t = 2, value_parser = threads())]
    threads: u16,
}

/// Why the weights could not be fitted.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("game {number}: {source}")]
    Game { number: u32, source: FenError },
    #[error("{path}: {source}")]
    Weights { path: PathBuf, source: WeightsError },
    #[error("{path}: {source}")]
    Params { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Repeated(#[from] Repeated),
    #[error("{}", inputs::NO_TRAINING)]
    NoTraining,
    #[error("{}", inputs::NO_VALIDATION)]
    NoValidation,
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If a file cannot be read or written, or the files have too few positions.
pub fn run(args: &TuneArgs) -> Result<(), TuneError> {
    for_variant!(args.variant, V => tune::<V>(args, &mut io::stdout(), &mut io::stderr()))
}

/// The file with the weights that the game is played with: that of another game if they share them.
fn file_of_weights<V: Variant>() -> PathBuf {
    let weights_of = |id| for_variant!(id, W => <W as EvalRules>::WEIGHTS);
    let mut games = VariantId::ALL.iter().copied();
    let owner = games.find(|&id| weights_of(id) == <V as EvalRules>::WEIGHTS);
    Path::new("variants").join(owner.unwrap_or(V::ID).folder()).join("eval.params")
}

/// Fits the weights. Prints the losses to `out`, and to `warnings` what is wrong with the files.
fn tune<V: Variant>(
    args: &TuneArgs,
    out: &mut dyn Write,
    warnings: &mut dyn Write,
) -> Result<(), TuneError> {
    let path = args.params.clone().unwrap_or_else(file_of_weights::<V>);
    let file_error = |source| TuneError::Params { path: path.clone(), source };
    if !args.dry_run {
        files::check_output(&path, &args.games).map_err(file_error)?;
    }
    inputs::check_distinct(&args.games)?;
    let text = files::read_text(&path, MAX_SETTINGS).map_err(file_error)?;
    let mut weights = Weights::parse::<V>(&text)
        .map_err(|source| TuneError::Weights { path: path.clone(), source })?;
    let Split { training, validation } = Split::read::<V>(args, &weights, warnings)?;
    if training.len() == 0 {
        return Err(TuneError::NoTraining);
    }
    if validation.len() == 0 {
        return Err(TuneError::NoValidation);
    }
    let threads = usize::from(args.threads);
    writeln!(out, "positions {} validation {}", training.len(), validation.len())?;

    let before = Model::new(&weights);
    let unit = before.fit_unit(&training, threads);
    let target = Target { unit, result_share: args.result_share as f32 };
    writeln!(out, "a score of {unit:.0} cp wins 73 % of the points")?;
    let loss = |model: &Model| {
        let result_alone = Target { result_share: 1.0, ..target };
        [target, result_alone].map(|target| model.loss(&validation, target, threads))
    };
    let [first, result] = loss(&before);
    writeln!(out, "before: validation loss {first:.6}, of results {result:.6}")?;

    let settings = FitSettings {
        epochs: args.epochs as usize,
        batch: args.batch as usize,
        rate: args.rate as f32,
        inertia: args.inertia as f32,
        threads,
    };
    // The weights are fitted and written even if the output is closed meanwhile.
    let mut printed = Ok(());
    let mut print = |line: String| {
        if printed.is_ok() {
            printed = writeln!(out, "{line}");
        }
    };
    let (mut least, mut best) = (first, before.clone());
    fit(&settings, before, &training, target, |epoch, model| {
        let [mixed, result] = loss(model);
        if mixed < least {
            (least, best) = (mixed, model.clone());
        }
        print(format!("epoch {epoch}: validation loss {mixed:.6}, of results {result:.6}"));
    });
    for (place, value) in best.round().into_iter().enumerate() {
        weights.set_value(place, value);
    }
    let [mixed, result] = loss(&Model::new(&weights));
    print(format!("after: validation loss {mixed:.6}, of results {result:.6}"));
    if mixed >= first {
        print(format!("no better than before: {} stays as it is", path.display()));
    } else if !args.dry_run {
        let text = weights
            .write_into::<V>(&text)
            .map_err(|source| TuneError::Weights { path: path.clone(), source })?;
        files::replace(&path, text.as_bytes()).map_err(file_error)?;
    }
    Ok(printed?)
}

/// The positions for training and those for validation.
#[derive(Default)]
struct Split {
    training: Samples,
    validation: Samples,
}

impl Split {
    /// Reads the files. All positions of a game go to the same side.
    fn read<V: Variant>(
        args: &TuneArgs,
        weights: &Weights,
        warnings: &mut dyn Write,
    ) -> Result<Split, TuneError> {
        let evaluator = Classic::<V>::with_weights(weights.clone());
        let mut split = Split::default();
        let bar = ProgressBar::new_spinner();
        for path in &args.games {
            let mut reader = GameReader::open(path, V::NAME, args.skip_damage)?;
            let mut illegal = Vec::new();
            for game in reader.by_ref() {
                let game = game?;
                let number = game.number;
                let side = match game.is_for_validation() {
                    true => &mut split.validation,
                    false => &mut split.training,
                };
                let found = side
                    .add_game(&evaluator, &game)
                    .map_err(|source| TuneError::Game { number, source })?;
                illegal.extend(found.map(|found| (number, found)));
                bar.inc(1);
            }
            // Best effort: the weights are fitted even if nothing can be shown.
            let mut warn = |text: String| {
                bar.suspend(|| writeln!(warnings, "{}: {text}", path.display()))
                    .unwrap_or_default();
            };
            reader.gaps().iter().for_each(|gap| warn(gap.to_string()));
            illegal_moves_warning(&illegal).into_iter().for_each(&mut warn);
        }
        bar.finish_and_clear();
        Ok(split)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use tempfile::TempDir;

    use super::*;
    use crate::tuning::datagen::store::{Continuation, Description, GameWriter, StoredGame};
    use crate::tuning::selfplay::ScoredMove;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use trebuchet::board::Position;
    use trebuchet::eval::EvalRules;
    use trebuchet::eval::classic::Tapered;
    use trebuchet::eval::classic::terms::{MATERIAL, TEMPO};
    use trebuchet::types::Color;
    use trebuchet::variants::{Names, Standard, ThreeCheck};

    /// Random games whose scores are the evaluation's with these weights.
    fn games<V: Variant>(count: u32, weights: &Weights) -> Vec<StoredGame> {
        let mut evaluator = Classic::<V>::with_weights(weights.clone());
        let play = |number| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
            let mut pos = Position::<V>::start();
            let mut moves = Vec::new();
            while pos.outcome().is_none() && moves.len() < 200 {
                let mv = *pos.legal_moves().sorted().choose(&mut rng).unwrap();
                moves.push(ScoredMove { mv, score: evaluator.evaluate(&pos) });
                pos.make_move(mv);
            }
            let winner = pos.outcome().and_then(|outcome| outcome.winner);
            StoredGame { number: number as u32, fen: V::START_FEN.to_owned(), winner, moves }
        };
        (0..u64::from(count)).map(play).collect()
    }

    #[test]
    fn every_game_has_a_file_of_weights() {
        for &id in VariantId::ALL {
            let (path, weights) = for_variant!(id, V => (file_of_weights::<V>(), V::WEIGHTS));
            let text = fs::read_to_string(Path::new("..").join(&path));
            assert_eq!(text.unwrap(), weights, "{}: {}", id.name(), path.display());
        }
    }

    fn samples<V: Variant>(games: &[StoredGame]) -> Samples {
        let evaluator = Classic::<V>::new();
        let mut samples = Samples::default();
        for game in games {
            samples.add_game(&evaluator, game).unwrap();
        }
        samples
    }

    fn built_in<V: EvalRules>() -> Weights {
        Weights::parse::<V>(V::WEIGHTS).unwrap()
    }

    const TARGET: Target = Target { unit: 200.0, result_share: 0.5 };

    /// The side that stands better at the end of a game has won it.
    #[test]
    fn the_unit_predicts_the_results_best() {
        let weights = built_in::<Standard>();
        let mut games = games::<Standard>(10, &weights);
        for game in &mut games {
            let last = game.moves.last().unwrap().score;
            game.winner = Some(if (last.value() > 0) == (game.moves.len() % 2 == 1) {
                Color::White
            } else {
                Color::Black
            });
        }
        let samples = samples::<Standard>(&games);
        let model = Model::new(&weights);
        let unit = model.fit_unit(&samples, 1);
        let loss = |unit| model.loss(&samples, Target { unit, result_share: 1.0 }, 1);
        for other in [60.0, 100.0, 200.0, 400.0, 800.0, 1600.0] {
            assert!(loss(unit) < loss(other) + 1e-4, "{unit}, not {other}");
        }
    }

    #[test]
    fn the_model_says_what_the_evaluation_says() {
        fn check<V: Variant>() {
            let weights = built_in::<V>();
            let samples = samples::<V>(&games::<V>(10, &weights));
            assert!(samples.len() > 100);
            let model = Model::new(&weights);
            // If the target is the evaluation itself, the loss is zero apart from rounding.
            let by_score = Target { result_share: 0.0, ..TARGET };
            assert!(model.loss(&samples, by_score, 1) < 2e-5);
            assert!(
                (model.loss(&samples, TARGET, 1) - model.loss(&samples, TARGET, 3)).abs() < 1e-9
            );
        }
        check::<Standard>();
        check::<ThreeCheck>();
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let weights = built_in::<ThreeCheck>();
        let samples = samples::<ThreeCheck>(&games::<ThreeCheck>(20, &weights));
        let model = Model::new(&weights);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        let gradient = model.gradient(&samples, &batch, TARGET, 2);
        let mut checked = 0;
        for (place, slope) in gradient.iter().enumerate().step_by(3) {
            for (half, found) in slope.iter().enumerate() {
                let moved = |by: f32| {
                    let mut model = model.clone();
                    model.values[place][half] += by;
                    model.loss(&samples, TARGET, 1)
                };
                let expected = (moved(1.0) - moved(-1.0)) / 2.0;
                let found = f64::from(*found);
                assert!(
                    (expected - found).abs() < 2e-6 + 0.03 * expected.abs(),
                    "{place} {half}: {found} instead of {expected}"
                );
                checked += usize::from(expected.abs() > 1e-5);
            }
        }
        assert!(checked > 20, "{checked}");
    }

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: TuneArgs,
    }

    /// A folder with a file of games of three-check and the built-in weights.
    struct Files {
        folder: TempDir,
        games: PathBuf,
        params: PathBuf,
    }

    impl Files {
        fn new(games: &[StoredGame]) -> Files {
            let folder = tempfile::tempdir().unwrap();
            let (path, params) = (folder.path().join("games"), folder.path().join("eval.params"));
            let description =
                Description { variant: ThreeCheck::NAME.to_owned(), ..Description::default() };
            let (name, allowed) = (ThreeCheck::NAME, Continuation::default());
            let mut writer =
                GameWriter::open(&path, name, &description, allowed, &mut |_| ()).unwrap();
            games.iter().for_each(|game| writer.write(game).unwrap());
            fs::write(&params, ThreeCheck::WEIGHTS).unwrap();
            Files { folder, games: path, params }
        }

        /// Runs the tool and returns its warnings.
        fn tune(&self, options: &str) -> Result<String, TuneError> {
            self.tune_to(&mut io::sink(), options)
        }

        /// Runs the tool, prints to `out`, and returns the warnings.
        fn tune_to(&self, out: &mut dyn Write, options: &str) -> Result<String, TuneError> {
            let params = format!("--params={}", self.params.display());
            let command = ["tune", self.games.to_str().unwrap(), &params];
            let args = Cli::parse_from(command.into_iter().chain(options.split_whitespace())).args;
            let mut warnings = Vec::new();
            tune::<ThreeCheck>(&args, out, &mut warnings)?;
            Ok(String::from_utf8(warnings).unwrap())
        }
    }

    /// Runs the tool over games that were scored with other weights: it must find these again.
    #[test]
    fn tuning_finds_the_weights_behind_the_scores() {
        let mut secret = built_in::<ThreeCheck>();
        let queen = MATERIAL.at(4);
        let mut shift = |place: usize, by: i32| {
            let value = secret.value(place);
            secret.set_value(place, Tapered::new(value.middle() + by, value.end() + by));
        };
        shift(queen, -350);
        shift(TEMPO.at_levels(1, 0), 200);
        let files = Files::new(&games::<ThreeCheck>(300, &secret));
        let options = "--epochs 40 --batch 1024 --rate 4 --result-share 0 --inertia 0";
        assert_eq!(files.tune(options).unwrap(), "");
        let text = fs::read_to_string(&files.params).unwrap();
        let tuned = Weights::parse::<ThreeCheck>(&text).unwrap();
        // Black has no queen, White has given a check: the tuned weights must give their sum.
        let fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+3 0 1";
        let pos = Position::<ThreeCheck>::from_fen(fen).unwrap();
        let score = |weights: Weights| Classic::with_weights(weights).evaluate(&pos).value();
        let (start, secret, tuned) = (score(built_in::<ThreeCheck>()), score(secret), score(tuned));
        assert!((start - secret).abs() > 100, "{start} {secret}");
        assert!((tuned - secret).abs() < 20, "{tuned} instead of {secret}");
        let comments = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
        };
        assert_eq!(comments(&text), comments(ThreeCheck::WEIGHTS));
        assert_eq!(fs::read_dir(files.folder.path()).unwrap().count(), 2);
    }

    /// The games are scored with the weights that the file has: all others are worse.
    #[test]
    fn worse_weights_are_not_written() {
        let files = Files::new(&games::<ThreeCheck>(60, &built_in::<ThreeCheck>()));
        let mut printed = Vec::new();
        files.tune_to(&mut printed, "--epochs 1 --rate 1000 --result-share 0").unwrap();
        let text = String::from_utf8(printed).unwrap();
        let last = format!("no better than before: {} stays as it is\n", files.params.display());
        assert!(text.ends_with(&last), "{text}");
        assert_eq!(fs::read_to_string(&files.params).unwrap(), ThreeCheck::WEIGHTS);
    }

    #[test]
    fn a_closed_output_loses_no_weights() {
        let mut secret = built_in::<ThreeCheck>();
        let queen = MATERIAL.at(4);
        let value = secret.value(queen);
        secret.set_value(queen, Tapered::new(value.middle() - 350, value.end() - 350));
        let files = Files::new(&games::<ThreeCheck>(60, &secret));
        // Room for what is printed before the first epoch.
        let mut room = [0; 140];
        let options = "--epochs 2 --batch 1024 --rate 4 --result-share 0 --inertia 0";
        let error = files.tune_to(&mut &mut room[..], options).unwrap_err();
        assert!(matches!(error, TuneError::Output(_)), "{error}");
        let printed = String::from_utf8_lossy(&room);
        assert!(printed.contains("\nbefore: ") && !printed.contains("\nepoch 2"), "{printed}");
        assert_ne!(fs::read_to_string(&files.params).unwrap(), ThreeCheck::WEIGHTS);
    }

    #[test]
    fn the_part_that_has_no_positions_is_named() {
        let (validation, training): (Vec<_>, Vec<_>) =
            games::<ThreeCheck>(60, &built_in::<ThreeCheck>())
                .into_iter()
                .partition(StoredGame::is_for_validation);
        let error = |games: &[StoredGame]| Files::new(games).tune("--epochs 1").unwrap_err();
        assert!(matches!(error(&validation), TuneError::NoTraining));
        assert!(matches!(error(&training), TuneError::NoValidation));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told() {
        let mut games = games::<ThreeCheck>(40, &built_in::<ThreeCheck>());
        for number in [3, 5] {
            let again = games[number].moves[0];
            games[number].moves[2] = again;
        }
        let files = Files::new(&games);
        let quick = "--epochs 1 --dry-run";
        let warnings = files.tune(quick).unwrap();
        let name = files.games.display();
        let expected = format!(
            "{name}: 2 games have an illegal move, and what follows it is left out; the first is game 3 with "
        );
        assert!(warnings.starts_with(&expected), "{warnings}");

        let whole = fs::read(&files.games).unwrap();
        fs::write(&files.games, &whole[..whole.len() - 1]).unwrap();
        let warnings = files.tune(quick).unwrap();
        assert!(warnings.lines().next().unwrap().ends_with(" are a part of a game"), "{warnings}");

        // A bit of the length of the first game.
        let mut damaged = whole;
        damaged[8 + 4 + "variant 3check\n".len() + 4] ^= 0x40;
        fs::write(&files.games, damaged).unwrap();
        let error = files.tune(quick).unwrap_err().to_string();
        assert!(error.contains("is damaged at byte 31 (--skip-damage "), "{error}");
        let warnings = files.tune("--epochs 1 --dry-run --skip-damage").unwrap();
        assert!(warnings.contains(" damaged bytes from byte 31 on are skipped"), "{warnings}");
    }

    #[test]
    fn nonsense_is_refused() {
        for option in [
            "--rate=nan",
            "--rate=inf",
            "--rate=0",
            "--result-share=1.1",
            "--result-share=nan",
            "--inertia=nan",
            "--inertia=-1",
            "--epochs=0",
            "--batch=0",
            "--threads=0",
        ] {
            assert!(Cli::try_parse_from(["tune", "games", option]).is_err(), "{option}");
        }
    }
}
