//! `trebuchet comply` as a process.

use std::fs;
use std::process::{Command, Output};
#[cfg(unix)]
use std::{fs::File, io::Read, process::Stdio, sync::mpsc::channel, thread, time::Duration};

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

fn comply(arguments: &[&str]) -> Output {
    Command::new(TREBUCHET).arg("comply").args(arguments).output().unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn steps_are_shown_with_their_dialogue_and_rule() {
    let output = comply(&["--only", "three pings", "--verbose", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(0));
    let lines = lines(&output);
    assert_eq!(lines[0], "ok    three pings are answered in order, each once");
    assert_eq!(
        lines[1..7].join("|"),
        "        > ping 1|        > ping 2|        > ping 3|        < pong 1|        < pong 2|        < pong 3"
    );
    assert!(lines[7].starts_with("        rule: "));
    assert_eq!(lines[8], "1 ok, 0 warn, 0 FAIL, 0 skipped");
}

/// An engine of one line: it completes the handshake and then says nothing.
const MUTE: &str = "echo feature ping=1 done=1; while read line; do :; done";

#[cfg(unix)]
#[test]
fn missing_answers_fail() {
    let output = comply(&["--only", "at once when idle", "--", "sh", "-c", MUTE]);
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    assert_eq!(lines[0], "FAIL  `ping` is answered at once when idle: no pong within 1 s");
    assert_eq!(lines[1], "        > ping 1");
    let output = comply(&["--", "/no/such/engine"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be started"));
}

/// Runs the whole examination of a script of the shell.
#[cfg(unix)]
fn examine(script: &str) -> (Option<i32>, Vec<String>, String) {
    let output = comply(&["--", "sh", "-c", script]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), lines(&output), errors)
}

#[cfg(unix)]
#[test]
fn an_engine_that_writes_nothing_is_given_up() {
    let (code, lines, _) = examine(MUTE);
    assert_eq!(code, Some(1));
    let silent = lines.iter().filter(|line| line.ends_with(": the engine does not answer ping"));
    let unheard = lines.iter().filter(|line| line.ends_with(": no pong within 1 s"));
    let pongs = lines.iter().filter(|line| line.contains(": pongs [] to pings "));
    assert_eq!((silent.count(), unheard.count(), pongs.count()), (1, 1, 1), "{lines:#?}");
    let [.., gave_up, counts] = lines.as_slice() else { panic!("{lines:#?}") };
    let not_run = gave_up
        .strip_prefix("gave up: the engine wrote nothing in 3 steps in a row; ")
        .and_then(|rest| rest.strip_suffix(" steps were not run"))
        .unwrap_or_else(|| panic!("{gave_up}"));
    // The steps that were run are those that are shown, each with a word at the beginning of its line.
    let run = lines.iter().filter(|line| !line.starts_with(' ')).count() - 2;
    let sum: usize = counts.split(' ').filter_map(|word| word.parse::<usize>().ok()).sum();
    assert_eq!(sum, run, "{counts}");
    assert!(not_run.parse::<usize>().unwrap() > 60, "{gave_up}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_writes_without_end_is_stopped() {
    let (code, lines, errors) = examine("exec yes");
    assert_eq!((code, lines.len()), (Some(4), 0));
    assert_eq!(errors, "trebuchet: the engine writes without end\n");
    let (code, _, errors) = examine("exec yes feature ping=1");
    assert_eq!(code, Some(4));
    assert_eq!(errors, "trebuchet: the engine declares too many features\n");
}

/// An engine that answers pings and complains about commands that are sent to it unasked.
#[cfg(unix)]
const STRICT: &str = "echo feature ping=1 $FEATURES done=1
while read command rest; do
    case $command in
        ping) echo pong $rest ;;
        ics | rating | name) echo \"Error (unknown command): $command\" ;;
    esac
done";

/// It has no ping, so only a silence would end its answers.
#[cfg(unix)]
#[test]
fn an_engine_that_chatters_without_end_is_examined() {
    let script = "echo feature done=1; while echo '# chatter' 2>/dev/null; do sleep 0.1; done";
    let output = comply(&["--only", "move-after-new", "--", "sh", "-c", script]);
    assert_eq!(output.status.code(), Some(1));
    assert!(lines(&output).last().unwrap().contains(" FAIL, "), "{:?}", lines(&output));
}

#[cfg(unix)]
#[test]
fn commands_that_an_engine_must_ask_for_are_not_sent_unasked() {
    let only = ["--only", "only inform", "--", "sh", "-c"];
    let examine = |features| {
        let script = STRICT.replace("$FEATURES", features);
        lines(&comply(&[&only[..], &[&script]].concat()))
    };
    assert_eq!(examine("")[0], "ok    commands that only inform cause no error");
    assert!(examine("ics=1")[0].ends_with("error message: Error (unknown command): ics"));
    assert!(examine("name=1")[0].ends_with("error message: Error (unknown command): name"));
}

/// An engine that searches to its depth limit, which `new` does not change. It shows no search of one
/// ply, as Sjeng does not.
#[cfg(unix)]
const STUBBORN: &str = "echo feature ping=1 usermove=1 done=1
depth=5
while read command rest; do
    case $command in
        ping) echo pong $rest ;;
        sd) depth=$rest ;;
        go) if [ $depth -gt 1 ]; then echo \"$depth 10 1 100 e2e4\"; fi; echo move e2e4 ;;
    esac
done";

#[cfg(unix)]
#[test]
fn a_limit_that_stays_is_proved_and_does_not_spoil_later_steps() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let examine = |script: &str| {
        let script = format!("echo >> '{}'; {script}", starts.display());
        lines(&comply(&["--only", "forgets `sd`", "--", "sh", "-c", &script]))
    };
    assert_eq!(examine(STUBBORN)[0], "warn  `new` forgets `sd`: it shows depth 2");
    assert_eq!(std::fs::read(&starts).unwrap().len(), 2, "a new process for the next step");
    // Without thinking lines there is no proof.
    let silent = STUBBORN.replace("$depth -gt 1", "$depth -gt 9");
    assert_eq!(examine(&silent)[0], "skip  `new` forgets `sd`: it shows no thinking lines");
}

#[cfg(unix)]
#[test]
fn steps_that_cannot_be_tested_say_why() {
    let examine = |step| step_line(step, STUBBORN);
    let analysis = examine("analyze-shows-thinking");
    assert_eq!(analysis, "FAIL  `analyze` shows thinking and no move: no thinking lines");
    let position = examine("mate-is-claimed");
    assert_eq!(
        position,
        "skip  a mate in one is found, and claimed after the move: not declared: setboard"
    );
    let early = examine("move-now");
    assert_eq!(
        early,
        "skip  `?` makes the engine move at once: it moves too early to be interrupted"
    );
    let error = examine("unknown-command-while-thinking");
    assert_eq!(
        error,
        "skip  an unknown command does not disturb the search: it moves too early to be interrupted"
    );
    let pause = step_line("pause-and-resume", &STUBBORN.replace("ping=1", "ping=1 pause=1"));
    assert_eq!(
        pause,
        "skip  `pause` and `resume` work if declared: it moves too early to be interrupted"
    );
    let hill = examine("king-of-the-hill-win");
    assert!(hill.ends_with(": not declared: kingofthehill"), "{hill}");
}

/// The line of one step in the examination of a script of the shell.
#[cfg(unix)]
fn step_line(step: &str, script: &str) -> String {
    lines(&comply(&["--only", step, "--", "sh", "-c", script])).remove(0)
}

#[cfg(unix)]
#[test]
fn an_engine_may_refuse_to_analyse() {
    let refusal = "analyze) echo 'Error (unknown command): analyze' ;;\n        sd) depth";
    let refuses = STUBBORN.replace("sd) depth", refusal);
    for step in ["analyze-shows-thinking", "analyze-status", "analyze-moves-and-undo"] {
        let line = step_line(step, &refuses);
        assert!(line.starts_with("skip ") && line.ends_with(": it does not analyse"), "{line}");
    }
    let declares = refuses.replace("ping=1", "ping=1 analyze=1");
    let line = step_line("analyze-shows-thinking", &declares);
    assert!(line.starts_with("FAIL "), "{line}");
}

/// It ends when another game begins.
#[cfg(unix)]
#[test]
fn an_engine_that_plays_one_game_gets_a_new_process_for_the_next() {
    let one_game = STUBBORN
        .replace("ping=1", "ping=1 reuse=0")
        .replace("go) if", "new) [ -z \"$played\" ] || exit ;;\n        go) played=1; if");
    let output = comply(&["--only", "`?`", "--", "sh", "-c", &one_game]);
    let lines = lines(&output);
    assert_eq!(lines[1], "ok    `?` when idle does nothing", "{lines:#?}");
    let two_games = step_line("new-is-standard-chess", &one_game);
    assert_eq!(two_games, "skip  `new` means standard chess again: not declared: reuse");
    let twice = step_line("game-start-twice", &one_game);
    assert!(twice.starts_with("skip ") && twice.ends_with(": not declared: reuse"), "{twice}");
}

#[cfg(unix)]
#[test]
fn commands_that_an_engine_switches_off_are_not_sent() {
    let script = STUBBORN.replace("ping=1", "ping=1 draw=0 time=0");
    let offer = step_line("draw-offer", &script);
    assert!(offer.ends_with(": not declared: draw"), "{offer}");
    let hundredth = step_line("hundredth-of-a-second-left", &script);
    assert!(hundredth.ends_with(": not declared: time"), "{hundredth}");
    let output = comply(&["--only", "move-after-go", "--verbose", "--", "sh", "-c", &script]);
    let lines = lines(&output);
    assert!(
        lines[0].starts_with("ok ") && lines.contains(&"        > go".to_owned()),
        "{lines:#?}"
    );
    let is_clock = |line: &&String| line.contains("> time") || line.contains("> otim");
    assert_eq!(lines.iter().find(is_clock), None);
}

/// 100001 is a mate in one move. A mate in more moves, and the values of other protocols, are not.
#[cfg(unix)]
#[test]
fn the_score_of_a_mate_in_one_is_compared() {
    for (score, verdict) in [
        ("100001", "ok    a mate in one has the score 100001"),
        ("100003", "warn  a mate in one has the score 100001: the last score is mate in 3"),
        ("-100001", "warn  a mate in one has the score 100001: the last score is to be mated in 1"),
        ("32766", "warn  a mate in one has the score 100001: the last score is no mate"),
    ] {
        let script = STUBBORN
            .replace("ping=1", "ping=1 setboard=1")
            .replace(" 10 1 ", &format!(" {score} 1 "));
        assert_eq!(step_line("mate-score", &script), verdict);
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_cannot_bear_a_clock_below_zero_is_warned() {
    let script =
        STUBBORN.replace("sd) depth", "time) [ $rest -gt 0 ] || exit ;;\n        sd) depth");
    let line = step_line("clock-below-zero", &script);
    assert!(line.starts_with("warn ") && line.contains(": the engine has ended"), "{line}");
}

#[cfg(unix)]
#[test]
fn an_engine_without_comments_needs_no_debug() {
    let silent = step_line("declares-debug", STUBBORN);
    assert_eq!(silent, "ok    `debug=1` before comments are printed");
    let comments = step_line("declares-debug", &format!("echo '# one'; {STUBBORN}"));
    assert!(comments.ends_with(": debug=1 is not declared"), "{comments}");
    let declares = STUBBORN.replace("ping=1", "ping=1 debug=1");
    let declared = step_line("declares-debug", &format!("echo '# one'; {declares}"));
    assert_eq!(declared, silent);
}

#[test]
fn every_step_has_an_id() {
    let list = comply(&["--list"]);
    assert_eq!(list.status.code(), Some(0));
    let list = lines(&list);
    assert!(list.len() > 100);
    let step = list.iter().find(|line| line.starts_with("ping-in-order ")).unwrap();
    assert!(step.ends_with(" three pings are answered in order, each once"));
    let by_id = comply(&["--only", "ping-in-order", "--", TREBUCHET]);
    let expected = ["ok    three pings are answered in order, each once"];
    assert_eq!(lines(&by_id)[..1], expected);
    assert_eq!(lines(&by_id).len(), 2);
    // The text stands in the names of other steps, too.
    let quit = comply(&["--only", "quit", "--", TREBUCHET]);
    assert_eq!(lines(&quit).len(), 2, "{quit:?}");
    let unknown = comply(&["--only", "ping-in-disorder", "--", TREBUCHET]);
    assert_eq!(unknown.status.code(), Some(2));
    let error = String::from_utf8_lossy(&unknown.stderr);
    assert!(error.contains("`ping-in-disorder`"), "{error}");
}

#[cfg(unix)]
#[test]
fn results_are_written_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.json");
    let path = file.to_str().unwrap();
    let output = comply(&["--only", "three pings", "--json", path, "--", "sh", "-c", MUTE]);
    assert_eq!(output.status.code(), Some(1));
    let json = fs::read_to_string(&file).unwrap();
    for field in [
        "\"fail\": 1",
        "\"not-run\": 0",
        "\"id\": \"ping-in-order\"",
        "\"result\": \"fail\"",
        "\"message\": \"pongs [] to pings [1, 2, 3]\"",
    ] {
        assert!(json.contains(field), "{field} in {json}");
    }
    let output = comply(&["--only", "three pings", "--json", "/no/such/folder/x", "--", TREBUCHET]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/folder/x: "));
}

/// An engine of one line: it completes the handshake, and then neither reads nor writes.
#[cfg(unix)]
const DEAF: &str = "echo feature ping=1 done=1; exec sleep 1000";

#[cfg(unix)]
#[test]
fn an_engine_that_never_reads_fails_in_finite_time() {
    let output = comply(&["--only", "70,000", "--", "sh", "-c", DEAF]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        lines(&output)[0],
        "FAIL  a line of 70,000 characters does no harm: the engine does not read its input"
    );
}

/// The engine is a process of a script, as with `make run`, and hangs.
#[cfg(unix)]
#[test]
fn an_interrupted_examination_leaves_no_process_behind() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let script = format!("sleep 1000 > '{}'; true", pipe.display());
    let mut examiner = Command::new(TREBUCHET)
        .args(["comply", "--", "sh", "-c", &script])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The pipe can be opened when the engine runs, and is closed when the engine has ended.
    let mut engine = File::open(&pipe).unwrap();
    crate::process::signal("-INT", &examiner.id().to_string());
    assert_eq!(examiner.wait().unwrap().code(), Some(130));
    let (sender, closed) = channel();
    thread::spawn(move || sender.send(engine.read_to_end(&mut Vec::new()).unwrap()));
    closed.recv_timeout(Duration::from_secs(60)).expect("the engine is left behind");
}

/// The steps of UCI, by id, and their results with an engine.
fn uci_results(command: &[&str], only: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.json");
    let arguments = ["--uci", "--only", only, "--json", file.to_str().unwrap(), "--"];
    let output = Command::new(TREBUCHET)
        .arg("comply")
        .args([&arguments[..], command].concat())
        .env("PATH", format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default()))
        .output()
        .unwrap();
    let json = fs::read_to_string(&file)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert!(json.contains("\"protocol\": \"uci\""), "{json}");
    let value = |line: &str, field: &str| {
        let text = line.trim().strip_prefix(&format!("\"{field}\": \""))?;
        Some(text.trim_end_matches(',').trim_end_matches('"').to_owned())
    };
    let ids = json.lines().filter_map(|line| value(line, "id"));
    ids.zip(json.lines().filter_map(|line| value(line, "result"))).collect()
}

/// The ids of the steps that ended so.
fn with_result<'a>(results: &'a [(String, String)], wanted: &str) -> Vec<&'a str> {
    results.iter().filter(|(_, result)| result == wanted).map(|(id, _)| id.as_str()).collect()
}

/// A UCI engine that knows one move.
#[cfg(unix)]
const UCI: &str = "while read -r command rest; do
    case $command in
        uci) echo id name One; echo uciok ;;
        isready) echo readyok ;;
        go) case $rest in *infinite*) ;; *) echo bestmove e2e4 ;; esac ;;
        stop) echo bestmove e2e4 ;;
        quit) exit ;;
    esac
done";

#[cfg(unix)]
#[test]
fn vices_of_uci_engines_are_found() {
    let result = |script: &str, step: &str| {
        let results = uci_results(&["sh", "-c", script], step);
        let found = results.iter().find(|(id, _)| id == step);
        found.unwrap_or_else(|| panic!("{results:?}")).1.clone()
    };
    for (vice, virtue, step) in [
        (":", "echo uciok", "answers-uci"),
        (":", "echo id name One", "tells-its-name"),
        ("echo Hello; echo uciok", "echo uciok", "only-id-and-options-before-uciok"),
        ("echo option name X type y; echo uciok", "echo uciok", "options-are-well-formed"),
        (":", "echo readyok", "ready-when-idle"),
        ("echo readyok; echo readyok", "echo readyok", "ready-once-each"),
        ("echo bestmove e2e5 ;; esac", "echo bestmove e2e4 ;; esac", "move-in-the-start-position"),
        (
            "echo bestmove e2e4; echo bestmove e2e4 ;; esac",
            "echo bestmove e2e4 ;; esac",
            "one-bestmove-for-each-go",
        ),
        ("echo bestmove e2e4 ;; *)", ";; *)", "infinite-waits-for-stop"),
        ("stop) :", "stop) echo bestmove e2e4", "stop-at-once"),
        ("quit) :", "quit) exit", "quit"),
    ] {
        assert!(UCI.contains(virtue));
        let script = UCI.replace(virtue, vice);
        let expected = match step {
            "only-id-and-options-before-uciok" => "warn",
            _ => "fail",
        };
        assert_eq!(result(&script, step), expected, "{step}");
        // The one move that it knows is illegal in the position of that step.
        if step != "infinite-waits-for-stop" {
            assert_eq!(result(UCI, step), "ok", "{step}");
        }
    }
}

/// Capital letters make no difference in UCI.
#[cfg(unix)]
#[test]
fn values_of_uci_options_are_compared_without_capital_letters() {
    let option = "name Style type combo default normal var Solid var Normal";
    let script = UCI.replace("echo uciok", &format!("echo option {option}; echo uciok"));
    let results = uci_results(&["sh", "-c", &script], "defaults-are-within-limits");
    assert_eq!(with_result(&results, "ok"), ["defaults-are-within-limits"]);
}

#[cfg(unix)]
#[test]
fn a_check_of_uci_without_its_default_is_a_warning() {
    let script = UCI.replace("echo uciok", "echo option name Ponder type check; echo uciok");
    for (step, result) in
        [("options-are-well-formed", "warn"), ("customary-options-have-their-types", "ok")]
    {
        let results = uci_results(&["sh", "-c", &script], step);
        assert_eq!(with_result(&results, result), [step]);
    }
}

#[cfg(unix)]
#[test]
fn what_an_engine_of_uci_does_not_declare_is_skipped() {
    for step in ["ponder-hit", "multipv-lines", "three-check-win", "chess960-writes-castling"] {
        let results = uci_results(&["sh", "-c", UCI], step);
        assert_eq!(with_result(&results, "skip"), [step]);
    }
}

#[test]
fn steps_of_the_other_protocol_are_told() {
    let message = |arguments: &[&str]| {
        let output = comply(&[arguments, &["--", TREBUCHET]].concat());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let cecp = message(&["--uci", "--only", "ping-in-order"]);
    assert!(cecp.contains("`ping-in-order` is one of CECP: leave out `--uci`"), "{cecp}");
    let uci = message(&["--only", "ponder-hit"]);
    assert!(uci.contains("`ponder-hit` is one of UCI: add `--uci`"), "{uci}");
    let list = lines(&comply(&["--uci", "--list"]));
    assert!(list.iter().any(|line| line.starts_with("ponder-hit ")), "{list:?}");
    assert!(!list.iter().any(|line| line.starts_with("ping-in-order ")), "{list:?}");
}

#[test]
fn trebuchet_speaks_uci() {
    let output = comply(&["--uci", "--only", "legal", "--", TREBUCHET]);
    let lines = lines(&output);
    assert!(lines.len() > 10, "{lines:#?}");
    let bad = lines.iter().find(|line| line.starts_with("warn") || line.starts_with("FAIL"));
    assert_eq!(bad, None, "{lines:#?}");
}

#[test]
#[ignore = "takes a minute"]
fn trebuchet_complies_with_all_of_uci() {
    let results = uci_results(&[TREBUCHET], "");
    assert!(results.len() > 100);
    assert_eq!(with_result(&results, "ok").len(), results.len(), "{results:#?}");
}

/// Good engines: what fails is where they do not keep the protocol.
fn fails_only(engine: &str, expected: &[&str]) {
    let results = uci_results(&[engine], "");
    assert!(with_result(&results, "ok").len() > 70, "{results:#?}");
    assert_eq!(with_result(&results, "fail"), expected, "{engine}");
}

#[test]
#[ignore = "needs Stockfish"]
fn stockfish_complies_with_uci() {
    fails_only("stockfish", &[]);
}

#[test]
#[ignore = "needs Fairy-Stockfish"]
fn fairy_stockfish_complies_with_uci() {
    fails_only("fairy-stockfish", &[]);
}

/// It searches without end for `go nodes`, plays other moves than `searchmoves` says, and takes blanks and
/// tabs for a part of a word.
#[test]
#[ignore = "needs Toga II"]
fn toga_complies_with_uci_but_for_three_rules() {
    fails_only("toga2", &["go-nodes", "searchmoves-are-kept", "white-space-between-words"]);
}

#[test]
#[ignore = "takes a minute"]
fn trebuchet_complies_with_everything() {
    let output = comply(&["--", TREBUCHET]);
    let lines = lines(&output);
    let remarks: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("warn") || line.starts_with("FAIL")).collect();
    assert!(remarks.is_empty(), "{remarks:#?}");
    assert_eq!(output.status.code(), Some(0));
    assert!(lines.len() > 100);
}
