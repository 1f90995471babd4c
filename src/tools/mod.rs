//! Developer commands: `trebuchet <tool> …`.
//!
//! Each tool is a file or folder with its arguments and a `run`. Tools may use everything; nothing
//! uses them but `main`.

pub mod datagen;
pub mod perft;
pub mod tune;

use std::error::Error;
use std::time::Duration;

use crate::variants::VariantId;

/// The tools by the words that start them; a new one needs a line here and one in [`Tool::run`].
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Tool {
    Perft(perft::PerftArgs),
    Datagen(datagen::DatagenArgs),
    Tune(tune::TuneArgs),
}

impl Tool {
    /// Runs the tool.
    ///
    /// # Errors
    /// Whatever the tool says has gone wrong.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        match self {
            Tool::Perft(args) => perft::run(args)?,
            Tool::Datagen(args) => datagen::run(args)?,
            Tool::Tune(args) => tune::run(args)?,
        }
        Ok(())
    }
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
