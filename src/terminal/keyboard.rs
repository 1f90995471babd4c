//! A person at a terminal: edits lines with history and completion, and can interrupt the engine.

use std::collections::VecDeque;
use std::io::{self, Write};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr,
};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::person::{PROMPT, Person};
use super::request::{is_farewell, is_move_now};

/// What the terminal sends for Ctrl-C.
const CONTROL_C: u8 = 3;
/// In the place of a special character of the terminal: there is none.
const DISABLED: u8 = if cfg!(any(target_os = "linux", target_os = "android")) { 0 } else { 0xff };
/// Terminals on which rustyline cannot edit lines.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];
/// The longest line that is read while the engine thinks, in bytes.
const LONGEST_LINE: usize = 4096;

/// Is there a line at standard input, or does one come within this time in milliseconds, less than a second?
pub(super) fn has_input(wait: u16) -> bool {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(wait % 1000) * 1_000_000 };
    poll(&mut watched, Some(&wait)).is_ok_and(|ready| ready > 0)
}

/// A person at standard input and output, which are terminals.
pub(super) struct Keyboard {
    editor: Editor<Words, MemHistory>,
    /// Lines typed while the engine was thinking.
    typed: VecDeque<String>,
    /// How the terminal was set before; `None` if that is not known.
    before: Option<Termios>,
    /// Is a line edited while it is typed? Then the editor sees each key, Ctrl-C too.
    edits: bool,
}

impl Keyboard {
    /// # Errors
    /// If the terminal cannot be used.
    pub(super) fn new() -> io::Result<Keyboard> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .bracketed_paste(false)
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(io::Error::other)?;
        editor.set_helper(Some(Words::default()));
        let before = tcgetattr(io::stdin()).ok();
        let name = std::env::var("TERM").unwrap_or_default();
        let edits = !PLAIN_TERMINALS.iter().any(|plain| plain.eq_ignore_ascii_case(&name));
        let keyboard = Keyboard { editor, typed: VecDeque::new(), before, edits };
        keyboard.disarm();
        Ok(keyboard)
    }

    /// Sets the terminal as it was before.
    fn restore(&self) {
        if let Some(before) = &self.before {
            // Best effort: the terminal may be gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }

    /// Makes Ctrl-C the end of a line instead of the end of the program. Ctrl-Z and Ctrl-\ keep their meanings.
    fn disarm(&self) {
        if let Some(mut settings) = self.before.clone() {
            settings.special_codes[SpecialCodeIndex::VINTR] = DISABLED;
            settings.special_codes[SpecialCodeIndex::VEOL] = CONTROL_C;
            // Best effort: the terminal may be gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &settings);
        }
    }
}

impl Person for Keyboard {
    fn read(&mut self, out: &mut dyn Write, words: &[String]) -> io::Result<Option<String>> {
        out.flush()?;
        if let Some(line) = self.typed.pop_front() {
            writeln!(out, "{PROMPT}{line}")?;
            return Ok(Some(line));
        }
        if let Some(helper) = self.editor.helper_mut() {
            helper.0 = words.to_vec();
        }
        loop {
            if self.edits {
                self.restore();
            }
            let line = self.editor.readline(PROMPT);
            self.disarm();
            match line {
                Ok(line) if line.contains(char::from(CONTROL_C)) => {
                    writeln!(out, "Type quit to leave.")?;
                    out.flush()?;
                }
                Ok(line) => return Ok(Some(line)),
                Err(ReadlineError::Eof) => {
                    writeln!(out)?;
                    return Ok(None);
                }
                Err(ReadlineError::Interrupted) => {
                    writeln!(out, "Type quit to leave.")?;
                    out.flush()?;
                }
                // Bytes that are not UTF-8.
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {}
                Err(ReadlineError::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    fn columns(&self) -> usize {
        // A terminal that does not know its size says 0.
        let size = tcgetwinsize(io::stdout()).ok().filter(|size| size.ws_col > 0);
        size.map_or(usize::MAX, |size| size.ws_col.into())
    }

    fn can_interrupt(&self) -> bool {
        true
    }

    /// `?`, an empty line or Ctrl-C asks for the move; other lines wait for their turn.
    fn wants_move(&mut self) -> bool {
        if !has_input(0) {
            return false;
        }
        let mut bytes = [0; LONGEST_LINE];
        // Nothing to read: the terminal is gone. The next prompt will notice.
        let Ok(length @ 1..) = rustix::io::read(io::stdin(), &mut bytes) else { return true };
        let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
        if text.ends_with(char::from(CONTROL_C)) || is_move_now(&text) {
            return true;
        }
        let leaves = is_farewell(&text);
        self.typed.push_back(text.trim_end().to_owned());
        leaves
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.restore();
    }
}

/// Completes a line to one of these words and phrases. Phrases are shown only when their first word is
/// complete.
#[derive(Default)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, completions(&self.0, &line[..end])))
    }
}

/// The words and phrases that begin with what is typed; if there are none, those that begin with it in
/// another case.
fn completions(words: &[String], typed: &str) -> Vec<String> {
    let same_kind = || words.iter().filter(|word| word.contains(' ') == typed.contains(' '));
    let found: Vec<String> = same_kind().filter(|word| word.starts_with(typed)).cloned().collect();
    if !found.is_empty() {
        return found;
    }
    let begins =
        |word: &str| word.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed));
    same_kind().filter(|word| begins(word)).cloned().collect()
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_phrases_and_moves_are_completed() {
        let words = ["legal", "level", "level Amateur", "level Master", "Bc4", "bxc3"];
        let words = words.map(str::to_owned);
        for (typed, completed) in [
            ("le", vec!["legal", "level"]),
            ("level ", vec!["level Amateur", "level Master"]),
            ("level am", vec!["level Amateur"]),
            ("LEV", vec!["level"]),
            ("B", vec!["Bc4"]),
            ("bc", vec!["Bc4"]),
            ("level x", vec![]),
            ("\u{e9}", vec![]),
        ] {
            assert_eq!(completions(&words, typed), completed, "{typed}");
        }
    }
}
