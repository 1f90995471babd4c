//! Any bytes, read as a dialogue: the GUI's lines to a session, and the events of its searches.
//!
//! Lines go to the session. Byte 1, 2 or 3 at the beginning of a line makes it an event: the running
//! search reports something, it ends, or an abandoned search ends.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::protocol::options::Settings;

use crate::scripted::Replay;

/// xboard understands every line (the replay checks that), every ping is answered once and in order,
/// and at the end a new game can begin.
pub fn check(dialogue: &[u8]) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(dialogue.len() as u64);
    let mut session = Replay::new("fuzz", Settings::default());
    let (mut asked, mut answered) = (0, 0);
    for line in dialogue.split(|&byte| byte == b'\n') {
        match line.first() {
            Some(1) => session.report_something(),
            Some(2) => session.end_search(&mut random),
            Some(3) => session.end_late(&mut random),
            // Numbers of our own, so that the answers can be told apart.
            _ if line.starts_with(b"ping") => {
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
