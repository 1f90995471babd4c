//! The dialogue between a GUI and one bot: it follows the board as the GUI has told it, and judges what
//! the bot prints.
//!
//! This file has the state and what the GUI says. `replies` judges what the bot says, `reports` ends the
//! games.

mod replies;
mod reports;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use crate::arena::check::clocks::{self, LogClock};
use crate::arena::check::conditions::Conditions;
use crate::arena::check::ending::{self, EndingKind};
use crate::arena::check::item::Item;
use crate::arena::check::log_reader::Seat;
use crate::arena::check::pings::Pings;
use crate::arena::check::report::GameReport;
use crate::arena::check::sheet::{Sheet, Violation, shown};
use crate::arena::check::stage_pawns;
use trebuchet::cecp::session::edit::{EditBoard, Edited};
use trebuchet::cecp::wire::Command;
use trebuchet::play::{Game, Stage, new_game};
use trebuchet::types::{Color, GameResult, Outcome};
use trebuchet::variants::VariantId;

/// What the bot does now, as the GUI sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It plays neither side.
    Forced,
    Playing(Color),
    Analyzing,
    /// The GUI has announced the result.
    Over,
}

/// The bot's turn to move.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Milliseconds.
    at: u64,
    line: u64,
    left: Option<Duration>,
    /// The GUI has stopped the clocks for a while.
    was_paused: bool,
}

/// The GUI has told the bot to stop thinking. The bot may not have read it yet.
#[derive(Clone, Copy, Debug)]
struct Stop {
    at: u64,
    /// How many pings were sent before.
    pings: u64,
}

/// A bot that has no `ping` may finish its move for this many milliseconds after it is told to stop.
const STOPPING: u64 = 2_000;

/// The last move that the GUI has sent.
#[derive(Clone, Debug)]
struct GuiMove {
    text: String,
    at: Now,
    is_legal: bool,
}

/// A game in which the bot has been asked for a move.
#[derive(Debug)]
struct OpenGame {
    number: usize,
    line: u64,
    color: Color,
    variant: String,
    moves: usize,
    told: Option<(GameResult, String)>,
    resigned: Option<Color>,
    has_illegal_move: bool,
    has_false_claim: bool,
    /// The bot has ended the game, or its board is not the GUI's any more: nothing else is judged.
    is_spoiled: bool,
    /// The board at the end, if the GUI goes on to another position.
    outcome: Option<Outcome>,
}

/// The longest game that is followed, in plies.
const LONGEST_GAME: usize = 20_000;

/// The features that matter here.
#[derive(Clone, Copy, Debug, Default)]
struct Features {
    is_any: bool,
    is_done: bool,
}

/// The number of games in a log so far, shared by both engines.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameCount {
    pub games: usize,
    pub is_open: bool,
}

impl GameCount {
    /// The number of the game that one of the engines begins or has begun.
    fn begin(&mut self) -> usize {
        if !self.is_open {
            self.games += 1;
            self.is_open = true;
        }
        self.games
    }
}

/// Where the log is.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    pub line: u64,
    /// Milliseconds.
    pub at: u64,
}

/// The dialogue with one bot.
pub struct Dialogue {
    seat: Seat,
    file: Arc<str>,
    conditions: Conditions,
    name: Option<String>,
    /// The line of `xboard` or `protover`.
    begins: Option<Now>,
    features: Features,
    /// The board; `None` before `new`, and in a game that we do not know.
    board: Option<Box<dyn Game>>,
    variant: String,
    edit: Option<EditBoard>,
    mode: Mode,
    turn: Option<Turn>,
    clock: LogClock,
    pings: Pings,
    stop: Option<Stop>,
    gui_move: Option<GuiMove>,
    /// The opponent has offered a draw that stands.
    is_draw_offered: bool,
    has_result: bool,
    /// The result that the GUI has told the other engine.
    overheard: Option<(Now, GameResult, String)>,
    has_quit: bool,
    is_dead: bool,
    game: Option<OpenGame>,
    sheet: Sheet,
    reports: Vec<GameReport>,
}

impl Dialogue {
    pub fn new(seat: Seat, file: Arc<str>, conditions: Conditions) -> Dialogue {
        Dialogue {
            seat,
            file,
            conditions,
            name: None,
            begins: None,
            features: Features::default(),
            board: None,
            variant: "normal".to_owned(),
            edit: None,
            mode: Mode::Forced,
            turn: None,
            clock: LogClock::default(),
            pings: Pings::default(),
            stop: None,
            gui_move: None,
            is_draw_offered: false,
            has_result: false,
            overheard: None,
            has_quit: false,
            is_dead: false,
            game: None,
            sheet: Sheet::default(),
            reports: Vec::new(),
        }
    }

    /// The name that the bot or the GUI gives it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The bot or the GUI says what the bot is called. The first name stays.
    pub fn is_called(&mut self, name: &str) {
        self.name.get_or_insert_with(|| shown(name));
    }

    /// The color of the bot in the game that is being played.
    fn color(&self) -> Option<Color> {
        match self.mode {
            Mode::Playing(color) => Some(color),
            _ => self.game.as_ref().map(|game| game.color),
        }
    }

    fn is_spoiled(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.is_spoiled)
    }

    /// The bot has ended the game, or lost its way. Until the GUI says so, the rest is not judged.
    fn spoil(&mut self, now: Now) {
        if let Some(game) = &mut self.game {
            game.is_spoiled = true;
        }
        self.turn = None;
        self.stop = Some(Stop { at: now.at, pings: self.pings.sent() });
    }

    /// The process of the bot has ended, says the GUI.
    pub fn died(&mut self, now: Now, text: &str) {
        if !self.is_dead {
            self.is_dead = true;
            let violation = Violation::at_line(now.line, format!("the GUI says: {}", shown(text)));
            self.sheet.broken(Item::KeepsRunning, violation);
        }
        self.turn = None;
    }

    // The GUI speaks.

    /// A line to the bot.
    pub fn hear(&mut self, now: Now, line: &[u8], count: &mut GameCount) {
        if let Some(edit) = &mut self.edit {
            match edit.line(line) {
                Edited::GoesOn => return,
                Edited::Done => return self.end_edit(),
                Edited::NotUnderstood => self.edit = None,
            }
        }
        let Ok(command) = Command::parse(line) else { return };
        match command {
            Command::Xboard => self.begin_process(now),
            Command::Protover(_) => {
                self.begins.get_or_insert(now);
            }
            Command::New => {
                self.settle_overheard();
                count.is_open = false;
                self.end_game_on_board();
                self.board = Some(new_game(VariantId::Standard));
                self.variant = "normal".to_owned();
                self.clock.reset();
                self.stop_thinking(now);
                self.mode = Mode::Playing(Color::Black);
                (self.gui_move, self.is_draw_offered, self.has_result) = (None, false, false);
            }
            Command::Variant(name) => {
                self.end_game_on_board();
                self.board = VariantId::from_name(&name).map(new_game);
                self.variant = shown(&name);
            }
            Command::SetBoard(fen) => {
                self.end_game_on_board();
                let is_set = self.board.as_mut().is_some_and(|board| board.set_board(&fen).is_ok());
                if !is_set {
                    self.board = None;
                }
            }
            Command::Edit => {
                self.end_game_on_board();
                self.edit = self.board.as_ref().map(|board| EditBoard::new(board.pieces()));
            }
            Command::Force => {
                self.stop_thinking(now);
                if self.mode != Mode::Over {
                    self.mode = Mode::Forced;
                }
            }
            Command::Analyze => {
                self.stop_thinking(now);
                self.mode = Mode::Analyzing;
            }
            Command::Exit => self.mode = Mode::Forced,
            Command::Go => {
                let side = self.board.as_ref().map_or(Color::White, |board| board.side_to_move());
                self.mode = Mode::Playing(side);
                self.start_turn(now, count);
            }
            Command::PlayOther => {
                if let Some(board) = &self.board {
                    self.mode = Mode::Playing(!board.side_to_move());
                }
            }
            Command::Move { text, .. } => self.hear_move(now, &text, count),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Level(level) => self.clock.level(level),
            Command::MoveTime(time) => self.clock.move_time(time),
            Command::NodeRate(rate) => self.clock.node_rate(rate),
            Command::Time(left) => self.clock.told(left),
            Command::Pause => {
                if let Some(turn) = &mut self.turn {
                    turn.was_paused = true;
                }
            }
            Command::Draw => self.is_draw_offered = true,
            Command::Ping(number) => self.pings.ping(number, now.line, now.at, self.has_result),
            Command::Result(result, comment) => {
                count.is_open = false;
                self.hear_result(now, result, &comment);
            }
            Command::Quit => {
                self.has_quit = true;
                self.stop_thinking(now);
            }
            _ => {}
        }
    }

    /// A new process: the bot was started, perhaps not for the first time.
    fn begin_process(&mut self, now: Now) {
        if self.begins.replace(now).is_some() {
            self.pings.end(&mut self.sheet, now.at, self.has_quit, !self.is_dead);
            self.pings = Pings::default();
            (self.turn, self.stop, self.mode) = (None, None, Mode::Forced);
            (self.has_quit, self.is_dead) = (false, false);
        }
    }

    fn end_edit(&mut self) {
        let (Some(edit), Some(board)) = (self.edit.take(), &mut self.board) else { return };
        let side = board.side_to_move();
        if board.set_pieces(edit.pieces(), side).is_err() {
            self.board = None;
        }
    }

    /// The GUI goes on to another position. Remembers how the last game stood.
    fn end_game_on_board(&mut self) {
        if let (Some(game), Some(board)) = (&mut self.game, &self.board) {
            game.outcome = game.outcome.or_else(|| board.outcome());
        }
    }

    fn take_back(&mut self, plies: usize) {
        if let Some(board) = &mut self.board {
            for _ in 0..plies {
                board.undo();
            }
        }
    }

    fn stop_thinking(&mut self, now: Now) {
        if self.turn.take().is_some() {
            self.stop = Some(Stop { at: now.at, pings: self.pings.sent() });
        }
    }

    fn hear_move(&mut self, now: Now, text: &str, count: &mut GameCount) {
        self.settle_gui_move(now);
        let Some(board) = &mut self.board else {
            // The game is not one of ours: only the clock can be judged.
            if matches!(self.mode, Mode::Playing(_)) {
                self.start_turn(now, count);
            }
            return;
        };
        let found = board.parse_move(text);
        self.gui_move = Some(GuiMove { text: text.to_owned(), at: now, is_legal: found.is_ok() });
        let is_lost = match found {
            // The GUI plays on in a game that is over, so it does not play by our rules.
            Err(_) => board.outcome().is_some_and(ending::is_final),
            Ok(_) => board.ply_count() >= LONGEST_GAME,
        };
        if is_lost {
            (self.board, self.gui_move) = (None, None);
            return;
        }
        let Ok(mv) = found else { return };
        board.play(mv);
        self.is_draw_offered = false;
        match self.mode {
            Mode::Playing(color) if board.side_to_move() == color => self.start_turn(now, count),
            _ => self.stop_thinking(now),
        }
    }

    /// The bot has had its time to refuse the GUI's last move.
    fn settle_gui_move(&mut self, now: Now) {
        let Some(gui_move) = self.gui_move.take().filter(|gui_move| !gui_move.is_legal) else {
            return;
        };
        if now.at.saturating_sub(gui_move.at.at) > STOPPING && !self.is_spoiled() {
            let text =
                format!("the bot does not refuse the illegal move {}", shown(&gui_move.text));
            let violation = Violation::at_line(gui_move.at.line, text);
            self.sheet.broken(Item::RefusesIllegalMoves, violation);
        }
    }

    /// The bot has to move now, unless the game is over.
    fn start_turn(&mut self, now: Now, count: &mut GameCount) {
        self.stop = None;
        let left = self.clock.start_turn();
        if self.board.as_ref().and_then(|board| board.outcome()).is_some_and(ending::is_final) {
            self.turn = None;
            return;
        }
        let is_next = self
            .game
            .as_ref()
            .is_none_or(|game| game.told.is_some() || game.number != count.games || !count.is_open);
        if is_next {
            self.finish_game(now);
            let color = self.color().unwrap_or(Color::White);
            self.game = Some(OpenGame {
                number: count.begin(),
                line: now.line,
                color,
                variant: self.variant.clone(),
                moves: 0,
                told: None,
                resigned: None,
                has_illegal_move: false,
                has_false_claim: false,
                is_spoiled: false,
                outcome: None,
            });
        }
        self.turn = Some(Turn { at: now.at, line: now.line, left, was_paused: false });
    }

    /// The GUI tells the other engine a result. It counts if the GUI does not tell this one: its process
    /// may have ended.
    pub fn overhear(&mut self, now: Now, line: &[u8]) {
        let is_open = self.game.as_ref().is_some_and(|game| game.told.is_none());
        if let (true, Ok(Command::Result(result, comment))) = (is_open, Command::parse(line)) {
            self.overheard = Some((now, result, comment));
        }
    }

    /// The GUI goes on without having told this engine the result.
    fn settle_overheard(&mut self) {
        if let Some((then, result, comment)) = self.overheard.take() {
            self.hear_result(then, result, &comment);
        }
    }

    fn hear_result(&mut self, now: Now, result: GameResult, comment: &str) {
        self.end_game_on_board();
        let color = self.color();
        let seat = self.seat;
        let turn = self.turn;
        self.stop_thinking(now);
        (self.mode, self.has_result) = (Mode::Over, true);
        let Some(game) = &mut self.game else { return };
        if game.told.is_some() {
            return;
        }
        game.told = Some((result, comment.to_owned()));
        self.overheard = None;
        let is_spoiled = game.is_spoiled;
        let is_loser = color.is_some_and(|color| result == GameResult::Win(!color));
        // xboard names the engine, `trebuchet match` the colour.
        let is_named = color.is_some_and(|color| comment.starts_with(&format!("{color}")))
            || comment.contains(&format!("{seat} chess program"));
        let is_late = ending::is_time_loss(comment)
            && (is_loser || result == GameResult::Draw && (is_named || comment.contains("oth ")));
        // The GUI's word counts only where there is no board to check it.
        let is_illegal = ending::kind_of_comment(comment) == EndingKind::IllegalMove;
        if is_illegal && is_loser && !is_spoiled && self.board.is_none() {
            let text = format!("the GUI says: {}", shown(comment));
            game.has_illegal_move = true;
            self.sheet.broken(Item::LegalMoves, Violation::at_line(now.line, text));
        } else if ending::is_crash(comment) && is_named {
            self.died(now, comment);
        } else if !is_spoiled && is_late {
            self.judge_silence(now, turn, true, comment);
        } else if !is_spoiled && let Some(turn) = turn {
            self.judge_silence(now, Some(turn), false, comment);
        }
    }

    /// The game has ended while the bot should have moved, or by its clock.
    fn judge_silence(&mut self, now: Now, turn: Option<Turn>, is_late: bool, comment: &str) {
        let elapsed = |turn: Turn| Duration::from_millis(now.at.saturating_sub(turn.at));
        let limit = |turn: Turn| turn.left.map(|left| left + self.conditions.margin);
        let is_over_time =
            |turn: Turn| !turn.was_paused && limit(turn).is_some_and(|limit| elapsed(turn) > limit);
        if !is_late && !turn.is_some_and(is_over_time) {
            return;
        }
        let says = if is_late {
            format!("the GUI says: {}", shown(comment))
        } else {
            let time = turn.map(elapsed).unwrap_or_default();
            format!("no move in {}", clocks::seconds(time))
        };
        let line = turn.map_or(now.line, |turn| turn.line);
        let board = self.board.as_deref();
        let is_stuck = self.conditions.stage == Stage::Pawns
            && turn.is_some()
            && board.is_some_and(stage_pawns::must_resign);
        let (item, text) = if is_stuck {
            let text = format!("no pawn can move, and the bot does not resign ({says})");
            (Item::ResignsWithoutPawnMove, text)
        } else {
            (Item::Clock, says)
        };
        let violation = match board {
            Some(board) if turn.is_some() => Violation::at_move(line, board, "", text),
            _ => Violation::at_line(line, text),
        };
        self.sheet.broken(item, violation);
    }
}
