//! The file of results: who writes it, and what its lines say.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::QueueError;
use crate::files::{self, MAX_SETTINGS};

/// The open file of results. As long as it is open, no other queue plays these tests.
pub(super) struct ResultsFile {
    path: PathBuf,
    tests: PathBuf,
    file: File,
}

impl ResultsFile {
    /// Opens the results of the tests in the file `tests`.
    pub(super) fn open(path: &Path, tests: &Path) -> Result<ResultsFile, QueueError> {
        let file = open(path, tests)?;
        cut_off_part(path).map_err(|error| QueueError::File(path.to_owned(), error))?;
        Ok(ResultsFile { path: path.to_owned(), tests: tests.to_owned(), file })
    }

    /// All lines.
    pub(super) fn text(&mut self) -> Result<String, QueueError> {
        self.renew()?;
        files::read_text(&self.path, MAX_SETTINGS).map_err(|error| self.failed(error))
    }

    /// Adds a line.
    pub(super) fn add(&mut self, line: &str) -> Result<(), QueueError> {
        self.renew()?;
        // An editor may have left the last line without its end.
        let text = files::read(&self.path, MAX_SETTINGS).map_err(|error| self.failed(error))?;
        let gap = if text.last().is_some_and(|&byte| byte != b'\n') { "\n" } else { "" };
        // One write, so that a queue that is killed leaves a whole line behind.
        let written = self.file.write_all(format!("{gap}{line}\n").as_bytes());
        written.map_err(|error| self.failed(error))
    }

    /// Opens the file that has taken the place: an editor that removes a line may write a new file.
    fn renew(&mut self) -> Result<(), QueueError> {
        if !files::is_at(&self.file, &self.path) {
            self.file = open(&self.path, &self.tests)?;
        }
        Ok(())
    }

    fn failed(&self, error: io::Error) -> QueueError {
        QueueError::File(self.path.clone(), error)
    }
}

fn open(path: &Path, tests: &Path) -> Result<File, QueueError> {
    let file = File::options().create(true).append(true).open(path);
    let file = file.map_err(|error| QueueError::File(path.to_owned(), error))?;
    // On Windows, a lock would keep others from reading.
    if cfg!(unix) && matches!(files::try_lock(&file), Err(fs::TryLockError::WouldBlock)) {
        return Err(QueueError::UnderWay(tests.to_owned()));
    }
    Ok(file)
}

/// Cuts off a last line without its end: an earlier queue could not write all of it, so its test is not done.
fn cut_off_part(results: &Path) -> io::Result<()> {
    let text = files::read(results, MAX_SETTINGS)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole == text.len() {
        return Ok(());
    }
    // Windows cuts off nothing through a handle that can only append.
    File::options().write(true).open(results)?.set_len(whole as u64)
}

/// The name at the beginning of a line of results.
pub(super) fn name_of(line: &str) -> &str {
    line.split(':').next().unwrap_or_default()
}

/// What follows the name of a test that could not be played.
pub(super) const FAILED: &str = ": failed";

/// `NAME: +WINS -LOSSES =DRAWS of GAMES, Elo DIFFERENCE [LOW, HIGH], LLR L, VERDICT`. With more than two engines, the
/// result of each pairing has the names of both before it. Forfeits and withdrawals end the line.
pub(super) fn line(name: &str, summary: &Value) -> String {
    let pairings = summary["pairings"].as_array().map_or(&[][..], Vec::as_slice);
    let results: Vec<String> = match pairings {
        [only] => vec![result(only)],
        pairings => {
            let with_names = |pairing: &Value| {
                let name = |key: &str| pairing[key].as_str().unwrap_or_default();
                format!("{} - {}: {}", name("first"), name("second"), result(pairing))
            };
            pairings.iter().map(with_names).collect()
        }
    };
    format!("{name}: {}{}{}", results.join("; "), forfeits(summary), withdrawals(summary))
}

/// The result of a pairing.
fn result(pairing: &Value) -> String {
    let score = &pairing["score"];
    let [wins, losses, draws] =
        ["wins", "losses", "draws"].map(|key| score[key].as_u64().unwrap_or(0));
    let mut line = format!("+{wins} -{losses} ={draws} of {}", wins + losses + draws);
    let [elo, low, high] = ["elo", "elo_low", "elo_high"].map(|key| pairing[key].as_f64());
    if let (Some(elo), Some(low), Some(high)) = (elo, low, high) {
        line += &format!(", Elo {elo:+.1} [{low:+.1}, {high:+.1}]");
    }
    let test = &pairing["sprt"];
    if let (Some(llr), Some(verdict)) = (test["llr"].as_f64(), test["verdict"].as_str()) {
        line += &format!(", LLR {llr:.2}, {verdict}");
    }
    line
}

/// The forfeits of all players, if there are any.
fn forfeits(summary: &Value) -> String {
    let counts: BTreeMap<String, u64> = summary["players"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|player| {
            let count = player["forfeits"].as_object()?.values().filter_map(Value::as_u64).sum();
            Some((player["name"].as_str()?.to_owned(), count))
        })
        .filter(|(_, count)| *count > 0)
        .collect();
    counts.iter().map(|(player, count)| format!(", {player} forfeits {count}")).collect()
}

/// Who was withdrawn, and so has not played all games.
fn withdrawals(summary: &Value) -> String {
    let players = summary["players"].as_array().into_iter().flatten();
    let withdrawn = players.filter(|player| player["withdrawn"].is_string());
    let names = withdrawn.filter_map(|player| player["name"].as_str());
    names.map(|name| format!(", {name} was withdrawn")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_score_interval_test_and_forfeits() {
        let summary = serde_json::json!({
            "players": [
                { "name": "new", "forfeits": { "time-loss": 2 } },
                { "name": "old", "forfeits": {} },
            ],
            "pairings": [{
                "score": { "wins": 62, "draws": 107, "losses": 31 },
                "elo": 54.25, "elo_low": 20.1, "elo_high": 89.4,
                "sprt": { "llr": 1.318, "verdict": "H1 accepted" },
            }],
        });
        assert_eq!(
            line("iir7", &summary),
            "iir7: +62 -31 =107 of 200, Elo +54.2 [+20.1, +89.4], LLR 1.32, H1 accepted, new forfeits 2"
        );
        assert_eq!(name_of(&line("iir7", &summary)), "iir7");
        let few = serde_json::json!({ "pairings": [{ "score": { "wins": 1, "draws": 0, "losses": 0 } }] });
        assert_eq!(line("x", &few), "x: +1 -0 =0 of 1");
        let score = serde_json::json!({ "wins": 1, "draws": 2, "losses": 0 });
        let mut three = serde_json::json!({ "pairings": [
            { "first": "a", "second": "b", "score": score },
            { "first": "a", "second": "c", "score": score },
        ] });
        assert_eq!(line("x", &three), "x: a - b: +1 -0 =2 of 3; a - c: +1 -0 =2 of 3");
        three["players"] = serde_json::json!([
            { "name": "a", "forfeits": {} },
            { "name": "c", "forfeits": {}, "withdrawn": "has ended" },
        ]);
        assert!(line("x", &three).ends_with("a - c: +1 -0 =2 of 3, c was withdrawn"));
    }

    #[test]
    fn a_part_of_a_line_is_no_result() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tests.results");
        for (text, whole) in
            [("", ""), ("a: +1", ""), ("a: +1\n", "a: +1\n"), ("a: +1\nb", "a: +1\n")]
        {
            fs::write(&path, text).unwrap();
            cut_off_part(&path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        }
    }
}
