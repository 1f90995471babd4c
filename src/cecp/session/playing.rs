//! Playing: whose move it is, thinking about it, making it, and the ends of games.

use std::time::Duration;

use super::{Mode, Search, Session};
use crate::cecp::wire::{Reply, Thinking, echo};
use crate::notation::MoveError;
use crate::play::{Choice, SearchId, Stage};
use crate::search::{Limits, Progress};
use crate::types::GameResult;
use crate::types::{Ply, Reason};

/// No game of people or programs is longer; one that is would only fill the memory.
const LONGEST_GAME: Ply = 10_000;
const TOO_LONG: &str = "game too long";

impl Session {
    /// `force`: plays neither side.
    pub(super) fn force(&mut self) {
        self.stop_search();
        self.mode = Mode::Forced;
    }

    /// `result`: the game is over, whatever the board says.
    pub(super) fn end_game(&mut self) {
        self.stop_search();
        if !matches!(self.mode, Mode::Analyzing(_)) {
            self.mode = Mode::Over;
        }
    }

    /// `go`: plays the side to move.
    pub(super) fn go(&mut self) {
        if matches!(self.mode, Mode::Thinking(_)) {
            return;
        }
        self.stop_search();
        if self.is_position_illegal {
            self.mode = Mode::Forced;
            self.complain_of_illegal_position();
        } else if self.ply() >= LONGEST_GAME {
            self.mode = Mode::Forced;
            self.say(Reply::Error { kind: TOO_LONG.to_owned(), text: "go".to_owned() });
        } else if self.goes_on_past_a_draw() {
            self.say(Reply::OfferDraw);
            self.think();
        } else if !self.claim_end() {
            self.think();
        }
    }

    /// Has the GUI itself gone on past a draw that a player may claim? Some count only what the
    /// players claim, and want a move; the offer is the claim.
    fn goes_on_past_a_draw(&self) -> bool {
        let reason = self.game.of().outcome().map(|outcome| outcome.reason);
        matches!(reason, Some(Reason::Repetition | Reason::FiftyMoves)) && self.ply() > 0
    }

    /// `playother`: plays the side that is not to move.
    pub(super) fn play_other(&mut self) {
        let expected = self.expected;
        self.stop_search();
        if self.is_position_illegal {
            return self.complain_of_illegal_position();
        }
        self.seat = !self.game.of().side_to_move();
        self.mode = Mode::Waiting;
        self.ponder(expected);
    }

    /// A move of the opponent, or in force mode of either side.
    pub(super) fn user_move(&mut self, text: &str) {
        if self.is_position_illegal {
            return self.refuse_move(text, None);
        }
        if matches!(self.mode, Mode::Thinking(_)) {
            return self.refuse_move(text, Some(MoveError::NotYourTurn.to_string()));
        }
        if self.ply() >= LONGEST_GAME {
            return self.refuse_move(text, Some(TOO_LONG.to_owned()));
        }
        let mv = match self.game.of().parse_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous) => {
                self.say(Reply::Error { kind: "ambiguous move".to_owned(), text: echo(text) });
                return;
            }
            Err(error) => return self.refuse_move(text, Some(error.to_string())),
        };
        if self.ponder_hit(mv) {
            return;
        }
        self.stop_search();
        let is_playing = matches!(self.mode, Mode::Waiting);
        self.game.of_mut().play(mv);
        if matches!(self.mode, Mode::Over) {
            self.mode = Mode::Forced;
        }
        self.after_new_position();
        if is_playing && !self.is_opponent_to_move() && !self.claim_end() {
            self.think();
        }
    }

    fn refuse_move(&mut self, text: &str, reason: Option<String>) {
        self.say(Reply::IllegalMove { reason, text: echo(text) });
    }

    /// If the rules have ended the game, says so and stops playing.
    pub(super) fn claim_end(&mut self) -> bool {
        let Some(outcome) = self.game.of().outcome() else { return false };
        self.say(Reply::Result(GameResult::from(outcome), outcome.to_string()));
        self.mode = Mode::Over;
        true
    }

    /// Thinks about a move for the side to move, and will play it.
    fn think(&mut self) {
        self.seat = self.game.of().side_to_move();
        self.think_as_if_since(Duration::ZERO);
    }

    /// Thinks, some time of the move having been spent already.
    pub(super) fn think_as_if_since(&mut self, spent: Duration) {
        let limits = Limits {
            depth: self.clock.depth(),
            nodes: self.clock.node_budget(self.ply()),
            lines: self.settings.lines,
            ..Limits::default()
        };
        let mut budget = self.clock.budget(self.ply(), self.settings.move_overhead);
        budget.soft = budget.soft.saturating_sub(spent);
        budget.hard = budget.hard.saturating_sub(spent);
        let budget = if limits.nodes.is_some() { None } else { Some(budget) };
        let mut search = self.start_search(limits, budget);
        search.since = self.now.checked_sub(spent).unwrap_or(self.now);
        self.mode = Mode::Thinking(search);
    }

    /// `?`: the best move so far is to be played at once.
    pub(super) fn move_now(&self) {
        if let Mode::Thinking(search) = &self.mode {
            search.stop.stop();
        }
    }

    /// The search for our move has ended: makes the move, or gives the game up.
    pub(super) fn finish_thinking(&mut self, choice: Choice) {
        let Mode::Thinking(search) = std::mem::replace(&mut self.mode, Mode::Waiting) else {
            return;
        };
        self.spend_time(&search);
        let situation = self.situation();
        self.manners.note(choice.score, &situation);
        let resigns = self.settings.stage == Stage::Full && self.manners.resigns(&situation);
        let agrees = self.manners.accepts_draw(&situation) || self.manners.offers_draw(&situation);
        self.manners.note_move();

        match choice.best {
            Some(best) if !resigns => {
                debug_assert!(self.game.of().legal_moves().contains(&best), "{best} is not legal");
                if let Some(latest) = search.latest.filter(|_| search.was_unheard) {
                    self.post(&latest);
                }
                if agrees {
                    self.say(Reply::OfferDraw);
                }
                self.say(Reply::Move(best.to_string()));
                self.game.of_mut().play(best);
                self.expected = choice.ponder;
                let is_over = self.claim_end();
                self.answer_pings();
                if !is_over {
                    self.ponder(choice.ponder);
                }
            }
            // The stage has no move left, or the game is lost.
            _ => {
                self.say(Reply::Resign);
                self.mode = Mode::Over;
                self.answer_pings();
            }
        }
    }

    fn spend_time(&mut self, search: &Search) {
        let spent = match self.clock.node_rate() {
            Some(rate) => time_of(search.latest.as_ref().map_or(0, |latest| latest.nodes), rate),
            None => self.now.saturating_duration_since(search.since),
        };
        let ply = self.ply();
        self.clock.spend(spent, ply);
    }

    /// `draw`: an offer of the opponent, answered at once while it thinks itself, with our move
    /// otherwise.
    pub(super) fn draw_offered(&mut self) {
        if !matches!(self.mode, Mode::Waiting | Mode::Pondering(_) | Mode::Thinking(_)) {
            return;
        }
        self.manners.note_offer();
        let situation = self.situation();
        if !matches!(self.mode, Mode::Thinking(_)) && self.manners.accepts_draw(&situation) {
            self.say(Reply::OfferDraw);
        }
    }

    /// A line of thinking of the running search.
    pub(super) fn show_progress(&mut self, id: SearchId, progress: &Progress) {
        let search = match &mut self.mode {
            Mode::Thinking(search) | Mode::Analyzing(Some(search)) => search,
            Mode::Pondering(ponder) => &mut ponder.search,
            _ => return,
        };
        if search.id != id {
            return;
        }
        if progress.line == 0 {
            search.latest = Some(progress.clone());
            search.was_unheard = false;
        }
        self.post(progress);
    }

    /// Prints a line of thinking, if the GUI wants them.
    pub(super) fn post(&mut self, progress: &Progress) {
        if self.wishes.post {
            let mut thinking = Thinking::from(progress);
            if let Some(rate) = self.clock.node_rate() {
                thinking.time = time_of(progress.nodes, rate);
            }
            self.say(Reply::Thinking(thinking));
        }
    }

    /// Is it for the opponent to move?
    pub(super) fn is_opponent_to_move(&self) -> bool {
        self.game.of().side_to_move() != self.seat
    }
}

/// The time that nodes count as, at so many a second.
fn time_of(nodes: u64, rate: u32) -> Duration {
    Duration::from_secs_f64(nodes as f64 / f64::from(rate))
}
