//! Bots that are folders, and classes of them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{TREBUCHET, exam, text};

/// A folder with a bot that is built by `make build` and run by `make run`: a stage of our own.
fn make_bot(folder: &Path, build: &str) {
    fs::create_dir_all(folder).unwrap();
    let run = format!("@{TREBUCHET} --stage pawns");
    fs::write(folder.join("Makefile"), format!("build:\n\t{build}\nrun:\n\t{run}\n")).unwrap();
}

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
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(read("csv"), "my own notes");
}

/// The two files of the docs for an autograder of Gradescope, with folders of our own.
#[test]
fn the_autograder_of_the_docs_writes_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["source", "results"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    std::os::unix::fs::symlink(TREBUCHET, root.join("source/trebuchet")).unwrap();
    make_bot(&root.join("submission"), "true");
    let script = include_str!("../../../docs/gradescope/run_autograder");
    let script = script.replace("/autograder", root.to_str().unwrap());
    let script = script.replace("--stage pawns", "--stage pawns --only first-move");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results = fs::read_to_string(root.join("results/results.json")).unwrap();
    assert!(results.contains("\"status\": \"passed\""), "{results}");
    // Nothing counts that lies there after the examiner was killed, or could not write.
    let ends = root.join("source/ends");
    let script = script.replace("source/trebuchet exam", "source/ends");
    for end in ["kill -9 $$", "exit 2", "exit 101"] {
        fs::write(root.join("results/results.json"), "{}").unwrap();
        fs::write(&ends, format!("#!/bin/sh\n{end}\n")).unwrap();
        let run = format!("chmod +x {}; {script}", ends.display());
        let output = Command::new("sh").args(["-c", &run]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{end}");
        assert!(!root.join("results/results.json").exists(), "{end}");
    }
}

/// Without compilers the bots would get no points.
#[cfg(unix)]
#[test]
fn an_autograder_that_cannot_be_set_up_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir_all(folder.path().join("source")).unwrap();
    fs::create_dir(&bin).unwrap();
    fs::write(folder.path().join("source/trebuchet"), "").unwrap();
    let script = include_str!("../../../docs/gradescope/setup.sh");
    let script = script.replace("/autograder", folder.path().to_str().unwrap());
    let script = format!("PATH={}:$PATH; chmod +x {0}/apt-get; {script}", bin.display());
    for (status, expected) in [(0, 0), (100, 1)] {
        fs::write(bin.join("apt-get"), format!("#!/bin/sh\nexit {status}\n")).unwrap();
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(output.status.code(), Some(expected));
    }
}

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

/// The student sees what is wrong with the file, and not only that the examination has failed.
#[test]
fn a_folder_whose_file_is_wrong_gets_its_results() {
    let folder = tempfile::tempdir().unwrap();
    make_bot(folder.path(), "true");
    fs::write(folder.path().join("exam.toml"), "start = 'x'").unwrap();
    let (path, json) = (folder.path().to_str().unwrap(), folder.path().join("results.json"));
    let output = exam(&["--stage", "pawns", path, "--gradescope", json.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stdout));
    assert!(fs::read_to_string(json).unwrap().contains("exam.toml:1: unknown field `start`"));
}

#[test]
fn a_bot_that_is_built_but_cannot_be_started_is_told_from_one_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Makefile"), "build:\n\ttrue\n").unwrap();
    let output = exam(&["--stage", "pawns", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stdout));
}

#[test]
fn an_opponent_that_cannot_be_started_gives_no_points() {
    let folder = tempfile::tempdir().unwrap();
    make_bot(folder.path(), "true");
    let (pgn, json) = (folder.path().join("games.pgn"), folder.path().join("results.json"));
    let arguments = |opponent| {
        let bot = ["--stage", "pawns", "--only", "first-move", folder.path().to_str().unwrap()];
        let bot = [&bot[..], &["--json", json.to_str().unwrap()]].concat();
        let ladder = ["--ladder", "--pgn", pgn.to_str().unwrap(), "--opponent", opponent];
        [&bot[..], &ladder].concat()
    };
    let output = exam(&arguments("name=Weak cmd=/no/such/engine"));
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stdout));
    let error = text(&output.stderr);
    assert!(error.contains("the opponent Weak cannot be started"), "{error}");
    assert!(!text(&output.stdout).contains("won"), "{}", text(&output.stdout));
    // The scenes are played by then.
    let report = fs::read_to_string(&json).unwrap();
    assert!(
        report.contains("\"verdict\": \"passed\"") && report.contains("\"ladder\": []"),
        "{report}"
    );
    // The games of a league are not replaced.
    let league = "[Event \"League\"]\n\n1. e4 *\n";
    fs::write(&pgn, league).unwrap();
    assert_eq!(exam(&arguments("name=Weak cmd=/no/such/engine")).status.code(), Some(2));
    assert_eq!(fs::read_to_string(&pgn).unwrap(), league);
    // A half of a pair would have one colour alone.
    let odd = exam(&["--ladder", "3", "--pgn", pgn.to_str().unwrap(), "--", TREBUCHET]);
    assert_eq!(odd.status.code(), Some(2));
    assert!(text(&odd.stderr).contains("an even number"), "{}", text(&odd.stderr));
    let folder =
        exam(&["--pgn", pgn.to_str().unwrap(), "--ladder", folder.path().to_str().unwrap()]);
    assert_eq!(folder.status.code(), Some(2));
    let error = text(&folder.stderr);
    assert!(
        error.contains("--ladder takes a number of games; put the FOLDER before it"),
        "{error}"
    );
}

#[test]
fn the_scenes_of_a_bot_are_kept_if_its_ladder_cannot_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let (class, out) = (folder.path().join("class"), folder.path().join("out"));
    ["a", "b"].iter().for_each(|name| make_bot(&class.join(name), "true"));
    let (class, out_) = (class.to_str().unwrap(), out.to_str().unwrap());
    let usual = ["--stage", "pawns", "--only", "first-move", "--concurrency", "1"];
    let usual = [&usual[..], &["--class", class, "--output", out_]].concat();
    let ladder = ["--ladder", "--opponent", "name=Weak cmd=/no/such/engine"];
    let output = exam(&[&usual[..], &ladder].concat());
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stdout));
    let page = fs::read_to_string(out.join("bots/a.html")).unwrap();
    assert!(page.contains("1 passed") && !page.contains("Ladder"), "{page}");
    assert!(!out.join("bots/b.json").exists());
    // Without a ladder the class goes on from there.
    let output = exam(&usual);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("bots: 2, of these to examine: 1, examined before: 1; "), "{said}");
}

/// The second bot is built when the results of the first are there.
#[cfg(target_os = "linux")]
#[test]
fn a_bot_of_a_class_sees_neither_the_others_nor_their_results() {
    let confines = ["--ro-bind", "/", "/", "--proc", "/proc", "--unshare-all", "--", "true"];
    if !Command::new("bwrap").args(confines).status().is_ok_and(|status| status.success()) {
        return;
    }
    // The folder for temporary files is empty for a bot in any case.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (class, out) = (folder.path().join("class"), folder.path().join("out"));
    make_bot(&class.join("first"), "true");
    make_bot(&class.join("second"), "ls .. ../../out > seen");
    let mut arguments = vec!["--stage", "pawns", "--only", "first-move", "--concurrency", "1"];
    arguments.extend(["--class", class.to_str().unwrap(), "--output", out.to_str().unwrap()]);
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let seen = fs::read_to_string(class.join("second/seen")).unwrap();
    assert_eq!(seen, "..:\nsecond\n\n../../out:\n");
    assert!(out.join("class.html").exists());
}

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
    assert!(!said.contains("examine a bot again"), "{said}");
    let table = "bot,points,of,elo,problem,second-tries,first-move\r\n\
        good,1,1,,,0,1\r\n\
        broken,0,1,,cannot be built: `make build` fails (exit status: 2),0,0\r\n\
        empty,0,1,,cannot be built: `make build` fails (exit status: 2),0,0\r\n";
    assert_eq!(fs::read_to_string(out.join("class.csv")).unwrap(), table);
    // The page of a bot shows no other bot.
    let page = fs::read_to_string(out.join("bots/broken.html")).unwrap();
    assert!(page.contains("<h1>broken</h1>") && !page.contains("good"), "{page}");
    let whole = fs::read_to_string(out.join("class.html")).unwrap();
    assert!(["good", "broken", "empty"].iter().all(|name| whole.contains(name)));
    // Another way to run the bots counts as a change.
    let said = text(&exam(&[&arguments[..], &["--confine", "never"]].concat()).stdout);
    assert!(said.contains("of these to examine: 3, "), "{said}");
    assert!(text(&exam(&arguments).stdout).contains("of these to examine: 3, "));
    // The results of one bot are lost; the others are not examined again.
    fs::remove_file(out.join("bots/good.json")).unwrap();
    make_bot(&class.join("broken"), "true");
    let said = text(&exam(&arguments).stdout);
    assert!(
        said.starts_with("bots: 3, of these to examine: 1, examined before: 2; scenes: 1."),
        "{said}"
    );
    let hint = format!("\nTo examine a bot again, remove its file .json from {out_}/bots.\n");
    assert!(said.contains(&hint), "{said}");
    assert!(said.contains("\ngood: 1 of 1 point: "), "{said}");
    assert_eq!(fs::read_to_string(out.join("class.csv")).unwrap(), table);
    // A reader that has left does not end the examination, or change its result.
    fs::remove_dir_all(&out).unwrap();
    let mut unread =
        Command::new(TREBUCHET).arg("exam").args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    drop(unread.stdout.take());
    assert_eq!(unread.wait().unwrap().code(), Some(1));
    assert_eq!(fs::read_to_string(out.join("class.csv")).unwrap().lines().count(), 4);
    // Results do not go among the bots.
    let inside = class.join("results");
    let output = exam(&["--class", class_, "--output", inside.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    // A class that is not there is a wrong argument, as the folder of a bot is.
    let missing = class.join("missing");
    let output = exam(&["--class", missing.to_str().unwrap(), "--output", out_]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    // One bot has no results of a class.
    let alone = ["--stage", "pawns", "--only", "first-move", "--output", out_];
    for bot in [&["--", TREBUCHET][..], &[class.join("good").to_str().unwrap()]] {
        let output = exam(&[&alone[..], bot].concat());
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    }
}

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
    let has_places =
        || fs::read_to_string(out.join("class.html")).unwrap().contains("Sonneborn-Berger");
    assert!(has_places());
    // Without a tournament there are no places, nor those of an earlier run. Its games are kept.
    let without: Vec<&str> = [&arguments[..10], &arguments[12..]].concat();
    assert_eq!(exam(&without).status.code(), Some(1));
    assert!(!has_places() && !out.join("tournament.csv").exists());
    assert_eq!(games("games.pgn"), 2);
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
    assert_eq!(foreign.status.code(), Some(2));
    let error = text(&foreign.stderr);
    assert!(error.contains("without this file the tournament begins anew"), "{error}");
    let alone = exam(&["--ladder", "2", "--", TREBUCHET]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(text(&alone.stderr).contains("--pgn FILE"));
}

/// Their results could not be told apart.
#[test]
fn opponents_of_one_name_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let opponent = format!("name=Weak cmd={TREBUCHET} arg=--stage arg=random");
    let mut arguments = vec!["--stage", "pawns", "--only", "first-move", "--ladder", "2"];
    arguments.extend([
        "--pgn",
        pgn.to_str().unwrap(),
        "--opponent",
        &opponent,
        "--opponent",
        &opponent,
    ]);
    arguments.extend(["--", TREBUCHET, "--stage", "pawns"]);
    let output = exam(&arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("two opponents are called Weak"), "{output:?}");
    assert!(!pgn.exists());
}
