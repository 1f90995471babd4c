//! Bots that speak UCI.

#[cfg(unix)]
use super::verdict_on;
use super::{TREBUCHET, exam, text};

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
pub const UCI: &str = r#"while read -r line; do case $line in
    uci) echo uciok;;
    isready) echo readyok;;
    go*) echo bestmove e7e8;;
    quit) exit;;
    esac; done"#;

/// UCI has an option for Chess960, and engines that play no other game have no `UCI_Variant`.
#[cfg(unix)]
#[test]
fn chess960_is_an_option_of_its_own_in_uci() {
    let first_move = |script: &str| {
        let arguments = ["--variant", "fischerandom", "--only", "chess960-first-move", "--"];
        text(&exam(&[&arguments[..], &["sh", "-c", script]].concat()).stdout)
    };
    let declares = "echo option name UCI_Chess960 type check default false; echo uciok";
    let knows = UCI
        .replace("echo uciok", declares)
        .replace("go*)", "'setoption name UCI_Chess960 value true') is_told=1;;\n    go*)")
        .replace("echo bestmove e7e8", "[ $is_told ] && echo bestmove e2e4");
    let said = first_move(&knows);
    assert!(said.starts_with("ok    makes the first move of the game\n"), "{said}");
    let said = first_move(UCI);
    assert!(said.contains("does not declare `UCI_Chess960`"), "{said}");
}

#[cfg(unix)]
#[test]
fn the_protocol_is_found_out() {
    let said = verdict_on(UCI, "first-move");
    let wanted = "FAIL  makes the first move of the game: plays e7e8: ";
    assert!(said.starts_with(wanted) && said.contains("> position startpos"), "{said}");
    let unfinished = UCI.replace("echo uciok", "echo id name Ada");
    let said = verdict_on(&unfinished, "first-move");
    assert!(said.starts_with("FAIL") && said.contains("> position startpos"), "{said}");
    let variant = ["--variant", "3check", "--only", "first-move", "--", "sh", "-c", UCI];
    let said = text(&exam(&variant).stdout);
    assert!(said.contains("does not declare the variant 3check"), "{said}");
}

/// CECP has such moves.
#[cfg(unix)]
#[test]
fn moves_in_san_fail_in_uci() {
    let bot = UCI.replace("e7e8", "e4");
    let said = verdict_on(&bot, "first-move");
    let wanted = "FAIL  makes the first move of the game: plays e4: in UCI this move is e2e4\n";
    assert!(said.starts_with(wanted), "{said}");
}
