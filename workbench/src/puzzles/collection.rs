//! The file of puzzles: those found so far, and how many games have been looked at.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::io;
use std::path::{Path, PathBuf};

use super::error::PuzzlesError;
use super::proof::rating;
use super::solver::Solver;
use crate::counts::count;
use crate::files::{HeldFile, MAX_GAMES};
use trebuchet::notation::Epd;
use trebuchet::play::Puzzle;
use trebuchet::text::tell;
use trebuchet::variants::VariantId;

/// The puzzles found so far. No other run uses their file as long as this lives.
pub(super) struct Collection {
    path: PathBuf,
    file: HeldFile,
    variant: VariantId,
    /// How many games have been looked at.
    pub(super) seen: usize,
    pub(super) puzzles: Vec<Puzzle>,
    /// The positions, without clocks.
    known: HashSet<String>,
}

/// `2 puzzles in 14 games`
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [puzzles, games] = [count(self.puzzles.len(), "puzzle"), count(self.seen, "game")];
        write!(f, "{puzzles} in {games}")
    }
}

impl Collection {
    /// Opens the file or makes it. An empty one is new.
    pub(super) fn open(path: &Path, variant: VariantId) -> Result<Collection, PuzzlesError> {
        let wrong = |error: io::Error| PuzzlesError::File(path.to_owned(), error);
        let file = HeldFile::open(path).map_err(wrong)?;
        let text = file.read_text(MAX_GAMES).map_err(wrong)?;
        // An editor may have put a byte order mark there.
        let text = match text.trim_start_matches('\u{feff}') {
            "" => &head(variant, 0),
            text => text,
        };
        let foreign = || match other_game(text, variant) {
            Some(other) => PuzzlesError::OtherGame {
                path: path.to_owned(),
                found: other.title(),
                wanted: variant.title(),
                name: other.name(),
            },
            None => PuzzlesError::Foreign(path.to_owned(), variant.title()),
        };
        let seen = seen(text, variant).ok_or_else(foreign)?;
        let (path, known) = (path.to_owned(), HashSet::new());
        let mut found = Collection { path, file, variant, seen, puzzles: Vec::new(), known };
        for epd in Epd::parse_file(text) {
            let puzzle = epd.ok().and_then(|epd| Puzzle::read(&epd, variant));
            found.add(puzzle.ok_or_else(foreign)?);
        }
        Ok(found)
    }

    /// Checks that no fewer games are given than were seen.
    pub(super) fn check_seen(&self, given: usize) -> Result<(), PuzzlesError> {
        if given >= self.seen {
            return Ok(());
        }
        Err(PuzzlesError::OtherGames { path: self.path.clone(), seen: self.seen, given })
    }

    /// Are there enough puzzles?
    pub(super) fn is_full(&self, most: u32) -> bool {
        self.puzzles.len() >= most as usize
    }

    /// Is the puzzle new, and is there room for it?
    pub(super) fn is_wanted(&self, puzzle: &Puzzle, most: u32) -> bool {
        !self.is_full(most) && !self.known.contains(placement(puzzle))
    }

    pub(super) fn add(&mut self, puzzle: Puzzle) {
        self.known.insert(placement(&puzzle).to_owned());
        self.puzzles.push(puzzle);
    }

    /// Gives the puzzles ratings by the present engine, and writes the file.
    pub(super) fn grade(&mut self, solver: &mut Solver) -> Result<(), PuzzlesError> {
        let mut changed = 0;
        for puzzle in &mut self.puzzles {
            let start = puzzle.start(self.variant);
            let rating = rating(solver, &*start, &puzzle.moves(self.variant));
            if rating != puzzle.rating {
                tell(&format!("{rating} instead of {}: {}", puzzle.rating, puzzle.fen));
                puzzle.rating = rating;
                changed += 1;
            }
        }
        self.keep()?;
        tell(&format!("{}, {changed} with a new rating", count(self.puzzles.len(), "puzzle")));
        Ok(())
    }

    /// Writes the file, the easiest puzzle first.
    pub(super) fn keep(&mut self) -> Result<(), PuzzlesError> {
        self.puzzles.sort_by_key(|puzzle| puzzle.rating);
        let mut text = head(self.variant, self.seen);
        for puzzle in &self.puzzles {
            // A text takes all that is written.
            let _ = writeln!(text, "{puzzle}");
        }
        self.file.replace(&text).map_err(|error| PuzzlesError::File(self.path.clone(), error))
    }
}

/// The men on the board, which make two puzzles different.
fn placement(puzzle: &Puzzle) -> &str {
    puzzle.fen.split(' ').next().unwrap_or_default()
}

/// The first lines of a file.
pub(super) fn head(variant: VariantId, seen: usize) -> String {
    format!("{}\n# Games: {seen}\n", title(variant))
}

fn title(variant: VariantId) -> String {
    format!("# Puzzles of {}, made by trebuchet puzzles.", variant.title())
}

/// The number of games in the first lines; `None` if they are not those of a file of puzzles of this variant.
fn seen(text: &str, variant: VariantId) -> Option<usize> {
    let mut lines = text.lines();
    if lines.next()? != title(variant) {
        return None;
    }
    lines.next()?.strip_prefix("# Games: ")?.parse().ok()
}

/// The game of a file of puzzles of another one.
fn other_game(text: &str, variant: VariantId) -> Option<VariantId> {
    let of_file = VariantId::ALL.iter().find(|&&other| seen(text, other).is_some());
    of_file.copied().filter(|&other| other != variant)
}
