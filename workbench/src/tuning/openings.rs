//! `trebuchet openings`: finds balanced openings for matches.

use std::collections::HashSet;
use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::games::openings::{Opening, random_opening};
use crate::tuning::numbers::nodes;
use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::notation::{Epd, Operation};
use trebuchet::search::{Limits, PositionSearch, Silent, StopToken};
use trebuchet::types::Score;
use trebuchet::variants::{Variant, VariantId};

/// Find balanced openings: random moves after which the search gives neither side an advantage.
///
/// Prints each as EPD with the moves from the start position. The same settings find the same
/// openings.
#[derive(Clone, Debug, clap::Args)]
pub struct OpeningsArgs {
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// How many openings to find
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The shortest opening, in plies
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(2..=20))]
    from_plies: u16,
    /// The longest opening, in plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(2..=20))]
    to_plies: u16,
    /// The greatest score for either side, in centipawns
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(..=10_000))]
    limit: u16,
    /// Nodes of search for each position
    #[arg(long, default_value_t = 50_000, value_parser = nodes())]
    nodes: u64,
    /// The seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// After this many unbalanced or known openings in a row, the search for more ends.
const MAX_REFUSALS: usize = 10_000;

/// Why no openings can be found.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    #[error("the shortest opening (--from-plies) is longer than the longest (--to-plies)")]
    Lengths,
    #[error(
        "only {0} of {1} openings are balanced: allow longer ones, or a greater score (--limit)"
    )]
    TooFew(u32, u32),
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If the shortest opening is longer than the longest, if there are not so many balanced ones, or standard
/// output is closed.
pub fn run(args: &OpeningsArgs) -> Result<(), OpeningsError> {
    if args.from_plies > args.to_plies {
        return Err(OpeningsError::Lengths);
    }
    let found = for_variant!(args.variant, V => find::<V>(args))?;
    if found < args.count { Err(OpeningsError::TooFew(found, args.count)) } else { Ok(()) }
}

/// Prints the openings. Returns how many there are.
fn find<V: Variant>(args: &OpeningsArgs) -> io::Result<u32> {
    let bar = ProgressBar::new(args.count.into());
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} {elapsed} (left {eta})") {
        bar.set_style(style);
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "# Found by: trebuchet openings --variant {} --count {} --from-plies {} --to-plies {} --limit {} --nodes {} --seed {}",
        V::NAME,
        args.count,
        args.from_plies,
        args.to_plies,
        args.limit,
        args.nodes,
        args.seed
    )?;
    let mut search = V::new_search();
    let mut seen = HashSet::new();
    let (mut found, mut refused) = (0, 0);
    for number in 0.. {
        if found == args.count || refused == MAX_REFUSALS {
            break;
        }
        refused += 1;
        let plies = args.from_plies + number as u16 % (args.to_plies - args.from_plies + 1);
        let opening = random_opening::<V>(plies.into(), args.seed, number);
        let mut position = opening.start::<V>();
        opening.moves.iter().for_each(|&mv| position.make_move(mv));
        if seen.insert(position.key()) && is_balanced(&mut *search, &position, args) {
            writeln!(out, "{}", line(&position, &opening))?;
            (found, refused) = (found + 1, 0);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(found)
}

fn is_balanced<V: Variant>(
    search: &mut dyn PositionSearch<V>,
    position: &Position<V>,
    args: &OpeningsArgs,
) -> bool {
    let limit = Score::cp(args.limit.into());
    search.clear();
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let found = search.run(position, &limits, &StopToken::new(), &mut Silent);
    // Without a finished iteration, the score says nothing.
    found.depth > 0 && found.score <= limit && found.score >= -limit
}

/// The position, and the moves that lead to it where every game begins from the same position.
fn line<V: Variant>(position: &Position<V>, opening: &Opening) -> Epd {
    let operands = opening.moves.iter().map(|mv| mv.to_string()).collect();
    let moves = Operation { code: "moves".to_owned(), operands };
    Epd {
        fen: position.fen(),
        operations: if opening.fen.is_none() { vec![moves] } else { vec![] },
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: OpeningsArgs,
    }

    #[test]
    fn nonsense_is_refused() {
        for option in ["--count=0", "--nodes=0", "--limit=10001", "--from-plies=1", "--to-plies=21"]
        {
            assert!(Cli::try_parse_from(["openings", option]).is_err(), "{option}");
        }
        let Cli { args } =
            Cli::parse_from(["openings", "--from-plies=5", "--to-plies=4", "--nodes=1"]);
        assert!(matches!(run(&args), Err(OpeningsError::Lengths)));
    }

    /// There are fewer than 400 positions after two plies, so the rest is missing.
    #[test]
    fn too_few_openings_are_an_error() {
        let words = "openings --from-plies=2 --to-plies=2 --limit=10000 --nodes=100 --count=1000";
        let Cli { args } = Cli::parse_from(words.split(' '));
        let Err(OpeningsError::TooFew(found, 1000)) = run(&args) else { panic!("no error") };
        assert!((300..=400).contains(&found), "{found}");
    }
}
