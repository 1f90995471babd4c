//! The beginnings and ends of games.

use super::follower::{GameCount, LogFollower, OpenGame, Phase, TimeLoss, Turn};
use super::position::LogPosition;
use crate::arena::games::ForfeitKind;
use crate::arena::judging::comments;
use crate::arena::judging::ending::{Ending, EndingKind, Evidence, ToldResult};
use crate::arena::judging::event::{EventKind, EventSink, FollowedGame};
use crate::arena::judging::sheet::shown;
use trebuchet::play::Game;
use trebuchet::types::{Color, GameResult};

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

impl<S: EventSink> LogFollower<S> {
    /// The bot has to move now, unless the game is over.
    pub(super) fn start_turn(&mut self, now: LogPosition, count: &mut GameCount) {
        self.stop = None;
        let left = self.clock.start_turn();
        self.end_turn();
        if self.board.is_over() {
            return;
        }
        let color = self.color().unwrap_or(Color::White);
        let is_next = self
            .game
            .as_ref()
            .is_none_or(|game| game.told.is_some() || game.number != count.games || !count.is_open);
        if is_next {
            self.end_game(now);
            let number = count.begin();
            self.game = Some(OpenGame {
                number,
                line: now.line,
                color,
                variant: self.board.variant().to_owned(),
                moves: 0,
                told: None,
                resigned: None,
                has_illegal_move: false,
                has_false_claim: false,
                has_refused_illegal_move: false,
                is_abandoned: false,
                outcome: None,
            });
        }
        self.phase = Phase::Thinking(color, Turn { start: now, left });
    }

    /// The GUI goes on to another position. Remembers how the last game stood.
    pub(super) fn remember_outcome(&mut self) {
        if let Some(game) = &mut self.game {
            game.outcome = game.outcome.or_else(|| self.board.outcome());
        }
    }

    /// The GUI goes on without having told this engine the result.
    pub(super) fn settle_result_told_to_opponent(&mut self) {
        if let Some((then, result, comment)) = self.result_told_to_opponent.take() {
            self.gui_announces(then, result, &comment);
        }
    }

    /// The GUI announces the result.
    pub(super) fn gui_announces(&mut self, now: LogPosition, result: GameResult, comment: &str) {
        self.remember_outcome();
        let color = self.color();
        let turn = match self.phase {
            Phase::Thinking(_, turn) => Some(turn),
            _ => None,
        };
        let bare_move = self.bare_move.take();
        self.stop_thinking(now);
        self.phase = Phase::Over;
        let Some(game) = self.game.as_mut().filter(|game| game.told.is_none()) else { return };
        game.told = Some((result, comment.to_owned()));
        let is_abandoned = game.is_abandoned;
        self.result_told_to_opponent = None;
        let is_loser = color.is_some_and(|color| result == GameResult::Win(!color));
        let is_about_bot = comments::is_about(comment, color, self.slot);
        let kind = comments::kind(comment);
        if kind == EndingKind::Forfeit(ForfeitKind::FalseProtest)
            && is_loser
            && !is_abandoned
            && self.has_refused_nothing_illegal()
        {
            self.forfeit(now, ForfeitKind::FalseProtest, comment);
        }
        match kind {
            // The GUI's word counts only where there is no board to check it.
            EndingKind::Forfeit(kind @ ForfeitKind::IllegalMove)
                if is_loser && !is_abandoned && self.board.game().is_none() =>
            {
                if let Some(game) = &mut self.game {
                    game.has_illegal_move = true;
                }
                self.forfeit(now, kind, comment);
            }
            EndingKind::Forfeit(ForfeitKind::Crash) if is_about_bot => {
                self.process_ended(now, comment)
            }
            _ if is_abandoned => {}
            _ if bare_move.is_some() => self.report_bare_move(bare_move),
            EndingKind::Forfeit(ForfeitKind::TimeLoss | ForfeitKind::Stall)
                if is_loser
                    || result == GameResult::Draw && (is_about_bot || comment.contains("oth ")) =>
            {
                let words = format!("the GUI says: {}", shown(comment));
                if let Some(turn) = turn {
                    let board = self.board.game().map(Game::fork);
                    self.time_loss = Some(TimeLoss { line: turn.start.line, words, board });
                } else {
                    self.emit(now.line, EventKind::OutOfTime { words: &words, on_turn: false });
                }
            }
            _ => {
                if let Some(turn) = turn {
                    self.no_move(now, turn);
                }
            }
        }
    }

    /// Did the GUI make legal moves alone? Then a complaint was wrong, whatever its words meant. The GUI may play by other
    /// rules than ours.
    fn has_refused_nothing_illegal(&self) -> bool {
        self.board.game().is_some()
            && self.game.as_ref().is_some_and(|game| !game.has_refused_illegal_move)
            && self.gui_move.as_ref().is_none_or(|gui_move| gui_move.is_legal)
    }

    /// The GUI says that the bot has forfeited the game.
    pub(super) fn forfeit(&mut self, now: LogPosition, kind: ForfeitKind, comment: &str) {
        let words = format!("the GUI says: {}", shown(comment));
        self.emit(now.line, EventKind::Forfeit { kind, words: &words });
    }

    /// The bot has lost its turn, because the GUI did not see its move.
    pub(super) fn report_bare_move(&mut self, bare_move: Option<(u64, String)>) {
        if let Some((line, text)) = bare_move {
            self.emit(line, EventKind::BareMove { text: &text });
        }
    }

    /// The game has ended while the bot should have moved.
    pub(super) fn no_move(&mut self, now: LogPosition, turn: Turn) {
        let elapsed = turn.elapsed(now);
        self.emit(turn.start.line, EventKind::NoMove { elapsed, left: turn.left });
    }

    /// Ends the last game, if there was one. Without one, what happened before the first game belongs to
    /// that game.
    pub(super) fn end_game(&mut self, now: LogPosition) {
        self.settle_time_loss();
        self.settle_gui_move(now);
        let Some(game) = self.game.take() else { return };
        let told = game.told.as_ref().map(|(result, comment)| ToldResult {
            result: *result,
            kind: comments::kind(comment),
            comment,
        });
        let ending = Ending::of(&Evidence {
            told,
            outcome: game.outcome,
            resigned: game.resigned,
            has_illegal_move: game.has_illegal_move,
            has_false_claim: game.has_false_claim,
        });
        self.games += 1;
        let followed = FollowedGame {
            number: game.number,
            line: game.line,
            variant: game.variant,
            color: Some(game.color),
            moves: game.moves,
            ending,
        };
        self.emit(followed.line, EventKind::GameEnded(&followed));
    }

    /// The GUI has started the bot, but not asked for a move, or not in this protocol.
    pub(super) fn report_no_game(&mut self) {
        let Some(line) = self.started.or(self.uci()) else { return };
        let reason = match self.uci() {
            None => "the bot was never asked for a move",
            Some(_) => "the bot speaks UCI",
        };
        let followed = FollowedGame {
            number: 0,
            line,
            variant: self.board.variant().to_owned(),
            color: None,
            moves: 0,
            ending: Ending {
                result: GameResult::Unfinished,
                kind: EndingKind::Unfinished,
                reason: reason.to_owned(),
            },
        };
        self.emit(followed.line, EventKind::GameEnded(&followed));
    }
}
