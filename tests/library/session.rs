//! Replays the dialogues of `tests/library/sessions/` against the session, line for line.

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use trebuchet::play::{RatingFile, Stage};
use trebuchet::protocol::options::Settings;

use crate::scripted::{self, Replay};

#[test]
fn every_dialogue_goes_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/sessions");
    let mut scripts: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.sort();
    let goes_wrong = |path: &&PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        let script = fs::read_to_string(path).unwrap();
        panic::catch_unwind(|| scripted::replay(&name, &script)).is_err()
    };
    let wrong: Vec<_> = scripts.iter().filter(goes_wrong).collect();
    assert!(wrong.is_empty(), "see above: {wrong:?}");
    assert!(scripts.len() >= 10, "{} dialogues", scripts.len());
}

/// Moves are refused after ten thousand plies, so that a game cannot fill the memory. After `undo`
/// the game goes on.
#[test]
fn no_game_goes_on_for_ever() {
    let mut session = Replay::new("long game", Settings::default());
    session.hear(b"force");
    for _ in 0..2_500 {
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            session.hear(format!("usermove {mv}").as_bytes());
        }
    }
    assert_eq!(session.take_said(), Vec::<String>::new());
    session.hear(b"usermove g1f3");
    session.hear(b"go");
    session.hear(b"undo");
    session.hear(b"usermove f6g8");
    session.hear(b"e2e4");
    let refusal = |mv| format!("Illegal move (game too long): {mv}");
    let said = session.take_said();
    assert_eq!(said, [refusal("g1f3"), "Error (game too long): go".to_owned(), refusal("e2e4")]);
    session.hear(b"new");
    session.hear(b"usermove e2e4");
    assert!(session.is_thinking());
}

/// A strength of the command line holds in UCI until an option changes it.
#[test]
fn uci_keeps_the_strength_of_the_command_line() {
    let mut settings = Settings::default();
    (settings.engine.strength, settings.engine.adaptive) = (50, true);
    let mut session = Replay::new("strength", settings);
    session.hear(b"uci");
    let said = session.take_said();
    let name = concat!("id name Trebuchet ", env!("CARGO_PKG_VERSION"), " (100 Elo)");
    for line in [
        name,
        "option name UCI_LimitStrength type check default true",
        "option name UCI_Elo type spin default 100 min 100 max 2850",
    ] {
        assert!(said.iter().any(|found| found == line), "{line} in {said:#?}");
    }
    let script = [
        "> setoption name Hash value 16",
        "> go depth 3",
        "! settings hash 16 strength 100",
        "! search depth 3 person ...",
        "< bestmove e2e4",
        "> setoption name UCI_LimitStrength value false",
        "> go depth 3",
        "! settings strength 0",
        "! search depth 3",
        "< bestmove e2e4",
    ];
    session.run(&script.join("\n"));
}

/// Graders and operators see only the name: it tells the stage with which the engine introduces itself.
#[test]
fn the_name_tells_the_stage() {
    let full = concat!("Trebuchet ", env!("CARGO_PKG_VERSION"));
    let feature = |name: &str| format!("feature myname=\"{name}\"");
    for (stage, name) in [
        (Stage::Full, full.to_owned()),
        (Stage::Pawns, format!("{full} (pawns)")),
        (Stage::Random, format!("{full} (random)")),
    ] {
        let mut settings = Settings::default();
        settings.engine.stage = stage;
        let mut session = Replay::new("stage", settings);
        session.hear(b"protover 2");
        let said = session.take_said();
        assert!(said[0].starts_with(&format!("{} ", feature(&name))), "{}", said[0]);
    }
    // After the introduction the name stays: some GUIs take a later feature for an error.
    let mut session = Replay::new("stages", Settings::default());
    session.hear(b"protover 2");
    session.take_said();
    session.hear(b"option Stage=pawns");
    assert_eq!(session.take_said(), Vec::<String>::new());
    session.hear(b"protover 2");
    assert!(session.take_said()[0].starts_with(&feature(&format!("{full} (pawns)"))));
}

/// A game against a person that began at the start counts for an adaptive level, once.
#[test]
fn only_whole_games_against_a_person_count_for_an_adaptive_level() {
    let folder = tempfile::tempdir().unwrap();
    let file = RatingFile::new(folder.path().join("ratings.txt"));
    let counts = |before: &[&str], after: &[&str]| {
        let mut settings = Settings::default();
        settings.engine.adaptive = true;
        let mut session = Replay::with_ratings("adaptive", settings, Some(file.clone()));
        session.run("> new\n> easy");
        before.iter().for_each(|line| session.hear(line.as_bytes()));
        session.run(
            "> usermove e2e4\n! finish e7e5 - 0\n< move e7e5\n\
             > usermove g1f3\n! finish b8c6 - 0\n< move b8c6",
        );
        after.iter().for_each(|line| session.hear(line.as_bytes()));
        session.take_said()
    };
    let told = |games: u32, elo: u32| {
        let plural = if games == 1 { "" } else { "s" };
        [format!(
            "telluser After {games} game{plural} you stand at about {elo} Elo: I play the next one at this \
             strength"
        )]
    };
    let nothing: [String; 0] = [];
    assert_eq!(counts(&[], &["result 0-1 {White resigns}"]), told(1, 700));
    assert_eq!(counts(&[], &["result 1-0 {Black resigns}", "result 1-0 {again}"]), told(2, 800));
    assert_eq!(counts(&[], &["result 1/2-1/2 {Draw agreed}"]), told(3, 800));
    for opponent in ["computer", "ics example.org"] {
        assert_eq!(counts(&[opponent], &["result 0-1 {White resigns}"]), nothing, "{opponent}");
    }
    assert_eq!(counts(&[], &["result * {Game adjourned}"]), nothing);
    assert_eq!(counts(&[], &["remove", "usermove f1b5", "result 0-1 {White resigns}"]), nothing);
    for change in
        [["option Adaptive=0", "option Adaptive=1"], ["option Stage=random", "option Stage=full"]]
    {
        assert_eq!(counts(&[], &[&change[..], &["result 0-1 {White resigns}"]].concat()), nothing);
    }
    // Cute Chess ends each game so. Whoever moves for the engine plays another game.
    assert_eq!(counts(&[], &["force", "result 0-1 {White resigns}"]), told(4, 700));
    let by_hand = ["force", "usermove f1b5", "usermove a7a6", "result 0-1 {White resigns}"];
    assert_eq!(counts(&[], &by_hand), nothing);
}
