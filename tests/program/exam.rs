//! `trebuchet exam` as a process.

use std::fs;
use std::path::Path;
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
        ("random", "antichess", 11, 11),
        ("full", "antichess", 13, 12),
        ("random", "suicide", 11, 11),
        ("full", "suicide", 13, 12),
        ("random", "giveaway", 11, 11),
        ("full", "giveaway", 13, 12),
        ("random", "fischerandom", 7, 7),
        ("full", "fischerandom", 5, 4),
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

/// Of the 20 scenes two ask for a move without `go`, and two for none after the end of the game.
#[test]
fn a_bot_that_speaks_uci_passes_all_scenes_that_uci_can_express() {
    let output = exam(&["--protocol", "uci", "--seed", "5", "--", TREBUCHET]);
    let said = text(&output.stdout);
    let last = "20 of 20 points: 16 scenes passed, 0 failed, 4 not tested\n";
    assert!(said.ends_with(last), "{said}");
    let skipped = "skip  answers the first move of its opponent: is not tested here: in UCI no bot \
        moves without `go`\n";
    assert!(said.contains(skipped), "{said}");
    assert_eq!(output.status.code(), Some(0));
    let arguments = ["--protocol", "uci", "--variant", "3check", "--only", "third check", "--"];
    let said = text(&exam(&[&arguments[..], &[TREBUCHET]].concat()).stdout);
    assert!(said.contains("ok    wins by the third check as White\n"), "{said}");
}

/// A bot that knows the commands of UCI alone.
#[cfg(unix)]
const UCI: &str = r#"while read -r line; do case $line in
    uci) echo uciok;;
    isready) echo readyok;;
    go*) echo bestmove e7e8;;
    quit) exit;;
    esac; done"#;

#[cfg(unix)]
#[test]
fn the_protocol_is_found_out() {
    let output = exam(&["--only", "first-move", "--", "sh", "-c", UCI]);
    let said = text(&output.stdout);
    let wanted = "FAIL  makes the first move of the game: plays e7e8: ";
    assert!(said.starts_with(wanted) && said.contains("> position startpos"), "{said}");
    let variant = ["--variant", "3check", "--only", "first-move", "--", "sh", "-c", UCI];
    let said = text(&exam(&variant).stdout);
    assert!(said.contains("does not declare the variant 3check"), "{said}");
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
    let pawns = ["--stage", "pawns", "--variant", "racingkings", "--", TREBUCHET];
    let output = exam(&pawns);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("Racing Kings has no pawns"));
    let output = exam(&["--xboard", "--variant", "horde", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("xboard does not know the rules of Horde"));
    let output = exam(&["--", "/no/such/bot"]);
    assert_eq!(output.status.code(), Some(4));
    let output = exam(&["--scenes", "/dev/zero", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2));
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
    let fen = "6k1/8/8/8/8/8/1P6/6K1 w - - 0 1";
    fs::write(&path, format!("{scene}fen='{fen}'\naccept=['b2b3']\n")).unwrap();
    let bot = BARE.replace("echo b2b3", "echo move b2b3").replace("done=1", "setboard=0 done=1");
    let path = path.to_str().unwrap();
    let said = text(&exam(&["--verbose", "--scenes", path, "--", "sh", "-c", &bot]).stdout);
    assert!(said.starts_with("ok    moves\n"), "{said}");
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    let edit = ["> edit", "> #", "> Kg1", "> Pb2", "> c", "> Kg8", "> ."];
    assert!(lines.windows(edit.len()).any(|window| window == edit), "{said}");
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

/// The two files of the docs for an autograder of Gradescope, with folders of our own.
#[cfg(unix)]
#[test]
fn the_autograder_of_the_docs_writes_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["source", "results"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    std::os::unix::fs::symlink(TREBUCHET, root.join("source/trebuchet")).unwrap();
    make_bot(&root.join("submission"), "true");
    let script = include_str!("../../docs/gradescope/run_autograder");
    let script = script.replace("/autograder", root.to_str().unwrap());
    let script = script.replace("--stage pawns", "--stage pawns --only first-move");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results = fs::read_to_string(root.join("results/results.json")).unwrap();
    assert!(results.contains("\"status\": \"passed\""), "{results}");
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
    assert_eq!(exam(&arguments).status.code(), Some(4));
    assert_eq!(fs::read_to_string(&page).unwrap(), "my notes");
}

/// A folder with a bot that is built by `make build` and run by `make run`: a stage of our own.
fn make_bot(folder: &Path, build: &str) {
    fs::create_dir_all(folder).unwrap();
    let run = format!("@{TREBUCHET} --stage pawns");
    fs::write(folder.join("Makefile"), format!("build:\n\t{build}\nrun:\n\t{run}\n")).unwrap();
}

#[cfg(unix)]
#[test]
fn a_folder_is_built_and_run_and_all_forms_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (bot, out) = (folder.path().join("team 7"), folder.path().join("out"));
    make_bot(&bot, "touch built");
    fs::create_dir(&out).unwrap();
    let files = ["json", "csv", "junit", "gradescope", "classroom50", "html"];
    let forms: Vec<String> = files
        .iter()
        .flat_map(|form| [format!("--{form}"), out.join(form).to_str().unwrap().to_owned()])
        .collect();
    let mut arguments = vec!["--stage", "pawns", "--only", "first-move", bot.to_str().unwrap()];
    arguments.extend(forms.iter().map(String::as_str));
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(bot.join("built").exists());
    let read = |form: &str| fs::read_to_string(out.join(form)).unwrap();
    let gradescope = read("gradescope");
    assert!(gradescope.contains("\"status\": \"passed\""), "{gradescope}");
    assert!(read("classroom50").contains("\"schema\": \"classroom50/result/v1\""));
    assert!(read("junit").contains("tests=\"1\" failures=\"0\""));
    assert!(
        read("csv")
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("team 7,pawns,normal,first-move,passed,1,1,")
    );
    assert!(read("html").contains("<h1>team 7</h1>"));
    // A file of another form is not replaced.
    fs::write(out.join("csv"), "my own notes").unwrap();
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(read("csv"), "my own notes");
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

#[cfg(unix)]
#[test]
fn a_build_that_fails_is_a_result() {
    let folder = tempfile::tempdir().unwrap();
    make_bot(folder.path(), "echo 'bot.c:3: missing ;' >&2; exit 3");
    let page = folder.path().join("page.html");
    let arguments =
        ["--stage", "pawns", folder.path().to_str().unwrap(), "--html", page.to_str().unwrap()];
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("        bot.c:3: missing ;\n") && !said.contains("skip"), "{said}");
    let last = said.lines().last().unwrap();
    let problem = "the bot cannot be built: `make build` fails (exit status: 2)";
    assert_eq!(
        last,
        format!("0 of 19 points: 0 scenes passed, 0 failed, 19 not tested; {problem}")
    );
    assert!(fs::read_to_string(page).unwrap().contains("bot.c:3: missing ;"));
}

#[cfg(unix)]
#[test]
fn a_class_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (class, out) = (folder.path().join("class"), folder.path().join("out"));
    make_bot(&class.join("good"), "true");
    make_bot(&class.join("broken"), "false");
    fs::create_dir(class.join("empty")).unwrap();
    fs::write(class.join("notes.txt"), "no bot").unwrap();
    let (class_, out_) = (class.to_str().unwrap(), out.to_str().unwrap());
    let arguments =
        ["--stage", "pawns", "--only", "first-move", "--class", class_, "--output", out_];
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.starts_with("bots: 3, of these to examine: 3, examined before: 0; scenes: 1."),
        "{said}"
    );
    let table = "bot,points,of,elo,problem,first-move\r\n\
        good,1,1,,,1\r\n\
        broken,0,1,,cannot be built: `make build` fails (exit status: 2),0\r\n\
        empty,0,1,,cannot be built: `make build` fails (exit status: 2),0\r\n";
    assert_eq!(fs::read_to_string(out.join("class.csv")).unwrap(), table);
    // The page of a bot shows no other bot.
    let page = fs::read_to_string(out.join("bots/broken.html")).unwrap();
    assert!(page.contains("<h1>broken</h1>") && !page.contains("good"), "{page}");
    let whole = fs::read_to_string(out.join("class.html")).unwrap();
    assert!(["good", "broken", "empty"].iter().all(|name| whole.contains(name)));
    // The results of one bot are lost; the others are not examined again.
    fs::remove_file(out.join("bots/good.json")).unwrap();
    make_bot(&class.join("broken"), "true");
    let said = text(&exam(&arguments).stdout);
    assert!(
        said.starts_with("bots: 3, of these to examine: 1, examined before: 2; scenes: 1."),
        "{said}"
    );
    assert!(said.contains("\ngood: 1 of 1 point: "), "{said}");
    assert_eq!(fs::read_to_string(out.join("class.csv")).unwrap(), table);
    // Results do not go among the bots.
    let inside = class.join("results");
    let output = exam(&["--class", class_, "--output", inside.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn the_bots_of_a_class_play_against_the_levels_and_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (class, out) = (folder.path().join("class"), folder.path().join("out"));
    make_bot(&class.join("a"), "true");
    make_bot(&class.join("b"), "true");
    make_bot(&class.join("broken"), "false");
    let (class, out_) = (class.to_str().unwrap(), out.to_str().unwrap());
    let mut arguments = vec!["--stage", "pawns", "--only", "first-move", "--class", class];
    arguments.extend(["--output", out_, "--ladder", "2", "--tournament", "2", "--tc", "2+0.02"]);
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("\nTournament of 2 bots: 2 games, "), "{said}");
    // A bot that resigns without pawn moves beats no level.
    let page = fs::read_to_string(out.join("bots/a.html")).unwrap();
    assert!(page.contains("against Beginner: 0 of 2 points: 0 won, 0 drawn, 2 lost"), "{page}");
    assert!(!page.contains("against Amateur") && page.contains("so it met no stronger one"));
    // The games can be stepped through.
    assert!(page.contains("<a href=\"a.games.html\">"), "{page}");
    let stepped = fs::read_to_string(out.join("bots/a.games.html")).unwrap();
    assert_eq!(stepped.matches("<article").count(), 2);
    assert!(page.contains("<strong>Elo: </strong>Below "), "{page}");
    let games = |file: &str| fs::read_to_string(out.join(file)).unwrap().matches("[Event ").count();
    assert_eq!((games("bots/a.pgn"), games("games.pgn")), (2, 2));
    let table = fs::read_to_string(out.join("tournament.csv")).unwrap();
    let places: Vec<&str> = table.lines().collect();
    assert_eq!(places[0], "place,bot,points,games,direct,sonneborn-berger");
    assert_eq!(places.len(), 3);
    assert!(fs::read_to_string(out.join("class.html")).unwrap().contains("Sonneborn-Berger"));
    // The ladder is not played again, but for another clock.
    assert!(page.contains("<p>2 games against each level with the clock 2+0.02.</p>"), "{page}");
    assert!(text(&exam(&arguments).stdout).starts_with("bots: 3, of these to examine: 0, "));
    // The tournament goes on after an interruption: a game that is there is not played again.
    let pgn = fs::read_to_string(out.join("games.pgn")).unwrap();
    let first = &pgn[..pgn.rfind("[Event ").unwrap()];
    fs::write(out.join("games.pgn"), first).unwrap();
    let said = text(&exam(&arguments).stdout);
    assert!(said.contains(", 1 were played before.\n"), "{said}");
    assert!(fs::read_to_string(out.join("games.pgn")).unwrap().starts_with(first));
    assert_eq!(games("games.pgn"), 2);
    // Two bots are enough for a Swiss tournament, if that is wanted; the games are the same.
    let said = text(&exam(&[&arguments[..], &["--swiss", "2"]].concat()).stdout);
    assert!(said.contains("\nSwiss tournament of 2 bots: 2 games, "), "{said}");
    let other = [&arguments[..arguments.len() - 1], &["1+0.02"]].concat();
    fs::remove_file(out.join("games.pgn")).unwrap();
    assert!(text(&exam(&other).stdout).starts_with("bots: 3, of these to examine: 2, "));
    fs::write(out.join("games.pgn"), pgn.replace("\"a\"", "\"z\"")).unwrap();
    let foreign = exam(&arguments);
    assert_eq!(foreign.status.code(), Some(4));
    let error = text(&foreign.stderr);
    assert!(error.contains("without this file the tournament begins anew"), "{error}");
    let alone = exam(&["--ladder", "2", "--", TREBUCHET]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(text(&alone.stderr).contains("--pgn FILE"));
}
