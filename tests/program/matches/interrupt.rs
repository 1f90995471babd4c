//! A match that the user ends.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::bad_engine::describe;
use super::folder;

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

/// A match of very many games, once its first game is over.
fn playing(command: &mut Command, engines: [&str; 2], pgn: &Path) -> Child {
    let settings =
        "--depth 1 --games 100000 --concurrency 2 --startup 60 --quiet".split_whitespace();
    let mut child = command
        .args(["match", "--engine", engines[0], "--engine", engines[1]])
        .args(settings)
        .args(["--pgn", pgn.to_str().unwrap()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    play_until(&mut child, || length(pgn) > 0);
    child
}

fn play_until(child: &mut Child, is_reached: impl Fn() -> bool) {
    while !is_reached() {
        assert!(child.try_wait().unwrap().is_none(), "the match has ended");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |file| file.len())
}

/// When a match is over, all its processes have ended, also those that ignore `quit`.
#[test]
fn ctrl_c_ends_everything() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let (a, b) = (describe("stays"), describe("good"));
    let mut child = playing(&mut Command::new(TREBUCHET), [&a, &b], &pgn);
    let id = child.id();
    // Two games at a time.
    play_until(&mut child, || children_of(id).len() >= 4);
    let engines = children_of(id);
    assert_eq!(engines.len(), 4);
    crate::process::signal("-INT", &id.to_string());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(engines.iter().all(|engine| !Path::new(&format!("/proc/{engine}")).exists()));
}

#[test]
fn nohup_keeps_a_match_after_a_hang_up() {
    let folder = folder();
    let pgn = folder.join("nohup.pgn");
    let engines = ["stays", "good"].map(describe);
    let engines = engines.each_ref().map(String::as_str);
    let mut child = playing(Command::new("nohup").arg(TREBUCHET), engines, &pgn);
    crate::process::signal("-HUP", &child.id().to_string());
    let before = length(&pgn);
    // A match that ends would not begin so many games.
    play_until(&mut child, || length(&pgn) > 10 * before.max(1000));
    crate::process::signal("-INT", &child.id().to_string());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // Without it, a hang-up ends a match as Ctrl-C does.
    let pgn = folder.join("hup.pgn");
    let mut listens = Command::new("env");
    let mut child = playing(listens.args(["--default-signal=HUP", TREBUCHET]), engines, &pgn);
    crate::process::signal("-HUP", &child.id().to_string());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

pub fn children_of(parent: u32) -> Vec<String> {
    let is_child = |process: &String| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default();
        fields.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    let processes = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    processes.filter(is_child).collect()
}
