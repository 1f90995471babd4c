//! What the bot prints.

use super::follower::{GuiMove, Interrupts, LogFollower, PATIENCE, Phase};
use super::position::LogPosition;
use crate::arena::judging::claim::{ClaimStanding, is_final};
use crate::arena::judging::event::{EventKind, EventSink, StrayMoment};
use crate::arena::judging::legality::{
    is_coordinate_move, names_promotion, read_move, words_of_complaint,
};
use crate::arena::misread::Misread;
use trebuchet::cecp::wire::{Command, Fault, FeatureValue, Reply};
use trebuchet::types::{Color, GameResult};

impl<S: EventSink> LogFollower<S> {
    /// A line of the bot.
    pub fn bot_line(&mut self, now: LogPosition, line: &[u8]) {
        if self.uci().is_some() {
            return;
        }
        self.settle_time_loss();
        self.look_for_misreading(now, line);
        match Reply::parse(line) {
            Reply::Features(features) => {
                self.emit(now.line, EventKind::Features(&features));
                for feature in features.iter().filter(|feature| feature.name == "myname") {
                    if let FeatureValue::Text(name) = &feature.value {
                        self.learn_name(name);
                    }
                }
            }
            Reply::Pong(number) => {
                let events = self.pings.pong(number, now);
                self.emit_pings(events);
                if self.stop.is_some_and(|stop| self.pings.answered() > stop.pings) {
                    self.stop = None;
                }
            }
            Reply::Move(text) => self.bot_moves(now, &text),
            Reply::Resign => {
                if let Some(color) = self.color() {
                    self.bot_resigns(now, color);
                }
            }
            Reply::Result(result, comment) => self.bot_claims(now, result, &comment),
            Reply::IllegalMove { text, .. } => self.bot_refuses(now, &text),
            Reply::Error { kind, text }
                if kind.contains("llegal move") || kind.contains("llegal") && !text.is_empty() =>
            {
                self.bot_refuses(now, &text);
            }
            Reply::Other(text) => self.other_line(now, &text),
            _ => {}
        }
    }

    /// A line that is not in the protocol, but xboard understands it.
    fn other_line(&mut self, now: LogPosition, text: &str) {
        if text == "move" {
            return self.bot_moves(now, "");
        }
        if matches!(self.phase, Phase::Thinking(..))
            && self.bare_move.is_none()
            && self.board.game().is_some_and(|board| read_move(board, text.trim()).is_ok())
        {
            self.bare_move = Some((now.line, text.trim().to_owned()));
        }
        if let Some(mv) = text.strip_prefix("Invalid move: ") {
            self.bot_refuses(now, mv);
        }
    }

    /// Lines that xboard takes for something else. Before the first move of a game, after its end, and
    /// while a ping is open, xboard ignores most of them.
    fn look_for_misreading(&mut self, now: LogPosition, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        let Some(misread) = Misread::of(text).filter(Misread::is_fatal) else { return };
        let is_ignored = self.game.is_none()
            || matches!(self.phase, Phase::Over)
            || self.is_abandoned()
            || self.pings.is_waiting();
        if misread.is_always_read() || !is_ignored {
            self.emit(now.line, EventKind::Misread(text));
        }
    }

    fn bot_moves(&mut self, now: LogPosition, text: &str) {
        if self.is_abandoned() && !matches!(self.phase, Phase::Over) {
            return;
        }
        // What the bot should have refused, it takes for a move.
        if let Some(gui_move) = self.gui_move.take_if(|gui_move| !gui_move.is_legal)
            && matches!(self.phase, Phase::Waiting(_))
        {
            let kind = EventKind::IllegalMoveAccepted { text: &gui_move.text, plays_on: true };
            self.emit(gui_move.at.line, kind);
            return self.abandon(now);
        }
        let Some(turn) = self.end_turn() else { return self.stray_move(now, text) };
        self.is_draw_offered = false;
        if self.interrupts == Interrupts::Pending {
            self.interrupts = Interrupts::Survived;
        }
        let elapsed = turn.elapsed(now);
        self.pings.bot_was_busy(now.at);
        self.clock.end_turn(elapsed);
        if let Some(game) = &mut self.game {
            game.moves += 1;
        }
        self.gui_move = None;
        self.emit(now.line, EventKind::TimeUsed { text, elapsed, left: turn.left });
        match self.board.game().map(|board| read_move(board, text)) {
            None => {
                let reason = "a game that trebuchet does not know";
                self.emit(now.line, EventKind::UnknownMove { reason });
            }
            Some(Ok(mv)) => {
                if mv.is_promotion() {
                    let is_named = names_promotion(text);
                    self.emit(now.line, EventKind::Promotion { text, is_named });
                }
                self.emit(now.line, EventKind::Move(mv));
                self.board.play(mv);
            }
            Some(Err(reason)) => {
                self.emit(now.line, EventKind::IllegalMove { text, reason: &reason });
                if let Some(game) = &mut self.game {
                    game.has_illegal_move = true;
                }
                self.abandon(now);
            }
        }
    }

    /// A move that the GUI has not asked for.
    fn stray_move(&mut self, now: LogPosition, text: &str) {
        if let Some(stop) = self.stop {
            // The bot may not have read yet that it has to stop.
            if self.pings.sent() > stop.pings || now.at.saturating_sub(stop.at) <= PATIENCE {
                // xboard takes such a move back with `undo`.
                if matches!(self.phase, Phase::Forced) {
                    self.board.play_if_legal(text);
                }
                return;
            }
        }
        let end = self.board.outcome().filter(|&outcome| is_final(outcome));
        let when = match (self.phase, end) {
            (Phase::Waiting(_) | Phase::Thinking(..), Some(outcome)) => {
                StrayMoment::AfterEnd(outcome)
            }
            (Phase::Waiting(_) | Phase::Thinking(..), None) => StrayMoment::NotOnTurn,
            (Phase::Over, _) => StrayMoment::AfterResult,
            (Phase::Forced, _) => StrayMoment::InForceMode,
            (Phase::Analyzing, _) => StrayMoment::InAnalyzeMode,
        };
        self.emit(now.line, EventKind::StrayMove { text, when });
        if !matches!(self.phase, Phase::Over) {
            self.abandon(now);
        }
    }

    /// Is a game being played that the bot can still end?
    fn can_end_game(&self) -> bool {
        let is_open = self.game.as_ref().is_some_and(|game| game.told.is_none());
        is_open && !self.is_abandoned() && !matches!(self.phase, Phase::Over)
    }

    fn bot_resigns(&mut self, now: LogPosition, loser: Color) {
        if !self.can_end_game() || self.color() != Some(loser) || self.board.is_over() {
            return;
        }
        if let Some(game) = &mut self.game {
            game.resigned = Some(loser);
        }
        self.emit(now.line, EventKind::Resignation(loser));
        self.abandon(now);
    }

    fn bot_claims(&mut self, now: LogPosition, result: GameResult, comment: &str) {
        let Some(color) = self.color().filter(|_| self.can_end_game()) else { return };
        if result == GameResult::Win(!color) && self.board.outcome().is_none() {
            return self.bot_resigns(now, color);
        }
        let Some(board) = self.board.game() else { return };
        let standing = ClaimStanding::of(board, color, result, comment, self.is_draw_offered);
        self.emit(now.line, EventKind::Claim { result, comment, standing });
        if let Some(game) = &mut self.game {
            game.has_false_claim |= standing == ClaimStanding::False;
        }
        self.abandon(now);
    }

    /// `Illegal move`: only complaints about the GUI's last move count.
    fn bot_refuses(&mut self, now: LogPosition, text: &str) {
        let gui_move = self.gui_move.take_if(|gui_move| can_mean(text, &gui_move.text));
        let Some(GuiMove { text, is_legal, .. }) = gui_move else { return };
        if is_legal && self.is_abandoned() {
            return;
        }
        self.emit(now.line, EventKind::Refusal { text: &text, is_legal });
        if is_legal {
            self.abandon(now);
        } else if let Some(game) = &mut self.game {
            game.has_refused_illegal_move = true;
        }
    }
}

/// Can a complaint mean this move of the GUI? One that names nothing does. Some bots call every command illegal that
/// they do not know.
fn can_mean(complaint: &str, gui_move: &str) -> bool {
    let words: Vec<&str> = words_of_complaint(complaint).collect();
    let as_command = Command::parse(words.join(" ").as_bytes());
    let is_unknown = as_command.is_err_and(|error| error.fault == Fault::Unknown);
    let names_another = !is_unknown || words.iter().any(|word| is_coordinate_move(word));
    words.is_empty() || words.contains(&gui_move) || !names_another
}
