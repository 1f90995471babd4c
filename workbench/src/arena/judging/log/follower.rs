//! Follows the dialogue between a GUI and one bot, and says what happens in it.
//!
//! A [`LogFollower`] knows what is on the GUI's board, whose turn it is, what time is left, and what the
//! bot was told and has said. It judges nothing: it emits events. This file has the state and the lines
//! of the GUI, `bot_lines` the lines of the bot, `games` the beginnings and ends of games.

use std::time::Duration;

use super::board::{GuiBoard, GuiMoveResult};
use super::clock::LogClock;
use super::pings::{PingEvent, Pings};
use super::position::LogPosition;
use crate::arena::engine_slot::EngineSlot;
use crate::arena::games::ForfeitKind;
use crate::arena::judging::event::{EventKind, EventSink, GameEvent};
use crate::arena::judging::sheet::shown;
use trebuchet::cecp::wire::Command;
use trebuchet::play::Game;
use trebuchet::types::{Color, GameResult, Outcome};

/// The number of games in a log so far, shared by the followers of both engines.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameCount {
    pub(super) games: usize,
    pub(super) is_open: bool,
}

/// What the bot does now, as the GUI has told it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// It plays neither side: before the first game, and in force mode.
    Forced,
    /// It plays this colour, and does not have to move now.
    Waiting(Color),
    /// It plays this colour and has to move.
    Thinking(Color, Turn),
    Analyzing,
    /// The GUI has announced the result.
    Over,
}

/// The bot's turn to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Where it began.
    pub start: LogPosition,
    /// The time on the clock: `None` without a clock, and if the GUI has stopped the clocks for a while.
    pub left: Option<Duration>,
}

impl Turn {
    /// The time since the beginning of the turn.
    pub fn elapsed(&self, now: LogPosition) -> Duration {
        Duration::from_millis(now.at.saturating_sub(self.start.at))
    }
}

/// The GUI has told the bot to stop thinking, whatever comes next. Until the bot has read it, a move may
/// be on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub at: u64,
    /// How many pings were sent before.
    pub pings: u64,
}

/// A bot without `ping` may finish its move for this many milliseconds after it is told to stop. A bot
/// that is sent an illegal move has the same time to refuse it.
pub(super) const PATIENCE: u64 = 2_000;

/// The process of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Process {
    Running,
    /// The GUI has sent `quit`.
    Quitting,
    /// It has ended, says the GUI.
    Ended,
}

/// The GUI says that the bot's time is up. If the bot says nothing more, its process may have ended before.
pub(super) struct TimeLoss {
    /// The line at which the bot's turn began.
    pub line: u64,
    pub words: String,
    pub board: Option<Box<dyn Game>>,
}

/// What the bot does when the GUI interrupts its process, as xboard does without `feature sigint=0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interrupts {
    None,
    /// It was interrupted, and has not moved since.
    Pending,
    /// It has moved after one.
    Survived,
}

/// The last move that the GUI has sent, which the bot may refuse.
#[derive(Clone, Debug)]
pub(super) struct GuiMove {
    pub text: String,
    pub at: LogPosition,
    pub is_legal: bool,
}

/// Is this a command of UCI, which CECP does not have? A log may begin in the middle of a session.
fn is_of_uci(line: &[u8]) -> bool {
    [&b"uci"[..], b"isready", b"ucinewgame"].contains(&line) || line.starts_with(b"position ")
}

/// A game in which the bot has been asked for a move.
#[derive(Debug)]
pub(super) struct OpenGame {
    pub number: usize,
    /// The line at which it begins.
    pub line: u64,
    pub color: Color,
    pub variant: String,
    pub moves: usize,
    /// The result that the GUI has announced, and its comment.
    pub told: Option<(GameResult, String)>,
    pub resigned: Option<Color>,
    pub has_illegal_move: bool,
    pub has_false_claim: bool,
    /// The bot has rightly called a move of the GUI illegal.
    pub has_refused_illegal_move: bool,
    /// The bot has ended the game, or its board is not the GUI's any more. What it does until the GUI
    /// announces the result is not followed.
    pub is_abandoned: bool,
    /// How the game stood when the GUI went on to another position.
    pub outcome: Option<Outcome>,
}

/// Follows the dialogue with one bot. The events go to `sink`.
pub struct LogFollower<S> {
    pub(super) sink: S,
    pub(super) slot: EngineSlot,
    name: Option<String>,
    /// The line at which the process was started.
    pub(super) started: Option<u64>,
    /// The line at which the GUI began to speak UCI. Nothing of its dialogue is followed.
    uci: Option<u64>,
    pub(super) process: Process,
    pub(super) board: GuiBoard,
    pub(super) phase: Phase,
    pub(super) stop: Option<Stop>,
    pub(super) clock: LogClock,
    pub(super) pings: Pings,
    pub(super) gui_move: Option<GuiMove>,
    /// On its turn, the bot has printed this move without `move`, in this line.
    pub(super) bare_move: Option<(u64, String)>,
    /// The opponent has offered a draw, which stands until the bot moves.
    pub(super) is_draw_offered: bool,
    pub(super) time_loss: Option<TimeLoss>,
    pub(super) interrupts: Interrupts,
    /// The result that the GUI has told the opponent, but not yet this bot.
    pub(super) result_told_to_opponent: Option<(LogPosition, GameResult, String)>,
    pub(super) game: Option<OpenGame>,
    /// The number of games that have ended.
    pub(super) games: usize,
}

impl<S: EventSink> LogFollower<S> {
    /// Follows one engine of a log, or of a session, from its beginning.
    pub fn new(slot: EngineSlot, sink: S) -> LogFollower<S> {
        LogFollower {
            sink,
            slot,
            name: None,
            started: None,
            uci: None,
            process: Process::Running,
            board: GuiBoard::new(),
            phase: Phase::Forced,
            stop: None,
            clock: LogClock::default(),
            pings: Pings::default(),
            gui_move: None,
            bare_move: None,
            is_draw_offered: false,
            time_loss: None,
            interrupts: Interrupts::None,
            result_told_to_opponent: None,
            game: None,
            games: 0,
        }
    }

    /// The engine that is followed.
    pub fn slot(&self) -> EngineSlot {
        self.slot
    }

    /// The name that the bot or the GUI gives it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The line at which the GUI began to speak UCI, whose dialogue is not followed.
    pub fn uci(&self) -> Option<u64> {
        self.uci
    }

    /// The bot or the GUI says what the bot is called. The first name stays.
    pub fn learn_name(&mut self, name: &str) {
        self.name.get_or_insert_with(|| shown(name));
    }

    /// The GUI says, in these words, that the process of the bot has ended.
    pub fn process_ended(&mut self, now: LogPosition, words: &str) {
        if self.process != Process::Ended {
            self.process = Process::Ended;
            let mut words = format!("the GUI says: {}", shown(words));
            if let Some(TimeLoss { line, .. }) = self.time_loss.take() {
                words += &format!(
                    "; the bot said nothing more after line {line}, until its time was up"
                );
            }
            if self.interrupts == Interrupts::Pending {
                words += "; xboard had interrupted it, because it has no `feature sigint=0`";
            }
            let kind = ForfeitKind::Crash;
            self.emit(now.line, EventKind::Forfeit { kind, words: &words });
        }
        self.end_turn();
    }

    /// The GUI interrupts the process of the bot.
    pub fn interrupted(&mut self) {
        if self.interrupts == Interrupts::None {
            self.interrupts = Interrupts::Pending;
        }
    }

    /// The bot's process has not ended by the time at which its time was up.
    pub(super) fn settle_time_loss(&mut self) {
        if let Some(TimeLoss { line, words, board }) = self.time_loss.take() {
            let kind = EventKind::OutOfTime { words: &words, on_turn: true };
            self.sink.on(&GameEvent { line, board: board.as_deref(), kind });
        }
    }

    /// A line of the GUI to the bot.
    pub fn gui_line(&mut self, now: LogPosition, line: &[u8], count: &mut GameCount) {
        if self.started.is_none() && is_of_uci(line) {
            self.uci.get_or_insert(now.line);
        }
        if self.uci.is_some() || self.board.edit_line(line) {
            return;
        }
        let Ok(command) = Command::parse(line) else { return };
        match command {
            Command::Xboard => self.begin_process(now),
            Command::Protover(_) if self.started.is_none() => self.begin_process(now),
            Command::New => {
                self.settle_result_told_to_opponent();
                count.is_open = false;
                self.remember_outcome();
                self.board.reset();
                self.clock.reset();
                self.stop_thinking(now);
                self.phase = Phase::Waiting(Color::Black);
                (self.gui_move, self.is_draw_offered) = (None, false);
            }
            Command::Variant(name) => {
                self.remember_outcome();
                self.board.set_variant(&name);
            }
            Command::SetBoard(fen) => {
                self.remember_outcome();
                self.board.set_position(&fen);
            }
            Command::Edit => {
                self.remember_outcome();
                self.board.begin_edit();
            }
            Command::Force => {
                self.stop_thinking(now);
                if !matches!(self.phase, Phase::Over) {
                    self.phase = Phase::Forced;
                }
            }
            Command::Analyze => {
                self.stop_thinking(now);
                self.phase = Phase::Analyzing;
            }
            Command::Exit if matches!(self.phase, Phase::Analyzing) => self.phase = Phase::Forced,
            Command::Go => {
                self.phase = Phase::Waiting(self.board.side_to_move());
                self.start_turn(now, count);
            }
            Command::PlayOther if self.board.game().is_some() => {
                self.stop_thinking(now);
                self.phase = Phase::Waiting(!self.board.side_to_move());
            }
            Command::Move { text, .. } => self.gui_moves(now, &text, count),
            Command::Undo => self.board.take_back(1),
            Command::Remove => self.board.take_back(2),
            Command::Level(level) => self.clock.level(level),
            Command::MoveTime(time) => self.clock.move_time(time),
            Command::NodeRate(rate) => self.clock.node_rate(rate),
            Command::Time(left) => self.clock.set_remaining(left),
            Command::Pause => {
                if let Phase::Thinking(_, turn) = &mut self.phase {
                    turn.left = None;
                }
            }
            Command::Draw => self.is_draw_offered = true,
            Command::Ping(number) => {
                let follows_result = matches!(self.phase, Phase::Over);
                self.pings.ping(number, now.line, now.at, follows_result);
            }
            Command::Result(result, comment) => {
                count.is_open = false;
                self.gui_announces(now, result, &comment);
            }
            Command::Quit => {
                if self.process == Process::Running {
                    self.process = Process::Quitting;
                }
                self.stop_thinking(now);
            }
            _ => {}
        }
    }

    /// A line of the GUI to the opponent. A result counts if the GUI does not tell it this bot: its
    /// process may have ended.
    pub fn gui_line_to_opponent(&mut self, now: LogPosition, line: &[u8]) {
        let is_open = self.game.as_ref().is_some_and(|game| game.told.is_none());
        if is_open
            && line.starts_with(b"result ")
            && let Ok(Command::Result(result, comment)) = Command::parse(line)
        {
            self.result_told_to_opponent = Some((now, result, comment));
        }
    }

    /// The log or the session ends. Returns the sink, which has heard of everything.
    pub fn end(mut self, now: LogPosition) -> S {
        self.settle_result_told_to_opponent();
        if let (Phase::Thinking(_, turn), false) = (self.phase, self.is_abandoned()) {
            match self.bare_move.take() {
                None => self.no_move(now, turn),
                bare_move => self.report_bare_move(bare_move),
            }
        }
        self.end_pings(now);
        self.remember_outcome();
        self.end_game(now);
        if self.games == 0 {
            self.report_no_game();
        }
        self.sink
    }

    /// The process is started, perhaps not for the first time.
    fn begin_process(&mut self, now: LogPosition) {
        self.settle_time_loss();
        self.interrupts = Interrupts::None;
        if self.started.replace(now.line).is_some() {
            self.end_pings(now);
            self.pings = Pings::default();
            (self.stop, self.phase) = (None, Phase::Forced);
        }
        self.process = Process::Running;
        self.emit(now.line, EventKind::Started);
    }

    fn end_pings(&mut self, now: LogPosition) {
        let events = self.pings.end(now.at, self.process == Process::Quitting);
        if self.process != Process::Ended {
            self.emit_pings(events);
        }
    }

    /// The GUI makes a move for the other side, or for the bot.
    fn gui_moves(&mut self, now: LogPosition, text: &str, count: &mut GameCount) {
        self.settle_gui_move(now);
        let has_board = self.board.game().is_some();
        let is_legal = match self.board.read_gui_move(text) {
            GuiMoveResult::Legal(mv) => {
                self.board.play(mv);
                true
            }
            GuiMoveResult::Illegal => false,
            GuiMoveResult::Unknown => {
                self.gui_move = None;
                // Only the clock can be judged.
                if let (false, Phase::Waiting(_) | Phase::Thinking(..)) = (has_board, self.phase) {
                    self.start_turn(now, count);
                }
                return;
            }
        };
        self.gui_move = Some(GuiMove { text: text.to_owned(), at: now, is_legal });
        if !is_legal {
            return;
        }
        match self.phase {
            Phase::Waiting(color) | Phase::Thinking(color, _)
                if self.board.side_to_move() == color =>
            {
                self.start_turn(now, count);
            }
            Phase::Forced => {
                self.clock.forced_move();
                self.stop_thinking(now);
            }
            _ => self.stop_thinking(now),
        }
    }

    /// The bot has had its time to refuse the GUI's last move if it is illegal. A legal one it may still refuse.
    pub(super) fn settle_gui_move(&mut self, now: LogPosition) {
        let Some(gui_move) = self.gui_move.take_if(|gui_move| !gui_move.is_legal) else { return };
        if now.at.saturating_sub(gui_move.at.at) > PATIENCE && !self.is_abandoned() {
            let kind = EventKind::IllegalMoveAccepted { text: &gui_move.text, plays_on: false };
            self.emit(gui_move.at.line, kind);
        }
    }

    /// The bot is told to stop thinking.
    pub(super) fn stop_thinking(&mut self, now: LogPosition) {
        if self.end_turn().is_some() {
            self.stop = Some(Stop { at: now.at, pings: self.pings.sent() });
        }
    }

    /// The turn of the bot is over; returns it.
    pub(super) fn end_turn(&mut self) -> Option<Turn> {
        let Phase::Thinking(color, turn) = self.phase else { return None };
        self.bare_move = None;
        self.phase = Phase::Waiting(color);
        Some(turn)
    }

    /// The colour of the bot in the game that is being played.
    pub(super) fn color(&self) -> Option<Color> {
        match self.phase {
            Phase::Waiting(color) | Phase::Thinking(color, _) => Some(color),
            _ => self.game.as_ref().map(|game| game.color),
        }
    }

    /// Is the game no longer followed, until the GUI announces the result?
    pub(super) fn is_abandoned(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.is_abandoned)
    }

    /// Stops following the game until the GUI announces the result.
    pub(super) fn abandon(&mut self, now: LogPosition) {
        if let Some(game) = &mut self.game {
            game.is_abandoned = true;
        }
        self.end_turn();
        self.stop = Some(Stop { at: now.at, pings: self.pings.sent() });
    }

    /// Tells the sink that something has happened.
    pub(super) fn emit(&mut self, line: u64, kind: EventKind) {
        self.sink.on(&GameEvent { line, board: self.board.game(), kind });
    }

    pub(super) fn emit_pings(&mut self, events: Vec<PingEvent>) {
        for (line, kind) in events {
            self.emit(line, kind);
        }
    }
}
