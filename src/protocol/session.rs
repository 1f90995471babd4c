//! What a session of any protocol is: a state machine that takes events and answers with replies.

use std::fmt::Display;
use std::ops::ControlFlow;

use crate::play::{IsWanted, SearchEvent};
use crate::types::Moment;

/// Something that happens to a session.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line from the GUI, with or without its end.
    Line(Vec<u8>),
    /// A line that was too long to be read.
    Overlong,
    /// The GUI is gone.
    Eof,
    /// A search of the engine reports.
    Search(SearchEvent),
}

/// The session of one GUI. Dropping it stops its searches.
pub trait Session {
    /// A line to the GUI: its `Display` is the line without its end.
    type Reply: Display;

    /// The time on the engine's clock.
    fn now(&self) -> Moment;

    /// Takes an event that happens at `now`, by the engine's clock, and gives its answers to `out`;
    /// breaks when the session is over.
    fn handle(
        &mut self,
        event: Event,
        now: Moment,
        out: &mut dyn FnMut(Self::Reply),
    ) -> ControlFlow<()>;

    /// Tells the session who knows whether a line, or the end of the input, waits for it.
    fn watch_input(&mut self, _is_waiting: IsWanted) {}

    /// Is the session, which is over, still to answer something as soon as its search has stopped?
    fn owes_answer(&self) -> bool {
        false
    }

    /// The file for the run log, if an option has named one since the last call; an empty name ends
    /// the log.
    fn take_log_request(&mut self) -> Option<String>;
}
