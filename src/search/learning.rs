//! What a finished node teaches: step 9 of the main search.

use crate::types::{Depth, Move, Ply, Score};

use super::limits::Bound;
use super::rules::SearchRules;
use super::tried::Tried;
use super::worker::Worker;

impl<V: SearchRules> Worker<'_, V> {
    /// Step 9: a move has caused a cutoff; those tried before it have not.
    pub(super) fn learn_from_cutoff(&mut self, mv: Move, tried: &Tried, depth: Depth, ply: Ply) {
        let params = self.shared.params;
        let bonus = (params.history_bonus * depth - params.history_bonus_base)
            .clamp(0, params.history_bonus_max);
        let malus = (params.history_malus * depth).min(params.history_malus_max);
        let before = self.memory.stack.before(ply);
        let pos = &self.pos;
        let histories = &mut self.memory.histories;
        if mv.is_capture() || mv.is_promotion() {
            histories.update_noisy(pos, mv, bonus);
        } else {
            histories.update_quiet(pos, &before, mv, bonus);
            for quiet in tried.quiet() {
                histories.update_quiet(pos, &before, quiet, -malus);
            }
            self.memory.stack.frame_mut(ply).killer = Some(mv);
        }
        for noisy in tried.noisy() {
            histories.update_noisy(pos, noisy, -malus);
        }
    }

    /// Step 9: how far the search differed from the static evaluation, where that says something
    /// about quiet positions.
    pub(super) fn learn_correction(
        &mut self,
        eval: Score,
        best: Score,
        bound: Bound,
        best_move: Option<Move>,
        depth: Depth,
        ply: Ply,
    ) {
        let is_quiet = best_move.is_none_or(|mv| !mv.is_capture() && !mv.is_promotion());
        let is_news = match bound {
            Bound::Exact => true,
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
        };
        if is_quiet && is_news && !best.is_decisive() {
            let before = self.memory.stack.before(ply);
            let error = best - eval;
            self.memory.histories.update_correction(&self.pos, &before, depth, error);
        }
    }
}
