//! Trebuchet, a chess and three-check engine that speaks CECP.
//!
//! The modules stand in the order in which they may import one another: each uses those above it,
//! none uses those below.

/// Locks and stacks.
pub mod threads;

/// The words everyone uses.
pub mod types;

/// One position and its history, and the facts one can read off it.
pub mod board;

/// Who wins endgames of few men: Syzygy's tables.
pub mod tablebase;

/// Legal moves, perft.
pub mod movegen;

/// Moves and games as text.
pub mod notation;

/// What a position is worth at a glance.
pub mod eval;

/// The search.
pub mod search;

/// The games: each one's answers to every layer's questions.
#[macro_use]
pub mod variants;

/// The board of a game, and the engine that plays it in one of three stages.
pub mod play;

/// CECP: the language, the session, the threads that carry its lines.
pub mod cecp;

/// The engine in the hands of a person at a terminal.
pub mod terminal;

/// Sessions over TCP.
pub mod serve;

/// A tournament operator's commands: engine drivers, matches, the examination of an engine's CECP.
pub mod arena;

/// A strength developer's commands: games for training, fits of constants, openings.
pub mod tuning;

/// Commands that measure the engine itself.
pub mod tools;

/// The list of all commands.
pub mod commands;
