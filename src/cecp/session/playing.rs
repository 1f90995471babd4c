//! Playing: whose move it is, thinking about it, making it, and the results of games.

use std::time::Duration;

use super::thinking::time_of;
use super::{CecpSession, Mode};
use crate::cecp::wire::{Fault, Reply, echo, message};
use crate::notation::MoveError;
use crate::play::{Choice, Game, LONGEST_GAME, PolicyInput, RunningSearch};
use crate::search::Limits;
use crate::search::time_management::TimeBudget;
use crate::types::{Color, GameResult, Move};

impl CecpSession {
    /// `force`: the engine plays neither side.
    pub(super) fn force(&mut self) {
        self.stop_search();
        self.mode = Mode::Forced;
    }

    /// `result`: the game is over, even if the board does not show it.
    pub(super) fn end_game(&mut self, result: GameResult) {
        self.stop_search();
        self.count_game(result);
        match self.mode {
            Mode::Analyzing(_) => self.analyze(),
            _ => self.mode = Mode::Over,
        }
    }

    /// `go`: the engine plays the side to move.
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
            self.say(Reply::error(Fault::GameTooLong, "go"));
        } else if self.is_draw_claimable() {
            self.say(Reply::OfferDraw);
            self.think();
        } else {
            self.take_side(self.engine.game().side_to_move());
            if !self.claim_end() {
                self.think();
            }
        }
    }

    /// `playother`: the engine plays the side that is not to move.
    pub(super) fn play_other(&mut self) {
        let expected = self.expected;
        self.stop_search();
        if self.is_position_illegal {
            return self.complain_of_illegal_position();
        }
        self.take_side(!self.engine.game().side_to_move());
        self.mode = Mode::Waiting;
        self.ponder(expected);
    }

    /// The engine plays this side. If it has played the other one, the game does not count for an adaptive level.
    pub(super) fn take_side(&mut self, side: Color) {
        if side != self.engine_side {
            self.rated_game.changed_sides();
        }
        self.engine_side = side;
    }

    /// Is it the move with which Cute Chess gives Black the turn before it sets a position up? Where it is not legal, a
    /// refusal would lose the game. GUIs that play moves name them `usermove`.
    pub(super) fn is_stand_in(&self, text: &str, prefixed: bool) -> bool {
        let is_expected = !prefixed && self.ply() == 0 && matches!(self.mode, Mode::Forced);
        is_expected && text == "b2b3" && self.engine.game().parse_move(text).is_err()
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
            return self.refuse_move(text, Some(Fault::GameTooLong.to_string()));
        }
        let mv = match self.engine.game().parse_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous) => {
                return self.say(Reply::error(Fault::AmbiguousMove, text));
            }
            Err(error) => return self.refuse_move(text, Some(error.to_string())),
        };
        if self.ponder_hit(mv) {
            return;
        }
        self.stop_search();
        let is_playing = matches!(self.mode, Mode::Waiting);
        let before = (is_playing && self.is_coaching()).then(|| self.engine.game().fork());
        if !self.is_opponent_to_move() && matches!(self.mode, Mode::Forced) {
            self.rated_game.changed_sides();
        }
        self.engine.game_mut().play(mv);
        if matches!(self.mode, Mode::Over) {
            self.mode = Mode::Forced;
        }
        if matches!(self.mode, Mode::Forced) {
            self.resign_draw.note_move();
        }
        self.after_new_position();
        if let Some(before) = before.filter(|_| !self.is_opponent_to_move()) {
            self.review_move(&*before, mv);
        }
        if is_playing && !self.is_opponent_to_move() {
            if self.engine.game().outcome().is_some() {
                self.show_opinion(None, None);
            }
            if !self.claim_end() {
                self.think();
            }
        }
    }

    fn refuse_move(&mut self, text: &str, reason: Option<String>) {
        self.say(Reply::IllegalMove { reason, text: echo(text) });
    }

    /// Thinks about a move for the side to move, and will play it.
    fn think(&mut self) {
        self.take_side(self.engine.game().side_to_move());
        // The coach's review of the learner's move has taken some of the time.
        let spent = self.engine.now().since(self.now);
        self.now = self.now + spent;
        self.think_within(self.budget_after(spent), spent);
    }

    /// Goes on thinking about a move after `spent`.
    pub(super) fn think_on(&mut self, spent: Duration) {
        self.think_within(self.budget().left_after(spent), spent);
    }

    /// Thinks about a move on which `spent` has been spent already; the limits begin now.
    fn think_within(&mut self, left: TimeBudget, spent: Duration) {
        let limits = Limits {
            depth: self.clock.depth(),
            nodes: self.clock.node_budget(self.ply(), &self.engine.clock_shares()),
            ..Limits::default()
        };
        let budget = limits.nodes.is_none().then_some(left);
        let since = self.now.before(spent);
        // Depth and nodes are for experiments.
        let thinks_for_person =
            self.is_against_person() && limits.depth.is_none() && limits.nodes.is_none();
        let handle = match thinks_for_person {
            true => self.engine.think_against_person(limits, budget, self.now),
            false => self.engine.think(limits, budget, self.now),
        };
        self.mode = Mode::Thinking(RunningSearch::new(handle, since));
    }

    /// The time for the engine's next move.
    pub(super) fn budget(&self) -> TimeBudget {
        self.budget_after(Duration::ZERO)
    }

    /// The same when `spent` of it is gone already.
    fn budget_after(&self, spent: Duration) -> TimeBudget {
        let overhead = self.engine.settings().move_overhead;
        self.clock.after(spent).budget(self.ply(), overhead, &self.engine.clock_shares())
    }

    /// `?`: the engine plays its best move so far at once.
    pub(super) fn move_now(&self) {
        if let Mode::Thinking(search) = &self.mode {
            search.handle.stop();
        }
    }

    /// Has `?` asked for the move, and has it not come yet?
    pub(super) fn must_move(&self) -> bool {
        matches!(&self.mode, Mode::Thinking(search) if search.handle.is_stopped())
    }

    /// The search for the engine's move has ended: plays the move, or resigns.
    pub(super) fn finish_thinking(&mut self, choice: Choice) {
        let Mode::Thinking(search) = std::mem::replace(&mut self.mode, Mode::Waiting) else {
            return;
        };
        self.spend_time(&search);
        let input = self.policy_input();
        self.resign_draw.note_score(choice.score, &input);
        let has_score = self.engine.settings().stage.searches();
        // A lost game that the opponent would give for drawn is not resigned.
        let accepts = self.resign_draw.accepts_draw(&input);
        let resigns = has_score && !accepts && self.resign_draw.resigns(&input);
        let agrees = accepts || self.resign_draw.offers_draw(&input);
        self.resign_draw.note_move();

        match choice.best {
            Some(best) if !resigns => {
                debug_assert!(
                    self.engine.game().legal_moves().contains(&best),
                    "{best} is not legal"
                );
                if let Some(latest) = search.latest.filter(|_| search.needs_repost) {
                    self.post(&latest);
                }
                if agrees {
                    self.say(Reply::OfferDraw);
                }
                self.say(Reply::Move(self.engine.game().coordinate(best)));
                let before = self.engine.game().fork();
                self.engine.game_mut().play(best);
                self.rated_game.settle_sides();
                self.excluded.clear();
                self.expected = choice.ponder;
                self.made = Some((before, best));
            }
            // The stage allows no move, or the game is lost.
            best => {
                if let Some(problem) = self.engine.stage_problem().filter(|_| best.is_none()) {
                    self.say(Reply::TellUserError(problem));
                }
                self.say(Reply::Resign);
                self.mode = Mode::Over;
                self.answer_pings();
            }
        }
    }

    /// Has the engine moved, and has what follows not been done yet?
    pub(super) const fn has_to_follow_up(&self) -> bool {
        matches!(self.mode, Mode::Waiting) && self.made.is_some()
    }

    /// What follows the engine's move, which the GUI has got. The coach gives way to a line that comes
    /// meanwhile; if the position is then still on the board, it begins anew.
    pub(super) fn follow_up(&mut self, before: Box<dyn Game>, mv: Move) {
        if self.gives_opinions() {
            let Some((chance, line)) = self.studies_after(&*before, mv) else {
                self.made = Some((before, mv));
                return;
            };
            self.show_opinion(chance, line);
        }
        self.show_heat();
        let is_over = self.claim_end();
        self.answer_pings();
        if !is_over {
            self.ponder(self.expected);
        }
    }

    /// Counts a finished game for an adaptive level, once, and tells the player where they stand: a game
    /// against a person, from the start, without moves taken back. Some GUIs send `force` before the result.
    fn count_game(&mut self, result: GameResult) {
        if !self.is_against_person() || matches!(self.mode, Mode::Analyzing(_)) {
            return;
        }
        let points = self.rated_game.finish(result, self.engine_side, self.ply());
        if let Some(rating) = points.and_then(|points| self.engine.count_game(points)) {
            self.say(Reply::TellUser(message(&rating.to_string())));
        }
    }

    /// Does the engine play against the person at this GUI, and not against an engine or on a server?
    pub(super) const fn is_against_person(&self) -> bool {
        !self.gui.opponent_is_engine && !self.gui.is_on_server
    }

    fn spend_time(&mut self, search: &RunningSearch) {
        let spent = match self.clock.node_rate() {
            Some(rate) => time_of(search.latest.as_ref().map_or(0, |latest| latest.nodes), rate),
            None => self.now.since(search.since),
        };
        let ply = self.ply();
        self.clock.spend(spent, ply);
    }

    /// `draw`: the opponent offers a draw. The engine answers at once, or with its move if it is
    /// thinking or told to move next, as python-chess does after each move: `force`, `draw`, `go`.
    pub(super) fn draw_offered(&mut self) {
        if matches!(self.mode, Mode::Forced) {
            return self.resign_draw.note_offer();
        }
        if !matches!(self.mode, Mode::Waiting | Mode::Pondering(_) | Mode::Thinking(_)) {
            return;
        }
        self.resign_draw.note_offer();
        let input = self.policy_input();
        if !matches!(self.mode, Mode::Thinking(_)) && self.resign_draw.accepts_draw(&input) {
            self.say(Reply::OfferDraw);
        }
    }

    /// Is it the opponent's turn?
    pub(super) fn is_opponent_to_move(&self) -> bool {
        self.engine.game().side_to_move() != self.engine_side
    }

    /// What decisions about resigning and draws depend on.
    fn policy_input(&self) -> PolicyInput {
        PolicyInput {
            resign: self.settings.resign,
            draws: self.settings.draws,
            contempt: self.engine.settings().contempt,
            ply: self.ply(),
            opponent_time: self.clock.opponent_time(),
        }
    }
}
