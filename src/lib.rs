//! Trebuchet, a chess engine that plays several variants and speaks CECP and UCI.
//!
//! The order of the modules is the order of imports: a module may use the modules above it, and none
//! of those below.

/// What all threads share: the stack of a search, locks that survive a panic, and the number of processors.
pub mod threads;

/// Squares, pieces, moves, results: the types that all modules use.
pub mod types;

/// Files that a user names.
pub mod files;

/// The hash FNV-1a.
pub mod fnv;

/// Text that is safe for a terminal.
pub mod text;

/// Our types as those of the crate `shakmaty`.
pub mod shakmaty_types;

/// A position and its history: FEN, make and unmake, attacks, draws.
pub mod board;

/// Legal moves and perft.
pub mod movegen;

/// Endgame tables: Syzygy's, and those of three-check.
pub mod tablebase;

/// Moves and games as text: coordinate notation, SAN, EPD, PGN.
pub mod notation;

/// Opening books.
pub mod book;

/// The static evaluation.
pub mod eval;

/// The search.
pub mod search;

/// A search of limited strength, for the playing levels.
pub mod skill;

/// What a coach says about a game: verdicts on moves, the evaluation in words, why moves
/// are good, contested squares.
pub mod coach;

/// The variants: the answers of each game to the questions of every layer.
#[macro_use]
pub mod variants;

/// The board of a game, and the engine that plays it and coaches: in one of three stages, at every level,
/// with a book.
pub mod play;

/// What the protocols share: names, moves and positions as text, the options, the threads that carry
/// lines.
pub mod protocol;

/// CECP: the language and the session.
pub mod cecp;

/// UCI: the language and the session.
pub mod uci;

/// Numbers on the command line.
#[cfg(feature = "native")]
pub mod args;
/// A session of either protocol: the first line of the GUI decides.
pub mod dialogue;

/// The game of a person at the terminal.
#[cfg(feature = "native")]
pub mod terminal;

/// Sessions of CECP and UCI over TCP.
#[cfg(feature = "native")]
pub mod serve;
