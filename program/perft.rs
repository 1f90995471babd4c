//! `trebuchet perft`: counts the leaves of the tree of legal moves.

use std::io::{self, Write};
use std::time::Instant;

use trebuchet::board::{FenError, Position};
use trebuchet::for_variant;
use trebuchet::movegen::perft::{divide, perft_without_bulk};
use trebuchet::protocol::dialect::MoveText;
use trebuchet::types::Depth;
use trebuchet::variants::{Variant, VariantId};

/// Count the leaves of the tree of legal moves. The last line is `nodes N time MS nps N`.
#[derive(Clone, Debug, clap::Args)]
pub struct PerftArgs {
    /// The depth of the tree, in plies
    #[arg(value_parser = clap::value_parser!(i32).range(0..=20))]
    depth: Depth,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// The position at the root; by default the start position
    #[arg(long)]
    fen: Option<String>,
    /// Show the count of each root move, written as in UCI
    #[arg(long)]
    divide: bool,
    /// Make and unmake also the last move of every line, instead of only counting the moves
    #[arg(long)]
    no_bulk: bool,
}

/// Why perft could not be run.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If the FEN is bad, or standard output is closed.
pub fn run(args: &PerftArgs) -> Result<(), PerftError> {
    for_variant!(args.variant, V => count::<V>(args))
}

fn count<V: Variant>(args: &PerftArgs) -> Result<(), PerftError> {
    let mut pos = match &args.fen {
        Some(fen) => Position::<V>::from_fen(fen)?,
        None => Position::start(),
    };
    let mut out = io::stdout().lock();
    let start = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let counts = divide(&mut pos, args.depth);
        for (mv, nodes) in &counts {
            writeln!(out, "{} {nodes}", MoveText::of(&pos, *mv).uci)?;
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else if args.no_bulk {
        perft_without_bulk(&mut pos, args.depth)
    } else {
        V::perft(&mut pos, args.depth)
    };
    let time = start.elapsed();
    let nps = crate::bench::nodes_per_second(nodes, time);
    writeln!(out, "nodes {nodes} time {} nps {nps}", time.as_millis())?;
    Ok(())
}
