//! `trebuchet book merge`: one book from several.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use indicatif::ProgressBar;

use super::weights::scaled;
use super::{BookToolError, check_target, summary, write};
use trebuchet::book::{Book, Entry};

/// Merge books into one.
///
/// Where several books know a position, the first of them decides, or with --add the weights of all
/// are added.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// The books to merge
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<PathBuf>,
    /// The file of the new book
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Add the weights of all books
    #[arg(long)]
    add: bool,
    /// Replace the file of the new book if it exists
    #[arg(long)]
    force: bool,
}

/// Runs the tool.
///
/// # Errors
/// If a book cannot be read or written.
pub fn run(args: &MergeArgs, out: &mut impl Write) -> Result<(), BookToolError> {
    check_target(&args.out, &args.books, args.force)?;
    let mut merger = Merger::default();
    let bar = ProgressBar::new(args.books.len() as u64);
    for (number, path) in args.books.iter().enumerate() {
        merger.add(number, &Book::load(path)?, args.add);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let book = merger.book();
    write(&book, &args.out, args.force)?;
    writeln!(out, "{}: {}", args.out.display(), summary(&book))?;
    Ok(())
}

/// The moves of several books.
#[derive(Default)]
struct Merger {
    /// By key: the number of the first book with the position, and the weight of each move.
    positions: BTreeMap<u64, (usize, BTreeMap<u16, u64>)>,
}

impl Merger {
    fn add(&mut self, number: usize, book: &Book, adds: bool) {
        for entry in book.entries() {
            let (first, moves) =
                self.positions.entry(entry.key).or_insert((number, BTreeMap::new()));
            if adds || *first == number {
                *moves.entry(entry.code).or_default() += u64::from(entry.weight);
            }
        }
    }

    fn book(&self) -> Book {
        let entries = self.positions.iter().flat_map(|(&key, (_, moves))| {
            let weights: Vec<u64> = moves.values().copied().collect();
            let entry = move |(&code, weight)| Entry { key, code, weight, learn: 0 };
            moves.keys().zip(scaled(&weights)).map(entry)
        });
        Book::of_entries(entries.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(entries: &[(u64, u16, u16)]) -> Book {
        let entry = |&(key, code, weight)| Entry { key, code, weight, learn: 5 };
        Book::of_entries(entries.iter().map(entry).collect())
    }

    fn merged(books: &[Book], adds: bool) -> Vec<(u64, u16, u16)> {
        let mut merger = Merger::default();
        books.iter().enumerate().for_each(|(number, book)| merger.add(number, book, adds));
        merger.book().entries().map(|entry| (entry.key, entry.code, entry.weight)).collect()
    }

    #[test]
    fn the_first_book_decides_or_weights_are_added() {
        let a = book(&[(1, 10, 5), (1, 11, 1), (3, 12, 60_000)]);
        let b = book(&[(1, 11, 9), (2, 13, 7), (3, 12, 60_000), (3, 14, 10)]);
        let books = [a, b];
        let first = [(1, 10, 5), (1, 11, 1), (2, 13, 7), (3, 12, 60_000)];
        assert_eq!(merged(&books, false), first);
        let added = [(1, 11, 10), (1, 10, 5), (2, 13, 7), (3, 12, 65_535), (3, 14, 5)];
        assert_eq!(merged(&books, true), added);
    }
}
