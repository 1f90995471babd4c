//! The opening book: moves from it, and the answer to `bk`.

use super::{CecpSession, Mode};
use crate::book::{self, BookMove};
use crate::cecp::wire::{Reply, Thinking};
use crate::play::SearchId;

impl CecpSession {
    /// `bk`: the moves of the book in this position, with weights and shares. xboard needs at least
    /// one line, and an empty line at the end.
    pub(super) fn show_book(&mut self) {
        let game = self.engine.game();
        let lines = if !self.engine.has_book() {
            vec!["no opening book".to_owned()]
        } else if self.is_position_illegal {
            book::table(&[], |mv| game.san(mv))
        } else {
            book::table(&self.engine.book_moves(), |mv| game.san(mv))
        };
        self.outbox.extend(lines.into_iter().map(Reply::Book));
        self.say(Reply::Blank);
    }

    /// Shows that the engine's move comes from the book, if the GUI wants thinking lines.
    pub(super) fn show_book_moves(&mut self, id: SearchId, moves: &[BookMove]) {
        let is_thinking = matches!(&self.mode, Mode::Thinking(search) if search.id() == id);
        if is_thinking && self.gui.post {
            let game = self.engine.game();
            self.say(Reply::Thinking(Thinking::from_book(moves, |mv| game.san(mv))));
        }
    }
}
