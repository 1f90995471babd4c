//! The file of puzzles: those found so far, and the games that have been looked at.
//!
//! The first lines are comments. They count the games, and tell them by their fingerprints:
//!
//! ```text
//! # Puzzles of Chess, made by trebuchet puzzles.
//! # Games: 2
//! # Seen: 0c41d2e7 93b05f18
//! ```
//!
//! Files of version 1.0 count the games only.

use std::collections::{BTreeSet, HashSet};
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
    /// How many games have been looked at, also those that an earlier version has only counted.
    pub(super) games: usize,
    /// The fingerprints of the games that have been looked at.
    seen: BTreeSet<u64>,
    pub(super) puzzles: Vec<Puzzle>,
    /// The positions, without clocks.
    known: HashSet<String>,
}

/// `2 puzzles in 14 games`
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [puzzles, games] = [count(self.puzzles.len(), "puzzle"), count(self.games, "game")];
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
            "" => &head(variant, 0, &BTreeSet::new()),
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
        let (games, seen) = read_head(text, variant).ok_or_else(foreign)?;
        let (path, puzzles, known) = (path.to_owned(), Vec::new(), HashSet::new());
        let mut found = Collection { path, file, variant, games, seen, puzzles, known };
        for epd in Epd::parse_file(text) {
            let puzzle = epd.ok().and_then(|epd| Puzzle::read(&epd, variant));
            found.add(puzzle.ok_or_else(foreign)?);
        }
        Ok(found)
    }

    /// Has the game with this fingerprint been looked at?
    pub(super) fn has_seen(&self, game: u64) -> bool {
        self.seen.contains(&game)
    }

    /// How many games have been looked at, without those that an earlier version has only counted.
    pub(super) fn examined(&self) -> usize {
        self.seen.len()
    }

    /// Notes that the game with this fingerprint has been looked at.
    pub(super) fn note(&mut self, game: u64) {
        self.seen.insert(game);
        // An earlier version may have counted the same games.
        self.games = self.games.max(self.seen.len());
    }

    /// Are there enough puzzles?
    pub(super) fn is_full(&self, most: u32) -> bool {
        self.puzzles.len() >= most as usize
    }

    /// Is it a puzzle that the file has not?
    pub(super) fn is_new(&self, puzzle: &Puzzle) -> bool {
        !self.known.contains(placement(puzzle))
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
        let mut text = head(self.variant, self.games, &self.seen);
        for puzzle in &self.puzzles {
            // A text takes all that is written.
            let _ = writeln!(text, "{puzzle}");
        }
        self.file
            .replace(text.as_bytes())
            .map_err(|error| PuzzlesError::File(self.path.clone(), error))
    }
}

/// The men on the board, which make two puzzles different.
fn placement(puzzle: &Puzzle) -> &str {
    puzzle.fen.split(' ').next().unwrap_or_default()
}

/// How many fingerprints stand in a line.
const LINE: usize = 12;

/// The first lines of a file.
pub(super) fn head(variant: VariantId, games: usize, seen: &BTreeSet<u64>) -> String {
    let mut text = format!("{}\n# Games: {games}\n", title(variant));
    let seen: Vec<String> = seen.iter().map(|game| format!("{game:08x}")).collect();
    for line in seen.chunks(LINE) {
        text += &format!("{SEEN}{}\n", line.join(" "));
    }
    text
}

/// How a line of fingerprints begins.
const SEEN: &str = "# Seen: ";

fn title(variant: VariantId) -> String {
    format!("# Puzzles of {}, made by trebuchet puzzles.", variant.title())
}

/// The number of games and the fingerprints in the first lines; `None` if they are not those of a file of puzzles of
/// this variant. A fingerprint that cannot be read is passed over: its game is looked at again.
fn read_head(text: &str, variant: VariantId) -> Option<(usize, BTreeSet<u64>)> {
    let mut lines = text.lines();
    if lines.next()? != title(variant) {
        return None;
    }
    let games = lines.next()?.strip_prefix("# Games: ")?.parse().ok()?;
    let seen = lines.map_while(|line| line.strip_prefix(SEEN)).flat_map(str::split_whitespace);
    Some((games, seen.filter_map(|game| u64::from_str_radix(game, 16).ok()).collect()))
}

/// The game of a file of puzzles of another one.
fn other_game(text: &str, variant: VariantId) -> Option<VariantId> {
    let of_file = VariantId::ALL.iter().find(|&&other| read_head(text, other).is_some());
    of_file.copied().filter(|&other| other != variant)
}
