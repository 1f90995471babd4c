//! An engine's standard output and standard error, line by line.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::time::Instant;

/// A line from the engine, without the line break.
#[derive(Clone, Debug)]
pub struct EngineLine {
    /// When it came.
    pub at: Instant,
    pub text: String,
    /// Did it come on standard error?
    pub is_error: bool,
}

/// The longest line in bytes. The rest of a longer one is dropped.
const LONGEST_LINE: u64 = 64 * 1024;

/// How many of the last lines on standard error are remembered, and the longest part of each in
/// characters.
const LAST_LINES: usize = 3;
const LAST_LINE_LENGTH: usize = 200;

/// The last lines on an engine's standard error that are not blank.
#[derive(Clone, Debug, Default)]
pub struct LastWords(VecDeque<String>);

impl LastWords {
    pub fn remember(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if self.0.len() == LAST_LINES {
            self.0.pop_front();
        }
        self.0.push_back(line.trim().chars().take(LAST_LINE_LENGTH).collect());
    }

    /// The lines in one.
    pub fn in_one_line(&self) -> String {
        Vec::from(self.0.clone()).join(" / ")
    }
}

/// Reads lines until the pipe is closed or `take` returns false.
pub fn read_lines(pipe: impl Read, is_error: bool, mut take: impl FnMut(EngineLine) -> bool) {
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
