//! The session: lines of CECP in, lines of CECP out.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic;
use std::sync::Arc;
use std::time::Duration;

use trebuchet::cecp::session::FIRST_VARIANT;
use trebuchet::cecp::wire::Thinking;
use trebuchet::dialogue::Dialogue;
use trebuchet::for_variant;
use trebuchet::notation;
use trebuchet::play::{
    Engine, EngineSettings, Host, ResourceLimits, SearchEvent, SearchSink, inline_searcher,
};
use trebuchet::protocol::options::SessionSettings;
use trebuchet::protocol::session::{Event, Session};
use trebuchet::types::{Moment, Move, TimeSource};
use trebuchet::variants::VariantId;

/// The transposition table in MiB: a phone has memory for it.
const HASH: usize = 32;
/// An analysis rests after this many nodes: 20 to 32 seconds on a desktop machine, longer on a phone.
const MOST_NODES: u64 = 10_000_000;

/// What the page does for the module.
mod page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// The session says a line.
        pub safe fn reply(text: *const u8, len: usize);
        /// A running search has a new line: a thinking line of CECP, which the session says again when
        /// the search has ended.
        pub safe fn progress(text: *const u8, len: usize);
        /// Milliseconds on a clock that never goes backwards.
        pub safe fn now() -> f64;
    }
}

thread_local! {
    static SESSION: RefCell<Option<Dialogue>> = const { RefCell::new(None) };
    /// The game of the session: its moves are written so.
    static VARIANT: Cell<VariantId> = const { Cell::new(FIRST_VARIANT) };
    /// The events of searches that the session has not handled.
    static EVENTS: RefCell<VecDeque<SearchEvent>> = const { RefCell::new(VecDeque::new()) };
}

/// Starts a session with an engine of its own. If it panics, it says so before the module ends.
pub fn start(seed: u64) {
    panic::set_hook(Box::new(|info| {
        let line = format!("tellusererror {}", info.to_string().replace('\n', " "));
        page::reply(line.as_ptr(), line.len());
    }));
    let engine = engine(FIRST_VARIANT, seed, Arc::new(take_event));
    SESSION.set(Some(Dialogue::new(engine, SessionSettings::default())));
}

/// An engine for this thread, which searches on it and reports to `sink`.
pub fn engine(variant: VariantId, seed: u64, sink: SearchSink) -> Engine {
    let limits = ResourceLimits { files: false, hash: HASH, threads: 1 };
    let host = Host {
        clock: TimeSource::new(|| {
            Moment::START + Duration::from_secs_f64(page::now().max(0.0) / 1e3)
        }),
        seed,
        limits,
        new_searcher: Box::new(|variant| inline_searcher(variant, MOST_NODES)),
        built_in_books: true,
        ratings: None,
        sink,
    };
    let settings = EngineSettings { hash: HASH, ..EngineSettings::default() };
    Engine::new(variant, settings, host)
}

/// A search reports while the session is busy with it: the page may show its line at once.
fn take_event(event: SearchEvent) {
    if let SearchEvent::Progress(_, progress) = &event {
        let line = Thinking::new(progress, |mv| coordinate(VARIANT.get(), mv)).to_string();
        page::progress(line.as_ptr(), line.len());
    }
    EVENTS.with_borrow_mut(|events| events.push_back(event));
}

/// A move of a game as the session writes it.
fn coordinate(variant: VariantId, mv: Move) -> String {
    for_variant!(variant, V => notation::coordinate::<V>(mv))
}

/// Handles a line, and then what searches have reported. Returns false when the session is over, or has
/// not begun.
pub fn say(line: &[u8]) -> bool {
    SESSION.with_borrow_mut(|session| {
        let Some(session) = session else { return false };
        let mut event = Some(Event::Line(line.to_vec()));
        while let Some(next) = event {
            VARIANT.set(session.engine().game().variant());
            let now = session.now();
            let flow = session.handle(next, now, &mut |reply| {
                let line = reply.to_string();
                page::reply(line.as_ptr(), line.len());
            });
            if flow == ControlFlow::Break(()) {
                return false;
            }
            event = EVENTS.with_borrow_mut(VecDeque::pop_front).map(Event::Search);
        }
        true
    })
}
