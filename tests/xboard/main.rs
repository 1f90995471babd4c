//! The engine under a real xboard: whole games against Debian's engines, a person at xboard's window,
//! and the replay of recorded games.
//!
//! The tests that need xboard, Xvfb, xdotool and the engines are ignored by default; `.ci/run` installs
//! them and runs these too: `cargo test --release --test xboard -- --ignored`.

mod annotation;
mod debug_log;
mod display;
mod games;
mod gui;
mod lesson;
mod matches;
mod replay;
#[path = "../scripted/mod.rs"]
mod scripted;
mod window;
