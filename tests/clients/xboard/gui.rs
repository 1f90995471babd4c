//! A person at xboard's window.

use std::thread::sleep;
use std::time::Duration;

use super::window::{EngineMenu, Window};

/// Plays, takes a move back, and asks for a hint and for book moves.
pub fn a_person_plays_retracts_and_asks() {
    let mut window = Window::open("person", &["-tc", "1", "-inc", "1"]);
    window.play("e2e4");
    window.heard("usermove e2e4");
    window.said("move ");

    // Take the move back; the engine answers another one.
    window.forget();
    window.keys(&["ctrl+x"]);
    window.heard("remove");
    window.play("d2d4");
    window.said("move ");

    // A hint, and the book. The book may be empty, but an empty line must close it.
    window.forget();
    window.choose(EngineMenu::Hint);
    window.heard("hint");
    window.said("Hint: ");
    window.close_message();
    window.choose(EngineMenu::Book);
    window.heard("bk");
    window.said(" ");
    sleep(Duration::from_millis(300));
    assert!(window.all_said().iter().any(String::is_empty), "{:?}", window.all_said());
    window.close_message();
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn move_now_and_a_draw_offer() {
    let mut window = Window::open("move_now", &["-tc", "60", "-inc", "0"]);
    window.play("e2e4");
    window.heard("usermove e2e4");
    sleep(Duration::from_millis(600));
    assert!(!window.all_said().iter().any(|line| line.starts_with("move ")));
    window.forget();
    window.keys(&["ctrl+m"]);
    window.heard("?");
    window.said("move ");

    window.forget();
    window.keys(&["F6"]);
    window.heard("draw");
    window.play("b1c3");
    window.heard("usermove b1c3");
    window.keys(&["ctrl+m"]);
    window.said("move ");
    assert!(!window.all_said().iter().any(|line| line.starts_with("1/2")));
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_pause_costs_no_time() {
    let mut window = Window::open("pause", &["-tc", "60", "-inc", "0"]);
    window.play("e2e4");
    window.heard("usermove e2e4");
    sleep(Duration::from_millis(500));
    window.keys(&["Pause"]);
    window.heard("pause");
    sleep(Duration::from_millis(300));
    let before = window.cpu_time();
    sleep(Duration::from_millis(1500));
    let spent = window.cpu_time() - before;
    assert!(spent <= Duration::from_millis(50), "{spent:?} in a pause");
    window.forget();
    window.keys(&["Pause"]);
    window.heard("resume");
    sleep(Duration::from_millis(300));
    window.keys(&["ctrl+m"]);
    window.said("move ");
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn analysis_follows_the_board() {
    let mut window = Window::open("analysis", &["-tc", "5", "-inc", "0"]);
    window.keys(&["ctrl+a"]);
    window.heard("analyze");
    // xboard asks for the state of the analysis by itself.
    window.heard(".");
    window.said("stat01: ");
    let reached = window.all_said();
    assert!(reached.iter().any(|line| line.contains(" e2e4") || line.contains(" d2d4")));

    for mv in ["e2e4", "e7e5"] {
        window.forget();
        window.play(mv);
        window.heard(&format!("usermove {mv}"));
        window.said("stat01: ");
    }
    window.take_back();
    window.said("stat01: ");
    window.forget();
    window.keys(&["alt+Home"]);
    window.heard("undo");
    window.said("stat01: ");

    // Back to editing the game: the analysis ends.
    window.forget();
    window.keys(&["ctrl+e"]);
    window.heard("exit");
    sleep(Duration::from_millis(500));
    window.forget();
    sleep(Duration::from_millis(500));
    assert_eq!(window.all_said(), [""; 0]);
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn edit_game_stops_the_engine() {
    let mut window = Window::open("edit_game", &["-tc", "60", "-inc", "0"]);
    window.play("e2e4");
    window.heard("usermove e2e4");
    sleep(Duration::from_millis(400));
    window.forget();
    // Both sides are moved by hand, then the engine takes over Black.
    window.edit_game(&["c7c5", "g1f3"]);
    sleep(Duration::from_millis(500));
    assert!(!window.all_said().iter().any(|line| line.starts_with("move ")));
    window.forget();
    window.keys(&["ctrl+b"]);
    window.heard("go");
    sleep(Duration::from_millis(300));
    window.keys(&["ctrl+m"]);
    window.said("move ");
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn options_are_set_in_their_dialogue() {
    let window = Window::open("options", &["-tc", "1", "-inc", "1"]);
    window.choose(EngineMenu::Settings);
    sleep(Duration::from_secs(1));
    // The dialogue opens in the corner. Its first fields are Stage, Level, Strength, Adaptive, ResetRating,
    // HumanTime and Seed; a number counts when its field is left.
    window.xdotool(&["mousemove", "50", "325"]);
    window.keys(&["Up", "Tab", "Up", "Tab"]);
    window.keys(&["ctrl+a", "1", "5", "0", "0", "Tab", "Tab", "Tab", "Tab"]);
    window.keys(&["ctrl+a", "7", "Tab"]);
    window.keys(&["alt+o"]);
    for option in ["Stage=random", "Level=Hard", "Strength=1500", "Seed=7"] {
        window.heard(&format!("option {option}"));
    }
    sleep(Duration::from_millis(300));
    window.rest();
    window.play("e2e4");
    window.said("move ");
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_walks_to_the_hill() {
    let mut window = Window::open_game("hill", "kingofthehill");
    // Edit game: the person moves both sides.
    window.edit_game(&["e2e4", "a7a6", "e1e2", "a6a5", "e2e3", "a5a4", "e3d4"]);
    window.take_back();
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_castles_in_chess960() {
    let fen = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1";
    let mut window = Window::open_at("castling", "fischerandom", fen, &[]);
    window.keys(&["ctrl+e"]);
    window.heard("force");
    // The king takes its rook.
    for (mv, castling) in [("e1b1", "O-O-O"), ("e8h8", "O-O")] {
        window.play(mv);
        assert_eq!(window.heard("usermove "), format!("usermove {castling}"));
        window.forget();
    }
    window.take_back();
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_gives_three_checks() {
    let mut window = Window::open_game("three_checks", "3check");
    // Edit game: White gives its pieces away for checks.
    window.edit_game(&["e2e4", "d7d6", "f1b5", "c7c6", "b5c6", "b7c6", "d1h5", "a7a6", "h5f7"]);
    // xboard counts three, and the engine has no complaint.
    window.xboard_notes("Xboard adjudication: 3rd check");
    window.take_back();
    window.close();
}
