//! A log of one game between two engines, in the form of xboard's debug file: `MS >first : TEXT` is
//! a line to an engine, `MS <second: TEXT` a line from it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::arena::engine_slot::EngineSlot;
use trebuchet::threads::lock;

/// The log of one game. Both engines write to it through their [`LogHandle`]s.
#[derive(Clone)]
pub struct DebugLog(Arc<Mutex<LogFile>>);

struct LogFile {
    /// The moment from which the time stamps count.
    start: Instant,
    file: BufWriter<File>,
}

impl DebugLog {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> io::Result<DebugLog> {
        let file = BufWriter::new(File::create(path)?);
        Ok(DebugLog(Arc::new(Mutex::new(LogFile { start: Instant::now(), file }))))
    }

    /// Writes a line of the match runner itself, without a time stamp.
    pub fn note(&self, text: &str) {
        // Best effort: a full disk does not end a match.
        let _ = writeln!(lock(&self.0).file, "{text}");
    }

    /// The handle through which the lines of one engine are logged.
    pub fn handle(&self, slot: EngineSlot) -> LogHandle {
        LogHandle { log: self.clone(), slot }
    }

    fn line(&self, at: Instant, direction: char, slot: EngineSlot, text: &str) {
        let log = &mut *lock(&self.0);
        let millis = at.saturating_duration_since(log.start).as_millis();
        // Best effort, as above.
        let _ = writeln!(log.file, "{millis} {direction}{} {text}", slot.log_prefix());
    }
}

/// Logs the lines of one engine.
#[derive(Clone)]
pub struct LogHandle {
    log: DebugLog,
    slot: EngineSlot,
}

impl LogHandle {
    /// Logs a line to the engine, sent now.
    pub fn sent(&self, text: &str) {
        self.log.line(Instant::now(), '>', self.slot, text);
    }

    /// Logs a line from the engine.
    pub fn received(&self, at: Instant, text: &str) {
        self.log.line(at, '<', self.slot, text);
    }
}
