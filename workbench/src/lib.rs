//! What stands on the engine: matches, tests and grading of engines, reports on games, and the tools
//! that make the engine stronger.
//!
//! The order of the modules is the order of imports: a module may use the modules above it, and none
//! of those below.

/// JSON as text.
mod json;

/// Numbers of seconds in settings.
mod seconds;

mod counts;

mod own_program;

mod figures;

mod settings_text;

/// Work on several threads.
mod parallel;

/// Ctrl-C, and the signals that ask a program to end.
mod interrupts;

/// The files that a command line names: what is read, and what may be replaced.
mod files;

/// A screen in memory.
pub mod screen;

/// Reports on games: their analysis, as PGN and HTML.
pub mod report;

/// Commands for operators of matches and graders: engine drivers, matches, tests of an engine's protocol,
/// the check of recorded games.
pub mod arena;

/// Commands for developers of the strength: training games, fits of constants, openings, books.
pub mod tuning;

/// Puzzles from games.
pub mod puzzles;

/// The command that writes the page for the browser.
pub mod page;

/// The command that makes, checks and reads the endgame tables of three-check.
pub mod egtb;
