//! The subcommands of the program: `trebuchet <command> …`.
//!
//! Each command is a file or folder with its arguments and a function `run`. It lives in the module
//! of its users: `arena` for operators of matches, `tuning` for developers who improve the engine's
//! strength, `serve`, and `tools`.

use std::error::Error;

use crate::arena::{comply, matches};
use crate::serve;
use crate::tools::{bench, perft};
use crate::tuning::{datagen, openings, spsa, tune};
use crate::variants::VariantId;

/// The subcommands. A new one needs a line here and one in [`Subcommand::run`].
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Subcommand {
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    Match(Box<matches::MatchCommand>),
    Comply(comply::ComplyArgs),
    Openings(openings::OpeningsArgs),
    Serve(serve::ServeArgs),
    Datagen(datagen::DatagenArgs),
    Tune(tune::TuneArgs),
    Spsa(spsa::SpsaArgs),
}

impl Subcommand {
    /// Runs the subcommand, prints its error on standard error, and returns the exit status.
    pub fn run(&self) -> u8 {
        match self {
            Subcommand::Perft(args) => status(perft::run(args)),
            Subcommand::Bench(args) => status(bench::run(args)),
            Subcommand::Comply(args) => comply::run(args).map_or_else(
                |error| failure(&error, error.exit_code()),
                |counts| counts.exit_code(),
            ),
            Subcommand::Openings(args) => status(openings::run(args)),
            Subcommand::Serve(args) => status(serve::run(args)),
            Subcommand::Datagen(args) => status(datagen::run(args)),
            Subcommand::Tune(args) => status(tune::run(args)),
            Subcommand::Spsa(args) => status(spsa::run(args)),
            Subcommand::Match(args) => matches::run(&args.0).map_or_else(
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

/// A variant on the command line, by its CECP name.
impl clap::ValueEnum for VariantId {
    fn value_variants<'a>() -> &'a [VariantId] {
        VariantId::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()))
    }
}
