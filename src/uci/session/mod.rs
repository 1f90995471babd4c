//! One GUI's session of UCI: a state machine that takes lines and search events and answers with replies.
//!
//! It plays through [`Engine`] alone, does no input or output and reads no clock. Every `go` gets exactly
//! one `bestmove`. What the GUI says while a search runs, and what the search must not see, waits until
//! the search has ended.

mod go;
mod moves;
mod settings;
mod thinking;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::options;
use super::wire::{Command, CommandError, Info, Reply, Start};
use crate::play::{Engine, Message, SearchEvent};
use crate::protocol::options::{SessionSettings, UciSettings};
use crate::protocol::session::{Event, Session};
use crate::types::Moment;
use go::GoSearch;

/// The most commands that wait for the end of a search. One more stops the search.
const MOST_WAITING: usize = 1000;

/// The longest text of the GUI that an answer repeats, in characters.
const ECHO_LIMIT: usize = 100;

/// The longest message for people, in characters.
const MESSAGE_LIMIT: usize = 500;

/// What the GUI asks for in a line.
enum Request {
    Command(Command),
    /// A line that was perhaps a position, and why it cannot be read.
    UnreadablePosition(String),
}

/// A session of UCI. Dropping it stops its search.
pub struct UciSession {
    engine: Engine,
    settings: SessionSettings,
    uci: UciSettings,
    /// Has a name of the game, and not the option for it, chosen Chess960?
    chess960_by_name: bool,
    /// What `position` has set up: the start and the moves that are on the board. `None` if something
    /// else is there, or if they belong to another game.
    position: Option<(Start, Vec<String>)>,
    /// Why the last `position` is not on the board.
    problem: Option<String>,
    search: Option<GoSearch>,
    /// Requests for after the search.
    waiting: VecDeque<Request>,
    /// The GUI is gone, or has said `quit`: what it has asked for before is still answered.
    is_over: bool,
    /// What the user should know, until `uciok` has been said; then `None`.
    untold: Option<Vec<Message>>,
    now: Moment,
    outbox: Vec<Reply>,
    log_request: Option<String>,
}

impl UciSession {
    /// A session that plays with an engine. The engine's sink must bring the events of its searches back
    /// as [`Event::Search`]. The book is off until the GUI asks for it, unless the command line names one: GUIs have
    /// books of their own, and matches test the search. Pondering is off, too. The level does not adapt: UCI tells no
    /// results of games.
    pub fn new(mut engine: Engine, settings: SessionSettings) -> UciSession {
        let text = "The strength does not follow your results: UCI does not tell them";
        let notice = engine.settings().adaptive.then(|| Message::notice(text.to_owned()));
        engine.change_settings(|settings| {
            settings.book.is_used &= !settings.book.file.is_empty();
            settings.adaptive = false;
        });
        UciSession {
            uci: UciSettings::with_strength(engine.settings().strength),
            now: engine.now(),
            engine,
            settings: SessionSettings { ponder: false, ..settings },
            chess960_by_name: false,
            position: None,
            problem: None,
            search: None,
            waiting: VecDeque::new(),
            is_over: false,
            untold: Some(notice.into_iter().collect()),
            outbox: Vec::new(),
            log_request: None,
        }
    }

    /// The engine that plays in this session.
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Does the GUI wait for a `bestmove`?
    pub const fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Does it search on the opponent's time?
    pub fn is_pondering(&self) -> bool {
        self.search.as_ref().is_some_and(GoSearch::is_pondering)
    }

    fn line(&mut self, line: &[u8]) -> ControlFlow<()> {
        match Command::parse(line) {
            Ok(Command::Quit) => {
                self.waiting.clear();
                return ControlFlow::Break(());
            }
            Ok(command) => self.ask(Request::Command(command)),
            Err(CommandError { fault, line }) => {
                let problem = format!("{fault}: {}", echo(&line));
                self.inform(&problem);
                if line.split_whitespace().next() == Some("position") {
                    self.ask(Request::UnreadablePosition(problem));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn ask(&mut self, request: Request) {
        match self.must_wait(&request) {
            true => self.put_off(request),
            false => self.grant(request),
        }
    }

    fn grant(&mut self, request: Request) {
        match request {
            Request::Command(command) => self.obey(command),
            // What should be on the board is not known.
            Request::UnreadablePosition(problem) => self.problem = Some(problem),
        }
    }

    /// Must the request wait for the end of the search? It would disturb the search, or it is meant for a `go`
    /// that waits.
    fn must_wait(&self, request: &Request) -> bool {
        match request {
            Request::Command(Command::Stop | Command::PonderHit) => {
                self.waiting.iter().any(|waits| matches!(waits, Request::Command(Command::Go(_))))
            }
            request => self.search.is_some() && disturbs_search(request),
        }
    }

    fn put_off(&mut self, request: Request) {
        let are_too_many = self.waiting.len() >= MOST_WAITING;
        self.waiting.push_back(request);
        if are_too_many {
            self.stop();
        }
    }

    /// Obeys what has waited for the end of the search. A `go` among that begins the next search: what would
    /// disturb this one waits on, but what is meant for it does not, and the next `go` or game ends it.
    fn obey_waiting(&mut self) {
        // Requests that wait on.
        let mut kept = 0;
        loop {
            if self.search.is_none() {
                kept = 0;
            }
            match self.waiting.get(kept) {
                None => return,
                Some(Request::Command(Command::Go(_) | Command::UciNewGame))
                    if self.search.is_some() =>
                {
                    self.stop();
                    if self.search.is_some() {
                        return;
                    }
                }
                Some(request) if self.search.is_some() && disturbs_search(request) => kept += 1,
                Some(_) => {
                    if let Some(request) = self.waiting.remove(kept) {
                        self.grant(request);
                    }
                }
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Blank | Command::Quit | Command::Debug(_) | Command::Register(_) => {}
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if self.search.is_none() {
                    self.engine.prepare_fully();
                }
                self.say(Reply::ReadyOk);
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UciNewGame => {
                self.engine.begin_game(self.variant());
                (self.position, self.problem) = (None, None);
            }
            Command::Position { start, moves } => self.set_position(start, moves),
            Command::Go(go) => self.go(go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
        }
    }

    fn introduce(&mut self) {
        self.say(Reply::Name(self.engine.settings().engine_name()));
        self.say(Reply::Author("the Trebuchet authors".to_owned()));
        let with_files = self.engine.resource_limits().files;
        let declared = options::declarations(&self.all_settings(), with_files);
        self.outbox.extend(declared.into_iter().map(Reply::Option));
        self.say(Reply::UciOk);
        let untold = self.untold.take().unwrap_or_default();
        untold.iter().for_each(|message| self.inform(&message.text));
    }

    fn search_event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Progress(id, progress) => self.show_progress(id, &progress),
            SearchEvent::Root(id, status) => self.show_root(id, &status),
            SearchEvent::Book(id, moves) => self.show_book_moves(id, &moves),
            SearchEvent::Message(message) => match &mut self.untold {
                Some(untold) => untold.push(message),
                None => self.inform(&message.text),
            },
            SearchEvent::Finished(id, choice) => {
                let Some(search) = &mut self.search else { return };
                if search.id() == Some(id) && !search.holds(&choice) {
                    self.finish(&choice);
                }
            }
        }
    }

    fn say(&mut self, reply: Reply) {
        self.outbox.push(reply);
    }

    /// Tells people something.
    fn inform(&mut self, text: &str) {
        let text: String = printable(text).take(MESSAGE_LIMIT).collect();
        self.say(Reply::Info(Box::new(Info { string: Some(text), ..Info::default() })));
    }
}

impl Session for UciSession {
    type Reply = Reply;

    fn now(&self) -> Moment {
        self.engine.now()
    }

    fn handle(&mut self, event: Event, now: Moment, out: &mut dyn FnMut(Reply)) -> ControlFlow<()> {
        self.now = now;
        let flow = match event {
            Event::Line(line) => self.line(&line),
            Event::Overlong => {
                let problem = "line too long";
                self.inform(problem);
                self.ask(Request::UnreadablePosition(problem.to_owned()));
                ControlFlow::Continue(())
            }
            Event::Search(event) => {
                self.search_event(event);
                ControlFlow::Continue(())
            }
            Event::Eof => ControlFlow::Break(()),
        };
        self.is_over |= flow.is_break();
        if flow.is_continue() {
            self.obey_waiting();
        }
        if self.is_over {
            self.stop();
        }
        self.outbox.drain(..).for_each(out);
        flow
    }

    fn owes_answer(&self) -> bool {
        self.search.as_ref().is_some_and(GoSearch::is_running)
    }

    fn take_log_request(&mut self) -> Option<String> {
        self.log_request.take()
    }
}

impl Drop for UciSession {
    fn drop(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
        }
    }
}

/// Would the request disturb a search?
const fn disturbs_search(request: &Request) -> bool {
    matches!(
        request,
        Request::Command(
            Command::SetOption { .. }
                | Command::UciNewGame
                | Command::Position { .. }
                | Command::Go(_)
        ) | Request::UnreadablePosition(_)
    )
}

/// The text of a GUI, as an answer repeats it.
fn echo(text: &str) -> String {
    printable(text.trim()).take(ECHO_LIMIT).collect()
}

fn printable(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().map(|c| if c.is_control() { '.' } else { c })
}
