//! `trebuchet train`: trains a network on positions from `data pack`.
//!
//! `stream` reads the positions while they are learnt, `model` is the network of real numbers, `adamw` moves its
//! weights, `quantise` rounds them, `checkpoint` keeps the state after each epoch, and `picture` draws the losses.
//! The crate `gradient` has the inner loops.

mod adamw;
mod checkpoint;
mod model;
mod picture;
mod quantise;
mod stream;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use crate::files::{self, HeldFile};
use crate::tuning::inputs::{self, Repeated};
use crate::tuning::numbers::{rate_at, read_hidden, read_rate, read_share};
use crate::tuning::positions::{Part, PositionsError};
use crate::tuning::provenance::{Provenance, provenance};
use trebuchet::args::threads;
use trebuchet::eval::EvalRules;
use trebuchet::eval::network::architecture::Hidden;
use trebuchet::eval::network::{self, NetworkError};
use trebuchet::for_variant;
use trebuchet::text::printable;
use trebuchet::variants::VariantId;

use adamw::AdamW;
use checkpoint::{Checkpoint, NoCheckpoint};
use model::{Gradient, Model};
use stream::{Order, Stream, StreamError};

/// Train a network on positions from `data pack`, and write it as a file for the option EvalFile.
///
/// The positions are read from their files while they are learnt, so that there may be any number. After each
/// epoch the loss over the positions for validation, which are not learnt, is printed, and the state is kept
/// in OUT.checkpoint; the same command goes on from there. At the end, OUT.svg shows the losses. OUT is the
/// whole name, as in net.nnue.checkpoint. What is not of this training is not replaced: other files, the checkpoint
/// of another training, and a network without a checkpoint. A picture of another training is.
#[derive(Clone, Debug, clap::Args)]
pub struct TrainArgs {
    /// Files of positions from `data pack`
    #[arg(required = true)]
    positions: Vec<PathBuf>,
    /// The file for the network
    #[arg(long)]
    out: PathBuf,
    /// The game that the network is for, by its CECP name, if there are positions of games with other
    /// networks; by default the game of all positions
    #[arg(long, value_enum)]
    game: Option<VariantId>,
    /// The neurons of the hidden layer: 128, 256, 384 or 512; by default those of --from, else 128. If they are
    /// more than those of --from, the network grows
    #[arg(long, value_parser = read_hidden)]
    hidden: Option<Hidden>,
    /// How many times to go through all positions
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    epochs: u32,
    /// Positions per step
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// The learning rate at the start; it falls along a cosine to a hundredth
    #[arg(long, default_value_t = 0.001, value_parser = read_rate)]
    rate: f64,
    /// The share of the game's result in what is learnt, 0 to 1; the rest is the value from `data pack`
    #[arg(long, default_value_t = 0.0, value_parser = read_share)]
    result_share: f64,
    /// Begin with the weights of another training, from its file OUT.checkpoint, or with those of a network.
    /// Both may be of another game
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Replace what is not of this training
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
    Positions(#[from] PositionsError),
    #[error(transparent)]
    Stream(#[from] StreamError),
    #[error("positions of {0}, a variant that this engine does not play")]
    UnknownVariant(String),
    #[error(
        "positions of games with different networks, {0}: --game says which game this one is for"
    )]
    SeveralGames(String),
    #[error(transparent)]
    Repeated(#[from] Repeated),
    #[error("{}", inputs::NO_TRAINING)]
    NoTraining,
    #[error("{}", inputs::NO_VALIDATION)]
    NoValidation,
    #[error(
        "cannot begin with {path}: it is not a checkpoint of this version; read as a network: {source}"
    )]
    NoWeights { path: PathBuf, source: NetworkError },
    #[error("{path} has {found} hidden neurons, and a network does not shrink to {wanted}")]
    Shrinks { path: PathBuf, found: usize, wanted: usize },
    #[error("the weights have become too great for a network: try a smaller --rate")]
    TooGreat,
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{0} exists and is not {1}: another name, or --force to replace it")]
    Foreign(PathBuf, &'static str),
    #[error(
        "{0} exists, and no checkpoint of its training stands beside it: another name, or --force to replace it"
    )]
    OtherNetwork(PathBuf),
    #[error("{0} is damaged: move it away, or --force to begin anew")]
    DamagedCheckpoint(PathBuf),
    #[error(
        "{0} is the checkpoint of a training with other settings or positions: {1} (another name, or \
         --force to begin anew)"
    )]
    OtherTraining(PathBuf, String),
    #[error(
        "{0} is a checkpoint of another version of this program: another name, or --force to begin anew"
    )]
    OtherVersion(PathBuf),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// The size of the hidden layer, unless another one is named.
const LEAST: Hidden = Hidden::H128;
/// The steps in which the rate rises to its full size.
const WARM_UP: u64 = 50;

/// Runs the tool.
///
/// # Errors
/// If a file cannot be read or written, the files have too few positions, or a thread cannot be started.
pub fn run(args: &TrainArgs) -> Result<(), TrainError> {
    train(args, &mut io::stdout())
}

fn train(args: &TrainArgs, out: &mut dyn Write) -> Result<(), TrainError> {
    let [checkpoint, picture] = [".checkpoint", ".svg"].map(|ending| args.beside(ending));
    args.check_outputs(&checkpoint, &picture)?;
    inputs::check_distinct(&args.positions)?;
    let mut held = HeldFile::open(&checkpoint).map_err(file_error(&checkpoint))?;
    let mut stream = Stream::open(&args.positions)?;
    let games = network_games(&stream)?;
    let game = args.network_game(&games)?;
    let [training, validation] = [Part::Training, Part::Validation].map(|part| stream.count(part));
    if training == 0 {
        return Err(TrainError::NoTraining);
    }
    if validation == 0 {
        return Err(TrainError::NoValidation);
    }
    writeln!(out, "positions {training} validation {validation}")?;
    if games != [game] {
        writeln!(out, "a network for {game} learns from positions of {}", games.join(", "))?;
    }
    let settings = args.settings(game, &stream)?;
    let begin = || -> Result<Checkpoint, TrainError> {
        let model = args.first_model(game)?;
        let optimizer = AdamW::new(model.weights.len());
        Ok(Checkpoint { epochs: 0, model, optimizer, losses: Vec::new() })
    };
    let mut course = match Checkpoint::load(&checkpoint, &settings) {
        Ok(course) => course,
        Err(_) if args.force || is_empty(&checkpoint) => begin()?,
        Err(NoCheckpoint::Damaged) => return Err(TrainError::DamagedCheckpoint(checkpoint)),
        Err(NoCheckpoint::OtherTraining(difference)) => {
            return Err(TrainError::OtherTraining(checkpoint, difference));
        }
    };
    if course.epochs > 0 {
        writeln!(out, "goes on after epoch {}", course.epochs)?;
    }
    while course.epochs < args.epochs as usize {
        let loss = run_epoch(args, &mut course, &mut stream)?;
        if !course.model.is_finite() {
            return Err(TrainError::TooGreat);
        }
        let [validated, by_results] = validate(args, &course.model, &mut stream)?;
        course.epochs += 1;
        course.losses.push([loss, validated]);
        // Saved before it is told: the output may be closed.
        held.replace(&course.to_bytes(&settings)).map_err(file_error(&checkpoint))?;
        writeln!(
            out,
            "epoch {}: loss {loss:.6}, validation loss {validated:.6}, of results {by_results:.6}",
            course.epochs
        )?;
    }
    let network = course.model.round();
    if !network.is_in_range() {
        return Err(TrainError::TooGreat);
    }
    let bytes = network::write(&network, game);
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

    /// Refuses, before any work, to replace a source, or without --force a file of another kind or a network
    /// of another training.
    fn check_outputs(&self, checkpoint: &Path, picture: &Path) -> Result<(), TrainError> {
        for (path, beginning, kind) in [
            (self.out.as_path(), network::FAMILY, "a network"),
            (checkpoint, checkpoint::FAMILY, "a checkpoint"),
            (picture, picture::BEGINNING.as_bytes(), "a picture of this command"),
        ] {
            files::check_plain(path).map_err(file_error(path))?;
            files::check_output(path, self.positions.iter().chain(&self.from))
                .map_err(file_error(path))?;
            if self.force || is_empty(path) {
                continue;
            }
            let found = files::begins_with(path, beginning).map_err(file_error(path))?;
            if !found {
                return Err(TrainError::Foreign(path.to_owned(), kind));
            }
        }
        if self.force {
            return Ok(());
        }
        if !is_empty(&self.out) && is_empty(checkpoint) {
            return Err(TrainError::OtherNetwork(self.out.clone()));
        }
        if !is_empty(checkpoint) && is_other_version(checkpoint).map_err(file_error(checkpoint))? {
            return Err(TrainError::OtherVersion(checkpoint.to_owned()));
        }
        Ok(())
    }

    /// The CECP name of the game that the network is for. `games` are those of the positions.
    fn network_game(&self, games: &[&'static str]) -> Result<&'static str, TrainError> {
        match (self.game, games) {
            (Some(id), _) => Ok(network_game_of(id)),
            (None, [game]) => Ok(game),
            (None, games) => Err(TrainError::SeveralGames(games.join(", "))),
        }
    }

    /// Everything that changes the course of the training.
    fn settings(&self, game: &str, stream: &Stream) -> Result<Provenance, TrainError> {
        let fingerprints: Vec<String> =
            stream.headers().map(|header| format!("{:016x}", header.fingerprint)).collect();
        // What is in the file: it may have been replaced since, under the same name.
        let from = match &self.from {
            Some(path) => {
                let hash = files::open(path).and_then(files::hash_of).map_err(file_error(path))?;
                format!("{hash:016x}")
            }
            None => String::new(),
        };
        let hidden = match (self.hidden, &self.from) {
            (None, Some(_)) => "that of --from".to_owned(),
            (hidden, _) => hidden.unwrap_or(LEAST).neurons().to_string(),
        };
        Ok(provenance([
            ("game", game.to_owned()),
            ("hidden", hidden),
            ("epochs", self.epochs.to_string()),
            ("batch", self.batch.to_string()),
            ("rate", self.rate.to_string()),
            ("result-share", self.result_share.to_string()),
            ("seed", self.seed.to_string()),
            ("from", from),
            ("positions", fingerprints.join(" ")),
        ]))
    }

    /// The weights with which the training begins.
    fn first_model(&self, game: &str) -> Result<Model, TrainError> {
        let Some(path) = &self.from else {
            return Ok(Model::random(self.hidden.unwrap_or(LEAST), self.seed));
        };
        let model = match Checkpoint::load_model(path) {
            Some(model) => model,
            None => {
                let network = match network::load(path, game) {
                    Err(NetworkError::OtherVariant(other)) => network::load(path, &other),
                    found => found,
                };
                let no_weights = |source| TrainError::NoWeights { path: path.clone(), source };
                Model::of_network(&network.map_err(no_weights)?)
            }
        };
        let wanted = self.hidden.unwrap_or(model.hidden);
        model.grown(wanted, self.seed).ok_or_else(|| TrainError::Shrinks {
            path: path.clone(),
            found: model.hidden.neurons(),
            wanted: wanted.neurons(),
        })
    }
}

/// The CECP name of the game whose network plays this one.
fn network_game_of(id: VariantId) -> &'static str {
    for_variant!(id, V => <V as EvalRules>::NETWORK_GAME)
}

/// The games whose networks could learn from the positions, by their CECP names, each once.
fn network_games(stream: &Stream) -> Result<Vec<&'static str>, TrainError> {
    let mut games = Vec::new();
    for name in stream.headers().flat_map(|header| &header.variants) {
        let id = VariantId::from_name(name);
        let id = id.ok_or_else(|| TrainError::UnknownVariant(printable(name)))?;
        games.push(network_game_of(id));
    }
    games.sort_unstable();
    games.dedup();
    Ok(games)
}

/// Is this a checkpoint that another version of this program has written?
fn is_other_version(path: &Path) -> io::Result<bool> {
    Ok(files::begins_with(path, checkpoint::FAMILY)?
        && !files::begins_with(path, checkpoint::MAGIC)?)
}

/// Learns all positions once. Returns the mean loss on the way.
fn run_epoch(
    args: &TrainArgs,
    course: &mut Checkpoint,
    stream: &mut Stream,
) -> Result<f64, TrainError> {
    let count = stream.count(Part::Training);
    let seed = args.seed.wrapping_mul(1_000_003).wrapping_add(course.epochs as u64);
    let order = Order { batch: args.batch as usize, seed };
    let steps = f64::from(args.epochs) * count.div_ceil(args.batch.into()) as f64;
    let mut gradients = vec![Gradient::new(course.model.layout()); usize::from(args.threads)];
    let bar = ProgressBar::new(count);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {per_sec} {eta} {msg}") {
        bar.set_style(style);
    }
    let (mut sum, mut seen) = (0.0, 0);
    stream.epoch(order, |batch| {
        course.model.fill_gradients(batch, args.result_share as f32, &mut gradients);
        let (first, others) = gradients.split_first_mut().expect("there is a thread");
        for other in others {
            for (total, slope) in first.weights.iter_mut().zip(&other.weights) {
                *total += slope;
            }
            first.loss += other.loss;
        }
        let share = 1.0 / batch.len() as f32;
        first.weights.iter_mut().for_each(|slope| *slope *= share);
        let done = course.optimizer.steps as f64 / steps;
        let fall = rate_at(done);
        let rise = (course.optimizer.steps + 1).min(WARM_UP) as f64 / WARM_UP as f64;
        let rate = (args.rate * fall * rise) as f32;
        course.optimizer.step(&mut course.model.weights, &first.weights, rate, args.threads.into());
        course.model.clip();
        sum += first.loss;
        seen += batch.len();
        bar.inc(batch.len() as u64);
        bar.set_message(format!("epoch {}, loss {:.5}", course.epochs + 1, sum / seen as f64));
    })?;
    bar.finish_and_clear();
    Ok(sum / seen.max(1) as f64)
}

/// The mean losses over the positions for validation: of their targets, and of the results alone.
fn validate(args: &TrainArgs, model: &Model, stream: &mut Stream) -> Result<[f64; 2], TrainError> {
    let shares = [args.result_share as f32, 1.0];
    let mut sums = [0.0; 2];
    stream.visit(Part::Validation, |positions| {
        let losses = model.loss(positions, shares, args.threads.into());
        sums = std::array::from_fn(|index| sums[index] + losses[index]);
    })?;
    Ok(sums.map(|sum| sum / stream.count(Part::Validation) as f64))
}

#[cfg(test)]
mod tests;
