//! Ends of games by the rules, and who claims them.

use super::{CecpSession, Mode};
use crate::cecp::wire::Reply;
use crate::types::{GameResult, Outcome, Reason};

impl CecpSession {
    /// Does the GUI continue a game in which a player can claim a draw? Some GUIs wait for a claim:
    /// they expect a move, and `offer draw` with the move is the claim.
    pub(super) fn is_draw_claimable(&self) -> bool {
        let reason = self.engine.game().outcome().map(|outcome| outcome.reason);
        matches!(reason, Some(Reason::Repetition | Reason::FiftyMoves)) && self.ply() > 0
    }

    /// If the game is over by the rules, claims the result and stops playing.
    pub(super) fn claim_end(&mut self) -> bool {
        let outcome = self.engine.game().outcome().filter(|&outcome| !self.must_play_on(outcome));
        let Some(outcome) = outcome else { return false };
        if !self.leaves_claim_to_loser(outcome) {
            self.say(Reply::Result(GameResult::from(outcome), outcome.to_string()));
        }
        self.mode = Mode::Over;
        true
    }

    /// Is it a draw that xboard does not know, between two engines? Who claims it loses. There are legal moves;
    /// repetition and the fifty-move rule are left to xboard then.
    fn must_play_on(&self, outcome: Outcome) -> bool {
        self.gui.opponent_is_engine
            && outcome.reason == Reason::InsufficientMaterial
            && !self.engine.game().variant().is_dead_material_known_to_xboard()
    }

    /// Has the engine won against another engine by a rule that xboard does not know? Between two
    /// engines xboard checks claims: it would call this win a false claim. It believes the loser.
    fn leaves_claim_to_loser(&self, outcome: Outcome) -> bool {
        self.gui.opponent_is_engine
            && outcome.winner == Some(self.engine_side)
            && match outcome.reason {
                Reason::Variant(_) => self.engine.game().variant().xboard_parent().is_some(),
                Reason::Checkmate => !self.engine.game().variant().is_mate_known_to_xboard(),
                _ => false,
            }
    }
}
