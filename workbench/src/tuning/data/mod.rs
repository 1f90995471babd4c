//! `trebuchet data`: looks after files of games from `datagen`.
//!
//! `statistics` counts what is in them, `merge` makes one file of several, `pack` makes files of positions of
//! them.

mod merge;
mod pack;
mod statistics;

use std::io;
use std::path::{Path, PathBuf};

use crate::parallel::ThreadError;
use crate::tuning::datagen::store::{StoreError, description_of};
use crate::tuning::inputs::Repeated;
use trebuchet::board::FenError;
use trebuchet::variants::VariantId;

use merge::MergeArgs;
use pack::PackArgs;
use statistics::StatisticsArgs;

/// Look after files of games from `datagen`.
#[derive(Clone, Debug, clap::Args)]
pub struct DataArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Task {
    Stats(StatisticsArgs),
    Merge(MergeArgs),
    Pack(PackArgs),
}

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{path}: game {number}: {source}")]
    Game { path: PathBuf, number: u32, source: FenError },
    #[error("{path}: games of {name}, a variant that this engine does not play")]
    UnknownVariant { path: PathBuf, name: String },
    #[error(transparent)]
    Repeated(#[from] Repeated),
    #[error("--nearby-nodes is for positions nearby, and --nearby 0 asks for none")]
    NoneNearby,
    #[error("{path} exists already")]
    Exists { path: PathBuf },
    #[error("the files hold too many games for one file")]
    TooMany,
    #[error("the files hold no games")]
    NoGames,
    #[error("{path} exists and is no file of positions: another name, or --force to replace it")]
    Foreign { path: PathBuf },
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If a file cannot be read or written, or is damaged and damage is not to be skipped.
pub fn run(args: &DataArgs) -> Result<(), DataError> {
    match &args.task {
        Task::Stats(args) => statistics::run(args),
        Task::Merge(args) => merge::run(args),
        Task::Pack(args) => pack::run(args),
    }
}

/// The variant of a file's games.
fn variant_of(path: &Path) -> Result<VariantId, DataError> {
    let name = description_of(path)?.variant;
    let variant = VariantId::from_name(&name);
    variant.ok_or_else(|| DataError::UnknownVariant { path: path.to_owned(), name })
}
