//! An engine's process: lines to it, lines from it with the time they came, and its certain end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::journal::Tap;
use super::spec::EngineSpec;

/// Why an engine cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error("cannot be started: {0}")]
    Spawn(io::Error),
    #[error("has ended{}", .0.map(|status| format!(" ({status})")).unwrap_or_default())]
    Ended(Option<ExitStatus>),
    #[error("does not answer {0}")]
    Silent(&'static str),
    #[error("{0}")]
    Unable(String),
    /// The user wants the match to end; the engine did nothing wrong.
    #[error("interrupted")]
    Interrupted,
}

/// A line from the engine, without its end.
#[derive(Clone, Debug)]
pub struct Line {
    pub at: Instant,
    pub text: String,
    /// Did it come on standard error?
    pub is_error: bool,
}

/// What becomes of an engine's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    Discard,
    /// Its lines come with the others.
    Receive,
}

/// Set when the user wants everything to end.
pub type Interrupt = Arc<AtomicBool>;

/// A running engine. Dropping it kills it.
pub struct Process {
    child: Child,
    /// `None` once closed.
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    interrupt: Interrupt,
    tap: Option<Tap>,
}

/// A longer line is cut; what is cut off is lost.
const LONGEST_LINE: u64 = 64 * 1024;

/// So many lines wait to be read; then the engine has to wait, too.
const LINES_WAITING: usize = 1024;

/// How often a waiting thread looks whether the user wants to end.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(100);

impl Process {
    /// Starts a program. It gets a process group of its own, so that Ctrl-C in the terminal is ours
    /// to handle.
    pub fn start(
        spec: &EngineSpec,
        errors: Errors,
        interrupt: Interrupt,
    ) -> Result<Process, Trouble> {
        let missing = || Trouble::Spawn(io::Error::from(io::ErrorKind::InvalidInput));
        let (program, arguments) = spec.command.split_first().ok_or_else(missing)?;
        let mut command = Command::new(program);
        command.args(arguments).envs(spec.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(match errors {
            Errors::Discard => Stdio::null(),
            Errors::Receive => Stdio::piped(),
        });
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(Trouble::Spawn)?;
        let stdin = child.stdin.take();
        let (sender, lines) = sync_channel(LINES_WAITING);
        let reader = || thread::Builder::new().name("engine reader".to_owned());
        if let Some(stderr) = child.stderr.take() {
            let sender = sender.clone();
            reader().spawn(move || read_lines(stderr, true, &sender)).map_err(Trouble::Spawn)?;
        }
        if let Some(stdout) = child.stdout.take() {
            reader().spawn(move || read_lines(stdout, false, &sender)).map_err(Trouble::Spawn)?;
        }
        Ok(Process { child, stdin, lines, interrupt, tap: None })
    }

    /// From now on every line is noted there, too.
    pub fn set_tap(&mut self, tap: Option<Tap>) {
        self.tap = tap;
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        match self.stdin.as_mut().map(|stdin| stdin.write_all(bytes)) {
            Some(Ok(())) => Ok(()),
            _ => Err(self.ended()),
        }
    }

    /// Sends lines, all in one write.
    pub fn send<L: AsRef<str>>(&mut self, lines: &[L]) -> Result<(), Trouble> {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.as_ref());
            text.push('\n');
            if let Some(tap) = &self.tap {
                tap.sent(line.as_ref());
            }
        }
        self.send_raw(text.as_bytes())
    }

    /// The next line, if one comes before the deadline. `what` is waited for, for the report.
    pub fn receive(&mut self, deadline: Instant, what: &'static str) -> Result<Line, Trouble> {
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(wait.min(INTERRUPT_INTERVAL)) {
                Ok(line) => {
                    if let Some(tap) = &self.tap {
                        tap.received(&line);
                    }
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if self.interrupt.load(Ordering::Relaxed) => {
                    return Err(Trouble::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(Trouble::Silent(what));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Drops what the engine has said so far.
    pub fn forget_lines(&mut self) {
        while let Ok(line) = self.lines.try_recv() {
            if let Some(tap) = &self.tap {
                tap.received(&line);
            }
        }
    }

    /// Waits until the process ends by itself; `None` if it does not in this time.
    pub fn wait_for_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    // Nobody reads any more: keep the pipe from filling up.
                    while self.lines.try_recv().is_ok() {}
                    thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    fn ended(&mut self) -> Trouble {
        // A process whose pipe is closed is as good as gone, but its status may take a moment.
        Trouble::Ended(self.wait_for_end(Duration::from_millis(100)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, and then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(pipe: impl Read, is_error: bool, sender: &SyncSender<Line>) {
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        if bytes.last() != Some(&b'\n') && reader.skip_until(b'\n').is_err() {
            return;
        }
        let text = String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned();
        if sender.send(Line { at, text, is_error }).is_err() {
            return;
        }
    }
}
