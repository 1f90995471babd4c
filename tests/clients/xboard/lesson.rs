//! A learner at xboard's window: the coach draws on the board and comments on the game.

use std::thread::sleep;
use std::time::Duration;

use trebuchet::types::Square;

use super::window::{EngineMenu, Window};

const ARGUMENTS: [&str; 8] = ["-variant", "teach", "-tc", "1", "-inc", "1", "-autoComment", "true"];

#[test]
#[ignore = "needs xboard, Xvfb, xdotool and ImageMagick"]
fn a_lifted_piece_has_its_squares_coloured() {
    let window = Window::open("lesson_lift", &ARGUMENTS);
    window.heard("variant teach");
    window.click("b1");
    window.heard("lift b1");
    window.said("highlight 8/8/8/8/8/G1G5/8/8");
    sleep(Duration::from_millis(300));
    assert_eq!(["a3", "c3"].map(|square| window.color(square)), ["#00FF00"; 2]);
    assert_ne!(window.color("d4"), "#00FF00");
    window.click("c3");
    window.heard("usermove b1c3");
    window.said("move ");
    window.close();
}

/// The coloured squares of a line that begins with `highlight`, with their letters.
fn colored(line: &str) -> Vec<(String, char)> {
    let ranks = line.trim_start_matches("highlight ").split('/').zip((0..8).rev());
    let mut found = Vec::new();
    for (text, rank) in ranks {
        let mut file = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(skipped) => file += skipped as u8,
                None => {
                    found.push((Square::new(file, rank).to_string(), letter));
                    file += 1;
                }
            }
        }
    }
    found
}

#[test]
#[ignore = "needs xboard, Xvfb, xdotool and ImageMagick"]
fn verdicts_are_shown_and_recorded_and_hints_explained() {
    let mut window = Window::open("lesson_verdicts", &ARGUMENTS);
    for mv in ["e2e4", "g1f3", "d2d4"] {
        window.forget();
        window.play(mv);
        window.said("move ");
        window.said("1 0 0 0 ");
    }
    // The contested squares have the colours that the engine has named, as far as the arrow of the
    // last move leaves them free.
    sleep(Duration::from_millis(500));
    let last = window.all_said().into_iter().rfind(|line| line.starts_with("highlight"));
    let colored = colored(&last.expect("a map after every move"));
    assert!(!colored.is_empty(), "the pawns contest empty squares in the centre");
    let names = |letter| match letter {
        'y' => "#FFFF00",
        'm' => "#FF00FF",
        'r' => "#FF0000",
        _ => panic!("no colour of the map: {letter}"),
    };
    let shown = colored.iter().filter(|(square, letter)| window.color(square) == names(*letter));
    assert!(shown.count() > 0, "{colored:?}");

    window.forget();
    window.choose(EngineMenu::Hint);
    window.heard("hint");
    window.said("telluser ");
    window.close_message();
    window.forget();
    window.choose(EngineMenu::Hint);
    window.heard("hint");
    window.said("Hint: ");
    window.said("telluser Hint: ");
    window.close_message();
    // Take back twice: the learner is to move again after each.
    for _ in 0..2 {
        window.forget();
        window.keys(&["ctrl+x"]);
        window.heard("remove");
        window.said("highlight ");
    }
    // xboard keeps the verdicts as comments.
    window.xboard_notes("tellothers e4 ");
    window.close();
}
