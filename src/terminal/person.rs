//! Where the lines of a person come from.

use std::io::{self, BufRead, Write};

/// The prompt before each line of the person.
pub(super) const PROMPT: &str = "> ";

/// The person's side of the conversation.
pub(super) trait Person {
    /// Shows the prompt and reads the next line; `None` at the end of the input. `words` are what a
    /// line may begin with.
    ///
    /// # Errors
    /// If the terminal can no longer be read or written.
    fn read(&mut self, out: &mut dyn Write, words: &[String]) -> io::Result<Option<String>>;

    /// The number of columns that the person sees.
    fn columns(&self) -> usize {
        usize::MAX
    }

    /// Can the person, who waits, interrupt the engine?
    fn can_interrupt(&self) -> bool {
        false
    }

    /// Does the person, who waits, want the engine's move now?
    fn wants_move(&mut self) -> bool {
        false
    }
}

/// A person who writes plain lines, without a way to interrupt the engine.
pub(super) struct PlainPerson<R>(pub(super) R);

impl<R: BufRead> Person for PlainPerson<R> {
    fn read(&mut self, out: &mut dyn Write, _: &[String]) -> io::Result<Option<String>> {
        write!(out, "{PROMPT}")?;
        out.flush()?;
        let mut line = Vec::new();
        if self.0.read_until(b'\n', &mut line)? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}
