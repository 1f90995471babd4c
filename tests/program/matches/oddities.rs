//! Engines that are odd but keep to the rules, and what the match says about them.

use super::{CALM, assert_harmless, trial};

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

#[test]
fn oddities_within_the_rules_do_no_harm() {
    for vice in ["good", "late-pong", "chatters", "stays", "crash-at-the-end"] {
        let report = assert_harmless(vice, &[]);
        assert!(!report.stderr.contains("protocol"), "{vice}: {}", report.stderr);
    }
}

/// An engine without features counts as one of protocol 1, and the match says so.
#[test]
fn what_is_assumed_about_an_engine_is_said() {
    for (vice, answer, more) in [
        // It answers neither the question for its protocol nor `protover`.
        ("silent", "does not answer", ["--startup", "30", "--concurrency", "2"]),
        ("old", "refuses", ["--each", "cecp", "--concurrency", "1"]),
        ("stale", "refuses", ["--each", "cecp", "--concurrency", "1"]),
    ] {
        let report = assert_harmless(vice, &more);
        let remark = format!(
            "{vice} {answer} `protover 2`: protocol 1 is assumed, without `ping`, and with a new process for each game\n"
        );
        assert_eq!(report.stderr.matches(&remark).count(), 1, "{}", report.stderr);
    }
    let report = trial("old", CALM, &["--variant", "3check", "--each", "cecp"]);
    assert_eq!(report.code, 4);
    let reason = "old: does not play 3check, for it has declared no features";
    assert!(report.stderr.contains(reason), "{}", report.stderr);
}

/// Once, however often the engine tells it.
#[test]
fn what_an_engine_tells_its_user_of_errors_is_said() {
    let report = assert_harmless("complains", &[]);
    assert_eq!(report.stderr.matches("complains says: no book\n").count(), 1, "{}", report.stderr);
}

/// CECP engines without the command think for a second instead, and most say nothing.
#[test]
fn nodes_that_an_engine_may_not_count_are_said() {
    let report = trial("complains", "nodes=100", &["--each", "cecp"]);
    assert_eq!(report.code, 0, "{}", report.stderr);
    let remark = "complains does not declare the feature nps";
    assert_eq!(report.stderr.matches(remark).count(), 1, "{}", report.stderr);
    assert!(!assert_harmless("complains", &[]).stderr.contains("nps"));
}

/// Its features come with its first move, which is none of the game that begins then.
#[test]
fn late_features_are_honoured() {
    let report = assert_harmless("late", &["--each", "cecp", "--startup", "30"]);
    let remark = "late declares its features only during a game";
    assert_eq!(report.stderr.matches(remark).count(), 1, "{}", report.stderr);
}

#[cfg(unix)]
#[test]
fn a_uci_engine_that_does_not_know_the_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine.sh");
    let text = r#"while read -r line; do case $line in
        uci) echo 'option name UCI_Variant type combo default chess var chess var 3check'; echo uciok;;
        isready) echo readyok;;
        quit) exit;;
        esac; done"#;
    std::fs::write(&script, text).unwrap();
    let engine = format!("cmd='sh {}' uci name=orthodox", script.display());
    let ours = format!("cmd={TREBUCHET} name=ours");
    let output = std::process::Command::new(TREBUCHET)
        .args(["match", "--engine", &engine, "--engine", &ours, "--games", "2", "--nodes", "100"])
        .args(["--variant", "atomic"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("orthodox: does not play atomic"), "{error}");
}
