//! The queue of matches as a process.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::matches::bad_engine::describe;

/// Two tests: of one engine against another, and of an engine that cannot be started.
fn tests() -> String {
    let [good, plain] = ["good", "plain"].map(describe);
    format!(
        "[common]\ngames = 2\nmax-moves = 3\nrandom-plies = 0\nstartup = 60\nstall = 60\neach = 'tc=600'\n\n\
         [[test]]\nname = 'first'\nengine = [{good:?}, {plain:?}]\n\n\
         [[test]]\nname = 'missing'\nengine = [{good:?}, 'name=none cmd=/no/such/engine']\n\n\
         [[test]]\nname = 'last'\ngames = 4\nengine = [{plain:?}, {good:?}]\n"
    )
}

fn run(file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trebuchet")).arg("queue").arg(file).output().unwrap()
}

#[test]
fn a_queue_plays_every_test_once_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tests.toml");
    fs::write(&file, tests()).unwrap();
    let run_with_failure = || {
        let output = run(&file);
        assert_eq!(output.status.code(), Some(1), "a test has failed: {output:?}");
        let results = file.with_extension("results");
        let again = format!("to play a test again, remove its line from {}", results.display());
        let told = format!("trebuchet: failed: missing ({again})\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), told);
        output
    };
    let output = run_with_failure();
    let results = folder.path().join("tests.results");
    let lines = fs::read_to_string(&results).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines[0].starts_with("first: +0 -0 =2 of 2"), "{lines:?}");
    assert!(lines[1].starts_with("missing: failed, see "), "{lines:?}");
    assert!(lines[2].starts_with("last: +0 -0 =4 of 4"), "{lines:?}");
    assert_eq!(lines.len(), 3);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);

    // As if the last test had been killed: its games are there, its line is not.
    fs::write(&results, format!("{}\n{}\n", lines[0], lines[1])).unwrap();
    let games = folder.path().join("tests.games/last.pgn");
    let before = fs::read_to_string(&games).unwrap();
    let output = run_with_failure();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), lines[2]);
    assert_eq!(fs::read_to_string(&games).unwrap(), before, "no game is played twice");
    assert_eq!(fs::read_to_string(&results).unwrap().lines().collect::<Vec<_>>(), lines);

    // Nothing is left.
    assert!(run_with_failure().stdout.is_empty());

    // The user has taken the test out.
    let all = tests();
    let others: Vec<&str> = all.split("\n\n").filter(|part| !part.contains("missing")).collect();
    fs::write(&file, others.join("\n\n")).unwrap();
    let output = run(&file);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");

    // The user wants more games of the last test, and other games of the first.
    let changed = others.join("\n\n").replace("games = 4", "games = 6");
    let changed = changed.replace("'first'", "'first'\nmax-moves = 4");
    fs::write(&file, changed).unwrap();
    let output = run(&file);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let told = "trebuchet: played with other settings than the file has now: first, last (";
    assert!(text.starts_with(told) && output.stdout.is_empty(), "{text}");

    // A failed test hides nothing.
    fs::write(&file, all.replace("max-moves = 3", "max-moves = 5")).unwrap();
    let text = String::from_utf8(run(&file).stderr).unwrap();
    assert!(
        text.starts_with("trebuchet: failed: missing (") && text.contains(": first, "),
        "{text}"
    );
}

/// Before the first test, not when the turn of the wrong one comes.
#[test]
fn a_setting_that_no_match_has_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tests.toml");
    fs::write(&file, tests().replace("games = 4", "gmes = 4")).unwrap();
    let output = run(&file);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("tests.toml: test last: unknown field `gmes`"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // What has a result is not asked.
    fs::write(folder.path().join("tests.results"), "first: x\nmissing: x\nlast: x\n").unwrap();
    let output = run(&file);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
}

/// Lines of results are not added to the tests.
#[test]
fn the_results_are_not_the_file_with_the_tests() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tests.results");
    fs::write(&file, tests()).unwrap();
    let output = run(&file);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("tests.results: this is a source; name another file"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), tests());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn without_tests_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&folder.path().join("missing.toml")).status.code(), Some(1));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let file = folder.path().join("tests.toml");
    for (text, message) in [
        ("", "tests.toml: no tests: each one begins with `[[test]]`\n"),
        ("[common]\n\n[[test]\n", "tests.toml:3: "),
    ] {
        fs::write(&file, text).unwrap();
        let output = run(&file);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(message) && errors.lines().count() == 1, "{text}: {errors}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}

/// An editor that removes a line may put a new file in the place of the old one, without an end of the last line. The
/// engine does so here.
#[cfg(unix)]
#[test]
fn results_go_into_the_file_that_has_the_name() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (engine, edited, results) = (path("engine"), path("edited"), path("tests.results"));
    let script = format!("#!/bin/sh\nmv '{}' '{}'\n", edited.display(), results.display());
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(&edited, "second: +1 -0 =1 of 2").unwrap();
    let engine =
        format!("tc = '600'\nengine = ['name=a cmd={0}', 'name=b cmd={0}']", engine.display());
    let tests =
        format!("[[test]]\nname = 'first'\n{engine}\n\n[[test]]\nname = 'second'\n{engine}\n");
    fs::write(path("tests.toml"), tests).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
    command.arg("queue").arg(path("tests.toml")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut queue = command.spawn().unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = queue.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            queue.kill().unwrap();
            panic!("the queue does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(1), "the first test has failed");
    let text = fs::read_to_string(&results).unwrap();
    assert!(text.starts_with("second: +1 -0 =1 of 2\nfirst: failed, see "), "{text}");
    assert_eq!(text.lines().count(), 2);
}

/// A queue that is asked to end takes its match along. A queue that is killed cannot do so: then the next one
/// waits for the match.
#[cfg(target_os = "linux")]
#[test]
fn no_match_is_left_behind_or_played_twice() {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    use crate::matches::interrupt::children_of;
    use crate::process::signal;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tests.toml");
    fs::write(&file, tests().replace("games = 2\n", "games = 100000\n")).unwrap();
    let pgn = folder.path().join("tests.games/first.pgn");
    let size = || fs::metadata(&pgn).map_or(0, |found| found.len());
    let spawn = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
        command.arg("queue").arg(&file).stderr(Stdio::piped()).spawn().unwrap()
    };
    let wait_for_a_game = |queue: &mut Child| {
        let before = size();
        while size() == before {
            assert!(queue.try_wait().unwrap().is_none(), "the queue has ended");
            sleep(Duration::from_millis(20));
        }
    };
    // A queue whose match plays, and the match.
    let start = || -> (Child, String) {
        let mut queue = spawn();
        wait_for_a_game(&mut queue);
        let game = children_of(queue.id()).pop().expect("a match is being played");
        (queue, game)
    };
    let is_there = |process: &str| Path::new(&format!("/proc/{process}")).exists();

    let (queue, game) = start();
    signal("-TERM", &queue.id().to_string());
    let output = queue.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("the test first was broken off (exit status: 130)"), "{text}");
    assert!(!is_there(&game));

    let (mut queue, game) = start();
    let output = run(&file);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("tests.toml: another queue plays these tests"), "{text}");
    queue.kill().unwrap();
    queue.wait().unwrap();
    let mut next = spawn();
    let mut told = String::new();
    BufReader::new(next.stderr.take().unwrap()).read_line(&mut told).unwrap();
    assert!(told.starts_with("the test first is still being played for a queue"), "{told}");
    assert!(is_there(&game) && children_of(next.id()).is_empty());
    signal("-TERM", &game);
    wait_for_a_game(&mut next);
    while is_there(&game) {
        sleep(Duration::from_millis(20));
    }
    signal("-TERM", &next.id().to_string());
    next.wait().unwrap();
}
