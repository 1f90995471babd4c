//! What the engine is doing, and the search that it does it with.

use std::time::Instant;

use super::Session;
use super::pondering::Ponder;
use crate::cecp::wire::Reply;
use crate::play::{SearchEvent, SearchHandle, SearchId};
use crate::search::Progress;
use crate::types::Move;

/// A search under way.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) handle: SearchHandle,
    /// When its time began to count.
    pub(super) since: Instant,
    /// Its last report of the best line.
    pub(super) latest: Option<Progress>,
    /// `latest` was reported while pondering, when GUIs discard thinking lines.
    pub(super) needs_repost: bool,
}

impl Search {
    pub(super) const fn new(handle: SearchHandle, since: Instant) -> Search {
        Search { handle, since, latest: None, needs_repost: false }
    }

    pub(super) const fn id(&self) -> SearchId {
        self.handle.id()
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<Move> {
        self.latest.as_ref()?.pv.first().copied()
    }
}

/// What the engine is doing.
#[derive(Debug)]
pub(super) enum Mode {
    /// It plays neither side.
    Forced,
    /// It plays a side and is idle: it waits for the opponent's move or for `go`.
    Waiting,
    /// It thinks about its move.
    Thinking(Search),
    /// The opponent thinks; the engine searches the answer to the expected move.
    Pondering(Ponder),
    /// It analyses; `None` where no move can be searched.
    Analyzing(Option<Search>),
    /// It is paused since an instant and goes on with `from`.
    Paused { since: Instant, from: Box<Mode> },
    /// The game has ended; moves are taken as in force mode.
    Over,
}

impl Session {
    pub(super) fn search_event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Progress(id, progress) => self.show_progress(id, &progress),
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

    /// Ends every search without a move, and answers the pings that waited for a move. The engine's
    /// side stays, and analyze mode stays on.
    pub(super) fn stop_search(&mut self) {
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

    /// `ping`: answers when all earlier commands are done. That is at once, unless the engine thinks
    /// about its move.
    pub(super) fn ping(&mut self, number: i64) {
        self.pings.push(number);
        if !self.is_thinking() {
            if !self.is_searching() {
                self.engine.prepare();
            }
            self.answer_pings();
        }
    }

    pub(super) fn answer_pings(&mut self) {
        let pings = std::mem::take(&mut self.pings);
        self.outbox.extend(pings.into_iter().map(Reply::Pong));
    }
}

/// Stops the search of a mode, and gives the mode without it.
fn without_search(mode: Mode) -> Mode {
    match mode {
        Mode::Thinking(search) | Mode::Pondering(Ponder { search, .. }) => {
            search.handle.stop();
            Mode::Waiting
        }
        Mode::Analyzing(search) => {
            search.inspect(|search| search.handle.stop());
            Mode::Analyzing(None)
        }
        Mode::Paused { from, .. } => without_search(*from),
        Mode::Forced | Mode::Waiting | Mode::Over => mode,
    }
}
