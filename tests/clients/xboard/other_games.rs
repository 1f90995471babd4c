//! Games beside chess at xboard's window: the moves that only they have, and their ends.

use super::window::Window;

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_drops_men_from_the_hand() {
    let mut window = Window::open_game("drops", "crazyhouse");
    window.edit_game(&["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8"]);
    window.drop(0, "e5");
    window.heard("usermove P@e5");
    window.forget();
    window.play("a7a6");
    window.heard("usermove a7a6");
    window.close();
}

/// xboard knows the explosion of a king, and its end agrees with ours.
#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_blows_up_the_king() {
    let mut window = Window::open_game("explosion", "atomic");
    window.edit_game(&["g1f3", "e7e6", "f3e5", "h7h6", "e5f7"]);
    window.xboard_notes("King destroyed");
    window.take_back();
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_castles_through_attacked_squares() {
    let fen = "r3k2r/p6p/8/6b1/8/8/P6P/R3K2R w KQkq - 0 1";
    let window = Window::open_at("giveaway", "giveaway", fen, &[]);
    // The bishop attacks c1, and must take the king there.
    window.edit_game(&["e1c1", "g5c1"]);
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_mates_with_a_man_from_the_hand() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/6K1[R] w - - 0 1";
    let window = Window::open_at("drop_mate", "crazyhouse", fen, &[]);
    window.drop(3, "e8");
    window.heard("usermove R@e8");
    window.xboard_notes("Xboard adjudication: Checkmate");
    window.close();
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_promotes_to_a_king() {
    let start = "8/P6p/8/8/8/8/8/8 w - - 0 1";
    let window = Window::open_at("king_of_a_pawn", "suicide", start, &["-depth", "3"]);
    window.play("a7a8");
    window.heard("usermove a7a8k");
    window.said("move h7h");
    window.close();
}

/// The engine refuses another move where a capture is possible, and xboard takes it back.
#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_must_capture() {
    let mut window = Window::open_game("must_capture", "antichess");
    window.edit_game(&["e2e3", "b7b5"]);
    window.play("d2d4");
    window.said("Illegal move (a capture is compulsory): d2d4");
    window.forget();
    window.play("f1b5");
    window.heard("usermove f1b5");
    // The engine accepts it: a person's next move is Black's.
    window.play("a7a6");
    window.heard("usermove a7a6");
}

/// xboard does not know the goal; it believes the engine.
#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_races_to_the_eighth_rank() {
    let window = Window::open_game("race", "racingkings");
    window.edit_game(&[
        "h2h3", "a2a3", "h3h4", "a3a2", "h4h5", "a2a3", "h5h6", "a3a2", "h6g7", "a2a3", "g7g8",
    ]);
    // The engine is to play Black.
    window.keys(&["ctrl+b"]);
    window.said("1-0 {White reaches the eighth rank}");
    window.xboard_notes("GameEnds(26, White reaches the eighth rank");
    window.close();
}

/// xboard takes every move of a side without a king for illegal, unless it tests none.
#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn a_person_leads_the_horde() {
    let arguments =
        ["-variant", "horde", "-testLegality", "false", "-tc", "1", "-inc", "1", "-depth", "3"];
    let mut window = Window::open("horde", &arguments);
    window.heard("variant horde");
    for mv in ["e4e5", "a4a5"] {
        window.forget();
        window.play(mv);
        window.heard(&format!("usermove {mv}"));
        window.said("move ");
    }
    window.close();
}
