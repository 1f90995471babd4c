//! `genfens`: openings for games from which networks learn, as OpenBench asks for them.
//!
//! All positions are those of Chess960, which are those of chess, too: OpenBench tests both with the same engine.
//! The whole request is one argument: `trebuchet "genfens 100 seed 7 book None" quit`.

use std::io::{self, Read, Write};
use std::path::Path;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::board::Position;
use trebuchet::files::open_regular;
use trebuchet::search::{Limits, PositionSearch, Silent, StopToken};
use trebuchet::types::Score;
use trebuchet::variants::{Chess960, Variant};

/// Random moves from the start position, and from a line of a book.
const PLIES: [usize; 2] = [8, 2];
/// The search that values a position, in nodes.
const NODES: u64 = 2_000;
/// The greatest advantage of either side, in centipawns.
const GREATEST_LEAD: Score = Score::cp(150);
/// The largest book in bytes.
const LARGEST_BOOK: u64 = 1 << 30;
/// After this many lines in a row that lead to no balanced position, the search for more ends.
const MOST_REFUSALS: usize = 1_000;

/// What OpenBench asks for.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    count: usize,
    seed: u64,
    /// A file with a position on each line.
    book: Option<String>,
}

/// Prints the openings, if the arguments ask for them; otherwise returns `None`.
pub fn answer(arguments: &[String]) -> Option<io::Result<()>> {
    let request = arguments.first()?;
    let words = request.strip_prefix("genfens ")?;
    Some(match read(words) {
        Some(request) => generate(&request, &mut io::stdout()),
        None => Err(io::Error::other(format!("`{request}` is not `genfens N seed S book FILE`"))),
    })
}

fn read(words: &str) -> Option<Request> {
    let mut words = words.split_whitespace();
    let mut request = Request { count: words.next()?.parse().ok()?, seed: 0, book: None };
    while let Some(key) = words.next() {
        let value = words.next()?;
        match key {
            "seed" => request.seed = value.parse().ok()?,
            "book" => request.book = Some(value.to_owned()).filter(|file| file != "None"),
            // Settings of other engines.
            _ => {}
        }
    }
    Some(request)
}

fn generate(request: &Request, out: &mut impl Write) -> io::Result<()> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(request.seed);
    let lines = match &request.book {
        Some(file) => {
            read_book(file).map_err(|error| io::Error::other(format!("{file}: {error}")))?
        }
        None => String::new(),
    };
    let lines = lines.trim_start_matches('\u{feff}').lines().map(str::trim).enumerate();
    let starts: Vec<(usize, &str)> =
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect();
    if let Some(file) = request.book.as_ref().filter(|_| starts.is_empty()) {
        return Err(io::Error::other(format!("{file}: there is no position in it")));
    }
    let mut search = Chess960::new_search();
    let (mut found, mut refused) = (0, 0);
    while found < request.count {
        if refused == MOST_REFUSALS {
            let text = format!("{refused} lines in a row lead to no balanced position");
            return Err(io::Error::other(text));
        }
        refused += 1;
        let (start, plies) = match starts.choose(&mut rng) {
            Some((index, line)) => (board_of(line).ok_or(index + 1), PLIES[1]),
            None => (Ok(Position::start()), PLIES[0]),
        };
        let mut position = start.map_err(|number| {
            let file = request.book.as_deref().unwrap_or_default();
            io::Error::other(format!("{file}:{number}: no position"))
        })?;
        if play_randomly(&mut position, plies + rng.random_range(0..2), &mut rng)
            && is_balanced(&position, &mut *search)
        {
            writeln!(out, "info string genfens {}", position.fen())?;
            (found, refused) = (found + 1, 0);
        }
    }
    out.flush()
}

fn read_book(file: &str) -> io::Result<String> {
    let mut text = String::new();
    open_regular(Path::new(file))?.take(LARGEST_BOOK + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST_BOOK { Err(io::Error::other("too large")) } else { Ok(text) }
}

/// The position of a line, which may be EPD.
fn board_of(line: &str) -> Option<Position<Chess960>> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    Position::from_fen(line).or_else(|_| Position::from_fen(&fields.join(" "))).ok()
}

/// Plays random moves. Returns false if the game ends.
fn play_randomly(
    position: &mut Position<Chess960>,
    plies: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> bool {
    for _ in 0..plies {
        let moves = position.legal_moves().sorted();
        let Some(&mv) = moves.choose(rng) else { return false };
        position.make_move(mv);
    }
    position.outcome().is_none()
}

fn is_balanced(
    position: &Position<Chess960>,
    search: &mut (impl PositionSearch<Chess960> + ?Sized),
) -> bool {
    search.clear();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let score = search.run(position, &limits, &StopToken::new(), &mut Silent).score;
    (-GREATEST_LEAD..=GREATEST_LEAD).contains(&score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        let request = |count, seed, book: Option<&str>| {
            Some(Request { count, seed, book: book.map(str::to_owned) })
        };
        assert_eq!(read("100 seed 42 book None"), request(100, 42, None));
        assert_eq!(read("1 seed 7 book a.epd other 3"), request(1, 7, Some("a.epd")));
        assert_eq!(read("5"), request(5, 0, None));
        for text in ["", "x seed 1", "3 seed", "3 seed x"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(answer(&["bench".to_owned()]).is_none());
    }

    #[test]
    fn a_book_may_have_comments() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        let generated = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let book = Some(path.to_str().unwrap().to_owned());
            let mut out = Vec::new();
            let done = generate(&Request { count: 6, seed: 1, book }, &mut out);
            done.map(|()| String::from_utf8(out).unwrap())
        };
        let text = generated(&format!("\u{feff}# openings\n\n {fen}\n# end\n")).unwrap();
        assert_eq!(text.lines().count(), 6);
        // Arrays of Chess960 keep their castling.
        let array = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
        let text = generated(array).unwrap();
        assert_eq!(text.lines().count(), 6);
        assert!(
            text.lines().all(|line| !line.contains(" w - ") && !line.contains(" b - ")),
            "{text}"
        );
        let error = generated("# openings\n\nno position\n").unwrap_err().to_string();
        assert!(error.ends_with("book.epd:3: no position"), "{error}");
    }
}
