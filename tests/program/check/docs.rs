//! docs/grading.md says what the program does.

use std::fs;
use std::path::Path;
use std::process::Command;

use workbench::arena::criterion;

use super::TREBUCHET;
use crate::process::ROOT;

const GUIDE: &str = include_str!("../../../docs/grading.md");

/// The text of the first block of code that begins with this line.
fn block(first: &str) -> &'static str {
    let (_, rest) = GUIDE.split_once(&format!("```{first}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_table_of_criteria_is_that_of_the_program() {
    let table = criterion::markdown();
    assert!(GUIDE.contains(&table), "docs/grading.md should have this table:\n\n{table}");
}

#[test]
fn the_example_is_what_the_program_writes() {
    let folder = tempfile::tempdir().unwrap();
    let tests = Path::new(ROOT).join("tests/program/check");
    fs::copy(tests.join("pawns.debug"), folder.path().join("pawns.debug")).unwrap();
    fs::write(
        folder.path().join("rubric.toml"),
        block("toml\n# trebuchet check --stage pawns --rubric rubric.toml game.debug"),
    )
    .unwrap();
    let command = "trebuchet check --stage pawns --rubric rubric.toml pawns.debug";
    let output = Command::new(TREBUCHET)
        .args(command.split(' ').skip(1))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(GUIDE.contains(&format!("```text\n$ {command}\n{text}```\n")), "{text}");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
