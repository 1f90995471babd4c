//! The coach in sessions of CECP: verdicts, hints with reasons, and the heat map.

use crate::process::Engine;

/// An engine with the coach in a position where the learner is to move.
fn lesson(variant: &str, fen: &str, options: &[&str]) -> Engine {
    let mut engine = Engine::greeted(&["--no-book"]);
    engine.send(&format!("new\nvariant {variant}\nsd 6\npost"));
    for option in options {
        engine.send(&format!("option {option}"));
    }
    engine.send(&format!("setboard {fen}"));
    engine.ping(1);
    engine
}

/// Before White's last mistake on the way to the fool's mate.
const FOOL: &str = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";

/// The lines that only a coach says.
fn is_help(line: &str) -> bool {
    ["tell", "highlight", "Hint"].iter().any(|start| line.starts_with(start))
        || line.contains(" 0 0 0 ")
}

/// The answers to a move of the learner, up to the engine's move and what follows it.
fn play(engine: &mut Engine, mv: &str) -> Vec<String> {
    engine.send(&format!("usermove {mv}"));
    let mut lines = engine.lines_to("move ");
    lines.extend(engine.ping(2).0);
    lines
}

#[test]
fn a_lesson_colours_the_board_at_once() {
    let mut engine = Engine::greeted(&[]);
    engine.send("new\nvariant teach3");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let pieces = "(PNBRQ................Kpnbrq................k)";
    let (lines, _) = engine.ping(1);
    assert_eq!(
        lines,
        [format!("setup {pieces} 8x8+0_3check {start}"), "highlight 8/8/8/8/8/8/8/8".to_owned()]
    );
    // The game has the rules of three-check.
    engine.send("force\nsetboard 4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1\nusermove a1a8\ngo");
    engine.wait_for("1-0 {White gives third check}");
    engine.quit();
}

#[test]
fn a_blunder_gets_a_verdict_and_advice() {
    let mut engine = lesson("normal", FOOL, &["Coach=1"]);
    let lines = play(&mut engine, "g2g4");
    let told = lines.iter().position(|line| line.starts_with("tellothers g4?? Blunder, loses "));
    let moved = lines.iter().position(|line| line == "move d8h4");
    let shown = lines.iter().position(|line| line.contains(" 0 0 0 g4?? Blunder, loses "));
    assert!(told.is_some() && told < moved && moved < shown, "{lines:#?}");
    let verdict = &lines[told.unwrap()];
    assert!(verdict.contains(". It allows mate in 1: Qh4#. Better: "), "{lines:#?}");
    let remark = lines.iter().find(|line| line.contains(" 0 0 0 It allows mate in 1: Qh4#"));
    assert!(remark.is_some(), "{lines:#?}");
    assert!(lines.contains(&"0-1 {Black mates}".to_owned()), "{lines:#?}");
    // No window opens unless the learner asks for that.
    assert!(!lines.iter().any(|line| line.starts_with("telluser")), "{lines:#?}");
    engine.quit();

    let mut engine = lesson("teach", FOOL, &["PopupVerdicts=1"]);
    let lines = play(&mut engine, "g2g4");
    assert!(lines.iter().any(|line| line.starts_with("telluser g4?? Blunder")), "{lines:#?}");
    engine.quit();
}

#[test]
fn the_opinion_is_about_the_position_after_the_engines_move() {
    let mut engine = lesson("teach", "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", &[]);
    let lines = play(&mut engine, "e2e4");
    let moved = lines.iter().position(|line| line.starts_with("move ")).unwrap();
    let coach: Vec<&str> = lines[moved..]
        .iter()
        .filter_map(|line| line.split_once(" 0 0 0 "))
        .map(|(_, text)| text)
        .collect();
    let [made_of, headline, .., verdict] = &coach[..] else { panic!("{lines:#?}") };
    assert!(made_of.starts_with("material +"), "{made_of}");
    assert!(headline.starts_with("White is winning, +"), "{headline}");
    assert_eq!(*verdict, "e4 Good move");
    // The numbers rise, and xboard shows the last line at the top.
    assert!(lines[moved + 1].starts_with("1 0 0 0 "), "{lines:#?}");
    engine.quit();
}

#[test]
fn a_missed_third_check_is_told_in_every_way_to_play_three_check() {
    let fen = "4k3/7p/8/8/8/8/7P/R3K3 w - - 1+3 0 1";
    for (variant, option) in [("teach3", "Coach=0"), ("3check", "Coach=1")] {
        let mut engine = lesson(variant, fen, &[option]);
        let lines = play(&mut engine, "h2h3");
        let verdict = lines.iter().find(|line| line.starts_with("tellothers h3")).unwrap();
        assert!(verdict.contains(" Missed third check"), "{verdict}");
        assert!(verdict.ends_with("# gives third check"), "{verdict}");
        engine.quit();
    }
    // Here no move gives check.
    let mut engine = lesson("teach3", "4k3/1p6/8/8/8/8/P7/4K3 w - - 1+3 0 1", &[]);
    let lines = play(&mut engine, "a2a4");
    let verdict = lines.iter().find(|line| line.starts_with("tellothers a4")).unwrap();
    assert!(!verdict.contains("Missed"), "{verdict}");
    engine.quit();
}

#[test]
fn other_variants_have_the_coach_too() {
    let hill = "4k3/8/8/8/8/3K4/8/8 w - - 0 1";
    let mut engine = lesson("kingofthehill", hill, &["Coach=1"]);
    let lines = play(&mut engine, "d3e2");
    let verdict = lines.iter().find(|line| line.starts_with("tellothers ")).unwrap();
    assert!(verdict.starts_with("tellothers Ke2"), "{verdict}");
    assert!(
        verdict.contains("Missed the hill") && verdict.contains("reaches the hill"),
        "{verdict}"
    );
    engine.quit();
    let mut engine = lesson("fischerandom", FOOL, &["Coach=1"]);
    let lines = play(&mut engine, "g2g4");
    assert!(lines.iter().any(|line| line.starts_with("tellothers g4?? Blunder")), "{lines:#?}");
    engine.quit();
}

#[test]
fn a_hint_has_a_reason() {
    let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let mut engine = lesson("teach", back_rank, &[]);
    engine.send("hint");
    engine.wait_for("telluser Look for a check. Ask again for the move");
    assert_eq!(engine.ping(2).0, [""; 0]);
    engine.send("hint");
    engine.wait_for("Hint: a1a8");
    engine.wait_for("telluser Hint: Ra8# mates");
    engine.quit();
    let mut engine = lesson("normal", back_rank, &[]);
    engine.send("hint");
    engine.wait_for("Hint: a1a8");
    assert_eq!(engine.ping(3).0, [""; 0]);
    engine.quit();
}

#[test]
fn the_heat_map_follows_the_board_and_the_options() {
    // The knight can fork king and queen on c7; the queen can fork king and knight.
    let fen = "4k3/8/q7/3N4/8/8/8/4K3 w - - 0 1";
    let mut engine = lesson("teach", fen, &[]);
    engine.send("force\nusermove d5c7\nundo\noption HeatMap=game");
    engine.send("usermove d5c7\noption HeatMap=off\nundo\noption HeatMap=position");
    let (lines, _) = engine.ping(4);
    let forks = "highlight 8/2m5/4m3/m7/8/8/8/8";
    assert_eq!((lines.len(), &*lines[1], &*lines[4]), (5, forks, forks), "{lines:#?}");
    // A dot would hide a piece: what is hot there is said in words.
    // The knight cannot move, and when the king has made room, nothing else protects it.
    let mut engine = lesson("teach", "7k/7n/8/8/8/8/4P3/4K2R w - - 0 1", &[]);
    let lines = play(&mut engine, "e2e3");
    let words = lines.iter().find(|line| line.contains("Look at "));
    let words = words.unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(words.ends_with(" 0 0 0 Look at h7 (only the king protects it)"), "{words}");
    let dots = lines.last().unwrap();
    assert!(dots.starts_with("highlight ") && !dots.contains("7/7y/"), "{dots}");
    engine.quit();
}

#[test]
fn a_lifted_piece_shows_where_it_is_safe() {
    // The knight is safe on d1, contested on d5 and lost on b5.
    let fen = "7k/8/p3p3/8/8/2N5/4P3/K7 w - - 0 1";
    let mut engine = lesson("teach", fen, &[]);
    engine.send("lift c3");
    assert_eq!(engine.ping(5).0, ["highlight 8/8/8/1R1R4/G3G3/8/G7/1G1G4"]);
    // Without the coach only captures differ from other moves.
    let mut engine = lesson("normal", fen, &[]);
    engine.send("lift c3");
    assert_eq!(engine.ping(5).0, ["highlight 8/8/8/1Y1Y4/Y3Y3/8/Y7/1Y1Y4"]);
}

#[test]
fn there_is_no_help_against_engines_on_servers_and_in_earnest() {
    for before in ["computer\nvariant teach", "ics chess.example\nvariant teach", "variant normal"]
    {
        let mut engine = Engine::greeted(&["--no-book"]);
        engine.send(&format!("new\n{before}\nsd 4\npost\nping 1"));
        engine.wait_for("pong 1");
        engine.send(&format!("setboard {FOOL}"));
        let lines = play(&mut engine, "g2g4");
        assert!(!lines.iter().any(|line| is_help(line)), "{before}: {lines:#?}");
        engine.quit();
    }
}

#[test]
fn a_move_taken_back_takes_its_verdict_along() {
    let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    let mut engine = lesson("teach", fen, &[]);
    play(&mut engine, "e2e4");
    engine.send("remove");
    let lines = engine.ping(8).0;
    let cleared = ["2 0 0 0 Your move is taken back", "1 0 0 0 Try again"];
    assert_eq!(lines, [cleared[0], cleared[1], "highlight 8/8/8/8/8/8/8/8"]);
    engine.send("force\nundo");
    assert!(!engine.ping(9).0.iter().any(|line| line.contains("Try again")));
    engine.quit();
}

#[test]
fn a_mistake_of_the_engine_is_told_at_a_level_unless_switched_off() {
    // The queen is attacked, and a beginner does not always see that.
    let fen = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
    let tell = |switch: &str| {
        let told = (1..=10).filter(|seed| {
            let options = ["Level=Beginner", &format!("Seed={seed}"), switch];
            let mut engine = lesson("teach", fen, &options);
            let lines = play(&mut engine, "b1c3");
            engine.quit();
            lines.iter().any(|line| line.contains(" 0 0 0 Your chance: "))
        });
        told.count()
    };
    assert!(tell("TellMistakes=1") > 0);
    assert_eq!(tell("TellMistakes=0"), 0);
}

#[test]
fn a_lesson_ends_with_the_next_game() {
    let mut engine = lesson("teach", FOOL, &[]);
    engine.send("new");
    assert_eq!(engine.ping(6).0, [""; 0]);
    engine.send("option Coach=1\noption Coach=0");
    let shown = "highlight 8/8/8/8/8/8/8/8";
    assert_eq!(engine.ping(7).0, [shown, shown]);
    engine.quit();
}
