//! Builds a bot, with limits of time and output: a build that fails, hangs or writes without end is a
//! result, too.

use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::arena::engines::{EngineError, EngineLine, EngineSpec, Process, Stderr, StopSignal};
use crate::arena::judging::sheet::shown;

/// The lines of a build's output that are kept: the last ones.
const LINES_KEPT: usize = 40;

/// A build that writes more lines than this is ended.
const MOST_LINES: usize = 100_000;

/// How often a build that has closed its output is asked whether it goes on.
const PAUSE: Duration = Duration::from_millis(100);

/// How long after the end of a build its output is still read: processes that it leaves behind may keep it open.
const LAST_OUTPUT: Duration = Duration::from_secs(1);

/// How a bot was built.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BuildReport {
    pub command: Vec<String>,
    /// Why there is no bot, in words that follow "the build". `None`: it succeeded.
    pub problem: Option<String>,
    /// The last lines of its output.
    pub output: Vec<String>,
}

/// Runs a build command in a folder, for as long as `limit` at most. All processes that it has started
/// are ended with it.
///
/// # Errors
/// If the signal is given.
pub fn build(
    command: &[String],
    folder: &Path,
    limit: Duration,
    stop: StopSignal,
) -> Result<BuildReport, EngineError> {
    let mut output = Vec::new();
    let problem = run(command, folder, limit, stop, &mut output)?;
    Ok(BuildReport { command: command.to_vec(), problem, output })
}

fn run(
    command: &[String],
    folder: &Path,
    limit: Duration,
    stop: StopSignal,
    output: &mut Vec<String>,
) -> Result<Option<String>, EngineError> {
    let deadline = Instant::now() + limit;
    let spec = EngineSpec {
        command: command.to_vec(),
        directory: Some(folder.to_owned()),
        ..EngineSpec::default()
    };
    let mut process = match Process::start(&spec, Stderr::Receive, stop.clone()) {
        Ok(process) => process,
        Err(error) => return Ok(Some(error.to_string())),
    };
    process.close_input();
    let not_ready = format!("is not ready after {} s", limit.as_secs());
    let mut running = RunningBuild { process, stop, deadline, has_ended: false };
    for _ in 0..MOST_LINES {
        match running.next_line() {
            Ok(Some(line)) => {
                output.push(shown(&line.text));
                if output.len() > LINES_KEPT {
                    output.remove(0);
                }
            }
            Ok(None) if !running.has_ended => return Ok(Some(not_ready)),
            Err(EngineError::Interrupted) => return Err(EngineError::Interrupted),
            Ok(None) | Err(_) => {
                let status = running.wait_for_end()?;
                return Ok(match status {
                    Some(status) if status.success() => None,
                    Some(status) => Some(format!("fails ({status})")),
                    None => Some(not_ready),
                });
            }
        }
    }
    Ok(Some(format!("writes more than {MOST_LINES} lines")))
}

/// A build whose output is read.
struct RunningBuild {
    process: Process,
    stop: StopSignal,
    /// When reading ends.
    deadline: Instant,
    /// Has the command itself ended? Processes that it leaves behind, such as a server, may still run.
    has_ended: bool,
}

impl RunningBuild {
    /// The next line; `None` if the time is up, or the build has ended and left its output open.
    ///
    /// # Errors
    /// If the output is closed, or the signal is given.
    fn next_line(&mut self) -> Result<Option<EngineLine>, EngineError> {
        loop {
            if !self.has_ended && self.process.has_ended() {
                self.has_ended = true;
                self.deadline = self.deadline.min(Instant::now() + LAST_OUTPUT);
            }
            let wait = self.deadline.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return Ok(None);
            }
            if let Some(line) = self.process.receive_soon(wait)? {
                return Ok(Some(line));
            }
        }
    }

    /// How a build ends whose output is read to the end: it may write elsewhere. `None` if its time is up. Ends the
    /// processes that it has left behind.
    ///
    /// # Errors
    /// If the signal is given.
    fn wait_for_end(&mut self) -> Result<Option<ExitStatus>, EngineError> {
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.process.wait_for_end(left.min(PAUSE)) {
                None if self.stop.is_stopped() => return Err(EngineError::Interrupted),
                None if !left.is_zero() => {}
                status => return Ok(status),
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn built(script: &str, limit: Duration) -> BuildReport {
        let folder = tempfile::tempdir().unwrap();
        let command = ["sh", "-c", script].map(str::to_owned);
        build(&command, folder.path(), limit, StopSignal::default()).unwrap()
    }

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_build_succeeds_or_fails_and_its_output_is_kept() {
        let good = built("echo compiled; echo warned >&2", MINUTE);
        assert_eq!(good.problem, None);
        assert_eq!(good.output.len(), 2);
        let bad = built("echo 'bot.c:3: error'; exit 2", MINUTE);
        assert_eq!(bad.problem.unwrap(), "fails (exit status: 2)");
        assert_eq!(bad.output, ["bot.c:3: error"]);
        let long = built("seq 1 1000", MINUTE);
        assert_eq!((long.output.len(), long.output[0].as_str()), (LINES_KEPT, "961"));
    }

    /// As `make` does that starts a server.
    #[test]
    fn a_build_ends_with_its_command_and_not_with_what_it_leaves_behind() {
        let good = built("echo compiled; sleep 600 & exit 0", MINUTE);
        assert_eq!((good.problem, good.output), (None, vec!["compiled".to_owned()]));
        let bad = built("sleep 600 & exit 3", MINUTE);
        assert_eq!(bad.problem.unwrap(), "fails (exit status: 3)");
    }

    #[test]
    fn a_build_that_hangs_or_writes_without_end_is_ended() {
        let hanging = built("sleep 600 & sleep 600", Duration::from_millis(300));
        assert_eq!(hanging.problem.unwrap(), "is not ready after 0 s");
        let silent = built("exec > /dev/null 2>&1; sleep 600", Duration::from_millis(300));
        assert_eq!(silent.problem.unwrap(), "is not ready after 0 s");
        let interrupted = StopSignal::default();
        interrupted.stop();
        let command = ["sh", "-c", "exec > /dev/null 2>&1; sleep 600"].map(str::to_owned);
        assert!(build(&command, Path::new("/"), MINUTE, interrupted).is_err());
        assert_eq!(built("yes", MINUTE).problem.unwrap(), "writes more than 100000 lines");
        let missing = ["/no/such/make".to_owned()];
        let report = build(&missing, Path::new("/"), MINUTE, StopSignal::default()).unwrap();
        assert!(report.problem.unwrap().starts_with("cannot be started: "));
    }
}
