//! Random commands in random order, some broken and some late, against the session.
//!
//! On any input the session does not panic, answers each ping once and in order, prints no line that
//! xboard misreads, and moves only on its turn.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::cecp::wire::Command;
use trebuchet::protocol::options::Settings;

use crate::scripted::Replay;

/// Lines that often mean something.
const LINES: &[&str] = &[
    "xboard",
    "protover 2",
    "accepted debug",
    "rejected x",
    "new",
    "new",
    "variant 3check",
    "variant normal",
    "variant shogi",
    "quit?",
    "random",
    "force",
    "force",
    "go",
    "go",
    "go",
    "playother",
    "white",
    "black",
    "level 40 5 0",
    "level 0 0:01 0.01",
    "level -3 x 1e400",
    "st 0.01",
    "st 1e300",
    "st -1",
    "sd 3",
    "sd 0",
    "nps 1000",
    "nps 0",
    "time 100",
    "time -100",
    "otim 100",
    "usermove e2e4",
    "usermove e7e5",
    "usermove g1f3",
    "usermove b8c6",
    "usermove d1h5",
    "usermove O-O",
    "usermove zzzz",
    "e2e4",
    "Nf3",
    "d7d5",
    "?",
    "?",
    "draw",
    "result 1-0 {x}",
    "result *",
    "setboard 8/8/8/8/8/8/8/8 w - - 0 1",
    "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1+1 0 2",
    "setboard",
    "edit",
    "#",
    "Ke1",
    "Ke8",
    "c",
    "Pa2",
    ".",
    ".",
    "hint",
    "hint",
    "bk",
    "undo",
    "undo",
    "remove",
    "hard",
    "hard",
    "easy",
    "post",
    "nopost",
    "analyze",
    "analyze",
    "exit",
    "exclude e2e4",
    "exclude all",
    "include e2e4",
    "include all",
    "pause",
    "pause",
    "resume",
    "memory 1",
    "memory 99999999999",
    "cores 2",
    "egtpath syzygy /x",
    "option Hash=1",
    "option MultiPV=3",
    "option Ponder=0",
    "option Ponder=1",
    "option ClearHash",
    "option Stage=pawns",
    "option Stage=full",
    "option Nothing=7",
    "option LogFile=/dev/null/x",
    "lift e2",
    "put e4",
    "hover e9",
    "name A B",
    "rating 1 2",
    "ics -",
    "computer",
    "",
    "  ",
    "Error",
    "move e2e4",
    "1-0 {White mates}",
];

/// One dialogue of `length` lines and events.
fn dialogue(seed: u64, length: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let name = format!("seed {seed}");
    let mut session = Replay::new(&name, Settings::default());
    let mut pings = 0..;
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    for _ in 0..length {
        let is_thinking = session.is_thinking();
        let may_move = match random.random_range(0..100) {
            0..60 => {
                let line = LINES.choose(&mut random).expect("lines").as_bytes();
                session.hear(line);
                // On a ponder hit the search may have ended already.
                matches!(Command::parse(line), Ok(Command::Move { .. }))
            }
            60..65 => {
                let ping = pings.next().expect("numbers");
                asked.push(format!("pong {ping}"));
                session.hear(format!("ping {ping}").as_bytes());
                false
            }
            65..70 => {
                session.hear(&broken_line(&mut random));
                false
            }
            70..80 => {
                session.report_something();
                false
            }
            80..95 => {
                session.end_search(&mut random);
                is_thinking
            }
            _ => {
                session.end_late(&mut random);
                false
            }
        };
        for line in session.take_said() {
            assert!(may_move || !line.starts_with("move "), "{name}: {line}");
            if line.starts_with("pong ") {
                answered.push(line);
            }
        }
    }
    // After these lines the session is always in a known state. What comes after `?` waits for its move.
    session.hear(b".");
    session.hear(b"force");
    while session.is_thinking() {
        session.end_search(&mut random);
    }
    // A broken line may be `quit`.
    if session.is_over() {
        return;
    }
    answered.extend(session.take_said().into_iter().filter(|line| line.starts_with("pong ")));
    assert_eq!(asked, answered, "{name}");
    session.hear(b"new");
    session.hear(b"easy");
    session.hear(b"usermove e2e4");
    assert!(session.is_thinking(), "{name}");
}

/// A line cut off, glued to another, or made of any bytes.
fn broken_line(random: &mut impl Rng) -> Vec<u8> {
    let mut line = LINES.choose(random).expect("lines").as_bytes().to_vec();
    match random.random_range(0..4) {
        0 => line.truncate(random.random_range(0..=line.len())),
        1 => line.extend(LINES.choose(random).expect("lines").bytes()),
        2 if !line.is_empty() => {
            let at = random.random_range(0..line.len());
            line[at] = random.random();
        }
        _ => line = (0..random.random_range(0..40)).map(|_| random.random()).collect(),
    }
    line.retain(|&byte| byte != b'\n');
    line
}

#[test]
fn no_order_of_lines_and_events_confuses_the_session() {
    (0..300).for_each(|seed| dialogue(seed, 200));
}

/// The same with more and longer dialogues.
#[test]
#[ignore = "twenty million inputs, half a minute"]
fn no_order_of_lines_and_events_confuses_the_session_for_long() {
    (1_000..51_000).for_each(|seed| dialogue(seed, 400));
}
