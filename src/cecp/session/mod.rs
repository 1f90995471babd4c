//! One GUI's session: a state machine fed with lines and search events, which answers with replies.
//!
//! It does no input or output, starts no thread and reads no clock, so that pipes, sockets and
//! tests can all drive it: [`Session::handle`] is told the time. It knows games only as
//! [`Game`]. Each file beside this one holds one part of what a session does.

mod analysis;
mod edit;
mod features;
mod machine;
mod manners;
mod pause;
mod placement;
mod playing;
mod pondering;
mod position;
mod time_control;

pub use features::NAME;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use crate::play::{Game, SearchEvent, SearchId};
use crate::search::{Progress, StopToken};
use crate::types::{Color, Move, Ply};
use crate::variants::VariantId;

use super::options::{MAX_HASH, MAX_THREADS, Settings};
use super::wire::{Command, Reply, echo};
use edit::{EditBoard, Edited};
use machine::Prepared;
use manners::{Manners, Situation};
use pondering::Ponder;
use time_control::TimeControl;

/// Something that happens to a session.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line from the GUI, with or without its end.
    Line(Vec<u8>),
    /// A line that was too long to be read.
    Overlong,
    /// The GUI is gone.
    Eof,
    /// A search reports.
    Search(SearchEvent),
}

/// What a session may use of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// May options name files?
    pub files: bool,
    /// The greatest transposition table, in MiB.
    pub hash: usize,
    /// The greatest number of search threads.
    pub threads: usize,
}

impl Allowance {
    /// For the owner of the machine.
    pub const OWNER: Allowance = Allowance { files: true, hash: MAX_HASH, threads: MAX_THREADS };
}

/// Makes a game of a variant, at its start position.
pub type NewGame = Box<dyn Fn(VariantId) -> Box<dyn Game> + Send>;

/// Takes the events of all searches; it must bring them back as [`Event::Search`].
pub type SearchSink = Arc<dyn Fn(SearchEvent) + Send + Sync>;

/// The game that every `new` starts.
const FIRST_VARIANT: VariantId = VariantId::Standard;

/// A search under way.
#[derive(Clone, Debug)]
struct Search {
    id: SearchId,
    stop: StopToken,
    /// Since when it counts as thinking.
    since: Instant,
    /// What it said last of its best line.
    latest: Option<Progress>,
    /// It has said all that on the opponent's time, where GUIs do not listen.
    was_unheard: bool,
}

impl Search {
    /// The move it likes best so far.
    fn best(&self) -> Option<Move> {
        self.latest.as_ref()?.pv.first().copied()
    }
}

/// What the engine is doing.
#[derive(Debug)]
enum Mode {
    /// It plays neither side.
    Forced,
    /// It plays a side and is idle: the opponent is to move, or the GUI to say `go`.
    Waiting,
    /// It is to move and thinks.
    Thinking(Search),
    /// The opponent is to move; it thinks about the answer to the move it expects.
    Pondering(Ponder),
    /// It shows what it thinks of the position; no search runs where there is nothing to search.
    Analyzing(Option<Search>),
    /// Everything stands still since an instant, to go on as it was.
    Paused { since: Instant, from: Box<Mode> },
    /// The game has ended; moves are taken as in force mode.
    Over,
}

/// What the GUI wants to hear.
#[derive(Clone, Copy, Debug, Default)]
struct Wishes {
    /// Thinking lines.
    post: bool,
    /// Thinking on the opponent's time.
    ponder: bool,
    /// Comments: the GUI has accepted that lines with `#` are none of its business.
    comments: bool,
}

/// A session of CECP.
pub struct Session {
    new_game: NewGame,
    sink: SearchSink,
    allowance: Allowance,
    settings: Settings,
    wishes: Wishes,

    game: Prepared,
    /// The game that `new` put aside: `variant` often asks for it again at once.
    shelf: Option<Prepared>,
    /// The games begun so far.
    games: u64,
    /// Hidden constants that have been set.
    parameters: BTreeMap<String, i32>,
    /// The position last set up is not one: no move is legal.
    is_position_illegal: bool,
    edit: Option<EditBoard>,

    mode: Mode,
    /// The side that the engine plays, or played last.
    seat: Color,
    clock: TimeControl,
    manners: Manners,
    /// Root moves that an analysis leaves out.
    excluded: Vec<Move>,
    /// Pings that wait for the move to be made.
    pings: Vec<i64>,
    /// The reply to our last move that we expect.
    expected: Option<Move>,
    /// A short search for the answer to `hint`.
    hinting: Option<Search>,
    searches: SearchId,

    now: Instant,
    outbox: Vec<Reply>,
    log_request: Option<String>,
}

impl Session {
    pub fn new(
        new_game: NewGame,
        sink: SearchSink,
        allowance: Allowance,
        settings: Settings,
        now: Instant,
    ) -> Session {
        let game = Prepared::new(new_game(FIRST_VARIANT));
        let mut session = Session {
            new_game,
            sink,
            allowance,
            settings,
            wishes: Wishes::default(),
            game,
            shelf: None,
            games: 0,
            parameters: BTreeMap::new(),
            is_position_illegal: false,
            edit: None,
            mode: Mode::Waiting,
            seat: Color::Black,
            clock: TimeControl::new(),
            manners: Manners::default(),
            excluded: Vec::new(),
            pings: Vec::new(),
            expected: None,
            hinting: None,
            searches: 0,
            now,
            outbox: Vec::new(),
            log_request: None,
        };
        session.set_hash(session.settings.hash);
        session.set_threads(session.settings.threads);
        session
    }

    /// Takes an event that happens at `now` and gives its answers to `out`; breaks when the session
    /// is over.
    pub fn handle(
        &mut self,
        event: Event,
        now: Instant,
        out: &mut impl FnMut(Reply),
    ) -> ControlFlow<()> {
        self.now = now;
        let flow = match event {
            Event::Line(line) => self.line(&line),
            Event::Overlong => {
                self.say(Reply::Error { kind: "line too long".to_owned(), text: "-".to_owned() });
                ControlFlow::Continue(())
            }
            Event::Search(event) => {
                self.search_event(event);
                ControlFlow::Continue(())
            }
            Event::Eof => ControlFlow::Break(()),
        };
        if flow.is_break() {
            self.stop_search();
        }
        self.outbox.drain(..).for_each(out);
        flow
    }

    /// A file that an option has named for the run log since the last call; empty for no log.
    pub fn take_log_request(&mut self) -> Option<String> {
        self.log_request.take()
    }

    fn line(&mut self, line: &[u8]) -> ControlFlow<()> {
        if let Some(edit) = &mut self.edit {
            match edit.line(line) {
                Edited::GoesOn => return ControlFlow::Continue(()),
                Edited::Done => {
                    self.end_edit();
                    return ControlFlow::Continue(());
                }
                Edited::NotUnderstood => {}
            }
        }
        match Command::parse(line) {
            Ok(Command::Quit) => ControlFlow::Break(()),
            Ok(command) => {
                if !matches!(command, Command::Ping(_)) {
                    self.leave_edit();
                }
                self.command(command);
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.say(error.reply());
                ControlFlow::Continue(())
            }
        }
    }

    fn command(&mut self, command: Command) {
        if !matches!(command, Command::Blank | Command::Ping(_) | Command::Pause | Command::Resume)
        {
            self.resume();
        }
        match command {
            Command::Blank | Command::Xboard | Command::Quit => {}
            Command::Protover(_) => {
                self.outbox.extend(features::lines(&self.settings, self.allowance.files))
            }
            Command::Accepted(what) => self.wishes.comments |= what == "debug",
            Command::Rejected(_) | Command::Name(_) | Command::Rating(_) | Command::Ics(_) => {}
            Command::Computer | Command::Random | Command::Elsewhere(_) => {}

            Command::New => self.begin_game(),
            Command::Variant(name) => self.set_variant(&name),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.begin_edit(),
            Command::White => self.set_side_to_move(Color::White),
            Command::Black => self.set_side_to_move(Color::Black),
            Command::Undo => self.undo(1),
            Command::Remove => self.undo(2),
            Command::Lift(square) => self.show_targets(square),
            Command::Put(_) | Command::Hover(_) => {}

            Command::Force => self.force(),
            Command::Go => self.go(),
            Command::PlayOther => self.play_other(),
            Command::Move { text, .. } => self.user_move(&text),
            Command::MoveNow => self.move_now(),
            Command::Ping(number) => self.ping(number),
            Command::Draw => self.draw_offered(),
            Command::Result(..) => self.end_game(),
            Command::Hint => self.hint(),
            Command::Book => {
                self.say(Reply::Book("no opening book".to_owned()));
                self.say(Reply::Blank);
            }
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),

            Command::Level(level) => self.clock.set_level(level, self.ply()),
            Command::MoveTime(time) => self.clock.set_move_time(time),
            Command::Depth(plies) => self.clock.set_depth(plies),
            Command::NodeRate(rate) => self.clock.set_node_rate(rate),
            Command::Time(time) => self.clock.set_time_left(time),
            Command::OpponentTime(time) => self.clock.set_opponent_time(time),

            Command::Hard => self.wishes.ponder = true,
            Command::Easy => self.stop_pondering(),
            Command::Post => self.wishes.post = true,
            Command::NoPost => self.wishes.post = false,
            Command::Analyze => self.begin_analysis(),
            Command::Exit => self.end_analysis(),
            Command::Status => self.report_root(),
            Command::Exclude(what) => self.exclude(&what),
            Command::Include(what) => self.include(&what),

            Command::Memory(mebibytes) => self.set_hash(mebibytes as usize),
            Command::Cores(threads) => self.set_threads(threads as usize),
            // No tablebases are announced with `feature egt`, so nobody has a path for us.
            Command::EgtPath { .. } => {}
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
        }
    }

    fn search_event(&mut self, event: SearchEvent) {
        match event {
            SearchEvent::Progress(id, progress) => self.show_progress(id, &progress),
            SearchEvent::Finished(id, choice) => {
                if self.hinting.take_if(|search| search.id == id).is_some() {
                    self.say_hint(choice.best);
                }
                match &mut self.mode {
                    Mode::Thinking(search) if search.id == id => self.finish_thinking(choice),
                    Mode::Pondering(ponder) if ponder.search.id == id => {
                        ponder.choice = Some(choice)
                    }
                    // An analysis that has seen all there is to see is still one; any other search
                    // has been abandoned.
                    _ => {}
                }
            }
        }
    }

    /// Answers as soon as all earlier commands are done: at once, unless our move is awaited.
    fn ping(&mut self, number: i64) {
        self.pings.push(number);
        if !self.is_thinking() {
            if !self.is_searching() {
                self.prepare();
            }
            self.answer_pings();
        }
    }

    fn answer_pings(&mut self) {
        let pings = std::mem::take(&mut self.pings);
        self.outbox.extend(pings.into_iter().map(Reply::Pong));
    }

    /// Ends whatever search runs, without a move, and answers the pings that waited for one. The
    /// side that the engine plays, or its analysing, stays as it is.
    fn stop_search(&mut self) {
        if let Some(search) = self.hinting.take() {
            search.stop.stop();
        }
        let mode = std::mem::replace(&mut self.mode, Mode::Forced);
        self.mode = self.without_search(mode);
        self.answer_pings();
    }

    fn without_search(&self, mode: Mode) -> Mode {
        match mode {
            Mode::Thinking(search) | Mode::Pondering(Ponder { search, .. }) => {
                search.stop.stop();
                Mode::Waiting
            }
            Mode::Analyzing(search) => {
                search.inspect(|search| search.stop.stop());
                Mode::Analyzing(None)
            }
            Mode::Paused { from, .. } => self.without_search(*from),
            Mode::Forced | Mode::Waiting | Mode::Over => mode,
        }
    }

    /// Is a search at work?
    pub fn is_searching(&self) -> bool {
        let is_busy =
            matches!(self.mode, Mode::Thinking(_) | Mode::Pondering(_) | Mode::Analyzing(Some(_)));
        is_busy || self.hinting.is_some()
    }

    /// Is it to make a move?
    pub const fn is_thinking(&self) -> bool {
        matches!(self.mode, Mode::Thinking(_))
    }

    fn say(&mut self, reply: Reply) {
        self.outbox.push(reply);
    }

    /// Tells a GUI that listens to comments what has happened to its command.
    fn note(&mut self, text: &str) {
        if self.wishes.comments {
            self.say(Reply::Comment(echo(text)));
        }
    }

    /// The number of moves made since the position the game started from.
    fn ply(&self) -> Ply {
        self.game.of().ply_count()
    }

    /// What the rules of giving up and of drawing look at.
    fn situation(&self) -> Situation {
        let Settings { resign, draws, contempt, .. } = self.settings;
        Situation {
            resign,
            draws,
            contempt,
            ply: self.ply(),
            opponent_time: self.clock.opponent_time(),
        }
    }
}
