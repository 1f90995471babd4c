//! Thinking on the opponent's time.

use super::{CecpSession, Mode};
use crate::cecp::wire::Reply;
use crate::play::{Ponder, RunningSearch};
use crate::search::Limits;
use crate::types::Move;

impl CecpSession {
    /// Ponders on the answer to `guess`, if GUI and options allow it and it makes sense.
    pub(super) fn ponder(&mut self, guess: Option<Move>) {
        // When nodes are the measure of time, the opponent's time cannot be used.
        // A coach needs the searcher when the learner moves.
        let is_wanted = self.gui.ponder
            && self.settings.ponder
            && self.clock.node_rate().is_none()
            && !self.is_coaching();
        let Some(guess) = guess.filter(|_| is_wanted && self.is_opponent_to_move()) else {
            return;
        };
        let limits = Limits { depth: self.clock.depth(), ..Limits::default() };
        if let Some(handle) = self.engine.ponder(guess, limits, self.now) {
            let search = RunningSearch::new(handle, self.now);
            self.mode = Mode::Pondering(Ponder::new(search, guess));
            self.say(Reply::Hint(self.engine.game().coordinate(guess)));
        }
    }

    /// If `mv` is the expected move, its search becomes the search for the engine's move, and the
    /// engine's clock starts.
    pub(super) fn ponder_hit(&mut self, mv: Move) -> bool {
        match &self.mode {
            Mode::Pondering(ponder) if ponder.guess == mv => {}
            _ => return false,
        }
        let Mode::Pondering(ponder) = std::mem::replace(&mut self.mode, Mode::Waiting) else {
            return false;
        };
        self.engine.game_mut().play(mv);
        self.excluded.clear();
        self.expected = None;
        let (search, choice) = ponder.hit(self.now, self.budget());
        self.mode = Mode::Thinking(search);
        if let Some(choice) = choice {
            self.finish_thinking(choice);
        }
        true
    }

    /// `easy`.
    pub(super) fn stop_pondering(&mut self) {
        self.gui.ponder = false;
        self.drop_pondering();
    }

    /// Stops thinking on the opponent's time, until the next move of the engine: what it has been told since must
    /// hold for that move.
    pub(super) fn drop_pondering(&mut self) {
        if matches!(self.mode, Mode::Pondering(_)) {
            self.stop_search();
        }
    }
}
