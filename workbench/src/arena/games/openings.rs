//! The openings of a match.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::files::{self, MAX_GAMES};
use trebuchet::board::{Position, Rules};
use trebuchet::book::{self, Book, BookError, BookRules};
use trebuchet::for_variant;
use trebuchet::notation::{Epd, parse_move, pgn, san};
use trebuchet::types::Move;
use trebuchet::variants::{Variant, VariantId};

/// A start position and the moves to play from it before the engines take over. An opening whose
/// moves are known starts from the variant's start position, since every engine understands moves.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Opening {
    /// `None` is the variant's own start.
    pub fen: Option<String>,
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position before the moves.
    pub fn start<R: Rules>(&self) -> Position<R> {
        // The FEN is one that we wrote, so it can be read.
        let set_up = self.fen.as_ref().and_then(|fen| Position::from_fen(fen).ok());
        set_up.unwrap_or_else(Position::start)
    }

    /// The moves in a game of this variant, as PGN writes them.
    pub fn sans(&self, variant: VariantId) -> Vec<String> {
        for_variant!(variant, V => {
            let mut position = self.start::<V>();
            let sans = self.moves.iter().map(|&mv| {
                let text = san(&position, mv);
                position.make_move(mv);
                text
            });
            sans.collect()
        })
    }
}

/// Where the openings of a match come from.
#[derive(Clone, Debug)]
pub enum Openings {
    List(Vec<Opening>),
    /// Random moves, `plies` in each opening.
    Random {
        plies: usize,
        seed: u64,
    },
}

/// Why openings could not be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, io::Error),
    #[error("{place}: {message}")]
    Line { place: String, message: String },
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("{0}: no openings")]
    Empty(String),
}

/// At most this many lines are taken from a book.
const MOST_LINES: usize = 10_000;
/// After this many lines in a row that lead to known positions, no more lines are taken from a book.
const MOST_REFUSED: usize = 5_000;
/// The variety with which moves of a book are chosen; see [`book::choose`].
const BY_WEIGHT: u8 = 50;

impl Openings {
    /// The openings of a file: the positions of an EPD file, the first `plies` plies of the games of
    /// a PGN file, or lines of at most `plies` plies from a Polyglot book (`.bin`). The lines of a
    /// book depend on the book and on `seed` alone. The number is that of the games that are left out, because they
    /// end within these plies.
    ///
    /// # Errors
    /// If the file cannot be read, has a bad line or a game that is bad or of another variant, or is empty.
    pub fn from_file<V: Variant>(
        path: &Path,
        plies: usize,
        seed: u64,
    ) -> Result<(Openings, usize), OpeningError> {
        let name = path.display().to_string();
        let is_kind = |kind: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(kind))
        };
        if is_kind("bin") {
            return Ok((Openings::from_book::<V>(&Book::load(path)?, &name, plies, seed)?, 0));
        }
        let bytes = files::read(path, MAX_GAMES)
            .map_err(|error| OpeningError::Read(path.to_owned(), error))?;
        let text = pgn::decode(&bytes);
        if is_kind("pgn") {
            Openings::from_pgn::<V>(&text, &name, plies)
        } else {
            Ok((Openings::from_epd::<V>(&text, &name)?, 0))
        }
    }

    /// The positions of an EPD text. The operation `moves` lists the moves from the start position.
    ///
    /// # Errors
    /// If a line is bad, or the text has no positions.
    pub fn from_epd<R: Rules>(text: &str, name: &str) -> Result<Openings, OpeningError> {
        let mut openings = Vec::new();
        for (index, epd) in Epd::parse_file(text).enumerate() {
            let wrong = |message: String| OpeningError::Line {
                place: format!("{name}, position {}", index + 1),
                message,
            };
            let epd = epd.map_err(|line| OpeningError::Line {
                place: format!("{name}, line {line}"),
                message:
                    "not the fields of a position, with operations such as `bm e4;` after them"
                        .to_owned(),
            })?;
            let position =
                Position::<R>::from_fen(&epd.fen).map_err(|error| wrong(error.to_string()))?;
            let opening = match epd.operands("moves") {
                None => Opening { fen: Some(position.fen()), moves: Vec::new() },
                Some(texts) => {
                    let (end, moves) = replay::<R>(texts).map_err(wrong)?;
                    if end.key() != position.key() {
                        return Err(wrong("its moves lead to another position".to_owned()));
                    }
                    Opening { fen: None, moves }
                }
            };
            if position.outcome().is_some() {
                return Err(wrong("the game is already over".to_owned()));
            }
            openings.push(opening);
        }
        Openings::from_list(openings, name)
    }

    fn from_pgn<V: Variant>(
        text: &str,
        name: &str,
        plies: usize,
    ) -> Result<(Openings, usize), OpeningError> {
        let (mut openings, mut left_out) = (Vec::new(), 0);
        for (index, mut game) in pgn::read(text).enumerate() {
            game.moves.truncate(plies);
            let wrong = |message: String| OpeningError::Line {
                place: format!("{name}, game {}", index + 1),
                message,
            };
            if let Some(variant) = game.tag("Variant")
                && VariantId::from_tag(variant) != Some(V::ID)
            {
                return Err(wrong(format!("its variant is {variant}, not {}", V::NAME)));
            }
            let (start, moves) = game.replay::<V>().map_err(|error| wrong(error.to_string()))?;
            let mut end = start.clone();
            moves.iter().for_each(|&mv| end.make_move(mv));
            if end.outcome().is_none() {
                let fen = game.tag("FEN").map(|_| start.fen());
                openings.push(Opening { fen, moves });
            } else {
                left_out += 1;
            }
        }
        Ok((Openings::from_list(openings, name)?, left_out))
    }

    /// Lines of a book that end in different positions. Each move is chosen by its weight.
    fn from_book<R: BookRules>(
        book: &Book,
        name: &str,
        plies: usize,
        seed: u64,
    ) -> Result<Openings, OpeningError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut openings, mut ends, mut refused) = (Vec::new(), HashSet::new(), 0);
        while openings.len() < MOST_LINES && refused < MOST_REFUSED {
            let start = random_start::<R>(&mut rng);
            let mut end = start.clone();
            let mut moves = Vec::new();
            while moves.len() < plies
                && let Some(mv) = book::choose(&book.moves(&end), BY_WEIGHT, &mut rng)
            {
                end.make_move(mv);
                moves.push(mv);
            }
            let is_new = !moves.is_empty() && end.outcome().is_none() && ends.insert(end.key());
            refused = if is_new { 0 } else { refused + 1 };
            if is_new {
                let fen = (R::START_POSITIONS > 1).then(|| start.fen());
                openings.push(Opening { fen, moves });
            }
        }
        Openings::from_list(openings, name)
    }

    fn from_list(openings: Vec<Opening>, name: &str) -> Result<Openings, OpeningError> {
        if openings.is_empty() {
            Err(OpeningError::Empty(name.to_owned()))
        } else {
            Ok(Openings::List(openings))
        }
    }

    /// Shuffles a list. The order depends only on the list and `seed`.
    pub fn shuffle(&mut self, seed: u64) {
        if let Openings::List(list) = self {
            list.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
    }

    /// The number of openings of a list; `None` for random ones.
    pub fn count(&self) -> Option<usize> {
        match self {
            Openings::List(list) => Some(list.len()),
            Openings::Random { .. } => None,
        }
    }

    /// [`Openings::get`] in a variant whose type is not known.
    pub fn of(&self, variant: VariantId, pair: usize) -> Opening {
        for_variant!(variant, V => self.get::<V>(pair))
    }

    /// The opening of a pair of games, counted from 0. A list repeats itself.
    pub fn get<R: Rules>(&self, pair: usize) -> Opening {
        match self {
            Openings::List(list) => list[pair % list.len()].clone(),
            Openings::Random { plies, seed } => random_opening::<R>(*plies, *seed, pair),
        }
    }
}

/// The position after the moves from the start position, and the moves.
fn replay<R: Rules>(texts: &[String]) -> Result<(Position<R>, Vec<Move>), String> {
    let mut position = Position::<R>::start();
    let mut moves = Vec::with_capacity(texts.len());
    for text in texts {
        let mv = parse_move(&position, text).map_err(|error| format!("{text}: {error}"))?;
        position.make_move(mv);
        moves.push(mv);
    }
    Ok((position, moves))
}

/// Random moves from the start position. Afterwards the game goes on, the side to move is not in
/// check, and nobody has given a check that counts. The same for the same three numbers.
pub fn random_opening<R: Rules>(plies: usize, seed: u64, pair: usize) -> Opening {
    let mut rng =
        Xoshiro256PlusPlus::seed_from_u64(seed ^ (pair as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    loop {
        let start = random_start::<R>(&mut rng);
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(plies);
        while moves.len() < plies {
            let legal = position.legal_moves().sorted();
            if legal.is_empty() {
                break;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            position.make_move(mv);
            moves.push(mv);
        }
        // Men in hand may stay.
        let is_untouched = R::HAS_DROPS || *position.state() == R::State::default();
        if moves.len() == plies
            && position.outcome().is_none()
            && !position.in_check()
            && is_untouched
        {
            let fen = (R::START_POSITIONS > 1).then(|| start.fen());
            return Opening { fen, moves };
        }
    }
}

/// One of the start positions of a variant, each as likely as the others.
pub fn random_start<R: Rules>(rng: &mut Xoshiro256PlusPlus) -> Position<R> {
    if R::START_POSITIONS == 1 {
        return Position::start();
    }
    Position::numbered_start(rng.random_range(0..R::START_POSITIONS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::variants::{Chess960, Crazyhouse, Standard, ThreeCheck};

    fn end<R: Rules>(opening: &Opening) -> Position<R> {
        let mut position = opening.start::<R>();
        opening.moves.iter().for_each(|&mv| position.make_move(mv));
        position
    }

    #[test]
    fn random_openings_repeat_and_differ() {
        let openings = Openings::Random { plies: 6, seed: 7 };
        let first = openings.get::<ThreeCheck>(3);
        assert_eq!(first, openings.get::<ThreeCheck>(3));
        assert_ne!(first, openings.get::<ThreeCheck>(4));
        for pair in 0..200 {
            let position = end::<ThreeCheck>(&openings.get::<ThreeCheck>(pair));
            assert!(
                position.fen().contains(" 3+3 ")
                    && !position.in_check()
                    && position.ply_count() == 6
            );
        }
    }

    #[test]
    fn random_openings_of_crazyhouse_may_leave_men_in_hand() {
        let openings = Openings::Random { plies: 12, seed: 7 };
        let has_hand =
            |pair| !end::<Crazyhouse>(&openings.get::<Crazyhouse>(pair)).fen().contains("[]");
        assert!((0..100).any(has_hand) && !(0..100).all(has_hand));
    }

    #[test]
    fn random_openings_of_chess960_name_their_start_positions() {
        let openings = Openings::Random { plies: 6, seed: 7 };
        let starts = (0..20).map(|pair| {
            let opening = openings.get::<Chess960>(pair);
            let mut position = opening.start::<Chess960>();
            for &mv in &opening.moves {
                assert!(position.legal_moves().contains(&mv), "{opening:?}");
                position.make_move(mv);
            }
            opening.fen.expect("one of 960 positions")
        });
        assert!(starts.collect::<HashSet<_>>().len() > 15);
    }

    #[test]
    fn positions_with_and_without_moves() {
        let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves e2e4;\n\
                    4k3/8/8/8/8/8/4P3/4K3 w - - id \"endgame\";";
        let openings = Openings::from_epd::<Standard>(text, "test").unwrap();
        assert_eq!(openings.count(), Some(2));
        assert_eq!(
            (openings.get::<Standard>(0).fen, openings.get::<Standard>(0).moves.len()),
            (None, 1)
        );
        assert_eq!(
            openings.get::<Standard>(1).fen.as_deref(),
            Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        );
        assert_eq!(openings.get::<Standard>(2), openings.get::<Standard>(0));
    }

    #[test]
    fn mistakes_are_placed() {
        let error =
            |text: &str| Openings::from_epd::<Standard>(text, "book").unwrap_err().to_string();
        assert_eq!(error(""), "book: no openings");
        assert!(error("nonsense").starts_with("book, line 1: not the fields"));
        assert!(error("4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4;").contains("another position"));
        assert!(error("7k/5KQ1/8/8/8/8/8/8 b - -").contains("over"));
    }

    #[test]
    fn games_are_openings_up_to_a_ply() {
        let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n1. f3 e5 2. g4 Qh4# 0-1";
        let lengths = |plies| match Openings::from_pgn::<Standard>(text, "test", plies).unwrap() {
            (Openings::List(list), left_out) => {
                (list.iter().map(|opening| opening.moves.len()).collect::<Vec<_>>(), left_out)
            }
            _ => panic!("no list"),
        };
        assert_eq!(lengths(3), (vec![3, 3], 0));
        // A finished game is no opening.
        assert_eq!(lengths(8), (vec![4], 1));
    }

    #[test]
    fn games_of_another_variant_are_no_openings() {
        let text = |tag: &str| format!("{tag}1. e4 e5 *\n\n{tag}1. d4 *");
        let read = |tag: &str| Openings::from_pgn::<Standard>(&text(tag), "test", 3);
        for tag in ["", "[Variant \"?\"]\n\n", "[Variant \"Standard\"]\n\n"] {
            assert_eq!(read(tag).unwrap().0.count(), Some(2), "{tag}");
        }
        for name in ["Atomic", "Three-check", "Chess960", "no such game"] {
            let error = read(&format!("[Variant \"{name}\"]\n\n")).unwrap_err().to_string();
            assert_eq!(error, format!("test, game 1: its variant is {name}, not normal"));
        }
    }

    #[test]
    fn a_book_gives_lines_that_differ() {
        let mut entries = Vec::new();
        let mut known = HashSet::new();
        for line in ["e4 e5 Nf3", "e4 c5", "d4 Nf6 Nf3", "Nf3 Nf6 d4"] {
            let mut pos = Position::<Standard>::start();
            for text in line.split(' ') {
                let mv = parse_move(&pos, text).unwrap();
                let (key, code) = (book::key(&pos).bits(), book::code(&pos, mv));
                if known.insert((key, code)) {
                    entries.push(book::Entry { key, code, weight: 10, learn: 0 });
                }
                pos.make_move(mv);
            }
        }
        let book = Book::of_entries(entries);
        let lines = |plies, seed| {
            let Openings::List(list) =
                Openings::from_book::<Standard>(&book, "test", plies, seed).unwrap()
            else {
                panic!()
            };
            list
        };
        // Two lines lead to the same position.
        assert_eq!(lines(3, 1).len(), 3);
        assert_eq!(lines(1, 1).len(), 3);
        assert_eq!(lines(3, 1), lines(3, 1));
        let orders: HashSet<_> = (0..20).map(|seed| lines(1, seed)[0].moves.clone()).collect();
        assert_eq!(orders.len(), 3);
        let other = Openings::from_book::<ThreeCheck>(&book, "test", 3, 1).unwrap_err();
        assert_eq!(other.to_string(), "test: no openings");
    }

    #[test]
    fn shuffling_depends_on_the_seed_alone() {
        let list: Vec<Opening> =
            (0..50).map(|pair| random_opening::<Standard>(4, 1, pair)).collect();
        let shuffled = |seed| {
            let mut openings = Openings::List(list.clone());
            openings.shuffle(seed);
            (0..50).map(|pair| openings.get::<Standard>(pair)).collect::<Vec<_>>()
        };
        assert_eq!(shuffled(3), shuffled(3));
        assert_ne!(shuffled(3), shuffled(4));
    }
}
