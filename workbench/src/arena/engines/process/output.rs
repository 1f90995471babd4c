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

/// How many lines on standard error are remembered: the first ones, with which most languages name what is wrong, and
/// the last ones, where Python does. The longest part of each in characters.
const FIRST_LINES: usize = 2;
const LAST_LINES: usize = 3;
const LINE_LENGTH: usize = 200;

/// Lines on an engine's standard error that tell something: the first and the last ones.
#[derive(Clone, Debug, Default)]
pub struct LastWords {
    first: Vec<String>,
    /// Are there lines between the first and the last ones?
    is_long: bool,
    last: VecDeque<String>,
    /// `make` says that the command has failed, which counts if nothing else is told.
    make: String,
}

impl LastWords {
    pub fn remember(&mut self, line: &str) {
        if says_nothing(line) {
            return;
        }
        let line: String = line.trim().chars().take(LINE_LENGTH).collect();
        if is_failure_of_make(&line) {
            self.make = line;
            return;
        }
        if self.first.len() < FIRST_LINES {
            return self.first.push(line);
        }
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
            self.is_long = true;
        }
        self.last.push_back(line);
    }

    /// The lines in one.
    pub fn in_one_line(&self) -> String {
        if self.first.is_empty() {
            return self.make.clone();
        }
        let gap = self.is_long.then(|| "…".to_owned());
        let lines: Vec<String> = self.first.iter().chain(&gap).chain(&self.last).cloned().collect();
        lines.join(" / ")
    }
}

/// Is the line blank, a mark under the line before, or a call of a stack trace of Java?
fn says_nothing(line: &str) -> bool {
    let text = line.trim();
    let is_mark = text.chars().all(|c| "^~ ".contains(c));
    is_mark || line.starts_with(char::is_whitespace) && text.starts_with("at ")
}

/// `make: *** [Makefile:5: run] Error 1`. A signal in the place of the number tells more.
fn is_failure_of_make(line: &str) -> bool {
    let number = line.rsplit_once(" Error ").map(|(_, number)| number.parse::<u32>().is_ok());
    line.starts_with("make") && line.contains(": *** [") && number == Some(true)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let mut words = LastWords::default();
        text.lines().for_each(|line| words.remember(line));
        words.in_one_line()
    }

    #[test]
    fn the_line_that_names_the_exception_is_told() {
        let java = "Exception in thread \"main\" java.lang.IllegalStateException: no board\n\
            \tat Bot.search(Bot.java:71)\n\tat Bot.main(Bot.java:7)\n\
            make: *** [Makefile:5: run] Error 1\n";
        let exception = "Exception in thread \"main\" java.lang.IllegalStateException: no board";
        assert_eq!(told(java), exception);
        let python = "Traceback (most recent call last):\n  File \"bot.py\", line 9, in <module>\n    \
            main()\n    ~~~~^^\n  File \"bot.py\", line 5, in main\n    board.psuh(move)\n    \
            ^^^^^^^^^^\nAttributeError: no attribute 'psuh'\nmake[1]: *** [Makefile:5: run] Error 1\n";
        assert_eq!(
            told(python),
            "Traceback (most recent call last): / File \"bot.py\", line 9, in <module> / … / File \
            \"bot.py\", line 5, in main / board.psuh(move) / AttributeError: no attribute 'psuh'"
        );
    }

    #[test]
    fn a_few_lines_are_told_as_they_are() {
        assert_eq!(told("one\n\n  two\nmakes: three\n"), "one / two / makes: three");
        for alone in [
            "make: *** No rule to make target 'run'.  Stop.",
            "make: *** [Makefile:5: run] Segmentation fault (core dumped)",
            "make[1]: *** [Makefile:5: run] Error 3",
        ] {
            assert_eq!(told(alone), alone);
        }
        let many: String = (1..=9).map(|number| format!("{number}\n")).collect();
        assert_eq!(told(&many), "1 / 2 / … / 7 / 8 / 9");
    }
}
