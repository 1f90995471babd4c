//! An engine's process: lines to it, lines from it with the time of their arrival, and its end.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::debug_log::LogHandle;
use super::spec::EngineSpec;
use trebuchet::threads::lock;

/// Why an engine cannot be used any more. The messages follow the engine's name.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("cannot be started: {0}")]
    Spawn(io::Error),
    /// `last_words` are the last lines on its standard error, if they were remembered.
    #[error(
        "has ended{}{}{last_words}",
        .status.map(|status| format!(" ({status})")).unwrap_or_default(),
        if .last_words.is_empty() { "" } else { ": " }
    )]
    Ended { status: Option<ExitStatus>, last_words: String },
    #[error("does not answer {0}")]
    Silent(&'static str),
    #[error("{0}")]
    Unable(String),
    /// The user ends the match. Not the engine's fault.
    #[error("interrupted")]
    Interrupted,
}

impl EngineError {
    /// The engine does not take this position.
    pub fn position(fen: &str) -> EngineError {
        EngineError::Unable(format!("cannot set up the position {fen}"))
    }
}

/// A line from the engine, without the line break.
#[derive(Clone, Debug)]
pub struct EngineLine {
    pub at: Instant,
    pub text: String,
    /// Did it come on standard error?
    pub is_error: bool,
}

/// What happens to an engine's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stderr {
    /// Its last lines go into the error when the engine ends by itself.
    Remember,
    /// Its lines are received among the others.
    Receive,
}

/// Set when the user wants to end everything.
pub type Interrupt = Arc<AtomicBool>;

/// A running engine. Dropping it kills it.
pub struct Process {
    child: Child,
    /// `None` once closed.
    stdin: Option<ChildStdin>,
    lines: Receiver<EngineLine>,
    interrupt: Interrupt,
    log: Option<LogHandle>,
    /// The thread that remembers standard error, and the last lines it has read.
    error_reader: Option<JoinHandle<()>>,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

/// How many of the last lines on standard error are remembered, and the longest part of each in
/// characters.
const LAST_LINES: usize = 3;
const LAST_LINE_LENGTH: usize = 200;

/// The longest line in bytes. The rest of a longer one is dropped.
const LONGEST_LINE: u64 = 64 * 1024;

/// Lines that are read ahead. An engine that writes more has to wait.
const LINES_WAITING: usize = 1024;

/// How long after the end of its output an engine's exit status and last words may take to arrive.
const LAST_MOMENTS: Duration = Duration::from_secs(1);

/// How often a waiting thread checks the interrupt.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(100);

impl Process {
    /// Starts a program in its own process group, so that Ctrl-C in the terminal does not reach it.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(
        spec: &EngineSpec,
        stderr: Stderr,
        interrupt: Interrupt,
    ) -> Result<Process, EngineError> {
        let missing = || EngineError::Spawn(io::Error::from(io::ErrorKind::InvalidInput));
        let (program, arguments) = spec.command.split_first().ok_or_else(missing)?;
        let mut command = Command::new(program);
        command.args(arguments).envs(spec.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(EngineError::Spawn)?;
        let stdin = child.stdin.take();
        let (sender, lines) = sync_channel(LINES_WAITING);
        let reader = || thread::Builder::new().name("engine reader".to_owned());
        let last_words = Arc::<Mutex<VecDeque<String>>>::default();
        let mut error_reader = None;
        if let Some(pipe) = child.stderr.take() {
            let sender = sender.clone();
            let last_words = last_words.clone();
            let read = move || match stderr {
                Stderr::Receive => read_lines(pipe, true, |line| sender.send(line).is_ok()),
                Stderr::Remember => read_lines(pipe, true, |line| {
                    remember(&mut lock(&last_words), &line.text);
                    true
                }),
            };
            let thread = reader().spawn(read).map_err(EngineError::Spawn)?;
            error_reader = (stderr == Stderr::Remember).then_some(thread);
        }
        if let Some(stdout) = child.stdout.take() {
            reader()
                .spawn(move || read_lines(stdout, false, |line| sender.send(line).is_ok()))
                .map_err(EngineError::Spawn)?;
        }
        Ok(Process { child, stdin, lines, interrupt, log: None, error_reader, last_words })
    }

    /// Sets the log for the following lines.
    pub fn set_log(&mut self, log: Option<LogHandle>) {
        self.log = log;
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// If the process no longer reads.
    pub fn send_raw(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        match self.stdin.as_mut().map(|stdin| stdin.write_all(bytes)) {
            Some(Ok(())) => Ok(()),
            _ => Err(self.ended()),
        }
    }

    /// Sends lines, all in one write.
    ///
    /// # Errors
    /// If the process no longer reads.
    pub fn send<L: AsRef<str>>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.as_ref());
            text.push('\n');
            if let Some(log) = &self.log {
                log.sent(line.as_ref());
            }
        }
        self.send_raw(text.as_bytes())
    }

    /// The next line. `what` names the command that the line answers, for the error message.
    ///
    /// # Errors
    /// If the line comes after the deadline, the process ends, or the user interrupts.
    pub fn receive(
        &mut self,
        deadline: Instant,
        what: &'static str,
    ) -> Result<EngineLine, EngineError> {
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(EngineError::Interrupted);
            }
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(wait.min(INTERRUPT_INTERVAL)) {
                Ok(line) => {
                    if let Some(log) = &self.log {
                        log.received(line.at, &line.text);
                    }
                    // An engine may write faster than its lines are read here.
                    return if line.at <= deadline {
                        Ok(line)
                    } else {
                        Err(EngineError::Silent(what))
                    };
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(EngineError::Silent(what));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Reads lines until `read` returns a value for one of them.
    ///
    /// # Errors
    /// As [`Process::receive`].
    pub fn receive_until<T>(
        &mut self,
        deadline: Instant,
        what: &'static str,
        mut read: impl FnMut(&EngineLine) -> Option<T>,
    ) -> Result<T, EngineError> {
        loop {
            if let Some(found) = read(&self.receive(deadline, what)?) {
                return Ok(found);
            }
        }
    }

    /// The next line, if it is already there.
    pub fn receive_waiting(&mut self) -> Option<EngineLine> {
        let line = self.lines.try_recv().ok()?;
        if let Some(log) = &self.log {
            log.received(line.at, &line.text);
        }
        Some(line)
    }

    /// Waits until the process ends by itself; `None` if it does not end in time.
    pub fn wait_for_end(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    // Empty the queue, so that the engine is not stuck on a full pipe.
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

    /// Sends `quit`, which is the same in both protocols, and gives the engine time to leave.
    pub fn quit(&mut self, timeout: Duration) {
        // Best effort: dropping the process kills it.
        let _ = self.send(&["quit"]);
        self.close_input();
        self.wait_for_end(timeout);
    }

    fn ended(&mut self) -> EngineError {
        // The pipe is closed, so the process ends; its exit status may take a moment.
        let status = self.wait_for_end(LAST_MOMENTS);
        if status.is_some()
            && let Some(reader) = self.error_reader.take()
        {
            // A child of the engine may keep the pipe open: do not wait for ever.
            let deadline = Instant::now() + LAST_MOMENTS;
            while !reader.is_finished() && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(2));
            }
        }
        let last_words = Vec::from(lock(&self.last_words).clone()).join(" / ");
        EngineError::Ended { status, last_words }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail if the process has ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps the last lines that are not blank.
fn remember(lines: &mut VecDeque<String>, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    if lines.len() == LAST_LINES {
        lines.pop_front();
    }
    lines.push_back(text.trim().chars().take(LAST_LINE_LENGTH).collect());
}

/// Reads lines until the pipe is closed or `take` returns false.
fn read_lines(pipe: impl Read, is_error: bool, mut take: impl FnMut(EngineLine) -> bool) {
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
        if !take(EngineLine { at, text, is_error }) {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        let spec = EngineSpec { command, ..EngineSpec::default() };
        Process::start(&spec, Stderr::Remember, Interrupt::default()).unwrap()
    }

    fn in_a_minute() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// Without the check of the interrupt, the engine would count as silent.
    #[test]
    fn the_user_interrupts_a_wait() {
        let mut process = shell("read line");
        process.interrupt.store(true, Ordering::Relaxed);
        let error = process.receive(in_a_minute(), "go").unwrap_err();
        assert!(matches!(error, EngineError::Interrupted), "{error}");
    }

    #[test]
    fn lines_after_the_deadline_do_not_count() {
        let deadline = Instant::now();
        let mut process = shell("yes");
        assert_eq!(process.receive(in_a_minute(), "go").unwrap().text, "y");
        // Let some more lines come in.
        thread::sleep(Duration::from_millis(200));
        let error = process.receive(deadline, "go").unwrap_err();
        assert_eq!(error.to_string(), "does not answer go");
    }

    #[test]
    fn the_last_words_of_an_engine_are_in_the_error() {
        let mut process =
            shell("for i in 1 2 3 4; do echo \"line $i\" >&2; echo >&2; done; exit 7");
        let error = process.receive(in_a_minute(), "go").unwrap_err();
        assert_eq!(error.to_string(), "has ended (exit status: 7): line 2 / line 3 / line 4");
        let error = shell("exit 7").receive(in_a_minute(), "go").unwrap_err();
        assert_eq!(error.to_string(), "has ended (exit status: 7)");
    }
}
