//! `trebuchet exercises`, and the exercises in a report.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Boris loses by a mate in one, and in the second game, with White, a queen. In the third, Clara misses a mate.
/// In the first two games no other move is bad enough for an exercise.
pub const GAMES: &str = "[White \"Anna\"]\n[Black \"Boris\"]\n[Date \"2024.05.31\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
    [White \"boris\"]\n[Black \"</script><img src=x onerror=alert(1)>\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 g6 4. Qxe5+ Nxe5 0-1\n\n\
    [White \"Anna\"]\n[Black \"Clara\"]\n\n1. f3 e5 2. g4 d6 3. h3 Qh4# 0-1\n";

/// Runs the program in a folder with limits for quick searches. Returns its exit status and its messages.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .current_dir(folder)
        .args(arguments)
        .args(["--nodes", "5000", "--hash", "1"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// The JSON in an element of a page.
fn data(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = page.split_once(&start).expect("the page has the element");
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_mistakes_of_a_player_become_exercises() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    let (status, said) = run(folder.path(), &["exercises", "games.pgn", "--player", "Boris"]);
    assert_eq!((status, &*said), (0, "written: exercises.html\n"));
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing else is left: {names:?}");
    let page = fs::read_to_string(folder.path().join("exercises.html")).unwrap();
    assert!(page.contains("<title>Exercises for Boris</title>"));
    assert_eq!((page.matches("<img").count(), page.matches("<script").count()), (0, 2));
    let data = data(&page, "training");
    let exercises = data["exercises"].as_array().unwrap();
    let told: Vec<_> = exercises
        .iter()
        .map(|it| (it["played"].as_str().unwrap(), it["topic"].as_str().unwrap()))
        .collect();
    assert!(told.contains(&("Nf6", "mate")) && told.contains(&("Qxe5+", "hanging")), "{told:?}");
    assert!(!told.iter().any(|(played, _)| *played == "g4"), "that was not Boris: {told:?}");
    let mate = exercises.iter().find(|it| it["played"] == "Nf6").unwrap();
    assert_eq!(mate["source"], "Anna – Boris, 1–0, 2024-05-31");
    // Several moves are right, and every legal one is judged, with the reply that refutes it.
    let tries = mate["tries"].as_array().unwrap();
    assert_eq!(tries.len(), 28);
    assert!(!mate["others"].as_array().unwrap().is_empty());
    let bad = tries.iter().find(|it| it["san"] == "d6").unwrap();
    assert_eq!((&bad["rank"], &bad["reply"]["san"]), (&Value::from(2), &Value::from("Qxf7#")));
    assert_eq!(bad["punishment"], "It allows mate in 1: Qxf7#");
    // Three sentences say what to work on.
    let (_, lessons) = page.split_once("<p class=\"lessons\">").unwrap();
    let lessons = lessons.split_once("</p>").unwrap().0;
    assert_eq!(lessons.matches(". ").count(), 2, "{lessons}");
    assert!(lessons.starts_with("In ") && lessons.ends_with('.'), "{lessons}");
    // The page is replaced without a question, other files are not.
    assert_eq!(run(folder.path(), &["exercises", "games.pgn", "--player", "Boris"]).0, 0);
    let own = ["exercises", "games.pgn", "--player", "Boris", "--html", "games.pgn", "--force"];
    assert_eq!(run(folder.path(), &own).0, 1);
    assert_eq!(fs::read_to_string(folder.path().join("games.pgn")).unwrap(), GAMES);
}

#[test]
fn a_missed_mate_in_two_is_a_missed_win() {
    let folder = tempfile::tempdir().unwrap();
    let game =
        "[White \"Anna\"]\n[FEN \"6k1/5ppp/8/8/8/8/3r1PPP/1R4K1 w - - 0 1\"]\n\n1. h3 h6 *\n";
    fs::write(folder.path().join("games.pgn"), game).unwrap();
    let (status, _) = run(folder.path(), &["exercises", "games.pgn", "--player", "Anna"]);
    assert_eq!(status, 0);
    let page = fs::read_to_string(folder.path().join("exercises.html")).unwrap();
    let data = data(&page, "training");
    assert_eq!(
        (&data["exercises"][0]["played"], &data["exercises"][0]["topic"]),
        (&"h3".into(), &"win".into())
    );
    assert!(page.contains("In 1 of 1 mistake you had a move that wins the game: "));
}

#[test]
fn a_player_of_no_game_is_told_who_has_played() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    let (status, said) = run(folder.path(), &["exercises", "games.pgn", "--player", "Dora"]);
    assert_eq!(status, 1);
    assert!(
        said.starts_with("trebuchet: Dora is not a player of these games. Players: "),
        "{said}"
    );
    assert!(said.contains("Anna, Boris, Clara"), "{said}");
    fs::write(folder.path().join("empty.pgn"), "").unwrap();
    let empty = run(folder.path(), &["exercises", "empty.pgn", "--player", "Dora"]);
    assert_eq!(empty, (1, "trebuchet: there is no game\n".to_owned()));
    assert!(!folder.path().join("exercises.html").exists());
    // Without a mistake there is a page that says so.
    fs::write(folder.path().join("draw.pgn"), "[White \"Dora\"]\n\n1. e4 e5 1/2-1/2\n").unwrap();
    let (status, said) = run(folder.path(), &["exercises", "draw.pgn", "--player", "dora"]);
    assert_eq!(status, 0, "{said}");
    let page = fs::read_to_string(folder.path().join("exercises.html")).unwrap();
    assert!(page.contains("In 1 game, no move of yours lost 10% of the winning chances or more."));
}

#[test]
fn a_report_has_the_exercises_of_both_sides_unless_they_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    let (status, said) = run(folder.path(), &["annotate", "games.pgn"]);
    assert_eq!(status, 0, "{said}");
    let page = fs::read_to_string(folder.path().join("games.html")).unwrap();
    let data = data(&page, "exercises");
    let told: Vec<Vec<&str>> = data
        .as_array()
        .unwrap()
        .iter()
        .map(|game| {
            game.as_array().unwrap().iter().map(|it| it["played"].as_str().unwrap()).collect()
        })
        .collect();
    assert_eq!(told.len(), 3);
    assert!(
        told[0].contains(&"Nf6") && told[1].contains(&"Qxe5+") && told[2].contains(&"d6"),
        "{told:?}"
    );
    let (status, said) = run(folder.path(), &["annotate", "games.pgn", "--no-exercises"]);
    assert_eq!(status, 0, "{said}");
    let page = fs::read_to_string(folder.path().join("games.html")).unwrap();
    assert!(!page.contains("id=\"exercises\""));
}
