//! An engine's process: lines to it, lines from it with the time of their arrival, and its end.

mod group;
mod input;
mod output;

use std::fmt;
use std::fs;
use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::log_writer::LogHandle;
use super::spec::EngineSpec;
use super::stop_signal::StopSignal;
use group::ProcessGroup;
use input::{Input, WriteError};
use output::{LastWords, read_lines};
use trebuchet::threads::lock;

pub use output::EngineLine;

/// Why an engine cannot be used any more. The messages follow the engine's name.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("cannot be started: {0}")]
    Spawn(io::Error),
    /// `last_words` are lines on its standard error that tell why, unless they were received.
    #[error(
        "has ended{}{}{last_words}",
        .status.map(|status| format!(" ({status})")).unwrap_or_default(),
        if .last_words.is_empty() { "" } else { ": " }
    )]
    Ended { status: Option<ExitStatus>, last_words: String },
    /// It has not answered this command in time.
    #[error("does not answer {0}")]
    Silent(Awaited),
    /// It leaves so much unread that the pipe to it is full.
    #[error("does not read its input")]
    NotReading,
    #[error("{0}")]
    Unable(String),
    /// The user ends the match. Not the engine's fault.
    #[error("interrupted")]
    Interrupted,
}

/// The command whose answer is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    Protover,
    Ping,
    Uci,
    IsReady,
    Go,
    Stop,
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Awaited::Protover => "protover",
            Awaited::Ping => "ping",
            Awaited::Uci => "uci",
            Awaited::IsReady => "isready",
            Awaited::Go => "go",
            Awaited::Stop => "stop",
        })
    }
}

/// What happens to an engine's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stderr {
    /// Its first and last lines go into the error when the engine ends by itself.
    Remember,
    /// Its lines are received among the others.
    Receive,
}

/// A running engine. Dropping it kills it and all processes that it has started.
pub struct Process {
    group: ProcessGroup,
    /// `None` once closed.
    input: Option<Input>,
    lines: Receiver<EngineLine>,
    /// The next line, if it came after the deadline for it.
    late: Option<EngineLine>,
    stop: StopSignal,
    log: Log,
    stderr: Stderr,
    /// The thread that reads standard error, and what it has read.
    error_reader: Option<JoinHandle<()>>,
    last_words: Arc<Mutex<LastWords>>,
}

/// Where the lines are logged. The readers log a line when it comes, so that the lines of two engines stand in the
/// order of time.
type Log = Arc<Mutex<Option<LogHandle>>>;

/// Logs a line that has come.
fn log_received(log: &Log, line: &EngineLine) {
    if let Some(log) = &*lock(log) {
        log.received(line.at, &line.text);
    }
}

/// Lines that are read ahead. An engine that writes more has to wait.
pub(super) const LINES_WAITING: usize = 1024;

/// How long an engine may leave a full pipe unread.
const READING_TIMEOUT: Duration = Duration::from_secs(10);

/// How long after the end of its output an engine's exit status and last words may take to arrive.
const LAST_MOMENTS: Duration = Duration::from_secs(1);

/// How often a waiting thread checks the stop signal.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

impl Process {
    /// Starts a program in its own process group. The signal ends all waiting for it.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(
        spec: &EngineSpec,
        stderr: Stderr,
        stop: StopSignal,
    ) -> Result<Process, EngineError> {
        let missing = || EngineError::Spawn(io::Error::from(io::ErrorKind::InvalidInput));
        let (program, arguments) = spec.command.split_first().ok_or_else(missing)?;
        let mut command = Command::new(program);
        command.args(arguments).envs(spec.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            fs::read_dir(directory).map_err(|error| {
                let words = format!("{}: {error}", directory.display());
                EngineError::Spawn(io::Error::new(error.kind(), words))
            })?;
            command.current_dir(directory);
        }
        let mut group = ProcessGroup::spawn(&mut command).map_err(EngineError::Spawn)?;
        let leader = group.leader();
        let (stdin, stdout) = (leader.stdin.take(), leader.stdout.take());
        let error_pipe = leader.stderr.take();
        let input = stdin.map(Input::new).transpose().map_err(EngineError::Spawn)?;
        let (sender, lines) = sync_channel(LINES_WAITING);
        let reader = || thread::Builder::new().name("engine reader".to_owned());
        let last_words = Arc::<Mutex<LastWords>>::default();
        let log = Log::default();
        let receive = |log: Log, sender: SyncSender<EngineLine>| {
            move |line: EngineLine| {
                log_received(&log, &line);
                sender.send(line).is_ok()
            }
        };
        let mut error_reader = None;
        if let Some(pipe) = error_pipe {
            let last_words = last_words.clone();
            let receive = (stderr == Stderr::Receive).then(|| receive(log.clone(), sender.clone()));
            let take = move |line: EngineLine| {
                lock(&last_words).remember(&line.text);
                receive.as_ref().is_none_or(|receive| receive(line))
            };
            let read = move || read_lines(pipe, true, take);
            error_reader = Some(reader().spawn(read).map_err(EngineError::Spawn)?);
        }
        if let Some(stdout) = stdout {
            let receive = receive(log.clone(), sender);
            reader()
                .spawn(move || read_lines(stdout, false, receive))
                .map_err(EngineError::Spawn)?;
        }
        Ok(Process { group, input, lines, late: None, stop, log, stderr, error_reader, last_words })
    }

    /// Sets the log for the following lines.
    pub fn set_log(&mut self, log: Option<LogHandle>) {
        *lock(&self.log) = log;
    }

    /// Sends bytes as they are, and waits until the pipe has taken them.
    ///
    /// # Errors
    /// If the process has ended or does not read, or the stop signal is given while it does not.
    pub fn send_raw(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.write(bytes, READING_TIMEOUT)
    }

    /// Sends lines, all in one write.
    ///
    /// # Errors
    /// As [`Process::send_raw`].
    pub fn send<L: AsRef<str>>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        self.send_within(lines, READING_TIMEOUT)
    }

    fn send_within<L: AsRef<str>>(
        &mut self,
        lines: &[L],
        timeout: Duration,
    ) -> Result<(), EngineError> {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.as_ref());
            text.push('\n');
            if let Some(log) = &*lock(&self.log) {
                log.sent(line.as_ref());
            }
        }
        self.write(text.as_bytes(), timeout)
    }

    fn write(&mut self, bytes: &[u8], timeout: Duration) -> Result<(), EngineError> {
        let written = match &mut self.input {
            Some(input) => input.write(bytes, timeout, &self.stop),
            None => Err(WriteError::Closed),
        };
        written.map_err(|error| match error {
            WriteError::Closed => self.ended(),
            WriteError::Full => EngineError::NotReading,
            WriteError::Stopped => EngineError::Interrupted,
        })
    }

    /// The next line, if one comes before the deadline.
    ///
    /// # Errors
    /// If the process ends, or the stop signal is given.
    pub fn receive_by(&mut self, deadline: Instant) -> Result<Option<EngineLine>, EngineError> {
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.receive_soon(wait)? {
                // An engine may write faster than its lines are read here.
                Some(line) if line.at > deadline => {
                    self.late = Some(line);
                    return Ok(None);
                }
                Some(line) => return Ok(Some(line)),
                None if Instant::now() >= deadline => return Ok(None),
                None => {}
            }
        }
    }

    /// The next line, if one comes within `wait`. Waits a tenth of a second at most, so that a caller can look at other
    /// things, too.
    ///
    /// # Errors
    /// As [`Process::receive_by`].
    pub fn receive_soon(&mut self, wait: Duration) -> Result<Option<EngineLine>, EngineError> {
        if self.stop.is_stopped() {
            return Err(EngineError::Interrupted);
        }
        if let Some(line) = self.late.take() {
            return Ok(Some(line));
        }
        match self.lines.recv_timeout(wait.min(STOP_INTERVAL)) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            Err(RecvTimeoutError::Timeout) => Ok(None),
        }
    }

    /// The next line, if it is already there.
    pub fn receive_waiting(&mut self) -> Option<EngineLine> {
        self.late.take().or_else(|| self.lines.try_recv().ok())
    }

    /// Has the process ended by itself? Those that it has started may still run, and keep the output open.
    pub fn has_ended(&mut self) -> bool {
        self.group.has_ended()
    }

    /// Waits until the process ends by itself; `None` if it does not end in time. The processes that it has
    /// started end with it.
    pub fn wait_for_end(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(status) = self.group.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            // Empty the queue, so that the engine is not stuck on a full pipe.
            while self.lines.try_recv().is_ok() && Instant::now() < deadline {}
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Sends `quit`, which is the same in both protocols, and gives the engine time to leave.
    pub fn quit(&mut self, timeout: Duration) {
        // Best effort: dropping the process kills it.
        let _ = self.send_within(&["quit"], timeout);
        self.close_input();
        self.wait_for_end(timeout);
    }

    /// The error; if it is that the engine has ended, with its last words, also if they were received.
    pub fn with_last_words(&self, error: EngineError) -> EngineError {
        match error {
            EngineError::Ended { status, .. } => {
                EngineError::Ended { status, last_words: lock(&self.last_words).in_one_line() }
            }
            error => error,
        }
    }

    fn ended(&mut self) -> EngineError {
        // The pipe is closed, so the process ends; its exit status may take a moment.
        let status = self.wait_for_end(LAST_MOMENTS);
        if status.is_some()
            && let Some(reader) = self.error_reader.take()
        {
            // A process that has left the group may keep the pipe open: do not wait for ever.
            let deadline = Instant::now() + LAST_MOMENTS;
            while !reader.is_finished() && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(2));
            }
        }
        let last_words = match self.stderr {
            Stderr::Remember => lock(&self.last_words).in_one_line(),
            Stderr::Receive => String::new(),
        };
        EngineError::Ended { status, last_words }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A reader may outlive the process a little, and the log must be complete when the game is over.
        self.set_log(None);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::File;
    use std::io::Read;
    use std::sync::mpsc::channel;

    use super::super::log_writer::DebugLog;
    use super::*;
    use crate::arena::engine_slot::EngineSlot;

    fn shell(script: &str) -> Process {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        let spec = EngineSpec { command, ..EngineSpec::default() };
        Process::start(&spec, Stderr::Remember, StopSignal::default()).unwrap()
    }

    impl Process {
        fn receive(
            &mut self,
            deadline: Instant,
            awaited: Awaited,
        ) -> Result<EngineLine, EngineError> {
            self.receive_by(deadline)?.ok_or(EngineError::Silent(awaited))
        }
    }

    fn in_a_minute() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// A line stands in the log before it is received.
    #[test]
    fn lines_are_logged_when_they_come() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut process = shell("read a; echo early; read b; echo late");
        let log = DebugLog::create(&path).unwrap();
        process.set_log(Some(log.handle(EngineSlot::First)));
        drop(log);
        process.send(&["one"]).unwrap();
        process.lines.recv().unwrap();
        process.send(&["two"]).unwrap();
        process.lines.recv().unwrap();
        drop(process);
        let text = std::fs::read_to_string(&path).unwrap();
        let order: Vec<&str> = text.lines().filter_map(|line| line.rsplit(' ').next()).collect();
        assert_eq!(order, ["one", "early", "two", "late"], "{text}");
    }

    /// Without the check of the signal, the engine would count as silent.
    #[test]
    fn the_user_interrupts_a_wait() {
        let mut process = shell("read line");
        process.stop.stop();
        let error = process.receive(in_a_minute(), Awaited::Go).unwrap_err();
        assert!(matches!(error, EngineError::Interrupted), "{error}");
    }

    #[test]
    fn lines_after_the_deadline_do_not_count() {
        let deadline = Instant::now();
        let mut process = shell("yes");
        assert_eq!(process.receive(in_a_minute(), Awaited::Go).unwrap().text, "y");
        // Let some more lines come in.
        thread::sleep(Duration::from_millis(200));
        let error = process.receive(deadline, Awaited::Go).unwrap_err();
        assert_eq!(error.to_string(), "does not answer go");
    }

    #[test]
    fn a_line_that_comes_too_late_is_the_next_one() {
        let deadline = Instant::now();
        let mut process = shell("echo one; echo two; read line");
        assert_eq!(process.receive(in_a_minute(), Awaited::Go).unwrap().text, "one");
        // Let the other line come in.
        thread::sleep(Duration::from_millis(200));
        assert!(process.receive_by(deadline).unwrap().is_none());
        assert_eq!(process.receive(in_a_minute(), Awaited::Go).unwrap().text, "two");
    }

    #[test]
    fn the_last_words_of_an_engine_are_in_the_error() {
        let mut process =
            shell("for i in 1 2 3 4; do echo \"line $i\" >&2; echo >&2; done; exit 7");
        let error = process.receive(in_a_minute(), Awaited::Go).unwrap_err();
        assert_eq!(
            error.to_string(),
            "has ended (exit status: 7): line 1 / line 2 / line 3 / line 4"
        );
        let error = shell("exit 7").receive(in_a_minute(), Awaited::Go).unwrap_err();
        assert_eq!(error.to_string(), "has ended (exit status: 7)");
    }

    #[test]
    fn last_words_that_were_received_are_told_on_demand() {
        let command = ["sh", "-c", "echo alas >&2; exit 7"].map(str::to_owned).to_vec();
        let spec = EngineSpec { command, ..EngineSpec::default() };
        let mut process = Process::start(&spec, Stderr::Receive, StopSignal::default()).unwrap();
        assert_eq!(process.receive(in_a_minute(), Awaited::Go).unwrap().text, "alas");
        let error = process.receive(in_a_minute(), Awaited::Go).unwrap_err();
        assert_eq!(error.to_string(), "has ended (exit status: 7)");
        let error = process.with_last_words(error);
        assert_eq!(error.to_string(), "has ended (exit status: 7): alas");
        let error = process.with_last_words(EngineError::NotReading);
        assert_eq!(error.to_string(), "does not read its input");
    }

    /// A process that the engine has started may keep standard error open.
    #[test]
    fn an_engine_has_ended_when_its_output_is_closed() {
        let mut process = shell("sleep 1000 > /dev/null & exit 7");
        let error = process.receive(in_a_minute(), Awaited::Go).unwrap_err();
        assert_eq!(error.to_string(), "has ended (exit status: 7)");
    }

    #[test]
    fn an_engine_behind_a_script_ends_with_the_script() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // The pipe can be opened when the engine runs, and is closed when the engine has ended.
        let start = |rest: &str| {
            let process = shell(&format!("sleep 1000 > '{}' & {rest}", pipe.display()));
            (process, File::open(&pipe).unwrap())
        };
        let wait_for_end = |mut engine: File| {
            let (sender, closed) = channel();
            thread::spawn(move || sender.send(engine.read_to_end(&mut Vec::new()).unwrap()));
            closed.recv_timeout(Duration::from_secs(60)).expect("the engine is left behind");
        };
        let (hanging_script, engine) = start("wait");
        drop(hanging_script);
        wait_for_end(engine);
        let (mut script_that_leaves, engine) = start("read line");
        script_that_leaves.quit(Duration::from_secs(60));
        wait_for_end(engine);
    }

    #[test]
    fn an_engine_that_does_not_read_does_not_stop_the_writer() {
        let mut process = shell("exec sleep 1000");
        let large = vec![b'x'; 1 << 20];
        let error = process.write(&large, Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.to_string(), "does not read its input");
        process.stop.stop();
        let error = process.send_raw(&large).unwrap_err();
        assert!(matches!(error, EngineError::Interrupted), "{error}");
    }
}
