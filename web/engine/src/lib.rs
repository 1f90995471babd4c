//! The engine for a web page, as a module of WebAssembly with plain exports.
//!
//! Texts are UTF-8. The page writes one into the module's input, at the address that [`input`] returns,
//! and calls a function. An answer stands in the module's output: the function returns its length, and
//! [`output`] its address. What a session says goes out at once, by functions of the page.
//!
//! An instance is for one thread. A page has two: one in a worker holds the session and searches, one on
//! the page's own thread answers questions about positions.

mod bench;
mod pgn;
mod position;
mod puzzles;
mod session;
mod verdict;

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use trebuchet::notation::pgn::decode as decode_pgn;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for an input of `len` bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(len, 0);
        input.as_mut_ptr()
    })
}

/// The address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Starts the session, whose random choices follow `seed`.
#[unsafe(no_mangle)]
pub extern "C" fn start(seed: u64) {
    session::start(seed);
}

/// The session handles the line in the input. Searches run before this returns. Returns 0 when the
/// session is over.
#[unsafe(no_mangle)]
pub extern "C" fn say() -> i32 {
    i32::from(session::say(&INPUT.take()))
}

/// The list of the games as JSON, see [`position::Variant`].
#[unsafe(no_mangle)]
pub extern "C" fn games() -> usize {
    answer(&position::games())
}

/// The game after some moves: [`position::Request`] in JSON, answered by a [`position::Record`] or an error.
#[unsafe(no_mangle)]
pub extern "C" fn position() -> usize {
    respond(|request: position::Request| position::record(&request))
}

/// The puzzles of the game whose CECP name is in the input: a list of [`puzzles::Puzzle`], or an error.
#[unsafe(no_mangle)]
pub extern "C" fn puzzles() -> usize {
    answer_or_refuse(puzzles::of(&String::from_utf8_lossy(&INPUT.take())))
}

/// The coach's verdict on a move: [`verdict::Request`] in JSON, answered by a [`verdict::Review`] or an error.
/// Searches run before this returns.
#[unsafe(no_mangle)]
pub extern "C" fn review() -> usize {
    respond(|request: verdict::Request| verdict::review(&request))
}

/// The bytes of a PGN file in the input as text, a string of JSON.
#[unsafe(no_mangle)]
pub extern "C" fn decode() -> usize {
    answer(&decode_pgn(&INPUT.take()))
}

/// The games of the PGN text in the input, a line each: a list of strings.
#[unsafe(no_mangle)]
pub extern "C" fn list_pgn() -> usize {
    answer(&pgn::list(&String::from_utf8_lossy(&INPUT.take())))
}

/// A game of a PGN text: [`pgn::Wanted`] in JSON, answered by a [`pgn::GameText`] or an error.
#[unsafe(no_mangle)]
pub extern "C" fn read_pgn() -> usize {
    respond(|wanted: pgn::Wanted| pgn::read(&wanted))
}

/// PGN of the [`pgn::GameText`] in the input, as a string of JSON, or an error.
#[unsafe(no_mangle)]
pub extern "C" fn write_pgn() -> usize {
    respond(|game: pgn::GameText| pgn::write(&game))
}

/// The nodes of the bench of one game, by its place in the list of the games, to a depth in plies. 0 if
/// there is no such game.
#[unsafe(no_mangle)]
pub extern "C" fn bench(game: usize, depth: i32) -> u64 {
    bench::nodes(game, depth)
}

#[derive(Serialize)]
struct Refusal {
    error: String,
}

/// Reads a request in JSON from the input, and writes the answer.
fn respond<Q, A>(ask: impl FnOnce(Q) -> Result<A, String>) -> usize
where
    Q: for<'a> Deserialize<'a>,
    A: Serialize,
{
    let request = serde_json::from_slice(&INPUT.take()).map_err(|error| error.to_string());
    answer_or_refuse(request.and_then(ask))
}

fn answer_or_refuse(result: Result<impl Serialize, String>) -> usize {
    match result {
        Ok(said) => answer(&said),
        Err(error) => answer(&Refusal { error }),
    }
}

/// Writes JSON into the output and returns its length.
fn answer(said: &impl Serialize) -> usize {
    let text = serde_json::to_string(said).expect("texts and numbers can be written");
    let len = text.len();
    OUTPUT.set(text);
    len
}
