//! `trebuchet exam` as a process.

use std::fs;
use std::process::{Command, Output};

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

fn exam(arguments: &[&str]) -> Output {
    Command::new(TREBUCHET).arg("exam").args(arguments).output().unwrap()
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

/// Examines a stage of our own.
fn stage(name: &str, variant: &str) -> Output {
    exam(&["--stage", name, "--variant", variant, "--seed", "5", "--", TREBUCHET, "--stage", name])
}

#[test]
fn the_stages_pass_their_scenes_in_every_game() {
    for (name, variant, points, scenes) in [
        ("pawns", "normal", 19, 19),
        ("pawns", "3check", 19, 19),
        ("random", "normal", 22, 22),
        ("random", "kingofthehill", 22, 22),
        ("full", "normal", 24, 20),
        ("full", "3check", 24, 20),
        ("random", "racingkings", 6, 6),
        ("full", "racingkings", 12, 9),
        ("pawns", "horde", 8, 8),
        ("random", "horde", 6, 6),
        ("full", "horde", 9, 7),
    ] {
        let output = stage(name, variant);
        let last = format!(
            "{points} of {points} points: {scenes} scenes passed, 0 failed, 0 not tested\n"
        );
        let said = text(&output.stdout);
        assert!(said.ends_with(&last), "{name} {variant}: {said}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_bot_of_another_stage_fails_with_reasons() {
    let output = exam(&["--stage", "pawns", "--", TREBUCHET, "--stage", "random"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let line = |start: &str| {
        let line = said.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{start}: {said}")).to_owned()
    };
    let resigns = line("FAIL  resigns as White when no pawn can move: plays ");
    assert!(resigns.ends_with(" instead of resign"), "{resigns}");
    assert_eq!(
        line("ok    blocks a check as Black"),
        "ok    blocks a check as Black",
        "only one move is legal there"
    );
}

/// A bot of one line that answers whatever it is told with a move, but without the word `move`.
#[cfg(unix)]
const BARE: &str = r#"while read -r line; do case $line in
    protover*) echo feature ping=1 usermove=1 done=1;;
    ping*) echo "pong ${line#ping }";;
    go) echo b2b3;;
    quit) exit;;
    esac; done"#;

#[cfg(unix)]
#[test]
fn the_word_that_is_missing_is_named() {
    let output = exam(&["--only", "first-move", "--", "sh", "-c", BARE]);
    let said = text(&output.stdout);
    let wanted = "FAIL  makes the first move of the game: writes `b2b3` without `move` before it\n";
    assert!(said.starts_with(wanted), "{said}");
    assert!(said.contains("\n        > go\n        < b2b3\n        why: "), "{said}");
    assert!(said.ends_with("\n0 of 1 point: 0 scenes passed, 1 failed, 0 not tested\n"), "{said}");
}

#[cfg(unix)]
#[test]
fn what_a_bot_does_not_declare_is_not_tested() {
    let output = exam(&["--variant", "3check", "--only", "first-move", "--", "sh", "-c", BARE]);
    let said = text(&output.stdout);
    let wanted =
        "skip  makes the first move of the game: the bot does not declare the variant 3check\n";
    assert!(said.starts_with(wanted), "{said}");
}

#[cfg(unix)]
#[test]
fn a_bot_that_ends_fails_each_scene_and_the_examination_goes_on() {
    let bot = "read -r line; read -r line; echo feature done=1; read -r line";
    let output = exam(&["--only", "castles short", "--stage", "random", "--", "sh", "-c", bot]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert_eq!(said.lines().filter(|line| line.starts_with("FAIL")).count(), 2, "{said}");
    assert!(said.contains(": the bot "), "{said}");
}

#[test]
fn scenes_of_ones_own_are_read_and_results_written() {
    let folder = tempfile::tempdir().unwrap();
    let (scenes, json) = (folder.path().join("own.toml"), folder.path().join("out.json"));
    fs::write(
        &scenes,
        r#"
        [[scene]]
        id = "back-rank"
        title = "mates on the back rank"
        why = "The king has no way out."
        stages = ["full"]
        points = 3
        fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
        accept = ["a1a8"]
        "#,
    )
    .unwrap();
    let (scenes, json) = (scenes.to_str().unwrap(), json.to_str().unwrap());
    let output = exam(&["--scenes", scenes, "--json", json, "--", TREBUCHET]);
    assert_eq!(
        text(&output.stdout),
        "ok    mates on the back rank\n3 of 3 points: 1 scenes passed, 0 failed, 0 not tested\n"
    );
    let report = fs::read_to_string(json).unwrap();
    for line in [
        r#"  "stage": "full","#,
        r#"  "points": 3,"#,
        r#"      "verdict": "passed","#,
        r#"      "fen": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1","#,
    ] {
        assert!(report.lines().any(|found| found == line), "{line}: {report}");
    }
    // The scenes are not replaced by the results.
    let output = exam(&["--scenes", scenes, "--json", scenes, "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
}

#[test]
fn wrong_arguments_and_scenes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    let refusal = |scenes: &str, more: &[&str]| {
        fs::write(&path, scenes).unwrap();
        let arguments = [&["--scenes", path.to_str().unwrap()], more, &["--", TREBUCHET]].concat();
        let output = exam(&arguments);
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let scene = "[[scene]]\nid='a'\ntitle='moves'\nwhy='w'\nstages=['full']\n";
    assert!(refusal(&format!("{scene}moves='e2e5'"), &[]).contains("scene a: e2e5: "));
    assert!(refusal(&format!("{scene}points=-1"), &[]).contains("points"));
    assert!(refusal(&format!("{scene}{scene}"), &[]).contains("scene a: this id stands twice"));
    assert!(refusal(scene, &["--only", "castles"]).contains("`castles`"));
    assert!(
        refusal(scene, &["--stage", "pawns"]).contains("no scenes of the stage pawns in Chess")
    );
    let output = exam(&["--variant", "fischerandom", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2));
    let pawns = ["--stage", "pawns", "--variant", "racingkings", "--", TREBUCHET];
    let output = exam(&pawns);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("Racing Kings has no pawns"));
    let output = exam(&["--", "/no/such/bot"]);
    assert_eq!(output.status.code(), Some(4));
    let output = exam(&["--scenes", "/dev/zero", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn scenes_are_listed() {
    let output = exam(&["--list", "--stage", "pawns", "--only", "first-move"]);
    assert_eq!(
        text(&output.stdout),
        "first-move             1 point: the bot makes the first move of the game\n                       \
         After `new` and `go` the bot plays White.\n"
    );
}
