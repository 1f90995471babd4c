//! The README and the manual page say what the program does.

use std::process::Command;

use trebuchet::cecp::options;

const README: &str = include_str!("../../README.md");

#[test]
fn the_table_of_options_is_that_of_the_engine() {
    let table = options::markdown();
    assert!(README.contains(&table), "the README should have this table:\n\n{table}");
}

#[test]
fn the_lines_of_the_readme_fit_an_editor() {
    for line in README.lines() {
        // A table row and a link cannot be wrapped.
        if !line.starts_with('|') && !line.contains("](") {
            assert!(line.chars().count() <= 110, "{} characters: {line}", line.chars().count());
        }
    }
}

/// What the program prints with this argument.
fn printed(argument: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet")).arg(argument).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_manual_page_has_every_command_and_option() {
    let page = include_str!("../../packaging/trebuchet.6");
    assert!(page == printed("man"), "the manual page is not that of the program: run \"make man\"");
    let help = printed("--help");
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let (commands, options) = commands.split_once("Options:\n").unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        assert_eq!(page.lines().filter(|line| *line == format!(".SS {name}")).count(), 1, "{name}");
    }
    let options: Vec<&str> = options
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("--"))
        .map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphabetic()))
        .collect();
    assert!(options.len() >= 9, "{options:?}");
    for option in options {
        assert!(page.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{option}");
    }
}

/// Options of xboard whose values it keeps in the user's settings file. (xboard 4.9.1, `-saveSettingsOnExit`.)
const KEPT: [&str; 11] = [
    "-tc ",
    "-inc ",
    "-mps ",
    "-saveGameFile ",
    "-testClaims ",
    "-materialDraws ",
    "-checkMates ",
    "-testLegality ",
    "-autoCallFlag ",
    "-clockMode ",
    "-hideThinkingFromHuman ",
];

/// A line of ours must not change the user's next game.
#[test]
fn lines_for_xboard_leave_its_settings_alone() {
    let pages = [
        README,
        include_str!("../../docs/grading.md"),
        include_str!("../../docs/learning.md"),
        include_str!("../../docs/tablebases.md"),
        include_str!("../../CONTRIBUTING.md"),
    ];
    let joined = pages.map(|page| page.replace("\\\n", " ")).join("\n");
    let lines = joined.lines().filter(|line| line.contains("xboard -"));
    let changing: Vec<_> =
        lines.filter(|line| KEPT.iter().any(|kept| line.contains(kept))).collect();
    assert!(changing.len() >= 3, "{changing:?}");
    for line in changing {
        assert!(line.contains("-saveSettingsOnExit false"), "{line}");
    }
}
