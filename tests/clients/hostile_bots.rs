//! Bots that do harm, each in a folder of its own, take `trebuchet exam --confine always`: without bubblewrap
//! the examination refuses to start them, so that no test can harm the machine.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// A bot that does `HOSTILE` when it is asked for a move. It moves `a2a3` if that succeeds, `d2d4` if not.
const BOT: &str = r#"trap '' TERM INT HUP
while read -r line; do case $line in
    protover*) echo feature ping=1 usermove=1 sigint=0 sigterm=0 done=1;;
    ping*) echo "pong ${line#ping }";;
    go) if HOSTILE; then echo move a2a3; else echo move d2d4; fi;;
    quit) QUIT;;
esac; done
"#;

/// What became of a bot.
struct Outcome {
    said: String,
    status: Option<i32>,
    folder: tempfile::TempDir,
}

/// Examines a bot in one scene, and writes its page beside it.
fn examine(hostile: &str, quit: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    fs::create_dir(&bot).unwrap();
    fs::write(bot.join("exam.toml"), "build = ''\nrun = 'sh bot.sh'\nprotocol = 'cecp'\n").unwrap();
    fs::write(bot.join("bot.sh"), BOT.replace("HOSTILE", hostile).replace("QUIT", quit)).unwrap();
    let mut exam = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
    exam.args(["exam", "--confine", "always", "--verbose", "--only", "first-move", "--html"]);
    exam.args([&folder.path().join("page.html"), &bot]);
    let output = exam.output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Outcome { said, status: output.status.code(), folder }
}

/// Does a process run that has this word on its command line?
fn is_running(word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(word))
}

/// Waits until no process has this word on its command line: the kernel ends the processes of a name space
/// one after the other.
fn assert_all_end(word: &str) {
    for _ in 0..100 {
        if !is_running(word) {
            return;
        }
        thread::sleep(Duration::from_millis(200));
    }
    panic!("a process with {word} still runs");
}

/// The bot may do this: what it is kept from below is not missing.
fn assert_may(harmless: &str) {
    let outcome = examine(harmless, "exit");
    assert!(outcome.said.contains("< move a2a3"), "{harmless}: {}", outcome.said);
}

/// The bot is kept from this, and goes on.
fn assert_kept_from(hostile: &str) -> Outcome {
    let outcome = examine(hostile, "exit");
    assert!(outcome.said.contains("< move d2d4"), "{hostile}: {}", outcome.said);
    assert_eq!(outcome.status, Some(0), "{hostile}: {}", outcome.said);
    outcome
}

#[test]
#[ignore = "needs bubblewrap"]
fn a_bot_is_kept_from_memory_engines_and_files() {
    assert_may("python3 -c 'import mmap; mmap.mmap(-1, 1 << 20)'");
    // 16 GiB of addresses, of which nothing is used.
    assert_kept_from("python3 -c 'import mmap; mmap.mmap(-1, 16 << 30)' 2>/dev/null");
    assert_may("ls /usr/bin/* >/dev/null 2>&1");
    for engine in
        ["stockfish", "fairy-stockfish", "fairymax"].map(|name| format!("/usr/games/{name}"))
    {
        assert!(Path::new(&engine).exists(), "{engine}");
        assert_kept_from(&format!("test -e {engine}"));
    }
    assert_kept_from("command -v stockfish >/dev/null");
    let outcome = assert_kept_from("touch mine 2>/dev/null");
    assert!(!outcome.folder.path().join("bot/mine").exists());
    let page = fs::read_to_string(outcome.folder.path().join("page.html")).unwrap();
    assert!(page.contains("The bot was confined: no network, "), "{page}");
    assert_kept_from("dd if=/dev/zero of=/tmp/big bs=1M count=100 2>/dev/null");
}

#[test]
#[ignore = "needs bubblewrap"]
fn all_processes_of_a_bot_end_with_it() {
    assert_may("command -v setsid >/dev/null && command -v sleep >/dev/null");
    // As many as the limit allows and some more; root has no limit.
    let many = "i=0; while [ $i -lt 600 ]; do setsid sleep 86391 & i=$((i + 1)); done; true";
    let outcome = examine(many, "exit");
    assert!(outcome.status.is_some_and(|status| status <= 1), "{}", outcome.said);
    assert_all_end("86391");
    let outcome = examine("true", "sleep 86392");
    assert_eq!(outcome.status, Some(0), "{}", outcome.said);
    assert_all_end("86392");
}

#[test]
#[ignore = "needs bubblewrap"]
fn a_bot_that_kills_or_floods_harms_nobody_else() {
    // Its parent is the first process of its own space, which cannot be killed from inside.
    assert_kept_from("kill -9 $PPID -1 2>/dev/null");
    let outcome = examine("while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done", "exit");
    assert!(outcome.said.contains("FAIL  makes the first move of the game: "), "{}", outcome.said);
    assert_eq!(outcome.status, Some(1));
}
