//! One short test with each kind of client, for every change. `.ci/run` runs them, `.ci/deep` runs the
//! others too: `cargo test --test clients -- --ignored smoke`.
//!
//! Nothing here depends on the speed of the machine: the clocks are long, and the depth is limited.

use super::python::python_chess;
use super::xboard::gui;
use super::xboard::matches::{FAIRYMAX, Match};

const CALM: &[&str] = &["-tc", "20", "-inc", "1", "-depth", "3"];

#[test]
#[ignore = "needs xboard, Xvfb and Fairy-Max"]
fn a_game_of_chess_under_xboard() {
    let name = "smoke_chess";
    let (arguments, opponent, variant) = ("--no-book", FAIRYMAX, "normal");
    Match { name, arguments, opponent, variant, games: 1, options: CALM }.play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and Fairy-Stockfish"]
fn a_game_of_three_check_under_xboard() {
    let name = "smoke_three_check";
    let (arguments, opponent, variant) = ("--no-book", "fairy-stockfish", "3check");
    Match { name, arguments, opponent, variant, games: 1, options: CALM }.play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_at_the_window_of_xboard() {
    gui::a_person_plays_retracts_and_asks();
}

#[test]
#[ignore = "needs python-chess"]
fn python_chess_plays_over_cecp() {
    python_chess("cecp", "bridge");
}

#[test]
#[ignore = "needs python-chess"]
fn python_chess_plays_over_uci() {
    python_chess("uci", "bridge");
}
