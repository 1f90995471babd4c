//! The program `trebuchet` as a process: under a GUI's pipes, at the terminal, over TCP, and its
//! commands.
//!
//! Tests that need other programs are ignored by default; `.ci/deep` runs them.

#[path = "../support/display.rs"]
mod display;
#[path = "../support/process.rs"]
mod process;

mod annotate;
mod book;
mod check;
mod coach;
mod comply;
mod engine;
mod exam;
mod exercises;
mod files;
mod hostile;
#[cfg(unix)]
mod makefile;
mod matches;
mod openbench;
mod page;
mod perft;
mod queue;
mod readme;
mod report;
mod serve;
mod tablebases;
#[cfg(target_os = "linux")]
mod terminal;

/// Other tests start this program as their engine: with a vice in the environment, this test is the
/// engine.
#[test]
fn bad_engine() {
    if let Ok(vice) = std::env::var(matches::bad_engine::VARIABLE) {
        matches::bad_engine::run(&vice);
    }
}

/// Other tests start this program as their bot: with a stage and a vice in the environment, this test is
/// the bot.
#[test]
fn bad_bot() {
    if let Ok(description) = std::env::var(check::bad_bot::VARIABLE) {
        check::bad_bot::run(&description);
    }
}
