//! Hints; with the coach, in two steps and with reasons.

use super::{CecpSession, Mode};
use crate::cecp::wire::{Reply, message};
use crate::play::RunningSearch;
use crate::types::Move;

impl CecpSession {
    /// `hint`: a good move for the side to move. With the coach it is the move that the coach thinks best, so
    /// that it does not criticise its own hint. Otherwise, if the engine does not know one, a short search finds it.
    pub(super) fn hint(&mut self) {
        if self.is_position_illegal {
            return;
        }
        let known = match &self.mode {
            Mode::Pondering(ponder) => Some(ponder.guess),
            Mode::Analyzing(search) => search.as_ref().and_then(RunningSearch::best),
            Mode::Forced | Mode::Waiting if self.is_coaching() => {
                self.hinted_move().or_else(|| self.engine.best_by_study(self.now))
            }
            // What a limited search expects is no hint at full strength.
            Mode::Forced | Mode::Waiting => {
                self.expected.filter(|_| self.engine.limited_elo().is_none())
            }
            Mode::Thinking(_) | Mode::Paused { .. } | Mode::Over => return,
        };
        let known = self.hinted_move().or(known);
        if known.is_some() {
            self.say_hint(known);
        } else if !self.is_searching() && self.engine.game().outcome().is_none() {
            self.hinting = Some(RunningSearch::new(self.engine.hint(self.now), self.now));
        }
    }

    pub(super) fn say_hint(&mut self, mv: Option<Move>) {
        if let Some(mv) = mv.filter(|&mv| !self.says_clue(mv)) {
            self.say(Reply::Hint(self.engine.game().coordinate(mv)));
            self.explain_hint(mv);
        }
    }

    /// The move that the first hint in this position meant.
    fn hinted_move(&self) -> Option<Move> {
        if self.is_coaching() { self.hint_steps.meant(self.ply()) } else { None }
    }

    /// The first hint in a position says what to look at, without the move: returns true if that was it.
    fn says_clue(&mut self, mv: Move) -> bool {
        let ply = self.ply();
        if !self.is_coaching() || self.is_searching() || self.hinted_move().is_some() {
            return false;
        }
        self.hint_steps.begin(ply, mv);
        let position = self.engine.game().fork();
        let clue = self.engine.clue(&*position, mv, self.now);
        self.say(Reply::TellUser(message(&format!("{clue}. Ask again for the move"))));
        true
    }

    /// Says why a hint is good. xboard shows this in place of the hint, so it repeats the move.
    fn explain_hint(&mut self, mv: Move) {
        if self.is_coaching() && !self.is_searching() {
            let position = self.engine.game().fork();
            let reasons = self.engine.explain(&*position, mv, self.now).join(", ");
            let hint = format!("Hint: {} {reasons}", position.san(mv));
            self.say(Reply::TellUser(message(hint.trim_end())));
        }
    }
}
