//! Any bytes, read as a dialogue: the GUI's lines to a session, and the events of its searches.
//!
//! Lines go to the session. Byte 1, 2 or 3 at the beginning of a line makes it an event: the running
//! search reports something, it ends, or an abandoned search ends.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::cecp::wire as cecp;
use trebuchet::protocol::options::Settings;
use trebuchet::uci::wire::{Command, Reply};

use crate::scripted::Replay;

/// A dialogue of UCI if the first line says so, and of CECP otherwise.
pub fn check(dialogue: &[u8]) {
    let mut lines = dialogue.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    match lines.find(|line| !line.is_empty()) {
        Some(b"uci") => check_uci(dialogue),
        _ => check_cecp(dialogue),
    }
}

/// Every line is one of UCI, every `isready` is answered once, every `go` has one `bestmove`, and at the
/// end a new game can begin.
fn check_uci(dialogue: &[u8]) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(dialogue.len() as u64);
    let mut session = Replay::new("fuzz", Settings::default());
    let (mut expected, mut said) = ([0, 0], [0, 0]);
    let mut count = |session: &mut Replay| {
        for line in session.take_said() {
            assert!(!line.contains(char::is_control), "{line:?}");
            match Reply::parse(line.as_bytes()) {
                Reply::ReadyOk => said[0] += 1,
                Reply::BestMove { .. } => said[1] += 1,
                Reply::Blank | Reply::Other(_) => panic!("{line:?}"),
                _ => {}
            }
        }
        said
    };
    for line in dialogue.split(|&byte| byte == b'\n') {
        match line.first() {
            Some(1) => session.report_something(),
            Some(2) => session.end_search(&mut random),
            Some(3) => session.end_late(&mut random),
            _ if session.is_over() => {}
            _ => {
                match Command::parse(line) {
                    Ok(Command::IsReady) => expected[0] += 1,
                    Ok(Command::Go(_)) => expected[1] += 1,
                    _ => {}
                }
                session.hear(line);
            }
        }
        let said = count(&mut session);
        assert!(said[0] == expected[0] && said[1] <= expected[1], "{said:?} of {expected:?}");
    }
    if session.is_over() {
        return;
    }
    while session.is_searching() {
        session.hear(b"stop");
        session.end_search(&mut random);
    }
    assert_eq!(count(&mut session), expected);
    for line in ["ucinewgame", "setoption name Stage value full", "position startpos", "go depth 1"]
    {
        session.hear(line.as_bytes());
    }
    assert!(session.is_thinking());
}

/// xboard understands every line (the replay checks that), every ping is answered once and in order,
/// and at the end a new game can begin.
fn check_cecp(dialogue: &[u8]) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(dialogue.len() as u64);
    let mut session = Replay::new("fuzz", Settings::default());
    let (mut asked, mut answered) = (0, 0);
    for line in dialogue.split(|&byte| byte == b'\n') {
        match line.first() {
            Some(1) => session.report_something(),
            Some(2) => session.end_search(&mut random),
            Some(3) => session.end_late(&mut random),
            // Numbers of our own, so that the answers can be told apart.
            _ if matches!(cecp::Command::parse(line), Ok(cecp::Command::Ping(_))) => {
                asked += 1;
                session.hear(format!("ping {asked}").as_bytes());
            }
            _ => session.hear(line),
        }
        for said in session.take_said().iter().filter(|said| said.starts_with("pong ")) {
            answered += 1;
            assert_eq!(*said, format!("pong {answered}"));
        }
    }
    // What has come after `?` waits for its move, perhaps a `quit`.
    while session.is_thinking() {
        session.end_search(&mut random);
    }
    if session.is_over() {
        return;
    }
    for line in [".", "force", "ping 0", "new", "easy", "usermove e2e4"] {
        session.hear(line.as_bytes());
    }
    let pongs = session.take_said().into_iter().filter(|said| said.starts_with("pong ")).count();
    assert_eq!(answered + pongs, asked + 1);
    assert!(session.is_thinking());
}
