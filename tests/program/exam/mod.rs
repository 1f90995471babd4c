//! `trebuchet exam` as a process.

use std::fs;
use std::process::{Command, Output};

use trebuchet::play::Stage;
use trebuchet::variants::VariantId;

#[cfg(unix)]
mod folders;
mod uci;

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

fn exam(arguments: &[&str]) -> Output {
    Command::new(TREBUCHET).arg("exam").args(arguments).output().unwrap()
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

/// What the exam says of a bot written for the shell in one scene.
#[cfg(unix)]
fn verdict_on(script: &str, scene: &str) -> String {
    text(&exam(&["--only", scene, "--", "sh", "-c", script]).stdout)
}

/// Examines a stage of our own.
fn stage(name: &str, variant: &str) -> Output {
    exam(&["--stage", name, "--variant", variant, "--seed", "5", "--", TREBUCHET, "--stage", name])
}

#[test]
fn the_stages_pass_their_scenes_in_every_game() {
    let cases = [
        ("pawns", "normal", 19, 19),
        ("pawns", "3check", 19, 19),
        ("random", "normal", 22, 22),
        ("random", "kingofthehill", 22, 22),
        ("full", "normal", 24, 20),
        ("full", "3check", 24, 20),
        ("pawns", "crazyhouse", 18, 18),
        ("random", "crazyhouse", 24, 24),
        ("full", "crazyhouse", 24, 21),
        ("random", "racingkings", 6, 6),
        ("full", "racingkings", 12, 9),
        ("pawns", "horde", 8, 8),
        ("random", "horde", 6, 6),
        ("full", "horde", 9, 7),
        ("random", "atomic", 20, 20),
        ("full", "atomic", 22, 18),
        ("pawns", "antichess", 8, 8),
        ("random", "antichess", 11, 11),
        ("full", "antichess", 13, 12),
        ("random", "suicide", 11, 11),
        ("full", "suicide", 13, 12),
        ("random", "giveaway", 11, 11),
        ("full", "giveaway", 13, 12),
        ("random", "fischerandom", 7, 7),
        ("full", "fischerandom", 5, 4),
        ("random", "3check", 22, 22),
        ("pawns", "fischerandom", 2, 2),
        ("pawns", "kingofthehill", 19, 19),
        ("full", "kingofthehill", 24, 20),
        ("pawns", "atomic", 13, 13),
        ("pawns", "suicide", 8, 8),
        ("pawns", "giveaway", 8, 8),
    ];
    for (variant, stage) in VariantId::ALL.iter().flat_map(|id| Stage::ALL.map(|stage| (id, stage)))
    {
        let key = (stage.name(), variant.name());
        let is_there = cases.iter().any(|case| (case.0, case.1) == key);
        assert!(is_there || key == ("pawns", "racingkings"), "{key:?}");
    }
    for (name, variant, points, scenes) in cases {
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
    assert!(resigns.ends_with(" instead of resigning"), "{resigns}");
    assert_eq!(
        line("ok    blocks a check as Black"),
        "ok    blocks a check as Black",
        "only one move is legal there"
    );
}

/// It wants the word `usermove`, which it has not declared, and so keeps no board.
#[cfg(unix)]
#[test]
fn a_bot_that_refuses_the_moves_of_a_scene_fails_in_it() {
    let script = r#"while read -r line; do case $line in
        protover*) echo feature ping=1 done=1;;
        ping*) echo "pong ${line#ping }";;
        [a-h][1-8][a-h][1-8]) echo "Error (unknown command): $line";;
        go) echo move a2a3;;
        quit) exit;;
        esac; done"#;
    let said = verdict_on(script, "takes-over-white");
    let wanted = "FAIL  takes over White in the middle of a game: does not understand the move ";
    assert!(said.starts_with(wanted), "{said}");
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
    let said = verdict_on(BARE, "first-move");
    let wanted = "FAIL  makes the first move of the game: writes `b2b3` without `move` before it\n";
    assert!(said.starts_with(wanted), "{said}");
    assert!(said.contains("\n        > go\n        < b2b3\n        why: "), "{said}");
    assert!(said.ends_with("\n0 of 1 point: 0 scenes passed, 1 failed, 0 not tested\n"), "{said}");
}

/// It hangs, so that it does not answer the next `ping` either.
#[cfg(unix)]
#[test]
fn a_bot_that_hangs_in_the_game_before_is_told_so() {
    let bot = BARE.replace("echo b2b3", "sleep 60");
    let said = verdict_on(&bot, "new-game-white");
    let wanted =
        "FAIL  begins another game as White: does not move within 10 s in the game before\n";
    assert!(said.starts_with(wanted), "{said}");
}

/// Such as one whose output is not flushed. Its silence is right in no scene.
#[cfg(unix)]
#[test]
fn a_bot_that_writes_nothing_at_all_passes_no_scene() {
    let mated = ["--protocol", "cecp", "--only", "is-mated", "--"];
    let said = text(&exam(&[&mated[..], &["sleep", "1000"]].concat()).stdout);
    let wanted = "FAIL  does not move when it is mated: has written nothing to standard output since its start; \
        is its output flushed after each line?\n";
    assert!(said.starts_with(wanted), "{said}");
    // A bot of the first version of the protocol declares no features.
    let old = "while read -r line; do case $line in force) f=1;; new) f=;; go) \
        [ $f ] || echo move e2e4;; [a-h][1-8]*) [ $f ] || echo move d2d4;; esac; done";
    let said = text(&exam(&[&mated[..], &["sh", "-c", old]].concat()).stdout);
    assert!(said.starts_with("ok    does not move when it is mated\n"), "{said}");
}

/// With `reuse=0`, which xboard obeys, too. This bot ends at the second game.
#[cfg(unix)]
#[test]
fn a_bot_that_plays_one_game_gets_a_new_process_for_each() {
    let bot = BARE.replace("ping=1", "ping=1 reuse=0").replace("echo b2b3", "echo move b2b3");
    let bot =
        format!("games=; {}", bot.replace("quit)", "new) [ $games ] && exit; games=1;; quit)"));
    let folder = tempfile::tempdir().unwrap();
    let scenes = folder.path().join("three.toml");
    let scene = |id: &str, more: &str| {
        format!("[[scene]]\nid='{id}'\ntitle='{id}'\nwhy='w'\nstages=['full']\n{more}\n")
    };
    let all = [scene("a", ""), scene("b", "after-game=true"), scene("c", "")].concat();
    fs::write(&scenes, all).unwrap();
    let said = text(&exam(&["--scenes", scenes.to_str().unwrap(), "--", "sh", "-c", &bot]).stdout);
    let wanted =
        "ok    a\nskip  b: is not tested here: with `reuse=0` a process plays one game\nok    c\n";
    assert!(said.starts_with(wanted), "{said}");
    assert!(said.ends_with("2 of 2 points: 2 scenes passed, 0 failed, 1 not tested\n"), "{said}");
}

/// Its move would be taken for one of the next scene.
#[cfg(unix)]
#[test]
fn a_slow_move_after_the_end_of_the_game_is_seen() {
    let slow = BARE.replace("echo b2b3", "sleep 1; echo move b2b3");
    for bot in [slow.clone(), slow.replace("ping=1", "ping=0")] {
        let said = verdict_on(&bot, "is-mated");
        let wanted = "FAIL  does not move when it is mated: plays b2b3 although the game is over: ";
        assert!(said.starts_with(wanted), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_scene_that_is_passed_at_the_second_try_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let tried = folder.path().join("tried");
    let tried = tried.display();
    let go = format!("[ -e {tried} ] && echo move b2b3; touch {tried}; echo b2b3");
    let bot = BARE.replace("echo b2b3", &go);
    let scenes = folder.path().join("quick.toml");
    let scene = "[[scene]]\nid='a'\ntitle='moves'\nwhy='w'\nstages=['full']\nseconds=1\n";
    fs::write(&scenes, scene).unwrap();
    let scenes = scenes.to_str().unwrap();
    let said = text(&exam(&["--scenes", scenes, "--", "sh", "-c", &bot]).stdout);
    let wanted = "ok    moves: passes only at the second try; at the first it writes `b2b3` without \
        `move` before it\n";
    assert!(said.starts_with(wanted), "{said}");
}

/// The second process declares no variant.
#[cfg(unix)]
#[test]
fn a_scene_that_is_not_tested_at_the_second_try_is_not_called_passed() {
    let folder = tempfile::tempdir().unwrap();
    let tried = folder.path().join("tried");
    let tried = tried.display();
    let declares = format!("[ -e {tried} ] || echo 'feature variants=\"3check\"'; echo feature");
    let bot = BARE.replace("echo feature", &declares);
    let bot = bot.replace("echo b2b3", &format!("touch {tried}; echo b2b3"));
    let arguments = ["--variant", "3check", "--only", "first-move", "--", "sh", "-c", &bot];
    let said = text(&exam(&arguments).stdout);
    let wanted = "skip  makes the first move of the game: does not declare the variant 3check\n";
    assert!(said.starts_with(wanted), "{said}");
}

#[cfg(unix)]
#[test]
fn what_a_bot_says_after_its_move_is_heard() {
    let failure = |bot: &str| {
        let said = verdict_on(bot, "first-move");
        let first = said.lines().next().unwrap_or_default().to_owned();
        let reason = first.strip_prefix("FAIL  makes the first move of the game: ");
        reason.unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    let cecp = |more: &str| BARE.replace("echo b2b3", &format!("echo move b2b3; echo {more}"));
    let claim = "claims 1-0 after its move although the game goes on";
    assert_eq!(failure(&cecp("'1-0 {White mates}'")), claim);
    assert_eq!(failure(&cecp("'1-0 {White mates}'").replace("ping=1", "ping=0")), claim);
    assert_eq!(failure(&cecp("resign")), "resigns after its move");
    let twice = "plays e2e4 although it has moved already";
    assert_eq!(failure(&cecp("move e2e4")), twice);
    let uci = uci::UCI.replace("bestmove e7e8", "bestmove e2e4; echo bestmove e2e4");
    assert_eq!(failure(&uci), twice);
}

/// Some bots call every command illegal that they do not know, and move nevertheless.
#[cfg(unix)]
#[test]
fn a_complaint_about_another_command_refuses_no_move() {
    let bot = BARE.replace("b2b3", "move b2b3");
    let complains = bot.replace("quit)", "level*|otim*) echo \"Illegal move: $line\";;\n    quit)");
    let output = exam(&["--only", "first-move", "--", "sh", "-c", &complains]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let refuses = bot.replace("quit)", "usermove*) echo \"Illegal move: $line!\";;\n    quit)");
    let said = verdict_on(&refuses, "first-answer");
    assert!(said.contains(": calls the legal move "), "{said}");
}

#[cfg(unix)]
#[test]
fn failures_for_the_same_reason_name_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let scenes = folder.path().join("two.toml");
    let scene =
        |id: &str| format!("[[scene]]\nid='{id}'\ntitle='{id}'\nwhy='w'\nstages=['full']\n");
    fs::write(&scenes, scene("begins") + &scene("begins-again")).unwrap();
    let output = exam(&["--scenes", scenes.to_str().unwrap(), "--", "sh", "-c", BARE]);
    let said = text(&output.stdout);
    let heads: Vec<&str> = said.lines().filter(|line| line.starts_with("FAIL")).collect();
    let reason = "writes `b2b3` without `move` before it";
    let first = format!("FAIL  begins: {reason}");
    let second = format!("FAIL  begins-again: {reason} (as in begins)");
    assert_eq!(heads, [first, second], "{said}");
}

/// The machine may be busy now and then.
#[cfg(unix)]
#[test]
fn what_is_late_is_tried_again_in_each_scene_of_a_bot_that_moves() {
    let folder = tempfile::tempdir().unwrap();
    let scenes = folder.path().join("three.toml");
    let scene = |id: &str| {
        format!("[[scene]]\nid='{id}'\ntitle='{id}'\nwhy='w'\nstages=['full']\nseconds=1\n")
    };
    fs::write(&scenes, ["a", "b", "c", "d"].map(scene).concat()).unwrap();
    let count = folder.path().join("count");
    fs::write(&count, "").unwrap();
    // A scene is played twice if it fails.
    let go = format!(
        "echo >> {0}; case $(grep -c '' {0}) in 1|5|7) echo move b2b3;; *) sleep 60;; esac",
        count.display()
    );
    let bot = BARE.replace("echo b2b3", &go);
    let said = text(&exam(&["--scenes", scenes.to_str().unwrap(), "--", "sh", "-c", &bot]).stdout);
    let heads = said.lines().filter(|line| line.starts_with("FAIL") || line.starts_with("ok"));
    let again = "passes only at the second try; at the first it does not move within 1 s";
    assert_eq!(
        heads.collect::<Vec<_>>(),
        [
            "ok    a".to_owned(),
            "FAIL  b: does not move within 1 s".to_owned(),
            format!("ok    c: {again}"),
            format!("ok    d: {again}"),
        ],
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn what_a_bot_does_not_declare_is_not_tested() {
    let output = exam(&["--variant", "3check", "--only", "first-move", "--", "sh", "-c", BARE]);
    let said = text(&output.stdout);
    let wanted = "skip  makes the first move of the game: does not declare the variant 3check\n";
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
    assert!(said.contains(" as White: has ended"), "{said}");
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
        mirror = false
        fen = "6k1/5ppp/8/8/8/8/5PPP/R3K2R w KQ - 0 1"
        accept = ["wins"]
        "#,
    )
    .unwrap();
    let (scenes, json) = (scenes.to_str().unwrap(), json.to_str().unwrap());
    let output = exam(&["--scenes", scenes, "--json", json, "--", TREBUCHET]);
    assert_eq!(
        text(&output.stdout),
        "ok    mates on the back rank\n3 of 3 points: 1 scene passed, 0 failed, 0 not tested\n"
    );
    let report = fs::read_to_string(json).unwrap();
    for line in [
        r#"  "stage": "full","#,
        r#"  "points": 3,"#,
        r#"      "verdict": "passed","#,
        r#"      "fen": "6k1/5ppp/8/8/8/8/5PPP/R3K2R w KQ - 0 1","#,
    ] {
        assert!(report.lines().any(|found| found == line), "{line}: {report}");
    }
    // The scenes are not replaced by the results.
    let output = exam(&["--scenes", scenes, "--json", scenes, "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
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
    let too_many = refusal(&format!("{scene}points=1001"), &[]);
    assert!(too_many.contains("scene a: `points` is at most 1000"), "{too_many}");
    assert!(refusal(&format!("{scene}{scene}"), &[]).contains("scene a: this id stands twice"));
    assert!(refusal(scene, &["--only", "castles"]).contains("`castles`"));
    assert!(
        refusal(scene, &["--stage", "pawns"]).contains("no scenes of the stage pawns in Chess")
    );
    let pawns = ["--stage", "pawns", "--variant", "racingkings", "--", TREBUCHET];
    let output = exam(&pawns);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("Racing Kings has no pawns"));
    let output = exam(&["--xboard", "--variant", "horde", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("xboard does not know the rules of Horde"));
    for of_a_class in ["--tournament=2", "--concurrency=2"] {
        let output = exam(&[of_a_class, folder.path().to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{of_a_class}");
    }
    let output = exam(&["--dir", "/no/such/folder", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("/no/such/folder: "), "{}", text(&output.stderr));
    let output = exam(&["--", "/no/such/bot"]);
    assert_eq!(output.status.code(), Some(4));
    let output = exam(&["--scenes", "/dev/zero", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2));
    let twice = folder.path().join("results");
    let twice = twice.to_str().unwrap();
    for more in [&["--csv", twice][..], &["--ladder", "--pgn", twice]] {
        let output = exam(&[&["--json", twice], more, &["--", "/no/such/bot"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("named for two results"));
    }
}

/// Own scenes stand beside the built-in ones, and tell how long the bot may think.
#[cfg(unix)]
#[test]
fn own_scenes_stand_beside_the_built_in_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    let scene = "title='makes the first move in time'\nwhy='w'\nstages=['full']\nseconds=1\n";
    fs::write(&path, format!("[[scene]]\nid='in-time'\n{scene}")).unwrap();
    let path_ = path.to_str().unwrap();
    let both = ["--scenes", "built-in", "--scenes", path_, "--only", "makes the first move"];
    let said = text(&exam(&[&both[..], &["--", "sh", "-c", BARE]].concat()).stdout);
    assert!(said.ends_with("\n0 of 2 points: 0 scenes passed, 2 failed, 0 not tested\n"), "{said}");
    assert!(said.contains("> time 100\n"), "{said}");
    fs::write(&path, format!("[[scene]]\nid='first-move'\n{scene}")).unwrap();
    let output = exam(&[&both[..], &["--", TREBUCHET]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("scene first-move: another list has this id, too"));
}

/// A bot that does not declare `setboard` gets a position by `edit`, as from xboard.
#[cfg(unix)]
#[test]
fn a_position_is_set_up_by_edit_without_setboard() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    let scene = "[[scene]]\nid='a'\ntitle='moves'\nwhy='w'\nstages=['full']\nmirror=false\n";
    let set_up = |fen: &str, mv: &str, edit: &[&str]| {
        fs::write(&path, format!("{scene}fen='{fen}'\naccept=['{mv}']\n")).unwrap();
        let bot =
            BARE.replace("b2b3", &format!("move {mv}")).replace("done=1", "setboard=0 done=1");
        let path = path.to_str().unwrap();
        let said = text(&exam(&["--verbose", "--scenes", path, "--", "sh", "-c", &bot]).stdout);
        assert!(said.starts_with("ok    moves\n"), "{said}");
        let lines: Vec<&str> = said.lines().map(str::trim).collect();
        assert!(lines.windows(edit.len()).any(|window| window == edit), "{said}");
    };
    let white = ["> edit", "> #", "> Kg1", "> Pb2", "> c", "> Kg8", "> ."];
    set_up("6k1/8/8/8/8/8/1P6/6K1 w - - 0 1", "b2b3", &white);
    // A move of White gives Black the turn. It has the form of all other moves.
    let black = ["> usermove a2a3", "> edit", "> #", "> Kg1", "> c", "> Pb7", "> Kg8", "> ."];
    set_up("6k1/1p6/8/8/8/8/8/6K1 b - - 0 1", "b7b6", &black);
}

/// The ladder of other engines ends where the bot scores nothing.
#[cfg(unix)]
#[test]
fn the_ladder_may_have_other_engines() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let opponent = |name: &str| format!("name={name} cmd={TREBUCHET} arg=--stage arg=random");
    let (weak, strong) = (opponent("Weak"), opponent("Strong"));
    let mut arguments = vec!["--stage", "pawns", "--only", "first-move", "--tc", "2+0.02"];
    arguments.extend(["--pgn", pgn.to_str().unwrap(), "--opponent", &weak, "--opponent", &strong]);
    arguments.extend(["--ladder", "2", "--", TREBUCHET, "--stage", "pawns"]);
    let said = text(&exam(&arguments).stdout);
    assert!(said.contains("\nagainst Weak: "), "{said}");
    // Their strength is not known.
    assert!(!said.contains("against Beginner") && !said.contains("Elo"), "{said}");
    assert!(fs::read_to_string(pgn).unwrap().contains("\"Weak\""));
}

#[test]
fn scenes_are_listed() {
    let output = exam(&["--list", "--stage", "pawns", "--only", "first-move"]);
    let in_words = exam(&["scenes", "--stage", "pawns", "--only", "first-move"]);
    assert_eq!(text(&in_words.stdout), text(&output.stdout));
    assert_eq!(
        text(&output.stdout),
        "first-move             1 point: the bot makes the first move of the game\n                       \
         After `new` and `go` the bot plays White.\n                       \
         The bot is told to go as White. Accepted: every move that the rules and the stage allow.\n"
    );
}

#[test]
fn a_reader_may_leave_the_list() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(TREBUCHET).args(["exam", "--list"]).stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn without_a_bot_all_ways_to_name_one_are_told() {
    let output = exam(&["--stage", "pawns"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(["FOLDER", "--class", "after `--`"].iter().all(|way| told.contains(way)), "{told}");
}

#[test]
fn scenes_are_shown_with_their_boards() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("scenes.html");
    let path = page.to_str().unwrap();
    let arguments = ["--list", "--stage", "random", "--variant", "atomic", "--html", path];
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("<article").count(), 20);
    // After a king has exploded there is no position to draw.
    assert_eq!(html.matches("<svg").count(), 19);
    assert!(html.contains("The bot does not take with its king"));
    assert!(html.contains("<p>The bot plays Black from the start and answers.</p>"));
    assert!(html.contains("<p>Accepted: castling</p>") || html.contains("<p>Accepted: e1g1</p>"));
    let output = exam(&["--list", "--json", path]);
    assert_eq!(output.status.code(), Some(2));
    fs::write(&page, "my notes").unwrap();
    assert_eq!(exam(&arguments).status.code(), Some(2));
    assert_eq!(fs::read_to_string(&page).unwrap(), "my notes");
}

#[test]
fn the_page_unfolds_the_dialogues_of_failures_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (scenes, page) = (folder.path().join("own.toml"), folder.path().join("page.html"));
    let scene = |id: &str, accepted: &str| {
        format!(
            "[[scene]]\nid = \"{id}\"\ntitle = \"plays {id}\"\nwhy = \"\"\nstages = [\"full\"]\nmirror = false\n\
             fen = \"6k1/5ppp/8/8/8/8/5PPP/R3K2R w KQ - 0 1\"\naccept = [\"{accepted}\"]\n"
        )
    };
    fs::write(&scenes, scene("mate", "a1a8") + &scene("nonsense", "a1a2")).unwrap();
    let [scenes, html] = [&scenes, &page].map(|path| path.to_str().unwrap());
    let output = exam(&["--scenes", scenes, "--html", html, "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let page = fs::read_to_string(&page).unwrap();
    let article = |id: &str| {
        let (_, rest) = page.split_once(&format!("<article id=\"{id}\"")).unwrap();
        rest.split_once("</article>").unwrap().0
    };
    let evidence = "<div class=\"evidence\">";
    assert!(article("nonsense").contains(&format!("</p>{evidence}")), "{page}");
    let folded = format!("<details><summary>Position and dialogue</summary>{evidence}");
    assert!(article("mate").contains(&folded), "{page}");
}
