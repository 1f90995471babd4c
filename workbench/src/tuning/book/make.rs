//! `trebuchet book make`: a book from games, by search, or both.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::expand::{Expansion, Grown, expand};
use super::games::{GameCounts, GameFilter};
use super::{BookToolError, check_target, summary, write};
use crate::tuning::numbers::nodes;
use trebuchet::args::{hash, threads};
use trebuchet::board::Position;
use trebuchet::book::Book;
use trebuchet::for_variant;
use trebuchet::variants::{Variant, VariantId};

/// Make a book from games, by search, or both.
///
/// From games, the weight of a move is twice its wins plus its draws. By search, the tree of openings
/// grows from the start position: always the position that is reached at the least cost is searched
/// next, and the weight of a move tells how close its score is to the best one. Where both know a
/// position, the search decides. The same command makes the same book, with any number of threads.
#[derive(Clone, Debug, clap::Args)]
pub struct MakeArgs {
    /// The file of the book
    out: PathBuf,
    /// Files of games: PGN files, by their names, or files of `datagen`
    #[arg(value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// Replace the file of the book if it exists
    #[arg(long)]
    force: bool,
    /// From games: the last move whose number counts
    #[arg(long, value_name = "NUMBER", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    moves: u16,
    /// From games: how many games must have a move
    #[arg(long, value_name = "GAMES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// By search: how many positions to search
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    positions: u32,
    /// By search: nodes for each position
    #[arg(long, default_value_t = 200_000, value_parser = nodes())]
    nodes: u64,
    /// By search: how many moves of each position to compare
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=100))]
    lines: u16,
    /// By search: follow moves up to this many centipawns worse than the best
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60, value_parser = clap::value_parser!(u16).range(..=2000))]
    width: u16,
    /// By search: keep moves up to this many centipawns worse than the best
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 20, value_parser = clap::value_parser!(u16).range(..=2000))]
    margin: u16,
    /// By search: follow no move with a greater score for either side, in centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 250, value_parser = clap::value_parser!(u16).range(..=10_000))]
    limit: u16,
    /// By search: how many positions to search at the same time
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// By search: the size of each thread's transposition table in MiB
    #[arg(long, default_value_t = 16, value_parser = hash())]
    hash: u32,
}

/// Runs the tool.
///
/// # Errors
/// If there is no source, if a file cannot be read or written, or if a thread fails.
pub fn run(args: &MakeArgs, out: &mut impl Write) -> Result<(), BookToolError> {
    if args.games.is_empty() && args.positions == 0 {
        return Err(BookToolError::NoSource);
    }
    // Ask before the work, not after it.
    check_target(&args.out, &args.games, args.force)?;
    let (book, notes) = for_variant!(args.variant, V => make::<V>(args))?;
    let written = write(&book, &args.out, args.force);
    for note in notes {
        writeln!(out, "{note}")?;
    }
    written?;
    writeln!(out, "{}: {}", args.out.display(), summary(&book))?;
    if for_variant!(args.variant, V => !has_a_start::<V>(&book)) {
        let why = "the games begin elsewhere, or no move of it was played often enough";
        writeln!(out, "warning: the book has no move in the start position: {why}")?;
    }
    Ok(())
}

/// Makes the book. Returns also what there is to say about its sources.
fn make<V: Variant>(args: &MakeArgs) -> Result<(Book, Vec<String>), BookToolError> {
    let (mut entries, mut notes) = (Vec::new(), Vec::new());
    // First: a file that cannot be read must not be found after hours of search.
    let filter = GameFilter { last_move: args.moves.into(), min_games: args.min_games };
    let mut counts = GameCounts::default();
    let read = bar_of_games();
    for path in &args.games {
        counts.add_file::<V>(path, filter, || read.inc(1))?;
    }
    read.finish_and_clear();
    if args.positions > 0 {
        let bar = bar(args.positions.into());
        let searched = expand::<V>(&args.expansion(), |searched| bar.set_position(searched as u64));
        bar.finish_and_clear();
        let Grown { entries: found, left_out } = searched?;
        entries = found;
        if left_out > 0 {
            notes.push(format!(
                "warning: {left_out} positions are left out: {} nodes are too few to score {} moves",
                args.nodes, args.lines
            ));
        }
    }
    if !args.games.is_empty() {
        notes.push(counts.to_string());
        let searched: HashSet<u64> = entries.iter().map(|entry| entry.key).collect();
        let counted = counts.entries(filter).into_iter();
        entries.extend(counted.filter(|entry| !searched.contains(&entry.key)));
    }
    Ok((Book::of_entries(entries), notes))
}

/// Does the book have a move in a start position?
fn has_a_start<V: Variant>(book: &Book) -> bool {
    (0..V::START_POSITIONS)
        .any(|number| !book.moves(&Position::<V>::numbered_start(number)).is_empty())
}

impl MakeArgs {
    fn expansion(&self) -> Expansion {
        Expansion {
            positions: self.positions as usize,
            nodes: self.nodes,
            lines: self.lines.into(),
            width: self.width.into(),
            margin: self.margin.into(),
            limit: self.limit.into(),
            threads: self.threads,
            hash: self.hash as usize,
        }
    }
}

/// A bar on standard error, shown only if that is a terminal.
fn bar(positions: u64) -> ProgressBar {
    let bar = ProgressBar::new(positions);
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A count on standard error: nobody knows how many games a file has.
fn bar_of_games() -> ProgressBar {
    let bar = ProgressBar::no_length();
    match ProgressStyle::with_template("{spinner} {pos} games, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::*;
    use trebuchet::variants::Standard;

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: MakeArgs,
    }

    fn run_with(words: &[&str]) -> Result<String, BookToolError> {
        let mut out = Vec::new();
        let Cli { args } = Cli::parse_from([&["make"], words].concat());
        run(&args, &mut out).map(|()| String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_book_from_games_and_search_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (out, games) = (path("out.bin"), path("games.pgn"));
        assert!(matches!(run_with(&[&out]), Err(BookToolError::NoSource)));
        std::fs::write(&games, "1. a3 a6 2. b3 1-0\n\n1. a3 a6 1/2-1/2\n\n1. h3 0-1\n").unwrap();
        let text = run_with(&[&out, &games, "--min-games=1"]).unwrap();
        // 1. h3 has lost its only game, and so has 1... a6 one of two.
        assert!(text.ends_with("out.bin: 3 positions, 3 moves\n"), "{text}");
        let twice = run_with(&[&out, &games, &games, "--force"]);
        assert!(matches!(twice, Err(BookToolError::Repeated(_))), "{twice:?}");
        let again = run_with(&[&out, &games, "--min-games=1"]);
        assert!(matches!(again, Err(BookToolError::Exists(_))), "{again:?}");
        let search = ["--min-games=1", "--positions=1", "--nodes=100", "--lines=2", "--force"];
        run_with(&[&[out.as_str(), &games], &search[..]].concat()).unwrap();
        let book = Book::load(out.as_ref()).unwrap();
        let moves = book.moves(&Position::<Standard>::start());
        // The search decides about the start position.
        assert!(moves.iter().all(|found| found.mv.to_string() != "a2a3"), "{moves:?}");
        assert_eq!(book.len(), moves.len() + 2);
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 2, "{left:?}");
    }

    #[test]
    fn too_few_nodes_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (out, games) = (path("out.bin"), path("games.pgn"));
        std::fs::write(&games, "1. e4 1-0\n").unwrap();
        let search = ["--min-games=1", "--positions=1", "--nodes=1"];
        let text = run_with(&[&[out.as_str(), &games], &search[..]].concat()).unwrap();
        let warning = "warning: 1 positions are left out: 1 nodes are too few to score 4 moves\n";
        assert!(text.starts_with(warning) && text.ends_with(": 1 position, 1 move\n"), "{text}");
    }

    #[test]
    fn a_closed_output_loses_no_book() {
        let folder = tempfile::tempdir().unwrap();
        let (out, games) = (folder.path().join("out.bin"), folder.path().join("games.pgn"));
        std::fs::write(&games, "1. e4 1-0\n").unwrap();
        let words = [Path::new("make"), &out, &games, Path::new("--min-games=1")];
        let Cli { args } = Cli::parse_from(words);
        let error = run(&args, &mut &mut [0; 0][..]).unwrap_err();
        assert!(matches!(error, BookToolError::Output(_)), "{error}");
        assert_eq!(Book::load(&out).unwrap().len(), 1);
    }

    #[test]
    fn a_book_without_the_start_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (out, games) = (path("out.bin"), path("games.pgn"));
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        std::fs::write(&games, format!("[FEN \"{fen}\"]\n\n1... e5 0-1\n")).unwrap();
        let text = run_with(&[&out, &games, "--min-games=1"]).unwrap();
        let warning = "\nwarning: the book has no move in the start position: ";
        assert!(text.contains(warning), "{text}");
    }

    #[test]
    fn nonsense_is_refused() {
        for option in ["--moves=0", "--min-games=0", "--nodes=0", "--lines=0", "--threads=0"] {
            assert!(Cli::try_parse_from(["make", "out", option]).is_err(), "{option}");
        }
    }
}
