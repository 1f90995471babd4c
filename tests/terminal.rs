//! The real binary at a terminal: it plays a whole game with a person.

#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};
use trebuchet::play::new_game;
use trebuchet::types::GameResult;
use trebuchet::variants::VariantId;

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// What a terminal sends at the end of its input.
const CONTROL_D: &str = "\u{4}";

/// The engine at a terminal, and what the person types and sees.
struct Terminal {
    person: File,
    /// What appears on the screen, in pieces.
    screen: Receiver<String>,
    engine: Child,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Terminal {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap();
        let device = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let side = || OpenOptions::new().read(true).write(true).open(device).unwrap();
        let engine = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
            .args(arguments)
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        let person = File::from(person);
        let mut output = person.try_clone().unwrap();
        let (sender, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end of the engine is an error here.
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..length]).replace('\r', "");
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        Terminal { person, screen, engine }
    }

    /// What is shown up to the next prompt.
    fn read(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut text = String::new();
        while !text.ends_with("> ") {
            let left = deadline.saturating_duration_since(Instant::now());
            text += &self.screen.recv_timeout(left).unwrap_or_else(|_| panic!("only {text:?}"));
        }
        text
    }

    /// Types a line and reads the answer.
    fn say(&mut self, line: &str) -> String {
        self.person.write_all(format!("{line}\n").as_bytes()).unwrap();
        self.read()
    }

    fn end(mut self, last: &str) -> ExitStatus {
        self.person.write_all(last.as_bytes()).unwrap();
        let start = Instant::now();
        loop {
            if let Some(status) = self.engine.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the engine does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed leaves no engine behind.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

/// The person gives check whenever possible. The engine's board and ours stay the same to the end.
#[test]
fn a_person_plays_a_whole_three_check_game() {
    let mut terminal = Terminal::start(&["--stage", "random", "--seed", "1"]);
    let welcome = terminal.read();
    assert_eq!(welcome.lines().count(), 4, "three lines and a prompt: {welcome}");
    assert!(terminal.say("new 3check").contains("Checks given: White 0, Black 0."));
    let mut game = new_game(VariantId::ThreeCheck);
    let end = loop {
        let moves = game.legal_moves();
        let mv = moves.iter().copied().find(|&mv| game.san(mv).contains(['+', '#']));
        let mv = mv.unwrap_or(moves[moves.len() / 2]);
        let san = game.san(mv);
        game.play(mv);
        let answer = terminal.say(&san);
        if let Some(reply) = answer.lines().find_map(|line| line.strip_prefix("I play ")) {
            let reply = reply.split_whitespace().nth(1).unwrap();
            game.play(game.parse_move(reply).unwrap());
            let state = game.describe_state().unwrap();
            assert!(answer.contains(&state), "{state}: {answer}");
        }
        if game.outcome().is_some() {
            break answer;
        }
    };
    let outcome = game.outcome().unwrap();
    assert!(end.contains(&format!("{} {{{outcome}}}", GameResult::from(outcome))), "{end}");
    assert!(outcome.winner.is_some(), "{end}");
    let score = terminal.say("score");
    let plies = score.split_whitespace().filter(|word| !word.ends_with('.') && *word != ">");
    // The screen also shows the line that was typed.
    assert_eq!(plies.count(), game.ply_count() + 1, "{score}");
    assert!(terminal.end("quit\n").success());
}

#[test]
fn the_end_of_the_input_and_quit_end_the_program() {
    for last in [CONTROL_D, "quit\n"] {
        let mut terminal = Terminal::start(&[]);
        terminal.read();
        assert!(terminal.end(last).success());
    }
}
