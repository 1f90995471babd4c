//! The README says what the program does.

use trebuchet::cecp::options;

const README: &str = include_str!("../README.md");

#[test]
fn the_table_of_options_is_that_of_the_engine() {
    let table = options::markdown();
    assert!(README.contains(&table), "the README should have this table:\n\n{table}");
}
