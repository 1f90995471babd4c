//! The settings of a match, from the command line and from a file.

use std::fs;
use std::process::Output;

use super::bad_engine::describe;
use super::{assert_harmless, folder, run};

#[test]
fn the_protocol_of_an_engine_is_found_out() {
    for vice in ["uci-only", "uci-or-death"] {
        let report = assert_harmless(vice, &[]);
        assert!(!report.stderr.contains("protocol"), "{}", report.stderr);
    }
}

#[test]
fn options_that_an_engine_does_not_declare_are_named() {
    let settings = ["--each", "option.Hsah=16 \"option.Skill Level=3\""];
    for protocol in ["uci", "cecp"] {
        let each = format!("{} {protocol}", settings[1]);
        let report = assert_harmless("good", &[settings[0], &each]);
        for option in ["Hsah", "Skill Level"] {
            let remark = format!("good declares no options, so `{option}` may have no effect\n");
            assert_eq!(report.stderr.matches(&remark).count(), 1, "{}", report.stderr);
        }
    }
}

/// Trebuchet takes the constants of its search as options that it does not declare.
#[test]
fn options_that_an_engine_accepts_are_not_named() {
    let program = env!("CARGO_BIN_EXE_trebuchet");
    let (a, b) = (format!("name=a cmd={program}"), format!("name=b cmd={program}"));
    let options =
        "option.aspiration_depth=5 option.Hsah=1 option.rfp_margin=999 option.lmr_check=x";
    let remarks = |protocol: &str, more: &str, expected: &[&str]| {
        let each = format!("proto={protocol} {options} {more}");
        let mut arguments = vec!["--engine", &a, "--engine", &b, "--each", &each];
        arguments.extend(["--depth", "1", "--games", "2", "--max-moves", "2"]);
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("aspiration_depth"), "{stderr}");
        let common = [
            "no such option: Hsah",
            "rfp_margin takes a number from 30 to 250: this counts as 250",
        ];
        for words in common.iter().chain(expected) {
            for name in ["a", "b"] {
                let remark = format!("{name} says: {words}\n");
                assert_eq!(stderr.matches(&remark).count(), 1, "{words}: {stderr}");
            }
        }
    };
    let refused = ["option Hash=lots", "option lmr_check=x"]
        .map(|option| format!("Error (bad argument): {option}"));
    let hash = "Hash takes a number from 1 to 65536: this counts as 65536";
    remarks("cecp", "option.Hash=lots", &[&refused[0], &refused[1]]);
    remarks("cecp", "option.Hash=99999", &[&refused[1], hash]);
    let refused = "bad value of lmr_check: x (expected a number from 0 to 3072)";
    remarks("uci", "", &[refused]);
}

/// Hits and misses come in a game, and the move of a search that was broken off is not taken for an answer.
#[test]
fn engines_ponder_if_their_settings_say_so() {
    let program = env!("CARGO_BIN_EXE_trebuchet");
    let (a, b) = (format!("name=a cmd={program}"), format!("name=b cmd={program}"));
    for (protocol, ponders) in
        [("uci", &["go ponder", "ponderhit", "stop"][..]), ("cecp", &["hard"])]
    {
        let folder = folder();
        let logs = folder.join("logs");
        let each = format!("proto={protocol} ponder");
        let mut arguments = vec!["--engine", &a, "--engine", &b, "--each", &each, "--depth", "4"];
        arguments.extend(["--games", "2", "--max-moves", "20", "--logs", logs.to_str().unwrap()]);
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0));
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(stdout.contains(" of 2 games\n") && !stdout.contains("forfeits"), "{stdout}");
        let files = fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().path());
        let log: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
        for words in ponders {
            assert!(log.contains(&format!(": {words}")), "{words}: {log}");
        }
        assert!(!log.contains(": easy"), "{log}");
    }
}

/// An engine without the option UCI_Variant may know standard chess alone.
#[test]
fn a_game_that_an_engine_does_not_name_is_told() {
    let each = ["--each", "uci", "--variant", "kingofthehill", "--max-moves", "2"];
    let report = assert_harmless("good", &each);
    let remark = "good declares no option `UCI_Variant`, so it may not play kingofthehill\n";
    assert_eq!(report.stderr.matches(remark).count(), 1, "{}", report.stderr);
}

/// A match from a file. Options on the command line come first.
#[test]
fn a_file_has_the_settings_of_a_match() {
    let folder = folder();
    let file = folder.join("match.toml");
    let (first, second) = (describe("good"), describe("plain"));
    let text = format!(
        "# Two engines.\nengine = ['''{first}''', '''{second}''']\ntc = 600\ngames = 4\nrandom-plies = 0\n\
         max-moves = 5\nquiet = true\n"
    );
    fs::write(&file, &text).unwrap();
    let play = |more: &[&str]| run(&[&["--config", file.to_str().unwrap()], more].concat());
    let first_line = |output: &Output| -> String {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        text.lines().next().unwrap_or_else(|| panic!("{errors}")).to_owned()
    };
    assert_eq!(first_line(&play(&[])), "good - plain: +0 -0 =4, 50.0 % of 4 games");
    // `--depth` adds a limit, `--st` replaces the clock.
    let replaced = play(&["--games", "2", "--st", "600", "--max-moves", "3", "--depth", "1"]);
    assert_eq!(first_line(&replaced), "good - plain: +0 -0 =2, 50.0 % of 2 games");
    let other = describe("late-pong");
    let replaced = play(&["--engine", &second, "--engine", &other, "--no-adjudication"]);
    assert_eq!(first_line(&replaced), "plain - late-pong: +0 -0 =4, 50.0 % of 4 games");

    for (wrong, message) in [
        ("games = \"many\"\n", "match.toml:2: games: `many` is not a number from 1 to 10000000"),
        ("st = 0\n", "match.toml:2: st: `0` is not a number of seconds above 0"),
        ("\nvariant = \"shogi\"\n", "match.toml:3: variant: `shogi` is none of: normal, 3check"),
        (
            "gmaes = 3\n",
            "match.toml:2: unknown field `gmaes`, expected one of `engine`, `each`, `variant`,",
        ),
        ("\n\n[[engine]]\ncmd = 'x'\ntc = 'soon'\n", "match.toml:6: tc: `soon` is not a"),
        ("tc = '1\n", "match.toml:2: "),
        ("nodes = 9\n", "a match needs two engines or more"),
        ("tc = 1\nst = 1\n", "match.toml:3: `st` cannot be used with `tc`"),
    ] {
        fs::write(&file, format!("# Comment\n{wrong}")).unwrap();
        let output = play(&[]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(message), "{wrong}: {errors}");
    }
    fs::remove_file(&file).unwrap();
    let errors = String::from_utf8_lossy(&play(&[]).stderr).into_owned();
    assert!(errors.contains("match.toml: No such file"), "{errors}");
}

#[test]
fn bad_arguments_are_reported() {
    for (arguments, message) in [
        (vec!["--engine", "x", "--depth", "1"], "two engines"),
        (vec!["--engine", "x", "--engine", "x", "--depth", "1"], "called x"),
        (vec!["--engine", "x", "--engine", "y"], "x has no limit"),
        (vec!["--engine", "x", "--engine", "y", "--tc", "soon"], "soon"),
        (vec!["--engine", "x", "--engine", "y", "--st", "0"], "not a number of seconds above 0"),
        (vec!["--engine", "x", "--engine", "y", "--depth", "1", "--resume"], "--pgn"),
        (vec!["--engine", "x", "--engine", "y", "--depth", "1", "--sprt", "elo1=0"], "elo0"),
        (
            vec!["--engine", "x", "--engine", "y", "--depth", "1", "--opening-plies", "8"],
            "--openings",
        ),
        (
            vec!["--engine", "x", "--engine", "y", "--shuffle", "--random-plies", "8"],
            "'--shuffle' cannot be used with '--random-plies",
        ),
        (
            vec!["--engine", "x", "--engine", "y", "--depth", "1", "--openings", "/no/such"],
            "/no/such",
        ),
        (
            vec!["--engine", "x", "--engine", "y", "--depth", "1", "--tablebases", "/no/such"],
            "/no/such",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains(message),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
