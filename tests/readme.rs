//! The README and the manual page say what the program does.

use clap::CommandFactory;
use trebuchet::cecp::options;
use trebuchet::commands::{Cli, write_man_page};

const README: &str = include_str!("../README.md");

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

#[test]
fn the_manual_page_has_every_command_and_option() {
    let page = include_str!("../packaging/trebuchet.6");
    let mut made = Vec::new();
    write_man_page(&mut made).unwrap();
    assert_eq!(page, String::from_utf8(made).unwrap(), "run \"make man\"");
    let command = Cli::command();
    let visible = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    let names: Vec<&str> = visible.map(clap::Command::get_name).collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        assert_eq!(page.lines().filter(|line| *line == format!(".SS {name}")).count(), 1, "{name}");
    }
    for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
        assert!(page.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{option}");
    }
}
