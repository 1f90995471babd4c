//! `trebuchet book check`: what is wrong with a book.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::{BookToolError, open};
use trebuchet::board::Position;
use trebuchet::book::{Book, key, move_of_code};
use trebuchet::for_variant;
use trebuchet::types::{Move, PieceKind, Square};
use trebuchet::variants::{Variant, VariantId};

/// Check a book: its order and its moves.
///
/// The file must be whole and sorted, without the same move twice in a position. The moves must be
/// legal in all positions that can be reached from the start by moves of the book. The exit status is
/// 1 if there are problems.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArgs {
    /// The file of the book; by default the built-in book
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
}

/// Runs the tool.
///
/// # Errors
/// If the book cannot be read, or has problems.
pub fn run(args: &CheckArgs, out: &mut impl Write) -> Result<(), BookToolError> {
    for_variant!(args.variant, V => {
        let book = open::<V>(args.book.as_deref())?;
        let report = Report::new::<V>(&book);
        report.print(&book, out)?;
        match report.problems.len() {
            0 => Ok(()),
            count => Err(BookToolError::Problems(count)),
        }
    })
}

/// The most problems that are printed.
const SHOWN: usize = 20;

/// What is found in a book.
#[derive(Debug, Default)]
struct Report {
    positions: usize,
    /// The positions that can be reached from the start by moves of the book.
    reached: usize,
    without_weight: usize,
    /// Sentences for people.
    problems: Vec<String>,
}

impl Report {
    fn new<V: Variant>(book: &Book) -> Report {
        let mut report = Report::default();
        let mut seen = HashSet::new();
        let mut last = None;
        for (index, entry) in book.entries().enumerate() {
            if last != Some(entry.key) {
                last = Some(entry.key);
                report.positions += 1;
                seen.clear();
            }
            report.without_weight += usize::from(entry.weight == 0);
            if !seen.insert(entry.code) {
                let number = index + 1;
                report.problems.push(format!("entry {number}: the same move of the same position"));
            }
        }
        let bar = ProgressBar::new(report.positions as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions") {
            bar.set_style(style);
        }
        let mut reached = HashSet::new();
        for number in 0..V::START_POSITIONS {
            report.walk(book, Position::<V>::numbered_start(number), &mut reached, &bar);
        }
        bar.finish_and_clear();
        if report.reached == 0 {
            report.problems.push(format!(
                "no moves in the start position of {}; --variant checks a book of another game",
                V::NAME
            ));
        }
        report
    }

    /// Visits the positions that can be reached from `pos`, depth first.
    fn walk<V: Variant>(
        &mut self,
        book: &Book,
        mut pos: Position<V>,
        reached: &mut HashSet<u64>,
        bar: &ProgressBar,
    ) {
        // The moves still to be made at each ply of the present line.
        let mut line: Vec<Vec<Move>> = vec![self.visit(book, &pos, reached, bar)];
        while let Some(moves) = line.last_mut() {
            match moves.pop() {
                Some(mv) => {
                    pos.make_move(mv);
                    line.push(self.visit(book, &pos, reached, bar));
                }
                None => {
                    line.pop();
                    if !line.is_empty() {
                        pos.unmake_move();
                    }
                }
            }
        }
    }

    /// The moves to follow from a position: none if it was visited before.
    fn visit<V: Variant>(
        &mut self,
        book: &Book,
        pos: &Position<V>,
        reached: &mut HashSet<u64>,
        bar: &ProgressBar,
    ) -> Vec<Move> {
        let mut entries = book.find(pos).peekable();
        if entries.peek().is_none() || !reached.insert(key(pos).bits()) {
            return Vec::new();
        }
        self.reached += 1;
        bar.inc(1);
        let legal = pos.legal_moves();
        let mut moves = Vec::new();
        for entry in entries {
            match move_of_code(pos, &legal, entry.code) {
                Some(mv) => moves.push(mv),
                None => {
                    let text = text_of_code(entry.code);
                    self.problems.push(format!("{text} is illegal in {}", pos.fen()));
                }
            }
        }
        moves
    }

    fn print(&self, book: &Book, out: &mut impl Write) -> Result<(), BookToolError> {
        let Report { positions, reached, without_weight, problems } = self;
        writeln!(out, "{} entries, {positions} positions", book.len())?;
        writeln!(out, "{reached} positions can be reached from the start by moves of the book")?;
        writeln!(out, "{without_weight} moves without weight, which are never played")?;
        for problem in problems.iter().take(SHOWN) {
            writeln!(out, "problem: {problem}")?;
        }
        if problems.len() > SHOWN {
            writeln!(out, "and {} more problems", problems.len() - SHOWN)?;
        }
        Ok(())
    }
}

/// A move as it stands in a book, legal or not: `e2e4`, `e1h1`, `a7a8q`, `N@f3`.
fn text_of_code(code: u16) -> String {
    let square = |shift: u16| Square::from_index64(usize::from(code >> shift & 63));
    let kind = PieceKind::ALL.into_iter().find(|kind| kind.index() == usize::from(code >> 6 & 63));
    if let (8, Some(kind)) = (code >> 12, kind) {
        return format!("{}@{}", kind.letter(), square(0));
    }
    let promotion = match code >> 12 {
        0 => "",
        1 => "n",
        2 => "b",
        3 => "r",
        4 => "q",
        _ => "?",
    };
    format!("{}{}{promotion}", square(6), square(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::book::{Entry, code};
    use trebuchet::notation::parse_move;
    use trebuchet::variants::{Standard, ThreeCheck};

    #[test]
    fn a_move_of_a_book_is_written_with_its_promotion() {
        let from_a7_to_a8 = 48 << 6 | 56;
        let texts = [0, 1, 2, 3, 4, 5].map(|kind| text_of_code(kind << 12 | from_a7_to_a8));
        assert_eq!(texts, ["a7a8", "a7a8n", "a7a8b", "a7a8r", "a7a8q", "a7a8?"]);
    }

    #[test]
    fn problems_are_named() {
        let mut pos = Position::<Standard>::start();
        let mut entries = Vec::new();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            let mv = parse_move(&pos, text).unwrap();
            let (key, code) = (key(&pos).bits(), code(&pos, mv));
            entries.push(Entry { key, code, weight: 1, learn: 0 });
            pos.make_move(mv);
        }
        let good = Report::new::<Standard>(&Book::of_entries(entries.clone()));
        assert_eq!((good.positions, good.reached, good.problems.len()), (4, 4, 0), "{good:?}");

        let start = key(&Position::<Standard>::start()).bits();
        let entry = |key, code, weight| Entry { key, code, weight, learn: 0 };
        // d2d5, a promotion of nothing, the first move again, and a position from nowhere.
        entries.extend([entry(start, 0x02e3, 0), entry(start, 0xffff, 3), entries[0]]);
        entries.push(entry(start ^ 1, 1, 1));
        let book = Book::of_entries(entries);
        let bad = Report::new::<Standard>(&book);
        assert_eq!((bad.positions, bad.reached, bad.without_weight), (5, 4, 1), "{bad:?}");
        let fen = Position::<Standard>::start().fen();
        let number = 1 + book.entries().position(|entry| entry.key == start).unwrap();
        let again = format!("entry {}: the same move of the same position", number + 2);
        let expected =
            [again, format!("h8h8? is illegal in {fen}"), format!("d2d5 is illegal in {fen}")];
        assert_eq!(bad.problems, expected);
        let other = Report::new::<ThreeCheck>(&book);
        let last = other.problems.last().unwrap();
        assert!(last.starts_with("no moves in the start position of 3check; "), "{last}");
    }
}
