//! A log of what was said in one game, in the form of xboard's debug file: `MS >first : TEXT` to an
//! engine, `MS <second: TEXT` from it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use super::process::Line;

/// The log of one game, shared by the two engines' taps.
#[derive(Clone)]
pub struct Journal(Rc<RefCell<Pages>>);

struct Pages {
    start: Instant,
    file: BufWriter<File>,
}

impl Journal {
    pub fn create(path: &Path) -> io::Result<Journal> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Journal(Rc::new(RefCell::new(Pages { start: Instant::now(), file }))))
    }

    /// A line of the runner's own, without stamp or name.
    pub fn note(&self, text: &str) {
        // A full disk must not end a match.
        let _ = writeln!(self.0.borrow_mut().file, "{text}");
    }

    /// Where the lines of one of the engines are noted.
    pub fn tap(&self, engine: Engine) -> Tap {
        Tap { journal: self.clone(), engine }
    }

    fn line(&self, at: Instant, direction: char, engine: Engine, text: &str) {
        let pages = &mut *self.0.borrow_mut();
        let millis = at.saturating_duration_since(pages.start).as_millis();
        let name = match engine {
            Engine::First => "first",
            Engine::Second => "second",
        };
        let _ = writeln!(pages.file, "{millis} {direction}{name:<6}: {text}");
    }
}

/// Which of the two engines of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    First,
    Second,
}

/// One engine's end of a journal.
#[derive(Clone)]
pub struct Tap {
    journal: Journal,
    engine: Engine,
}

impl Tap {
    pub fn sent(&self, text: &str) {
        self.journal.line(Instant::now(), '>', self.engine, text);
    }

    pub fn received(&self, line: &Line) {
        self.journal.line(line.at, '<', self.engine, &line.text);
    }
}
