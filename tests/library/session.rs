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

/// In a long level game the engine offers a draw with its move, if the option lets it.
#[test]
fn a_long_level_game_is_offered_as_a_draw() {
    // The kings go round in seven and in six moves, so no position comes twice in 84 plies.
    let white = ["a1", "b1", "c1", "d1", "d2", "c2", "b2"];
    let black = ["h8", "g8", "f8", "f7", "g7", "h7"];
    let step = |round: &[&str], number: usize| {
        [number, number + 1].map(|number| round[number % round.len()]).concat()
    };
    for (policy, offers) in [("offer", true), ("accept", false)] {
        let mut script = format!(
            "> new\n> easy\n> level 0 5 0\n> otim 30000\n> option Draws={policy}\n\
             > setboard 7k/8/8/p7/P7/8/8/K7 w - - 0 1\n"
        );
        for number in 0..41 {
            let (mv, reply) = (step(&white, number), step(&black, number));
            // At ply 80 of the game.
            let offer = if offers && number == 40 { "< offer draw\n" } else { "" };
            script += &format!("> usermove {mv}\n! finish {reply} - 3\n{offer}< move {reply}\n");
        }
        Replay::new(policy, Settings::default()).run(&script);
    }
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
        "option name OwnBook type check default false",
        "option name Ponder type check default false",
        "option name UCI_LimitStrength type check default true",
        "option name UCI_Elo type spin default 100 min 100 max 2850",
        "info string The strength does not follow your results: UCI does not tell them",
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

/// Who names a book on the command line wants it.
#[test]
fn uci_plays_from_the_book_of_the_command_line() {
    let mut settings = Settings::default();
    settings.engine.book.file = "tests/data/book/small.bin".to_owned();
    settings.engine.book.variety = 0;
    let mut session = Replay::new("book", settings);
    session.hear(b"uci");
    let said = session.take_said();
    assert!(said.iter().any(|line| line == "option name OwnBook type check default true"));
    session.run("> go movetime 1000\n< info string book: ...\n< bestmove e2e4");
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

/// The four plies of a game in which the engine has Black.
const FOUR_PLIES: &str = "> usermove e2e4\n! finish e7e5 - 0\n< move e7e5\n\
                          > usermove g1f3\n! finish b8c6 - 0\n< move b8c6\n";
/// The same by hand.
const BY_HAND: &str =
    "> force\n> usermove e2e4\n> usermove e7e5\n> usermove g1f3\n> usermove b8c6\n";
const START: &str = "> setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
const WITHOUT_ROOK: &str = "> setboard 1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1\n";

/// Does a game with an adaptive level count, if it goes so after `new`?
fn is_rated(game: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = RatingFile::new(folder.path().join("ratings.txt"));
    let mut settings = Settings::default();
    settings.engine.adaptive = true;
    let mut session = Replay::with_ratings(game, settings, Some(file));
    session.run(&format!("> new\n> easy\n{game}"));
    session.hear(b"result 0-1 {White resigns}");
    let said = session.take_said();
    assert!(said.iter().all(|line| line.starts_with("telluser After 1 game ")), "{game}{said:?}");
    !said.is_empty()
}

#[test]
fn what_begins_a_rated_game() {
    for (beginning, is_whole) in [
        (String::new(), true),
        ("> undo\n".to_owned(), false),
        ("> undo\n> new\n".to_owned(), true),
        (format!("> undo\n{START}"), true),
        (WITHOUT_ROOK.to_owned(), false),
        (format!("{WITHOUT_ROOK}{START}"), true),
        // An edited board stays one, even where `variant` goes back to the start.
        ("> edit\n> .\n".to_owned(), false),
        (format!("> edit\n> .\n{START}"), true),
        ("> edit\n> .\n> variant normal\n".to_owned(), false),
        (format!("{WITHOUT_ROOK}> variant normal\n"), false),
        ("> undo\n> variant normal\n".to_owned(), false),
        ("> variant normal\n".to_owned(), true),
        ("> black\n> white\n".to_owned(), true),
        ("> option Adaptive=0\n> option Adaptive=1\n".to_owned(), true),
        ("> option Stage=random\n> option Stage=full\n".to_owned(), true),
        (format!("{FOUR_PLIES}> undo\n> new\n"), true),
        (format!("{FOUR_PLIES}> undo\n{START}"), true),
        (format!("> option Adaptive=0\n{FOUR_PLIES}> option Adaptive=1\n> new\n"), true),
    ] {
        assert_eq!(is_rated(&format!("{beginning}{FOUR_PLIES}")), is_whole, "{beginning}");
    }
}

#[test]
fn what_goes_on_with_a_rated_game() {
    let white_moves = "! finish f1b5 - 0\n< move f1b5\n";
    for (middle, is_whole) in [
        ("> undo\n".to_owned(), false),
        ("> remove\n> usermove d2d4\n! finish e5d4 - 0\n< move e5d4\n".to_owned(), false),
        ("> option Hash=2\n> option Adaptive=1\n> option Stage=full\n".to_owned(), true),
        ("> option Stage=random\n> option Stage=full\n".to_owned(), false),
        ("> option Adaptive=0\n> option Adaptive=1\n".to_owned(), false),
        ("> option Adaptive=0\n".to_owned(), false),
        // The person moves in force mode, and then for the engine.
        ("> force\n> usermove f1b5\n".to_owned(), true),
        ("> force\n> usermove f1b5\n> usermove a7a6\n".to_owned(), false),
        // The engine plays its side on, or takes the other one.
        ("> force\n> usermove f1b5\n> go\n! finish a7a6 - 0\n< move a7a6\n".to_owned(), true),
        (format!("> go\n{white_moves}"), false),
        ("> force\n> usermove f1b5\n> playother\n".to_owned(), false),
        (format!("{START}{BY_HAND}"), false),
        (format!("> variant normal\n{BY_HAND}"), false),
        // An analysis is no game; the game before it is.
        ("> analyze\n".to_owned(), false),
        ("> analyze\n> result 0-1 {White resigns}\n> exit\n".to_owned(), true),
    ] {
        assert_eq!(is_rated(&format!("{FOUR_PLIES}{middle}")), is_whole, "{middle}");
    }
    assert!(!is_rated(&format!("> option Adaptive=0\n{FOUR_PLIES}> option Adaptive=1\n")));
    assert!(!is_rated(BY_HAND));
    assert!(is_rated(&format!("{BY_HAND}> go\n{white_moves}")));
    let black_to_move = "> black\n> usermove e7e5\n! finish e2e4 - 0\n< move e2e4\n\
                         > usermove b8c6\n! finish g1f3 - 0\n< move g1f3\n";
    assert!(is_rated(black_to_move));
}
