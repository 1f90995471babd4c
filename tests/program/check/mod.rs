//! `trebuchet check` as a process: bots that break one rule, games without a fault, odd files.
//!
//! The games of most tests are played by `trebuchet match`, which writes logs in the form of xboard's.
//! The tests with xboard itself are ignored by default, as in `tests/clients/xboard`.

pub mod bad_bot;
mod clean_games;
mod docs;
mod files;
mod under_xboard;
mod vices;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

/// The bot for `trebuchet match`.
fn describe(name: &str, stage: &str, vice: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!(
        "name={name} env.{}={stage}:{vice} cmd=\"'{}' --exact bad_bot --nocapture\"",
        bad_bot::VARIABLE,
        program.display()
    )
}

fn check(arguments: &[&str]) -> Output {
    Command::new(TREBUCHET).arg("check").args(arguments).output().unwrap()
}

/// The logs in a folder, sorted.
fn logs(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "debug")).collect();
    logs.sort();
    logs
}

/// The result of a check.
#[derive(Debug)]
struct Checked {
    code: Option<i32>,
    text: String,
    errors: String,
}

impl Checked {
    /// Judges logs with these options.
    fn of(options: &[&str], logs: &[PathBuf]) -> Checked {
        let mut arguments: Vec<&str> = options.to_vec();
        arguments.extend(logs.iter().map(|path| path.to_str().unwrap()));
        let output = check(&arguments);
        Checked {
            code: output.status.code(),
            text: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The items that were broken in any game, each once.
    fn broken(&self) -> Vec<&str> {
        let rows = self.text.lines().filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [item, kept, broken, _, _] if line.starts_with("  ") => {
                    kept.parse::<u64>().ok()?;
                    (broken.parse::<u64>().ok()? > 0).then_some(item)
                }
                _ => None,
            }
        });
        let mut items: Vec<&str> = rows.collect();
        items.sort();
        items.dedup();
        items
    }
}
