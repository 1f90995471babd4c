//! Learning and storing: step 9 of the main search.
//!
//! What the search of a node has found goes to the histories of moves, to the correction history and to the
//! transposition table.

use crate::board::Checks;
use crate::types::{Move, Score};

use super::correction::Finding;
use super::history::TriedMoves;
use super::node::{Node, NodeInfo};
use super::rules::SearchRules;
use super::stack::Frame;
use super::tt::Entry;
use super::window::Bound;
use super::worker::Worker;

/// What the search of a node's moves has found.
pub(super) struct NodeResult {
    pub score: Score,
    /// What the score says about the true score.
    pub bound: Bound,
    /// The move that raised alpha last; `None` if no move did.
    pub best_move: Option<Move>,
    /// The moves that were searched and did not raise alpha.
    pub tried: TriedMoves,
}

impl<V: SearchRules> Worker<'_, V> {
    /// Step 9. A singular search teaches the histories alone.
    #[inline(always)]
    pub(super) fn learn_and_store<N: Node>(
        &mut self,
        info: &NodeInfo,
        result: &NodeResult,
        checks: &Checks,
    ) {
        let is_singular_search = self.data.stack.frame(info.ply).excluded_move.is_some();
        match (result.best_move, result.bound) {
            (Some(mv), Bound::Lower) => self.learn_cutoff(info, mv, &result.tried),
            (None, _) if !N::ROOT && !is_singular_search => self.learn_fail_low(info),
            _ => {}
        }
        // At the root, a position without some of its moves is worth something else.
        let has_all_moves = !N::ROOT
            || self.root.is_first_line() && self.shared.limits.excluded_root_moves.is_empty();
        if !is_singular_search && has_all_moves {
            self.learn_correction(info, result, checks);
            let &NodeResult { score, bound, best_move, .. } = result;
            let entry = Entry {
                mv: best_move,
                found: Some((score, bound)),
                eval: info.raw_eval,
                depth: info.depth,
                pv: info.was_pv,
            };
            self.shared.tt.store(self.pos.key(), info.ply, entry);
        }
    }

    /// The move that failed high becomes more likely to come first, and the moves tried before it less.
    #[inline(always)]
    fn learn_cutoff(&mut self, info: &NodeInfo, mv: Move, tried: &TriedMoves) {
        let params = self.shared.params;
        self.data.histories.learn_cutoff(&self.pos, &info.previous, mv, tried, info.depth, params);
        if !mv.is_noisy() {
            self.data.stack.frame_mut(info.ply).killer = Some(mv);
        }
    }

    /// No move refutes the opponent's last move: if it is quiet, it was a good one.
    #[inline(always)]
    fn learn_fail_low(&mut self, info: &NodeInfo) {
        let &Frame { mv, piece_to, .. } = self.data.stack.above(info.ply, 1);
        if let (Some(mv), Some(made)) = (mv, piece_to)
            && !mv.is_noisy()
        {
            let previous = self.data.stack.previous_moves(info.ply - 1);
            self.data.histories.learn_fail_low(&previous, made, info.depth, self.shared.params);
        }
    }

    /// How far the evaluation was from the score of the search.
    #[inline(always)]
    fn learn_correction(&mut self, info: &NodeInfo, result: &NodeResult, checks: &Checks) {
        let Some(eval) = self.data.stack.frame(info.ply).eval else { return };
        let &NodeResult { score, bound, best_move, .. } = result;
        let is_quiet = best_move.is_none_or(|mv| {
            let advances = V::CHECKS_ADVANCE && checks.gives_check(&self.pos, mv);
            !mv.is_noisy() && !advances
        });
        let finding = Finding { eval, score, bound, depth: info.depth, is_quiet };
        self.data.corrections.learn(&self.pos, &info.previous, &finding, self.shared.params);
    }
}
