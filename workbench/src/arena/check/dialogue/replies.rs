//! What the bot prints, and whether it may.

use std::time::Duration;

use super::{Dialogue, Mode, Now, STOPPING};
use crate::arena::check::clocks;
use crate::arena::check::conditions::MoveAt;
use crate::arena::check::ending;
use crate::arena::check::item::Item;
use crate::arena::check::legality::read_move;
use crate::arena::check::sheet::{Violation, shown};
use crate::arena::check::stage_pawns;
use crate::arena::misread::Misread;
use trebuchet::cecp::wire::{FeatureValue, Reply};
use trebuchet::play::Stage;
use trebuchet::types::{Color, GameResult};

impl Dialogue {
    /// A line from the bot.
    pub fn read(&mut self, now: Now, line: &[u8]) {
        let reply = Reply::parse(line);
        self.judge_misread(now, line);
        match reply {
            Reply::Features(features) => {
                for feature in features {
                    self.features.is_any = true;
                    match (feature.name.as_str(), feature.value) {
                        ("done", FeatureValue::Number(done)) => self.features.is_done = done == 1,
                        ("myname", FeatureValue::Text(name)) => self.is_called(&name),
                        _ => {}
                    }
                }
            }
            Reply::Pong(number) => {
                self.pings.pong(&mut self.sheet, number, now.line);
                if self.stop.is_some_and(|stop| self.pings.answered() > stop.pings) {
                    self.stop = None;
                }
            }
            Reply::Move(text) => self.read_move(now, &text),
            Reply::Resign => {
                if let Some(color) = self.color() {
                    self.read_resignation(now, color);
                }
            }
            Reply::Result(result, comment) => self.read_claim(now, result, &comment),
            Reply::IllegalMove { text, .. } => self.read_refusal(now, &text),
            Reply::Error { kind, text } if kind.contains("llegal") => self.read_refusal(now, &text),
            Reply::Other(text) => self.read_other(now, &text),
            _ => {}
        }
    }

    fn read_other(&mut self, now: Now, text: &str) {
        if text == "move" {
            return self.read_move(now, "");
        }
        if let Some(mv) = text.strip_prefix("Invalid move: ") {
            return self.read_refusal(now, mv);
        }
        let resigns = |color: &Color| text.starts_with(&format!("{color} resign"));
        if let Some(color) = Color::ALL.into_iter().find(resigns) {
            self.read_resignation(now, color);
        }
    }

    /// Lines that xboard takes for something else. Before the first move of a game, after its end, and
    /// while a ping is open, xboard ignores most of them.
    fn judge_misread(&mut self, now: Now, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if let Some(misread) = Misread::of(text).filter(Misread::is_fatal) {
            let is_ignored = self.game.is_none()
                || self.mode == Mode::Over
                || self.is_spoiled()
                || self.pings.is_waiting();
            if misread.ends_connection() || !is_ignored {
                let text = format!("xboard misreads this line: {}", shown(text));
                self.sheet.broken(Item::NothingMisread, Violation::at_line(now.line, text));
            }
        }
    }

    fn read_move(&mut self, now: Now, text: &str) {
        if self.is_spoiled() && self.mode != Mode::Over {
            return;
        }
        // What the bot should have refused, it takes for a move.
        if let Some(gui_move) = self.gui_move.take_if(|gui_move| !gui_move.is_legal)
            && self.turn.is_none()
            && matches!(self.mode, Mode::Playing(_))
        {
            let text = format!("the bot plays on after the illegal move {}", shown(&gui_move.text));
            self.sheet
                .broken(Item::RefusesIllegalMoves, Violation::at_line(gui_move.at.line, text));
            return self.spoil(now);
        }
        let Some(turn) = self.turn.take() else { return self.read_stray_move(now, text) };
        let elapsed = Duration::from_millis(now.at.saturating_sub(turn.at));
        self.clock.end_turn(elapsed);
        if let Some(game) = &mut self.game {
            game.moves += 1;
        }
        self.gui_move = None;
        let Some(board) = &mut self.board else {
            self.sheet.not_judged(Item::LegalMoves, "a game that trebuchet does not know");
            let margin = self.conditions.margin;
            clocks::judge(&mut self.sheet, turn.left, elapsed, margin, |text| {
                Violation::at_line(now.line, text)
            });
            return;
        };
        let left = turn.left.filter(|_| !turn.was_paused);
        clocks::judge(&mut self.sheet, left, elapsed, self.conditions.margin, |reason| {
            Violation::at_move(now.line, &**board, text, reason)
        });
        match read_move(&**board, text) {
            Ok(mv) => {
                self.sheet.kept(Item::LegalMoves);
                self.sheet.kept(Item::MovesOnTurn);
                if matches!(self.mode, Mode::Playing(_)) {
                    let legal = board.legal_moves();
                    let at = MoveAt { board: &**board, legal: &legal, mv, line: now.line };
                    self.conditions.judge_choice(&mut self.sheet, &at);
                }
                board.play(mv);
            }
            Err(reason) => {
                let violation = Violation::at_move(now.line, &**board, text, reason);
                self.sheet.broken(Item::LegalMoves, violation);
                if let Some(game) = &mut self.game {
                    game.has_illegal_move = true;
                }
                self.spoil(now);
            }
        }
    }

    /// A move that the GUI has not asked for.
    fn read_stray_move(&mut self, now: Now, text: &str) {
        if let Some(stop) = self.stop {
            // The bot may not have read yet that it has to stop.
            if self.pings.sent() > stop.pings || now.at.saturating_sub(stop.at) <= STOPPING {
                // xboard takes such a move back with `undo`.
                let found = self.board.as_ref().map(|board| board.parse_move(text));
                if let (Mode::Forced, Some(Ok(mv)), Some(board)) =
                    (self.mode, found, &mut self.board)
                {
                    board.play(mv);
                }
                return;
            }
        }
        let outcome = self.board.as_ref().and_then(|board| board.outcome());
        let reason = match (self.mode, outcome) {
            (Mode::Playing(_), Some(outcome)) if ending::is_final(outcome) => {
                format!("a move after the end of the game: {outcome}")
            }
            (Mode::Over, _) => "a move after the GUI has announced the result".to_owned(),
            (Mode::Forced, _) => "a move in force mode".to_owned(),
            (Mode::Analyzing, _) => "a move in analyze mode".to_owned(),
            (Mode::Playing(_), _) => "a move when it is not the bot's turn".to_owned(),
        };
        let violation = match &self.board {
            Some(board) => Violation {
                mv: shown(text),
                ..Violation::at_move(now.line, &**board, text, reason)
            },
            None => Violation { mv: shown(text), ..Violation::at_line(now.line, reason) },
        };
        self.sheet.broken(Item::MovesOnTurn, violation);
        if self.mode != Mode::Over {
            self.spoil(now);
        }
    }

    fn read_resignation(&mut self, now: Now, loser: Color) {
        if self.is_spoiled() || self.mode == Mode::Over || self.color() != Some(loser) {
            return;
        }
        let Some(game) = self.game.as_mut().filter(|game| game.told.is_none()) else { return };
        game.resigned = Some(loser);
        if let (Stage::Pawns, Some(board)) = (self.conditions.stage, &self.board) {
            if board.side_to_move() == loser {
                let legal = board.legal_moves();
                if !legal.is_empty() {
                    stage_pawns::judge_resignation(&mut self.sheet, &**board, &legal, now.line);
                }
            } else {
                let text = "the bot resigns when it is not its turn";
                self.sheet.broken(Item::ResignsWithoutPawnMove, Violation::at_line(now.line, text));
            }
        }
        self.spoil(now);
    }

    fn read_claim(&mut self, now: Now, result: GameResult, comment: &str) {
        let Some(color) = self.color() else { return };
        let is_open = self.game.as_ref().is_some_and(|game| game.told.is_none());
        if self.is_spoiled() || self.mode == Mode::Over || !is_open {
            return;
        }
        let is_over = self.board.as_ref().is_some_and(|board| board.outcome().is_some());
        if result == GameResult::Win(!color) && !is_over {
            return self.read_resignation(now, color);
        }
        let Some(board) = &self.board else { return };
        let claim = (result, comment);
        let is_true = ending::judge_claim(
            &mut self.sheet,
            &**board,
            color,
            claim,
            self.is_draw_offered,
            now.line,
        );
        if let Some(game) = &mut self.game {
            game.has_false_claim |= !is_true;
        }
        self.spoil(now);
    }

    /// `Illegal move`: only complaints about the GUI's last move count.
    fn read_refusal(&mut self, now: Now, text: &str) {
        let word = text.split_whitespace().last().unwrap_or_default();
        let Some(gui_move) = self.gui_move.take_if(|gui_move| gui_move.text == word) else {
            return;
        };
        if gui_move.is_legal {
            if !self.is_spoiled() {
                let text = format!("the bot refuses the legal move {}", shown(word));
                self.sheet.broken(Item::AcceptsLegalMoves, Violation::at_line(now.line, text));
                self.spoil(now);
            }
        } else {
            self.sheet.kept(Item::RefusesIllegalMoves);
        }
    }
}
