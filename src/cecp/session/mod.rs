//! One GUI's session: a state machine that takes lines and search events and answers with replies.
//!
//! It does no input or output, starts no thread and reads no clock, so that pipes, sockets and
//! tests can all drive it: the time is an argument of [`Session::handle`]. It plays through
//! [`Engine`] alone. This file holds the state and hands each command to the file that knows it.

mod analysis;
mod book;
mod claims;
mod coach;
pub mod edit;
mod features;
mod highlight;
mod hint;
mod mode;
mod pause;
mod playing;
mod pondering;
mod position;
mod searches;
mod settings;
mod thinking;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::coach::Assessment;
use crate::play::{
    Engine, Game, GameClock, HintSteps, IsWanted, Message, RatedGame, ResignDrawPolicy,
    RunningSearch, TimeControl,
};
use crate::protocol::options::SessionSettings;
use crate::protocol::session::{Event, Session};
use crate::types::{Color, Moment, Move, Ply};
use crate::variants::VariantId;

use super::wire::{Command, Fault, Level, Reply, message};
use edit::{EditBoard, Edited};
use mode::Mode;

/// The game that every `new` starts.
pub const FIRST_VARIANT: VariantId = VariantId::Standard;

/// What the GUI has switched on.
#[derive(Clone, Copy, Debug, Default)]
struct GuiFlags {
    /// It wants thinking lines.
    post: bool,
    /// The engine may think on the opponent's time.
    ponder: bool,
    /// It ignores lines that begin with `#`, so comments may be sent.
    comments: bool,
    /// It has said `computer` in this game: the opponent is an engine.
    opponent_is_engine: bool,
    /// The game is played on a chess server.
    is_on_server: bool,
    /// It has chosen a game for learning.
    is_lesson: bool,
}

/// A session of CECP. Dropping it stops its searches.
pub struct CecpSession {
    engine: Engine,
    settings: SessionSettings,
    gui: GuiFlags,

    /// The GUI has set up a position that is not legal: there are no legal moves.
    is_position_illegal: bool,
    edit: Option<EditBoard>,

    mode: Mode,
    /// The side that the engine plays, or played last.
    engine_side: Color,
    clock: GameClock,
    resign_draw: ResignDrawPolicy,
    /// Root moves that an analysis leaves out.
    excluded: Vec<Move>,
    /// Pings that wait for the engine's move.
    pings: Vec<i64>,
    /// Lines that came after `?`, until the engine has moved.
    waiting: VecDeque<Vec<u8>>,
    /// The move that the engine has just made, and the position before it, until the GUI has got it and
    /// the coach has said what it thinks.
    made: Option<(Box<dyn Game>, Move)>,
    /// The reply that the engine expects to its last move.
    expected: Option<Move>,
    /// Whether the game counts for an adaptive level. The engine's first move settles the sides.
    rated_game: RatedGame,
    /// What the coach thinks of the learner's last move, until it is shown.
    last_assessment: Option<Assessment>,
    /// The GUI shows what the coach has said of the position on the board.
    shows_remarks: bool,
    /// The coach's hints.
    hint_steps: HintSteps,
    /// A short search for the answer to `hint`.
    hinting: Option<RunningSearch>,

    /// What the user should know, until the GUI listens; then `None`.
    untold: Option<Vec<Message>>,
    now: Moment,
    outbox: Vec<Reply>,
    log_request: Option<String>,
}

impl CecpSession {
    /// A session that plays with an engine. The engine's sink must bring the events of its searches
    /// back as [`Event::Search`].
    pub fn new(engine: Engine, settings: SessionSettings) -> CecpSession {
        CecpSession {
            now: engine.now(),
            rated_game: RatedGame::begin(engine.game()),
            engine,
            settings,
            gui: GuiFlags::default(),
            is_position_illegal: false,
            edit: None,
            mode: Mode::Waiting,
            engine_side: Color::Black,
            clock: GameClock::new(),
            resign_draw: ResignDrawPolicy::default(),
            excluded: Vec::new(),
            pings: Vec::new(),
            waiting: VecDeque::new(),
            made: None,
            expected: None,
            last_assessment: None,
            shows_remarks: false,
            hint_steps: HintSteps::default(),
            hinting: None,
            untold: Some(Vec::new()),
            outbox: Vec::new(),
            log_request: None,
        }
    }

    /// The engine that plays in this session.
    pub const fn engine(&self) -> &Engine {
        &self.engine
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
                let with_files = self.engine.resource_limits().files;
                self.outbox.extend(features::lines(&self.all_settings(), with_files));
                self.begin_telling();
            }
            Command::Accepted(what) => self.gui.comments |= what == "debug",
            Command::Rejected(_) | Command::Name(_) | Command::Rating(_) => {}
            // `-` stands for a local game.
            Command::Ics(host) => self.gui.is_on_server = host != "-",
            Command::Computer => self.gui.opponent_is_engine = true,
            Command::Random | Command::Ignored(_) => {}

            Command::New => self.begin_game(),
            Command::Variant(name) => self.set_variant(&name),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.begin_edit(),
            Command::White => self.set_side_to_move(Color::White),
            Command::Black => self.set_side_to_move(Color::Black),
            Command::Undo => self.undo(1),
            Command::Remove => self.undo(2),
            Command::Lift(square) => self.piece_lifted(square),
            Command::Put(_) | Command::Hover(_) => {}

            Command::Force => self.force(),
            Command::Go => self.go(),
            Command::PlayOther => self.play_other(),
            Command::Move { text, prefixed } if self.is_stand_in(&text, prefixed) => {}
            Command::Move { text, .. } => self.user_move(&text),
            Command::MoveNow => self.move_now(),
            Command::Ping(number) => self.ping(number),
            Command::Draw => self.draw_offered(),
            Command::Result(result, _) => self.end_game(result),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),

            Command::Level(Level { moves, base, increment }) => {
                self.clock.set_control(TimeControl { moves, base, increment }, self.ply());
            }
            Command::MoveTime(time) => self.clock.set_move_time(time),
            Command::Depth(plies) => {
                self.clock.set_depth(plies);
                self.drop_pondering();
            }
            Command::NodeRate(rate) => {
                self.clock.set_node_rate(rate);
                self.drop_pondering();
            }
            Command::Time(time) => self.clock.set_time_left(time),
            Command::OpponentTime(time) => self.clock.set_opponent_time(time),

            Command::Hard => self.gui.ponder = true,
            Command::Easy => self.stop_pondering(),
            Command::Post => self.gui.post = true,
            Command::NoPost => self.gui.post = false,
            Command::Analyze => self.begin_analysis(),
            Command::Exit => self.end_analysis(),
            Command::Status => self.report_root(),
            Command::Exclude(what) => self.exclude(&what),
            Command::Include(what) => self.include(&what),

            Command::Memory(mebibytes) => self.set_hash(mebibytes as usize),
            Command::Cores(threads) => self.set_threads(threads as usize),
            Command::EgtPath { kind, path } => self.set_table_path(&kind, &path),
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
        }
    }

    fn say(&mut self, reply: Reply) {
        self.outbox.push(reply);
    }

    /// Comments on a command, if the GUI accepts comments.
    fn note(&mut self, text: &str) {
        if self.gui.comments {
            self.say(Reply::Comment(message(text)));
        }
    }

    /// The number of moves made since the start or since the position was set up.
    fn ply(&self) -> Ply {
        self.engine.game().ply_count()
    }
}

impl Session for CecpSession {
    type Reply = Reply;

    fn now(&self) -> Moment {
        self.engine.now()
    }

    fn handle(&mut self, event: Event, now: Moment, out: &mut dyn FnMut(Reply)) -> ControlFlow<()> {
        self.now = now;
        let mut flow = match event {
            Event::Line(line) if self.must_move() => {
                self.waiting.push_back(line);
                ControlFlow::Continue(())
            }
            Event::Line(line) => self.line(&line),
            Event::Overlong => {
                self.say(Reply::error(Fault::LineTooLong, "-"));
                ControlFlow::Continue(())
            }
            Event::Search(event) => {
                self.search_event(event);
                ControlFlow::Continue(())
            }
            Event::Eof => ControlFlow::Break(()),
        };
        while flow.is_continue()
            && !self.must_move()
            && let Some(line) = self.waiting.pop_front()
        {
            flow = self.line(&line);
        }
        if flow.is_break() {
            self.stop_search();
        }
        self.outbox.drain(..).for_each(&mut *out);
        // The coach takes its time after the engine's move, not before it.
        if self.has_to_follow_up()
            && let Some((before, mv)) = self.made.take()
        {
            self.follow_up(before, mv);
            self.outbox.drain(..).for_each(out);
        }
        flow
    }

    fn watch_input(&mut self, is_waiting: IsWanted) {
        self.engine.set_is_wanted(is_waiting);
    }

    fn take_log_request(&mut self) -> Option<String> {
        self.log_request.take()
    }
}

impl Drop for CecpSession {
    fn drop(&mut self) {
        self.stop_search();
    }
}
