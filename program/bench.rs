//! `trebuchet bench`: searches fixed positions. The node count is a signature of the search.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use trebuchet::board::{FenError, Position};
use trebuchet::for_variant;
use trebuchet::notation::Epd;
use trebuchet::search::{Limits, Silent, StopToken};
use trebuchet::types::Depth;
use trebuchet::variants::{Variant, VariantId};

/// Search the bench positions of every variant to a fixed depth with one thread.
///
/// The node counts are the same on every run and machine. The last line is `N nodes N nps`.
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArgs {
    /// The depth of each search, in plies
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: Depth,
    /// Search only the positions of this variant, by its CECP name
    #[arg(long, value_enum)]
    variant: Option<VariantId>,
    /// Show the nodes of each position
    #[arg(long)]
    verbose: bool,
}

/// Why the bench could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("bench.epd, line {0}: invalid EPD")]
    Line(usize),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If standard output is closed, or a bench position is bad.
pub fn run(args: &BenchArgs) -> Result<(), BenchError> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for &variant in VariantId::ALL {
        if args.variant.is_none_or(|only| only == variant) {
            let start = Instant::now();
            let found = for_variant!(variant, V => bench::<V>(args))?;
            writeln!(io::stdout(), "{} {found}", variant.name())?;
            nodes += found;
            time += start.elapsed();
        }
    }
    let nps = nodes_per_second(nodes, time);
    // OpenBench takes the first number beside `nodes` and beside `nps`.
    writeln!(io::stdout(), "{nodes} nodes {nps} nps")?;
    Ok(())
}

/// Searches a variant's bench positions and returns the number of nodes.
fn bench<V: Variant>(args: &BenchArgs) -> Result<u64, BenchError> {
    let mut search = V::new_search();
    let mut sum = 0;
    for epd in Epd::parse_file(V::ID.bench_positions()) {
        let pos = Position::from_fen(&epd.map_err(BenchError::Line)?.fen)?;
        search.clear();
        let limits = Limits { depth: Some(args.depth), ..Limits::default() };
        let found = search.run(&pos, &limits, &StopToken::new(), &mut Silent);
        if args.verbose {
            writeln!(io::stdout(), "{} {} {}", found.nodes, found.score.value(), pos.fen())?;
        }
        sum += found.nodes;
    }
    Ok(sum)
}

/// Rounded down. A time of zero counts as a nanosecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}
