//! The events of searches, the end of a search, and the pings that wait for it.

use super::CecpSession;
use super::mode::{Mode, without_search};
use crate::cecp::wire::{Reply, message};
use crate::play::{Message, SearchEvent, Severity};

impl CecpSession {
    pub(super) fn search_event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Progress(id, progress) => self.show_progress(id, &progress),
            // xboard asks with `.`.
            SearchEvent::Root(..) => {}
            SearchEvent::Book(id, moves) => self.show_book_moves(id, &moves),
            SearchEvent::Message(message) => match &mut self.untold {
                Some(untold) => untold.push(message),
                None => self.tell(&message),
            },
            SearchEvent::Finished(id, choice) => {
                if self.hinting.take_if(|search| search.id() == id).is_some() {
                    self.say_hint(choice.best);
                }
                match &mut self.mode {
                    Mode::Thinking(search) if search.id() == id => self.finish_thinking(choice),
                    Mode::Pondering(ponder) if ponder.search.id() == id => {
                        ponder.choice = Some(choice)
                    }
                    // An analysis that has ended by itself is still shown; any other search has been
                    // abandoned.
                    _ => {}
                }
            }
        }
    }

    /// Tells the user what the engine has told until now, and from now on at once. The GUI listens when
    /// it has sent `protover` or, in protocol 1, `new`.
    pub(super) fn begin_telling(&mut self) {
        self.untold.take().unwrap_or_default().iter().for_each(|message| self.tell(message));
    }

    fn tell(&mut self, told: &Message) {
        match told.severity {
            Severity::Notice => self.note(&told.text),
            Severity::Problem => self.say(Reply::TellUserError(message(&told.text))),
        }
    }

    /// Ends every search without a move, and answers the pings that waited for a move. The engine's
    /// side stays, and analyze mode stays on. The coach says nothing more of the engine's last move.
    pub(super) fn stop_search(&mut self) {
        self.made = None;
        if let Some(search) = self.hinting.take() {
            search.handle.stop();
        }
        let mode = std::mem::replace(&mut self.mode, Mode::Forced);
        self.mode = without_search(mode);
        self.answer_pings();
    }

    /// Does a search run that the session still waits for?
    pub fn is_searching(&self) -> bool {
        let is_busy =
            matches!(self.mode, Mode::Thinking(_) | Mode::Pondering(_) | Mode::Analyzing(Some(_)));
        is_busy || self.hinting.is_some()
    }

    /// Will the engine move when its search ends?
    pub const fn is_thinking(&self) -> bool {
        matches!(self.mode, Mode::Thinking(_))
    }

    /// Does the engine think on the opponent's time?
    pub const fn is_pondering(&self) -> bool {
        matches!(self.mode, Mode::Pondering(_))
    }

    /// `ping`: answers when all earlier commands are done. That is at once, unless the engine thinks
    /// about its move or the coach has not yet said what it thinks of it.
    pub(super) fn ping(&mut self, number: i64) {
        self.pings.push(number);
        if !self.is_thinking() && !self.has_to_follow_up() {
            if !self.is_searching() {
                self.engine.prepare_fully();
            }
            self.answer_pings();
        }
    }

    pub(super) fn answer_pings(&mut self) {
        let pings = std::mem::take(&mut self.pings);
        self.outbox.extend(pings.into_iter().map(Reply::Pong));
    }
}
