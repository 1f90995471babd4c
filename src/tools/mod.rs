//! Developer commands: `trebuchet <tool> …`.
//!
//! Each tool is a file or folder with its arguments and a `run`. Tools may use everything; nothing
//! uses them but `main`.

pub mod bench;
pub mod comply;
pub mod datagen;
pub mod engines;
pub mod matches;
pub mod perft;
mod selfplay;
pub mod serve;
pub mod spsa;
pub mod tune;

use std::error::Error;
use std::time::Duration;

use crate::variants::VariantId;

/// The tools by the words that start them; a new one needs a line here and one in [`Tool::run`].
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Tool {
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    Match(Box<matches::MatchArgs>),
    Comply(comply::ComplyArgs),
    Openings(matches::balance::OpeningsArgs),
    Serve(serve::ServeArgs),
    Datagen(datagen::DatagenArgs),
    Tune(tune::TuneArgs),
    Spsa(spsa::SpsaArgs),
}

impl Tool {
    /// Runs the tool and says on standard error what has gone wrong; returns the exit status.
    pub fn run(&self) -> u8 {
        match self {
            Tool::Perft(args) => status(perft::run(args)),
            Tool::Bench(args) => status(bench::run(args)),
            Tool::Comply(args) => comply::run(args)
                .map_or_else(|error| failure(&error, error.exit_code()), |score| score.exit_code()),
            Tool::Openings(args) => status(matches::balance::run(args)),
            Tool::Serve(args) => status(serve::run(args)),
            Tool::Datagen(args) => status(datagen::run(args)),
            Tool::Tune(args) => status(tune::run(args)),
            Tool::Spsa(args) => status(spsa::run(args)),
            Tool::Match(args) => matches::run(args).map_or_else(
                |error| failure(&error, error.exit_code()),
                |conclusion| conclusion.exit_code(),
            ),
        }
    }
}

fn status(result: Result<(), impl Error>) -> u8 {
    result.map_or_else(|error| failure(&error, 1), |()| 0)
}

fn failure(error: &impl Error, status: u8) -> u8 {
    eprintln!("trebuchet: {error}");
    status
}

/// Reads a variant's CECP name from the command line.
fn parse_variant(name: &str) -> Result<VariantId, UnknownVariant> {
    VariantId::from_name(name).ok_or_else(|| UnknownVariant(name.to_owned()))
}

/// A variant that there is not.
#[derive(Debug, thiserror::Error)]
#[error("no such variant: {0} (normal, 3check)")]
struct UnknownVariant(String);

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}
