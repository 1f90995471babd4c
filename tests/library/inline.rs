//! The engine as a web page has it: no threads, a clock of the page, and a seed from outside.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use trebuchet::cecp::session::FIRST_VARIANT;
use trebuchet::cecp::wire::traps;
use trebuchet::dialogue::Dialogue;
use trebuchet::play::{Engine, EngineSettings, Host, ResourceLimits, SearchEvent, inline_searcher};
use trebuchet::protocol::options::SessionSettings;
use trebuchet::protocol::session::{Event, Session};
use trebuchet::types::{Moment, TimeSource};

/// A session on this thread alone.
struct Page {
    session: Dialogue,
    events: Receiver<SearchEvent>,
    clock: TimeSource,
    /// The threads on which the sink was called.
    threads: Arc<Mutex<Vec<ThreadId>>>,
}

impl Page {
    /// Each reading of the clock takes a tenth of a millisecond.
    fn new(seed: u64) -> Page {
        let (sender, events) = mpsc::channel();
        let readings = AtomicU64::new(0);
        let clock = TimeSource::new(move || {
            Moment::START + Duration::from_micros(100) * readings.fetch_add(1, Relaxed) as u32
        });
        let threads = Arc::new(Mutex::new(Vec::new()));
        let callers = Arc::clone(&threads);
        let host = Host {
            ratings: None,
            clock: clock.clone(),
            seed,
            limits: ResourceLimits { files: false, hash: 4, threads: 1 },
            new_searcher: Box::new(|variant| inline_searcher(variant, 20_000)),
            built_in_books: true,
            sink: Arc::new(move |event| {
                callers.lock().unwrap().push(thread::current().id());
                sender.send(event).unwrap();
            }),
        };
        let settings = EngineSettings { hash: 4, ..EngineSettings::default() };
        let engine = Engine::new(FIRST_VARIANT, settings, host);
        let session = Dialogue::new(engine, SessionSettings::default());
        Page { session, events, clock, threads }
    }

    /// What the session answers to some lines.
    fn say(&mut self, lines: &str) -> Vec<String> {
        let mut said = Vec::new();
        for line in lines.lines() {
            let mut event = Some(Event::Line(line.as_bytes().to_vec()));
            while let Some(next) = event {
                let now = self.clock.now();
                let flow =
                    self.session.handle(next, now, &mut |reply| said.push(reply.to_string()));
                assert_eq!(flow == ControlFlow::Break(()), line == "quit", "{line}");
                event = self.events.try_recv().ok().map(Event::Search);
            }
        }
        for line in &said {
            assert_eq!(traps::check(line), Ok(()), "{line}");
        }
        said
    }

    /// The move that the engine answers to some lines.
    fn answer(&mut self, lines: &str) -> String {
        let said = self.say(lines);
        let moves: Vec<_> = said.iter().filter_map(|line| line.strip_prefix("move ")).collect();
        assert_eq!(moves.len(), 1, "{said:?}");
        moves[0].to_owned()
    }
}

#[test]
fn a_whole_dialogue_needs_no_thread() {
    let mut page = Page::new(1);
    let said = page.say("xboard\nprotover 2\naccepted debug");
    assert!(said.iter().any(|line| line == "feature done=1"), "{said:?}");

    // From the built-in book, and by a search.
    page.say("new\npost\nlevel 40 5 0\ntime 30000\notim 30000");
    page.answer("usermove e2e4");
    let said = page.say("new\noption OwnBook=0\nsd 5\nusermove e2e4");
    assert!(said.iter().any(|line| line.starts_with("5 ")), "{said:?}");
    assert!(said.last().unwrap().starts_with("move "), "{said:?}");

    // On the clock: a search reads it every thousand nodes.
    page.answer("new\nsd 0\nst 1\nusermove d2d4");

    // Pondering, and a hint.
    page.say("new\nhard\nsd 4");
    let said = page.say("usermove e2e4");
    let guess = said.iter().find_map(|line| line.strip_prefix("Hint: ")).expect("it ponders");
    let guess = format!("usermove {guess}");
    page.answer(&guess);
    let said = page.say("easy\nforce\nhint");
    assert!(said.iter().any(|line| line.starts_with("Hint: ")), "{said:?}");

    // An analysis shows its lines, and its end is held until `exit`.
    let said = page.say("new\nforce\nsd 0\nanalyze\n.\nusermove d2d4\n.");
    assert_eq!(said.iter().filter(|line| line.starts_with("stat01: ")).count(), 2, "{said:?}");
    assert!(said.iter().filter(|line| line.contains('\t')).count() > 4, "{said:?}");
    page.say("exit");

    // Another game to its end.
    page.say("new\nvariant 3check\nsetboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +2+0\nsd 3");
    let said = page.say("go");
    assert!(said.last().unwrap().ends_with("{White gives third check}"), "{said:?}");

    assert_eq!(page.say("ping 7"), ["pong 7"]);
    page.say("quit");
    let here = thread::current().id();
    assert!(page.threads.lock().unwrap().iter().all(|&thread| thread == here));
}

#[test]
fn the_seed_comes_from_the_page() {
    let play = |seed| {
        let mut page = Page::new(seed);
        page.say("option Stage=random");
        let answer = |page: &mut Page| page.answer("new\nusermove e2e4");
        (0..8).map(|_| answer(&mut page)).collect::<Vec<_>>()
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3), play(4));
}
