//! Thinking on the opponent's time, and hints.

use super::{Mode, Search, Session};
use crate::cecp::wire::Reply;
use crate::play::{Choice, Stage};
use crate::search::Limits;
use crate::search::clock::Budget;
use crate::types::Move;
use std::time::Duration;

/// A search of the position after the move that we expect of the opponent.
#[derive(Clone, Debug)]
pub(super) struct Ponder {
    pub(super) search: Search,
    /// The move that we expect.
    pub(super) guess: Move,
    /// What the search has decided, if it has ended by itself.
    pub(super) choice: Option<Choice>,
}

/// How deep and how long to look for the answer to `hint`.
const HINT_DEPTH: i32 = 10;
const HINT_TIME: Duration = Duration::from_millis(200);

impl Session {
    /// Ponders on the answer to `guess`, if that is wanted and makes sense. The board stays as it
    /// is: only the search sees the move.
    pub(super) fn ponder(&mut self, guess: Option<Move>) {
        let is_wanted =
            self.wishes.ponder && self.settings.ponder && self.settings.stage == Stage::Full;
        // When nodes are the measure of time, the opponent's time cannot be used.
        if !is_wanted || self.clock.node_rate().is_some() || !self.is_opponent_to_move() {
            return;
        }
        let Some(guess) = guess.filter(|mv| self.game.of().legal_moves().contains(mv)) else {
            return;
        };
        self.game.of_mut().play(guess);
        let is_over = self.game.of().outcome().is_some();
        if !is_over {
            let limits = Limits {
                depth: self.clock.depth(),
                lines: self.settings.lines,
                ..Limits::default()
            };
            let search = self.start_search(limits, None);
            self.mode = Mode::Pondering(Ponder { search, guess, choice: None });
        }
        self.game.of_mut().undo();
        if !is_over {
            self.say(Reply::Hint(guess.to_string()));
        }
    }

    /// If `mv` is the move pondered on, its search becomes the search for our move, and our clock
    /// starts.
    pub(super) fn ponder_hit(&mut self, mv: Move) -> bool {
        match &self.mode {
            Mode::Pondering(ponder) if ponder.guess == mv => {}
            _ => return false,
        }
        let Mode::Pondering(Ponder { mut search, choice, .. }) =
            std::mem::replace(&mut self.mode, Mode::Waiting)
        else {
            return false;
        };
        self.game.of_mut().play(mv);
        search.since = self.now;
        let Budget { soft, hard } = self.clock.budget(self.ply(), self.settings.move_overhead);
        search.stop.set_clock(self.now, soft, hard);
        search.was_unheard = true;
        self.mode = Mode::Thinking(search);
        if let Some(choice) = choice {
            self.finish_thinking(choice);
        }
        true
    }

    /// `easy`.
    pub(super) fn stop_pondering(&mut self) {
        self.wishes.ponder = false;
        if matches!(self.mode, Mode::Pondering(_)) {
            self.stop_search();
        }
    }

    /// `hint`: the move we would make for the opponent. If we have none in mind, a short search
    /// finds one.
    pub(super) fn hint(&mut self) {
        if self.is_position_illegal {
            return;
        }
        let known = match &self.mode {
            Mode::Pondering(ponder) => Some(ponder.guess),
            Mode::Analyzing(search) => search.as_ref().and_then(Search::best),
            Mode::Forced | Mode::Waiting => self.expected,
            Mode::Thinking(_) | Mode::Paused { .. } | Mode::Over => return,
        };
        if known.is_some() {
            self.say_hint(known);
        } else if !self.is_searching() && self.game.of().outcome().is_none() {
            let limits = Limits { depth: Some(HINT_DEPTH), ..Limits::default() };
            let budget = Budget { soft: HINT_TIME, hard: HINT_TIME };
            self.hinting = Some(self.start_search(limits, Some(budget)));
        }
    }

    pub(super) fn say_hint(&mut self, mv: Option<Move>) {
        if let Some(mv) = mv {
            self.say(Reply::Hint(mv.to_string()));
        }
    }
}
