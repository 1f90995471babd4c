//! What negamax and quiescence do first in a node: steps 1 to 4, except the table move.
//!
//! These steps look at no moves, except a move that wins at once by the variant's rules.

use crate::board::Checks;
use crate::movegen::Legality;
use crate::types::{Depth, MAX_PLY, Ply, Score};

use super::node::Node;
use super::rules::SearchRules;
use super::tt::Entry;
use super::window::Window;
use super::worker::{Stopped, Worker};

/// From this halfmove clock on, in plies, no table score cuts off: the table does not know how near
/// the fifty-move rule is.
const LAST_PLIES_OF_FIFTY_MOVES: u32 = 90;

impl<V: SearchRules> Worker<'_, V> {
    /// Steps 1 to 3. Returns the score of the node if they decide it, and narrows the window.
    #[inline(always)]
    pub(super) fn enter_node<N: Node>(
        &mut self,
        window: &mut Window,
        ply: Ply,
    ) -> Result<Option<Score>, Stopped> {
        // 1. Stop?
        self.count_node(ply)?;
        self.data.stack.clear_line(ply);
        if N::ROOT {
            return Ok(None);
        }

        // 2. Variant end, draw. The longest line the stack can hold ends here, too.
        if let Some(score) = self.score_of_end(ply) {
            return Ok(Some(score));
        }
        if ply >= MAX_PLY - 1 {
            return Ok(Some(self.evaluate()));
        }

        // 3. Mate distance pruning.
        *window = window.clamp_to_ply(ply);
        Ok(window.is_empty().then_some(window.alpha))
    }

    /// Step 4: the table's score, if it decides a node of this depth with this beta.
    #[inline(always)]
    pub(super) fn table_cutoff<N: Node>(
        &self,
        hit: Option<Entry>,
        depth: Depth,
        beta: Score,
    ) -> Option<Score> {
        if N::PV {
            return None;
        }
        let is_trusted = |entry: &Entry| {
            entry.depth >= depth && self.pos.halfmove_clock() < LAST_PLIES_OF_FIFTY_MOVES
        };
        hit.filter(is_trusted)?.cutoff(beta)
    }

    /// Step 4: the score of the node if a move wins at once by the variant's rules.
    #[inline(always)]
    pub(super) fn immediate_win(
        &mut self,
        legality: &Legality,
        checks: &Checks,
        ply: Ply,
    ) -> Option<Score> {
        let mv = V::winning_move(&self.pos, legality, checks)?;
        self.data.stack.clear_line(ply + 1);
        self.data.stack.set_line(ply, mv);
        Some(Score::win_in(ply + 1))
    }

    /// The score of a finished game. The variant's own end comes before draws. Mate and stalemate
    /// are found when the node has no moves.
    fn score_of_end(&self, ply: Ply) -> Option<Score> {
        if let Some(outcome) = self.pos.variant_outcome() {
            return Some(match outcome.winner {
                Some(winner) if winner == self.pos.side_to_move() => Score::win_in(ply),
                Some(_) => Score::loss_in(ply),
                None => self.draw_score(),
            });
        }
        self.is_draw().then(|| self.draw_score())
    }

    /// Is it a draw by repetition, by the fifty-move rule, or by insufficient material?
    fn is_draw(&self) -> bool {
        self.pos.is_repetition_for_search(self.root_ply_count)
            || self.pos.is_insufficient_material()
            || self.pos.is_fifty_moves()
                && (!self.pos.in_check() || self.pos.count_legal_moves() > 0)
    }

    /// The score of a draw for the side to move.
    pub(super) fn draw_score(&self) -> Score {
        if self.pos.side_to_move() == self.root_side {
            -self.shared.contempt
        } else {
            self.shared.contempt
        }
    }
}
