//! What is said in an examination, as far as it needs it.

use std::collections::VecDeque;
use std::time::Duration;

use crate::arena::engines::{EngineError, EngineLine, Transcript};
use crate::counts::count;

/// One line of the conversation.
#[derive(Clone, Debug)]
pub enum TranscriptLine {
    Sent(String),
    Received(String),
    /// A line on the engine's standard error, which xboard reads as well.
    Stderr(String),
    /// The number of lines said here that are not kept.
    LeftOut(usize),
}

impl TranscriptLine {
    /// The line as people read it: `> ` before what was sent, `< ` and `! ` before what has come. `clean` makes the
    /// text fit to be shown.
    pub fn shown(&self, clean: impl Fn(&str) -> String) -> String {
        match self {
            TranscriptLine::Sent(line) => format!("> {}", clean(line)),
            TranscriptLine::Received(line) => format!("< {}", clean(line)),
            TranscriptLine::Stderr(line) => format!("! {}", clean(line)),
            TranscriptLine::LeftOut(number) => format!("… ({} left out)", count(*number, "line")),
        }
    }
}

/// How long the handshake may take; xboard waits as long.
pub const STARTUP: Duration = Duration::from_secs(10);
/// How long an answer may take.
pub const ANSWER: Duration = Duration::from_secs(10);
/// How long it may take after a step in which the engine has written nothing.
pub const IMPATIENT_ANSWER: Duration = Duration::from_secs(2);

/// How many lines of a step are kept: the first ones, without which nobody could repeat it, and the last ones.
const FIRST_LINES: usize = 24;
const LAST_LINES: usize = 24;
/// An engine that writes more without a word from us, in bytes, writes without end.
const FLOOD: usize = 16 << 20;
/// What each line counts besides its bytes.
const LINE_WEIGHT: usize = 64;

/// What was said, as far as the examination needs it.
#[derive(Default)]
pub struct Record {
    /// The first lines of the present step, what stands for those that are not kept, and the last lines.
    first: Vec<TranscriptLine>,
    left_out: Option<TranscriptLine>,
    last: VecDeque<TranscriptLine>,
    /// In the present step: has the engine been sent something, has it written something?
    has_sent: bool,
    has_received: bool,
    /// Has the present process written something on standard output?
    has_spoken: bool,
    /// Has the engine written nothing since an answer was missing?
    is_impatient: bool,
    /// What the engine has written since it was last sent something, in bytes.
    unasked: usize,
    /// The first of all steps.
    first_error_line: Option<String>,
}

impl Record {
    /// Begins a new step with an empty transcript.
    pub fn begin_step(&mut self) {
        self.first.clear();
        self.left_out = None;
        self.last.clear();
        (self.has_sent, self.has_received) = (false, false);
    }

    /// A new process takes the place of the old one.
    pub const fn begin_process(&mut self) {
        self.has_spoken = false;
    }

    /// Has the present process written something on standard output?
    pub const fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// The first and the last lines of the step.
    pub fn lines(&self) -> impl Iterator<Item = &TranscriptLine> {
        self.first.iter().chain(&self.left_out).chain(&self.last)
    }

    /// Has something been sent to the engine in this step?
    pub const fn has_sent(&self) -> bool {
        self.has_sent
    }

    /// Has the engine written something in this step?
    pub const fn has_received(&self) -> bool {
        self.has_received
    }

    /// Gives the engine less time for its answers, until it writes something.
    pub const fn lose_patience(&mut self) {
        self.is_impatient = true;
    }

    /// The time that an engine gets that usually has this time.
    pub fn patience(&self, usual: Duration) -> Duration {
        if self.is_impatient { usual.min(IMPATIENT_ANSWER) } else { usual }
    }

    /// The first line on standard error in all steps.
    pub fn first_error_line(&self) -> Option<&str> {
        self.first_error_line.as_deref()
    }

    fn keep(&mut self, line: TranscriptLine) {
        if self.first.len() < FIRST_LINES {
            return self.first.push(line);
        }
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
            let before = match self.left_out {
                Some(TranscriptLine::LeftOut(number)) => number,
                _ => 0,
            };
            self.left_out = Some(TranscriptLine::LeftOut(before + 1));
        }
        self.last.push_back(line);
    }
}

impl Transcript for Record {
    fn sent(&mut self, line: &str) {
        (self.has_sent, self.unasked) = (true, 0);
        self.keep(TranscriptLine::Sent(line.to_owned()));
    }

    fn received(&mut self, line: &EngineLine) -> Result<(), EngineError> {
        (self.has_received, self.is_impatient) = (true, false);
        self.has_spoken |= !line.is_error;
        self.unasked += line.text.len() + LINE_WEIGHT;
        if self.unasked > FLOOD {
            return Err(EngineError::Unable("writes without end".to_owned()));
        }
        let text = line.text.clone();
        if line.is_error {
            self.first_error_line.get_or_insert_with(|| text.clone());
            self.keep(TranscriptLine::Stderr(text));
        } else {
            self.keep(TranscriptLine::Received(text));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_step_the_first_and_the_last_lines_are_kept() {
        let mut record = Record::default();
        let shown = |record: &Record| {
            let lines = record.lines().map(|line| match line {
                TranscriptLine::Sent(text) => text.clone(),
                TranscriptLine::LeftOut(number) => format!("{number} left out"),
                other => panic!("{other:?}"),
            });
            lines.collect::<Vec<_>>()
        };
        let whole: Vec<String> = (1..=48).map(|number| number.to_string()).collect();
        whole.iter().for_each(|line| record.sent(line));
        assert_eq!(shown(&record), whole);
        ["49", "50"].iter().for_each(|line| record.sent(line));
        let lines = shown(&record);
        assert_eq!(lines[22..27], ["23", "24", "2 left out", "27", "28"]);
        assert_eq!((lines.len(), lines[48].as_str()), (49, "50"));
        record.begin_step();
        assert!(shown(&record).is_empty());
    }
}
