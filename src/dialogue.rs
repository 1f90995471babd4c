//! The dialogue with a GUI that has not said yet which protocol it speaks: its first line decides.

use std::fmt;
use std::mem;
use std::ops::ControlFlow;

use crate::cecp;
use crate::cecp::session::CecpSession;
use crate::play::{Engine, IsWanted, SearchEvent};
use crate::protocol::options::SessionSettings;
use crate::protocol::session::{Event, Session};
use crate::types::Moment;
use crate::uci;
use crate::uci::session::UciSession;

/// A session of CECP or UCI: `uci` as the first line begins UCI, every other line CECP. Blank lines say
/// nothing.
pub struct Dialogue(Protocol);

enum Protocol {
    /// What both sessions need, and the events that have come.
    Undecided(Box<Undecided>),
    Cecp(Box<CecpSession>),
    Uci(Box<UciSession>),
    /// Only while the protocol is chosen.
    Choosing,
}

struct Undecided {
    engine: Engine,
    settings: SessionSettings,
    events: Vec<SearchEvent>,
}

/// A line to the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Cecp(cecp::wire::Reply),
    Uci(uci::wire::Reply),
}

/// The line as it goes over the wire, without its end.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reply::Cecp(reply) => reply.fmt(f),
            Reply::Uci(reply) => reply.fmt(f),
        }
    }
}

impl Dialogue {
    /// A dialogue with an engine, whose sink must bring the events of its searches back as
    /// [`Event::Search`].
    pub fn new(engine: Engine, settings: SessionSettings) -> Dialogue {
        let undecided = Undecided { engine, settings, events: Vec::new() };
        Dialogue(Protocol::Undecided(Box::new(undecided)))
    }

    /// The engine that plays.
    pub fn engine(&self) -> &Engine {
        match &self.0 {
            Protocol::Undecided(undecided) => &undecided.engine,
            Protocol::Cecp(session) => session.engine(),
            Protocol::Uci(session) => session.engine(),
            Protocol::Choosing => unreachable!("the protocol is chosen within one call"),
        }
    }

    /// Does a search run that the session still waits for?
    pub fn is_searching(&self) -> bool {
        match &self.0 {
            Protocol::Cecp(session) => session.is_searching(),
            Protocol::Uci(session) => session.is_searching(),
            Protocol::Undecided(_) | Protocol::Choosing => false,
        }
    }

    /// Does a search run that ends with the engine's move?
    pub fn is_thinking(&self) -> bool {
        match &self.0 {
            Protocol::Cecp(session) => session.is_thinking(),
            Protocol::Uci(session) => session.is_searching() && !session.is_pondering(),
            Protocol::Undecided(_) | Protocol::Choosing => false,
        }
    }

    /// Does it search on the opponent's time?
    pub fn is_pondering(&self) -> bool {
        match &self.0 {
            Protocol::Cecp(session) => session.is_pondering(),
            Protocol::Uci(session) => session.is_pondering(),
            Protocol::Undecided(_) | Protocol::Choosing => false,
        }
    }

    /// Chooses the protocol. Returns the events that have waited for it.
    fn choose(&mut self, speaks_uci: bool) -> Vec<SearchEvent> {
        match mem::replace(&mut self.0, Protocol::Choosing) {
            Protocol::Undecided(undecided) => {
                let Undecided { engine, settings, events } = *undecided;
                self.0 = if speaks_uci {
                    Protocol::Uci(Box::new(UciSession::new(engine, settings)))
                } else {
                    Protocol::Cecp(Box::new(CecpSession::new(engine, settings)))
                };
                events
            }
            chosen => {
                self.0 = chosen;
                Vec::new()
            }
        }
    }
}

impl Session for Dialogue {
    type Reply = Reply;

    fn now(&self) -> Moment {
        self.engine().now()
    }

    fn handle(&mut self, event: Event, now: Moment, out: &mut dyn FnMut(Reply)) -> ControlFlow<()> {
        if let Protocol::Undecided(undecided) = &mut self.0 {
            let speaks_uci = match &event {
                Event::Line(line) if line.trim_ascii().is_empty() => {
                    return ControlFlow::Continue(());
                }
                Event::Line(line) => line.trim_ascii() == b"uci",
                Event::Overlong => false,
                Event::Eof => return ControlFlow::Break(()),
                Event::Search(event) => {
                    undecided.events.push(event.clone());
                    return ControlFlow::Continue(());
                }
            };
            for event in self.choose(speaks_uci) {
                let _ = self.handle(Event::Search(event), now, out);
            }
        }
        match &mut self.0 {
            Protocol::Cecp(session) => {
                session.handle(event, now, &mut |reply| out(Reply::Cecp(reply)))
            }
            Protocol::Uci(session) => {
                session.handle(event, now, &mut |reply| out(Reply::Uci(reply)))
            }
            Protocol::Undecided(_) | Protocol::Choosing => ControlFlow::Continue(()),
        }
    }

    fn watch_input(&mut self, is_waiting: IsWanted) {
        match &mut self.0 {
            Protocol::Undecided(undecided) => undecided.engine.set_is_wanted(is_waiting),
            Protocol::Cecp(session) => session.watch_input(is_waiting),
            Protocol::Uci(_) | Protocol::Choosing => {}
        }
    }

    fn owes_answer(&self) -> bool {
        match &self.0 {
            Protocol::Cecp(session) => session.owes_answer(),
            Protocol::Uci(session) => session.owes_answer(),
            Protocol::Undecided(_) | Protocol::Choosing => false,
        }
    }

    fn take_log_request(&mut self) -> Option<String> {
        match &mut self.0 {
            Protocol::Cecp(session) => session.take_log_request(),
            Protocol::Uci(session) => session.take_log_request(),
            Protocol::Undecided(_) | Protocol::Choosing => None,
        }
    }
}
