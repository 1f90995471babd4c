//! The engine as a process with pipes, as a GUI runs it.

// Each test program uses only a part of this module.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use trebuchet::cecp::wire::traps;

/// The top folder of the checkout.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// How long an answer may take, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The program of the engine under test and its first arguments: Cargo's build, or the words of
/// `TREBUCHET_COMMAND`, such as `wine trebuchet.exe`.
pub fn command() -> Vec<String> {
    match std::env::var("TREBUCHET_COMMAND") {
        Ok(words) => words.split_whitespace().map(str::to_owned).collect(),
        Err(_) => vec![env!("CARGO_BIN_EXE_trebuchet").to_owned()],
    }
}

/// A new process of [`command`], which is not started yet.
pub fn program() -> Command {
    let [program, first @ ..] = &command()[..] else { panic!("an empty command") };
    let mut program = Command::new(program);
    program.args(first);
    program
}

/// Sends a signal, such as `-INT`, to the process with this number. `kill` is a part of every shell, but not every
/// system has it as a program.
#[cfg(unix)]
pub fn signal(name: &str, process: &str) {
    let kill = Command::new("sh").args(["-c", "kill \"$0\" \"$1\"", name, process]).status();
    assert!(kill.unwrap().success(), "{name} {process}");
}

/// A running engine. Every line it prints is checked against the traps of xboard. Output on standard
/// error fails the test in [`Engine::end`].
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub fn start(arguments: &[&str]) -> Engine {
        let mut child = program()
            .args(arguments)
            .env_remove("TREBUCHET_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                // Fails only after the end of the test.
                let _ = sender.send(line.unwrap());
            }
        });
        Engine { stdin: child.stdin.take(), child, lines }
    }

    /// Starts an engine and completes the handshake.
    pub fn greeted(arguments: &[&str]) -> Engine {
        let mut engine = Engine::start(arguments);
        engine.send("xboard\nprotover 2\naccepted debug");
        engine.wait_for("feature done=1");
        engine
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line, or several.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// The next line; `None` if none comes in time.
    pub fn line_within(&mut self, patience: Duration) -> Option<String> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                assert_eq!(traps::check(&line), Ok(()), "{line}");
                // A search that panics still gives a move, and says so in a notice alone.
                assert!(!line.contains("the search has failed"), "{line}");
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// The lines up to and including the first with this beginning.
    pub fn lines_to(&mut self, beginning: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        while let Some(line) = self.line_within(deadline.saturating_duration_since(Instant::now()))
        {
            lines.push(line);
            if lines[lines.len() - 1].starts_with(beginning) {
                return lines;
            }
        }
        panic!("no line begins with {beginning:?}; there were {lines:?}");
    }

    /// Waits for a line with this beginning and returns it.
    pub fn wait_for(&mut self, beginning: &str) -> String {
        self.lines_to(beginning).pop().unwrap()
    }

    /// The lines before the answer to a ping, and the time until the answer.
    pub fn ping(&mut self, number: u32) -> (Vec<String>, Duration) {
        let start = Instant::now();
        self.send(&format!("ping {number}"));
        let mut lines = self.lines_to(&format!("pong {number}"));
        lines.pop();
        (lines, start.elapsed())
    }

    /// Closes the engine's standard input.
    pub fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the process and returns how long that took. The process must not have
    /// written to standard error.
    pub fn end(mut self) -> (ExitStatus, Duration) {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => {
                    self.child.kill().unwrap();
                    panic!("the engine does not end");
                }
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        let took = start.elapsed();
        let mut complaints = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        // Wine sometimes complains of its own server when a process ends.
        let is_ours = |line: &&str| !line.starts_with("wine client error:");
        let complaints: Vec<_> = complaints.lines().filter(is_ours).collect();
        assert!(complaints.is_empty(), "on standard error: {complaints:?}");
        (status, took)
    }

    /// Sends `quit` and waits for the end.
    pub fn quit(mut self) -> (ExitStatus, Duration) {
        self.send("quit");
        self.end()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A failed test must leave no engine behind. Both calls fail if the process has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
