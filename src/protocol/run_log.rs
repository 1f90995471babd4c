//! The run log: the lines that the engine read and wrote, in a file of its own.
//!
//! Lines are `12.345 > go`, `12.870 < move e2e4` and `# note`. The log never goes to standard
//! output or error, since xboard reads both as protocol; without a file it goes nowhere. A process
//! has one run log, because it has one logger.

use std::fs::{self, File};
use std::io::{self, LineWriter, Write};
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use env_logger::{Builder, Target};
use jiff::Timestamp;
use log::LevelFilter;

use super::session::Session;
use super::session_loop::Monitor;
use crate::files::append_regular;
use crate::play::Message;
use crate::threads::lock;

/// The log target of protocol lines. Records with another target are notes.
const WIRE: &str = "wire";

/// Logs the dialogue of a session, into the file that the session's options name.
pub struct Recorder;

impl<S: Session> Monitor<S> for Recorder {
    fn line(&mut self, line: &[u8]) {
        log::info!(target: WIRE, "> {}", String::from_utf8_lossy(line.trim_ascii_end()));
    }

    fn reply(&mut self, reply: &S::Reply) {
        log::info!(target: WIRE, "< {reply}");
    }

    fn handled(&mut self, session: &mut S) -> Option<Message> {
        let file = session.take_log_request()?;
        write_to(Path::new(&file)).err().map(|error| problem(&file, &error))
    }
}

/// What the user should know of a log that cannot be written. The engine also plays without one.
pub fn problem(file: &str, error: &io::Error) -> Message {
    Message::problem(format!("The log cannot be written: {file}: {error}"))
}

/// The file of the log, if there is one.
static FILE: Mutex<Option<LineWriter<File>>> = Mutex::new(None);

/// Prepares the log, which goes nowhere yet. The messages of panics go into it, not to the GUI.
pub fn init() {
    let start = Instant::now();
    let logger = Builder::new()
        .filter_level(LevelFilter::Info)
        .target(Target::Pipe(Box::new(ToFile)))
        .format(move |line, record| match record.target() {
            WIRE => writeln!(line, "{:.3} {}", start.elapsed().as_secs_f64(), record.args()),
            _ => writeln!(line, "# {}", record.args()),
        })
        .try_init();
    // Only a second call fails; the log is ready then.
    if logger.is_ok() {
        panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    }
}

/// Logs into a new file in `folder`, which is created if it does not exist.
///
/// # Errors
/// If the file cannot be created.
pub fn write_into(folder: &Path) -> io::Result<()> {
    write_to(&path_in(folder)?)
}

/// The path of a new log in `folder`, which is created if it does not exist.
///
/// # Errors
/// If the folder cannot be created.
pub fn path_in(folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    Ok(folder.join(file_name(Timestamp::now(), std::process::id())))
}

/// Logs to the end of `file`; an empty name ends the log.
///
/// # Errors
/// If the file cannot be written or is not a regular file. Writing to a pipe could block, and
/// standard output belongs to the protocol.
pub fn write_to(file: &Path) -> io::Result<()> {
    let opened = match file.as_os_str().is_empty() {
        true => None,
        false => Some(LineWriter::new(append_regular(file)?)),
    };
    *lock(&FILE) = opened;
    Ok(())
}

/// Passes lines on to the file, if there is one.
struct ToFile;

impl Write for ToFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *lock(&FILE) {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *lock(&FILE) {
            Some(file) => file.flush(),
            None => Ok(()),
        }
    }
}

/// `<date>-<time>-<pid>.log`, in universal time.
fn file_name(now: Timestamp, pid: u32) -> String {
    format!("{}-{pid}.log", now.strftime("%Y%m%d-%H%M%S"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_date_time_and_process() {
        let name = |seconds| file_name(Timestamp::from_second(seconds).unwrap(), 42);
        assert_eq!(name(0), "19700101-000000-42.log");
        assert_eq!(name(951_782_399), "20000228-235959-42.log");
        assert_eq!(name(951_782_400), "20000229-000000-42.log");
    }
}
