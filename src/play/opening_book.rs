//! The opening book of an engine: a file, or the built-in book of each game.

use std::path::Path;

use super::Game;
use super::resources::{FileVersion, version_of};
use crate::book::{Book, BookError, BookMove};
use crate::variants::VariantId;

/// How the engine uses its opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookSettings {
    /// Does the engine play moves from the book?
    pub is_used: bool,
    /// The file of the book; empty for the built-in book of each game.
    pub file: String,
    /// How freely the engine chooses among the moves, 0 to 100; see [`crate::book::choose`].
    pub variety: u8,
}

impl Default for BookSettings {
    fn default() -> BookSettings {
        BookSettings { is_used: true, file: String::new(), variety: 50 }
    }
}

/// The book that the settings name.
#[derive(Debug)]
pub(super) struct OpeningBook {
    /// Are the built-in books used if no file is named?
    has_built_in: bool,
    /// The file that was named last; empty if none is.
    file: String,
    /// The book in this file, if it could be read.
    loaded: Option<Book>,
    /// The file as it was when it could not be read.
    unusable: Option<FileVersion>,
}

impl OpeningBook {
    pub(super) fn new(has_built_in: bool) -> OpeningBook {
        OpeningBook { has_built_in, file: String::new(), loaded: None, unusable: None }
    }

    /// May the engine play from what is built in?
    pub(super) const fn has_built_in(&self) -> bool {
        self.has_built_in
    }

    /// Reads the book in a file, if it is another file than before, or one that could not be read and has changed; an
    /// empty name stands for the built-in books.
    ///
    /// # Errors
    /// If the file is not a book or cannot be read. Then there is no book.
    pub(super) fn open(&mut self, file: &str) -> Result<(), BookError> {
        let has_failed = self.unusable.is_some_and(|unusable| unusable != version_of(file));
        if file == self.file && !has_failed {
            return Ok(());
        }
        file.clone_into(&mut self.file);
        (self.loaded, self.unusable) = (None, None);
        if !file.is_empty() {
            let version = version_of(file);
            let book = Book::load(Path::new(file)).inspect_err(|_| self.unusable = Some(version));
            self.loaded = Some(book?);
        }
        Ok(())
    }

    /// Is there a book for a game?
    pub(super) fn is_open(&self, variant: VariantId) -> bool {
        match self.file.is_empty() {
            true => self.has_built_in && built_in(variant).is_some(),
            false => self.loaded.is_some(),
        }
    }

    /// The moves in a position, the heaviest first.
    pub(super) fn moves(&self, game: &dyn Game) -> Vec<BookMove> {
        if !self.file.is_empty() {
            return self.loaded.as_ref().map_or_else(Vec::new, |book| game.book_moves(book));
        }
        let built_in = built_in(game.variant()).filter(|_| self.has_built_in);
        built_in.map_or_else(Vec::new, |book| game.book_moves(&book))
    }
}

/// The built-in book of a game. Its bytes are part of the program, so nothing is copied.
fn built_in(variant: VariantId) -> Option<Book> {
    for_variant!(variant, V => Book::built_in::<V>())
}
