//! A match that the user ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::bad_engine::describe;
use super::folder;

/// When a match is over, all its processes have ended, also those that ignore `quit`.
#[test]
fn ctrl_c_ends_everything() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let (a, b) = (describe("stays"), describe("good"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .args([
            "match",
            "--engine",
            &a,
            "--engine",
            &b,
            "--depth",
            "1",
            "--games",
            "100000",
            "--concurrency",
            "2",
            "--startup",
            "60",
            "--quiet",
        ])
        .args(["--pgn", pgn.to_str().unwrap()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Wait until games are being played, two at a time.
    let is_playing = || fs::metadata(&pgn).is_ok_and(|file| file.len() > 0);
    let mut engines = children_of(child.id());
    while !is_playing() || engines.len() < 4 {
        assert!(child.try_wait().unwrap().is_none(), "the match has ended");
        std::thread::sleep(Duration::from_millis(20));
        engines = children_of(child.id());
    }
    assert_eq!(engines.len(), 4);
    crate::process::signal("-INT", &child.id().to_string());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(engines.iter().all(|engine| !Path::new(&format!("/proc/{engine}")).exists()));
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
