//! The opening book at the terminal.

use std::io;

use super::Terminal;
use crate::book;

impl Terminal<'_> {
    pub(super) fn show_book(&mut self) -> io::Result<()> {
        if !self.engine.has_book() {
            return writeln!(self.out, "I have no opening book for this game.");
        }
        let game = self.engine.game();
        for line in book::table(&self.engine.book_moves(), |mv| game.san(mv)) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    pub(super) fn use_book(&mut self, is_used: bool) -> io::Result<()> {
        self.engine.change_settings(|settings| settings.book.is_used = is_used);
        if is_used && !self.engine.has_book() {
            return writeln!(self.out, "I have no opening book for this game.");
        }
        match is_used {
            true => self.tell_of_book("my book"),
            false => writeln!(self.out, "I play without a book."),
        }
    }

    /// Says whether the engine will play from its book.
    fn tell_of_book(&mut self, book: &str) -> io::Result<()> {
        match self.engine.can_play_from_book() {
            true => writeln!(self.out, "I play from {book}."),
            false => {
                writeln!(
                    self.out,
                    "I have {book}, but do not play from it at this strength or stage."
                )
            }
        }
    }

    /// If the file is no book, the old one stays.
    pub(super) fn open_book(&mut self, file: &str) -> io::Result<()> {
        let before = self.engine.settings().book.clone();
        // The file is read, also if it was named before: it may be another one now.
        self.engine.change_settings(|settings| settings.book.file.clear());
        self.engine.change_settings(|settings| {
            settings.book.is_used = true;
            file.clone_into(&mut settings.book.file);
        });
        if self.engine.has_book() {
            self.tell_of_book(&format!("the book in {file}"))
        } else {
            self.engine.change_settings(|settings| settings.book = before);
            Ok(())
        }
    }
}
