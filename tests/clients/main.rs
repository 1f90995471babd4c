//! The program under real clients: xboard, python-chess and PyChess; its builds for other platforms; and the
//! commands of the docs.
//!
//! Nearly all tests need other programs and are ignored by default. `.ci/run` installs these programs
//! and runs some of the tests, `.ci/deep` the others.

#[path = "../support/debug_log.rs"]
mod debug_log;
#[path = "../support/display.rs"]
mod display;
#[path = "../support/process.rs"]
mod process;

mod broken_bots;
#[cfg(unix)]
mod documents;
#[cfg(unix)]
mod hostile_bots;
mod platforms;
mod python;
mod random_games;
mod smoke;
mod xboard;
