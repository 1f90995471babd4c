//! Ways to decide a node before its moves are tried: step 6 of the main search.

use crate::board::Checks;
use crate::movegen::Legality;
use crate::types::{Depth, Score};

use super::limits::Bound;
use super::negamax::Known;
use super::node::NonPv;
use super::order::{Picker, Scope, Sources};
use super::rules::SearchRules;
use super::tt::Entry;
use super::window::Window;
use super::worker::{Stopped, Worker};

impl<V: SearchRules> Worker<'_, V> {
    /// A score at or above beta (or, by razoring, below it) that spares the search of the node. The
    /// side to move is not in check and the window is null.
    pub(super) fn prune_node(
        &mut self,
        known: &Known,
        eval: Score,
        beta: Score,
        legality: &Legality,
        checks: &Checks,
    ) -> Result<Option<Score>, Stopped> {
        if beta.is_decisive() {
            return Ok(None);
        }
        if let Some(score) = self.reverse_futility(known, eval, beta) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razor(known, eval, beta)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(known, eval, beta)? {
            return Ok(Some(score));
        }
        self.probcut(known, eval, beta, legality, checks)
    }

    /// Reverse futility pruning: so far above beta that no quiet reply will bring it down.
    fn reverse_futility(&self, known: &Known, eval: Score, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let margin = params.rfp_margin * (known.depth - Depth::from(known.improving));
        let fails_high = known.depth <= params.rfp_depth && eval - Score::cp(margin) >= beta;
        fails_high.then(|| (eval + beta) / 2)
    }

    /// Razoring: so far below alpha that only captures could help; quiescence knows.
    fn razor(&mut self, known: &Known, eval: Score, beta: Score) -> Result<Option<Score>, Stopped> {
        let params = self.shared.params;
        let margin = Score::cp(params.razor_margin * known.depth);
        if known.depth > params.razor_depth || eval + margin >= beta {
            return Ok(None);
        }
        let score = self.quiescence::<NonPv>(Window::at_least(beta), 0, known.ply)?;
        Ok(Some(score).filter(|&score| score < beta))
    }

    /// Null-move pruning: still above beta after passing.
    fn null_move(
        &mut self,
        known: &Known,
        eval: Score,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        let params = self.shared.params;
        let &Known { depth, ply, cut_node, .. } = known;
        let follows_null = ply > 0 && self.memory.stack.above(ply, 1).mv.is_none();
        if depth < params.null_depth || eval < beta || follows_null || !V::null_move_ok(&self.pos) {
            return Ok(None);
        }
        let above = (eval - beta).value() / params.null_eval_divisor;
        let reduction =
            params.null_base + depth / params.null_depth_divisor + above.min(params.null_eval_max);
        self.make_null_move(ply);
        let window = -Window::at_least(beta);
        let score = self.negamax::<NonPv>(window, depth - reduction, ply + 1, !cut_node);
        self.pos.unmake_null_move();
        let score = -score?;
        // A win found after passing is not proven.
        Ok((score >= beta).then(|| if score.is_win() { beta } else { score }))
    }

    /// ProbCut: a capture that stays well above beta at reduced depth will at full depth.
    fn probcut(
        &mut self,
        known: &Known,
        eval: Score,
        beta: Score,
        legality: &Legality,
        checks: &Checks,
    ) -> Result<Option<Score>, Stopped> {
        let params = self.shared.params;
        let &Known { depth, ply, cut_node, .. } = known;
        let margin = params.probcut_margin - i32::from(known.improving) * params.probcut_improving;
        let raised = beta + Score::cp(margin);
        let table_denies = known.hit.is_some_and(|entry| {
            entry.depth >= depth - 3 && entry.found.is_some_and(|(score, _)| score < raised)
        });
        if depth < params.probcut_depth || raised.is_decisive() || table_denies {
            return Ok(None);
        }
        let table_move = known.table_move.filter(|mv| mv.is_capture());
        let before = self.memory.stack.before(ply);
        let threshold = (raised - eval).value().max(0);
        let mut picker = Picker::new(Scope::GoodNoisy, table_move, None, before, threshold);
        let reduced = depth - params.probcut_reduction;
        let window = -Window::at_least(raised);
        while let Some(mv) = picker.next(&Sources {
            pos: &self.pos,
            legality,
            checks,
            histories: &self.memory.histories,
            params,
        }) {
            let gives_check = V::COUNTS_CHECKS && checks.gives_check(&self.pos, mv);
            self.make_move(mv, gives_check, ply);
            let mut score = self.quiescence::<NonPv>(window, 0, ply + 1).map(|score| -score);
            if score.is_ok_and(|score| score >= raised) {
                score =
                    self.negamax::<NonPv>(window, reduced, ply + 1, !cut_node).map(|score| -score);
            }
            self.pos.unmake_move();
            let score = score?;
            if score >= raised {
                let entry = Entry {
                    mv: Some(mv),
                    found: Some((score, Bound::Lower)),
                    eval: known.hit.and_then(|entry| entry.eval),
                    depth: depth - 3,
                    pv: known.was_pv,
                };
                self.shared.table.store(self.pos.key(), ply, entry);
                return Ok(Some(if score.is_decisive() { score } else { score - (raised - beta) }));
            }
        }
        Ok(None)
    }
}
