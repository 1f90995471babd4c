//! The match runner as a process, with engines that misbehave in every way.

pub mod bad_engine;
mod failures;
mod files;
#[cfg(target_os = "linux")]
pub mod interrupt;
mod oddities;
mod other_programs;
mod results;
mod settings;
mod withdrawal;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use bad_engine::describe;
use trebuchet::board::Position;
use trebuchet::notation::parse_move;
use trebuchet::variants::Standard;

#[test]
fn the_bad_engine_plays_a_move() {
    let mut engine = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bad_engine", "--nocapture"])
        .env(bad_engine::VARIABLE, "plain")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let commands = "xboard\nprotover 2\nnew\nforce\nping 1\nusermove e2e4\ngo\nping 2\nquit\n";
    engine.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    let output = String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    let feature = lines.iter().position(|line| line.starts_with("feature ping=1")).unwrap();
    let [_, "pong 1", thinking, mv, "pong 2"] = lines[feature..] else { panic!("{output}") };
    assert!(thinking.starts_with("1 10 1 100 "), "{output}");
    let mut position = Position::<Standard>::start();
    position.make_move(parse_move(&position, "e2e4").unwrap());
    assert!(parse_move(&position, mv.strip_prefix("move ").unwrap()).is_ok(), "{output}");
}

/// A new empty folder. Dropping it removes it.
struct Folder(tempfile::TempDir);

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

/// Plays a match. The machine may be busy: if the arguments do not say otherwise, engines have a minute
/// to start, half a minute to answer a ping, and may think for a minute longer than their clocks allow.
fn run(arguments: &[&str]) -> Output {
    let generous = [["--startup", "60"], ["--stall", "60"]];
    let missing = generous.iter().filter(|[option, _]| !arguments.contains(option)).flatten();
    Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .arg("match")
        .args(arguments)
        .args(missing)
        .output()
        .unwrap()
}

/// The results of a match.
struct Report {
    code: i32,
    summary: String,
    games: Vec<String>,
    stderr: String,
}

/// A clock that does not fall, however slow the machine.
const CALM: &str = "tc=600";
/// No clock: an engine that is silent for as long as `--stall` says has stalled.
const PATIENCE: &str = "depth=1";

/// Plays two quick games of an engine with a vice against one without.
fn trial(vice: &str, limit: &str, more: &[&str]) -> Report {
    let folder = folder();
    let (pgn, json) = (folder.join("games.pgn"), folder.join("result.json"));
    let (bad, good) =
        (format!("{} {limit}", describe(vice)), format!("{} {CALM}", describe("plain")));
    let mut arguments = vec!["--engine", &bad, "--engine", &good, "--random-plies", "0"];
    arguments.extend(["--pgn", pgn.to_str().unwrap(), "--json", json.to_str().unwrap()]);
    for usual in [["--games", "2"], ["--max-moves", "10"]] {
        if !more.contains(&usual[0]) {
            arguments.extend(usual);
        }
    }
    arguments.extend(more);
    let output = run(&arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code().unwrap_or_else(|| panic!("{vice}: {stderr}"));
    let games = fs::read_to_string(&pgn).unwrap_or_default();
    let games = trebuchet::notation::pgn::read(&games)
        .map(|game| game.to_string().replace('\n', " "))
        .collect();
    let summary = fs::read_to_string(&json).unwrap_or_default();
    Report { code, summary, games, stderr }
}

/// The engine with the vice loses both games, and the summary names the forfeit.
fn assert_faults(vice: &str, fault: &str, reason: &str) {
    let report = trial(vice, CALM, &[]);
    assert_eq!(report.code, 0, "{vice}: {}", report.stderr);
    assert_both_forfeited(&report, vice, fault, reason);
}

/// The engine with the vice never answers, and loses both games. It may be so slow before that it comes
/// to no move at all; then only the exit status is another.
fn assert_stalls(vice: &str) {
    let report = trial(vice, PATIENCE, &["--stall", "3"]);
    assert_both_forfeited(&report, vice, "stalls", "engine stalls");
}

fn assert_both_forfeited(report: &Report, vice: &str, fault: &str, reason: &str) {
    let lost = format!(
        "{{\"name\": \"{vice}\", \"score\": {{\"wins\": 0, \"draws\": 0, \"losses\": 2}}, \"faults\": {{\"{fault}\": 2}}, "
    );
    assert!(report.summary.contains(&lost), "{vice}: {}", report.summary);
    assert_eq!(report.games.len(), 2, "{vice}");
    for game in &report.games {
        assert!(game.contains(reason), "{vice}: {game}");
    }
}

/// The vice does no harm: the game is a draw after ten moves, the longest game allowed.
fn assert_harmless(vice: &str, more: &[&str]) -> Report {
    let report = trial(vice, CALM, more);
    assert_eq!(report.code, 0, "{vice}: {}", report.stderr);
    assert!(report.summary.contains(&format!("{{\"name\": \"{vice}\", \"score\": {{\"wins\": 0, \"draws\": 2, \"losses\": 0}}, \"faults\": {{}}, \"forfeits\": {{}}}}")), "{vice}: {}", report.summary);
    report
}
