//! `trebuchet train`: trains a network on games of the engine against itself.
//!
//! `positions` packs what is learnt, `nearby` finds more of it near the games, `model` is the network of
//! real numbers, `adamw` moves its weights, `checkpoint` keeps the state after each epoch, and `picture`
//! draws the losses.

mod adamw;
mod checkpoint;
mod model;
mod nearby;
mod picture;
mod positions;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::files;
use crate::tuning::datagen::store::{GameReader, StoreError, StoredGame};
use crate::tuning::numbers::{rate_at, read_rate, read_share};
use crate::tuning::parallel::{ThreadError, on_threads};
use crate::tuning::selection::{IllegalMove, Selection, illegal_moves_warning, is_for_validation};
use trebuchet::args::threads;
use trebuchet::board::{FenError, Position};
use trebuchet::eval::network::{self, NetworkError};
use trebuchet::for_variant;
use trebuchet::threads::lock;
use trebuchet::variants::{Variant, VariantId};

use adamw::AdamW;
use checkpoint::{Checkpoint, NoCheckpoint};
use model::{Model, Slopes, WEIGHTS};
use nearby::Neighbourhood;
use positions::{TrainingPosition, add_game, fingerprint};

/// Train a network on games from `datagen`, and write it as a file for the option EvalFile.
///
/// Every twentieth game is for validation: its positions are not learnt, only the loss over them is
/// printed. After each epoch the state is kept in OUT.checkpoint; the same command goes on from there. At
/// the end, OUT.svg shows the losses. OUT is the whole name, as in net.nnue.checkpoint. Files that are no
/// network, checkpoint or picture of this command are not replaced, and a checkpoint of another training is
/// not, either.
#[derive(Clone, Debug, clap::Args)]
pub struct TrainArgs {
    /// Files of games from `datagen`
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The file for the network
    #[arg(long)]
    out: PathBuf,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// How many times to go through all positions
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    epochs: u32,
    /// Positions per step
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The size of the first steps; it falls to a hundredth
    #[arg(long, default_value_t = 0.001, value_parser = read_rate)]
    rate: f64,
    /// How much of a position's target comes from the rest of its game, 0 to 1: 0 is the score of its own
    /// search alone, 1 the result alone
    #[arg(long, default_value_t = 0.9, value_parser = read_share)]
    lambda: f64,
    /// Learn also positions whose best move gives a check that counts
    #[arg(long)]
    with_checks: bool,
    /// For each position of the games that is learnt, try to find so many more, a few random moves away
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    nearby: u32,
    /// Value the positions nearby by a search of so many nodes; 0 is the classic evaluation without a
    /// search
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    nearby_nodes: u64,
    /// Begin with the weights of another training, from its file OUT.checkpoint, or with those of a network
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Leave out what is damaged in the files; without this, a damaged file is an error
    #[arg(long)]
    skip_damage: bool,
    /// Replace files that this command has not written, and a checkpoint of another training
    #[arg(long)]
    force: bool,
    /// The seed of the first weights and of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of threads
    #[arg(long, default_value_t = 2, value_parser = threads())]
    threads: u16,
}

/// Why no network could be trained.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error("game {number}: {source}")]
    Game { number: u32, source: FenError },
    #[error("too few positions in the files")]
    TooFew,
    #[error(
        "cannot begin with {path}: it is not a checkpoint of this version; read as a network: {source}"
    )]
    NoWeights { path: PathBuf, source: NetworkError },
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{0} exists and is not {1}: another name, or --force to replace it")]
    Foreign(PathBuf, &'static str),
    #[error("{0} is damaged: move it away, or --force to begin anew")]
    DamagedCheckpoint(PathBuf),
    #[error(
        "{0} is the checkpoint of a training with other settings or games: another name, or --force \
         to begin anew"
    )]
    OtherTraining(PathBuf),
    #[error(
        "{0} is a checkpoint of another version of this program: another name, or --force to begin anew"
    )]
    OtherVersion(PathBuf),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The steps in which the rate rises to its full size.
const WARM_UP: u64 = 50;

/// Runs the tool.
///
/// # Errors
/// If a file cannot be read or written, the files have too few positions, or a thread cannot be started.
pub fn run(args: &TrainArgs) -> Result<(), TrainError> {
    for_variant!(args.variant, V => train::<V>(args, &mut io::stdout(), &mut io::stderr()))
}

fn train<V: Variant>(
    args: &TrainArgs,
    out: &mut dyn Write,
    warnings: &mut dyn Write,
) -> Result<(), TrainError> {
    let [checkpoint, picture] = [".checkpoint", ".svg"].map(|ending| args.beside(ending));
    args.check_outputs(&checkpoint, &picture)?;
    let Split { training, validation } = Split::read::<V>(args, warnings)?;
    if training.is_empty() || validation.is_empty() {
        return Err(TrainError::TooFew);
    }
    writeln!(out, "positions {} validation {}", training.len(), validation.len())?;
    let results: Vec<_> = validation.iter().map(TrainingPosition::with_result_alone).collect();
    // Everything that changes the course of the training.
    let settings = format!(
        "{} {} {} {} {} {} {} {} {} {:?} {:x} {:x}",
        V::NAME,
        args.epochs,
        args.batch,
        args.rate,
        args.lambda,
        args.with_checks,
        args.nearby,
        args.nearby_nodes,
        args.seed,
        args.from,
        fingerprint(&training),
        fingerprint(&validation)
    );
    let mut course = match Checkpoint::load(&checkpoint, &settings) {
        Ok(course) => course,
        Err(_) if args.force || is_empty(&checkpoint) => Checkpoint {
            epochs: 0,
            model: first_model::<V>(args)?,
            optimizer: AdamW::new(WEIGHTS),
            losses: Vec::new(),
        },
        Err(NoCheckpoint::Damaged) => return Err(TrainError::DamagedCheckpoint(checkpoint)),
        Err(NoCheckpoint::OtherTraining) => return Err(TrainError::OtherTraining(checkpoint)),
    };
    if course.epochs > 0 {
        writeln!(out, "goes on after epoch {}", course.epochs)?;
    }
    let threads = usize::from(args.threads);
    while course.epochs < args.epochs as usize {
        let loss = run_epoch(args, &mut course, &training);
        let validated = course.model.loss(&validation, threads);
        let by_results = course.model.loss(&results, threads);
        course.epochs += 1;
        course.losses.push([loss, validated]);
        writeln!(
            out,
            "epoch {}: loss {loss:.6}, validation loss {validated:.6}, of results {by_results:.6}",
            course.epochs
        )?;
        course.save(&checkpoint, &settings).map_err(file_error(&checkpoint))?;
    }
    let bytes = network::write(&course.model.round(), V::NETWORK_GAME);
    files::replace(&args.out, &bytes).map_err(file_error(&args.out))?;
    let title = args.out.file_name().unwrap_or_default().to_string_lossy();
    let losses = picture::loss_curve(&title, &course.losses);
    files::replace(&picture, losses.as_bytes()).map_err(file_error(&picture))
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> TrainError {
    |source| TrainError::File { path: path.to_owned(), source }
}

/// Is there nothing in the file that could be lost?
fn is_empty(path: &Path) -> bool {
    !path.metadata().is_ok_and(|found| found.len() > 0)
}

impl TrainArgs {
    /// The file beside the network whose name has this ending more.
    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.out.file_name().unwrap_or_default().to_owned();
        name.push(ending);
        self.out.with_file_name(name)
    }

    /// Refuses, before any work, to replace a source, or without --force a file of another kind.
    fn check_outputs(&self, checkpoint: &Path, picture: &Path) -> Result<(), TrainError> {
        for (path, beginning, kind) in [
            (self.out.as_path(), network::MAGIC.as_slice(), "a network"),
            (checkpoint, checkpoint::FAMILY, "a checkpoint"),
            (picture, picture::BEGINNING.as_bytes(), "a picture of this command"),
        ] {
            files::check_output(path, self.games.iter().chain(&self.from))
                .map_err(file_error(path))?;
            if self.force || is_empty(path) {
                continue;
            }
            let found = files::begins_with(path, beginning).map_err(file_error(path))?;
            if !found {
                return Err(TrainError::Foreign(path.to_owned(), kind));
            }
        }
        let is_kept = !self.force && !is_empty(checkpoint);
        if is_kept && is_other_version(checkpoint).map_err(file_error(checkpoint))? {
            return Err(TrainError::OtherVersion(checkpoint.to_owned()));
        }
        Ok(())
    }
}

/// Is this a checkpoint that another version of this program has written?
fn is_other_version(path: &Path) -> io::Result<bool> {
    Ok(files::begins_with(path, checkpoint::FAMILY)?
        && !files::begins_with(path, checkpoint::MAGIC)?)
}

/// The weights with which the training begins.
fn first_model<V: Variant>(args: &TrainArgs) -> Result<Model, TrainError> {
    let Some(path) = &args.from else { return Ok(Model::random(args.seed)) };
    if let Some(model) = Checkpoint::load_model(path) {
        return Ok(model);
    }
    match network::load(path, V::NETWORK_GAME) {
        Ok(network) => Ok(Model::of_network(&network)),
        Err(source) => Err(TrainError::NoWeights { path: path.clone(), source }),
    }
}

/// Learns all positions once. Returns the mean loss on the way.
fn run_epoch(args: &TrainArgs, course: &mut Checkpoint, training: &[TrainingPosition]) -> f64 {
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let seed = args.seed.wrapping_mul(1_000_003).wrapping_add(course.epochs as u64);
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let batch = args.batch as usize;
    let steps = (args.epochs as usize * order.len().div_ceil(batch)) as f64;
    let mut slopes = vec![Slopes::new(); usize::from(args.threads)];
    let bar = ProgressBar::new(order.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {per_sec} {eta} {msg}") {
        bar.set_style(style);
    }
    let (mut sum, mut seen) = (0.0, 0);
    for chosen in order.chunks(batch) {
        course.model.add_slopes(training, chosen, &mut slopes);
        let (first, others) = slopes.split_first_mut().expect("there is a thread");
        for other in others {
            for (total, slope) in first.weights.iter_mut().zip(&other.weights) {
                *total += slope;
            }
            first.loss += other.loss;
        }
        let share = 1.0 / chosen.len() as f32;
        first.weights.iter_mut().for_each(|slope| *slope *= share);
        let done = course.optimizer.steps as f64 / steps;
        let fall = rate_at(done);
        let rise = (course.optimizer.steps + 1).min(WARM_UP) as f64 / WARM_UP as f64;
        let rate = (args.rate * fall * rise) as f32;
        course.optimizer.step(&mut course.model.weights, &first.weights, rate, args.threads.into());
        course.model.clip();
        sum += first.loss;
        seen += chosen.len();
        bar.inc(chosen.len() as u64);
        bar.set_message(format!("epoch {}, loss {:.5}", course.epochs + 1, sum / seen as f64));
    }
    bar.finish_and_clear();
    sum / seen.max(1) as f64
}

/// So many games are read before threads unpack them.
const GAMES_AT_ONCE: usize = 4000;

/// The positions for training and those for validation.
#[derive(Default)]
struct Split {
    training: Vec<TrainingPosition>,
    validation: Vec<TrainingPosition>,
}

/// What is found in a game: its positions, and its first illegal move.
type Found = (Vec<TrainingPosition>, Option<IllegalMove>);

impl Split {
    /// Reads the files. All positions of a game go to the same side.
    fn read<V: Variant>(args: &TrainArgs, warnings: &mut dyn Write) -> Result<Split, TrainError> {
        let mut split = Split::default();
        let bar = ProgressBar::new_spinner();
        for path in &args.games {
            let mut reader = GameReader::open(path, V::NAME, args.skip_damage)?;
            // Best effort: the network is trained even if nothing can be shown.
            let mut warn = |text: String| {
                bar.suspend(|| writeln!(warnings, "{}: {text}", path.display()))
                    .unwrap_or_default();
            };
            let mut illegal = Vec::new();
            loop {
                let games = reader.by_ref().take(GAMES_AT_ONCE).collect::<Result<Vec<_>, _>>()?;
                if games.is_empty() {
                    break;
                }
                for (game, (positions, bad)) in games.iter().zip(unpack::<V>(args, &games)?) {
                    split.side(game.number).extend(positions);
                    illegal.extend(bad.map(|bad| (game.number, bad)));
                }
                bar.inc(games.len() as u64);
            }
            reader.gaps().iter().for_each(|gap| warn(gap.to_string()));
            illegal_moves_warning(&illegal).into_iter().for_each(&mut warn);
        }
        bar.finish_and_clear();
        Ok(split)
    }

    /// The side of the game with this number.
    fn side(&mut self, game: u32) -> &mut Vec<TrainingPosition> {
        if is_for_validation(game) { &mut self.validation } else { &mut self.training }
    }
}

/// What is found in each of these games.
fn unpack<V: Variant>(args: &TrainArgs, games: &[StoredGame]) -> Result<Vec<Found>, TrainError> {
    let left = Mutex::new(games.iter().enumerate());
    let results: Mutex<Vec<Found>> = Mutex::new(vec![Found::default(); games.len()]);
    on_threads(args.threads, || -> Result<(), TrainError> {
        let selection = Selection { with_checks: args.with_checks };
        let mut near = Neighbourhood::<V>::new(selection, args.nearby_nodes);
        loop {
            // Not `while let`, which would hold the lock during the work.
            let next = lock(&left).next();
            let Some((index, game)) = next else { return Ok(()) };
            let number = game.number;
            near.enter(args.seed, number);
            let nearby = if is_for_validation(number) { 0 } else { args.nearby };
            let visit = |pos: &Position<V>, found: &mut Vec<TrainingPosition>| {
                found.extend((0..nearby).filter_map(|_| near.sample(pos)));
            };
            let mut positions = Vec::new();
            let lambda = args.lambda as f32;
            let bad = add_game::<V>(&mut positions, game, selection, lambda, visit)
                .map_err(|source| TrainError::Game { number, source })?;
            lock(&results)[index] = (positions, bad);
        }
    })?;
    Ok(std::mem::take(&mut *lock(&results)))
}
