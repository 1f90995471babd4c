//! How deep each move is searched, if at all: step 7 of the main search.

use crate::types::{Depth, Move, Score};

use super::limits::Bound;
use super::negamax::Known;
use super::node::{Node, NonPv, Pv};
use super::order::Picker;
use super::rules::SearchRules;
use super::see;
use super::window::Window;
use super::worker::{Stopped, Worker};

/// Beyond this a side wins whatever it does.
const WON: Score = Score::cp(1500);

/// A move about to be searched.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub mv: Move,
    /// How many moves of the node have been looked at, this one included.
    pub number: usize,
    pub is_noisy: bool,
    pub gives_check: bool,
    pub history: i32,
    pub is_killer: bool,
}

/// What the search without the table's move has shown.
pub(super) enum Singular {
    /// The table's move is to be searched so many plies deeper.
    Extend(Depth),
    /// Other moves exceed beta, too: the node fails high.
    MultiCut(Score),
}

impl<V: SearchRules> Worker<'_, V> {
    /// Step 7a: is the move not worth a search?
    pub(super) fn prune_move(
        &self,
        candidate: &Candidate,
        known: &Known,
        alpha: Score,
        picker: &mut Picker,
    ) -> bool {
        let Candidate { mv, number, is_noisy, gives_check, history, .. } = *candidate;
        let params = self.shared.params;
        if V::COUNTS_CHECKS && gives_check {
            return false;
        }
        let depth = known.depth;
        let keeps_checks = V::COUNTS_CHECKS || depth >= params.keep_checks_depth;
        if is_noisy {
            return !see::gains_at_least(&self.pos, mv, -params.see_noisy_margin * depth);
        }
        let reduction = self.shared.reductions.get(false, depth, number)
            - history * 1024 / params.lmr_history_divisor;
        let reduced = (depth - 1 - reduction / 1024).max(0);
        if !gives_check {
            // Late move pruning.
            let most = (params.lmp_base + depth * depth) / (2 - i32::from(known.improving));
            if number as i32 > most {
                picker.skip_quiets(keeps_checks);
                return true;
            }
            // Futility pruning. What wins already is bettered by a mate alone, and that shows in no
            // evaluation.
            if let Some(eval) = known.eval
                && alpha < WON
                && reduced <= params.futility_depth
                && eval.value() + params.futility_base + params.futility_margin * reduced
                    <= alpha.value()
            {
                picker.skip_quiets(keeps_checks);
                return true;
            }
            // History pruning.
            if reduced <= params.history_depth && history < -params.history_margin * depth {
                return true;
            }
        }
        // Moves that lose material.
        !see::gains_at_least(&self.pos, mv, -params.see_quiet_margin * reduced * reduced)
    }

    /// Step 7b for the table's move: a search without it shows whether it stands alone.
    pub(super) fn singular_extension<N: Node>(
        &mut self,
        mv: Move,
        known: &Known,
        window: Window,
    ) -> Result<Singular, Stopped> {
        let params = self.shared.params;
        let &Known { depth, ply, cut_node, .. } = known;
        let Some(entry) = known.hit else { return Ok(Singular::Extend(0)) };
        let Some((score, Bound::Exact | Bound::Lower)) = entry.found else {
            return Ok(Singular::Extend(0));
        };
        if depth < params.singular_depth
            || entry.depth < depth - 3
            || score.is_decisive()
            || ply as Depth >= 2 * self.root_depth
        {
            return Ok(Singular::Extend(0));
        }
        let beta = score - Score::cp(params.singular_margin * depth / 16);
        self.memory.stack.frame_mut(ply).excluded = Some(mv);
        let others = self.negamax::<NonPv>(Window::at_least(beta), (depth - 1) / 2, ply, cut_node);
        self.memory.stack.frame_mut(ply).excluded = None;
        let others = others?;
        let extension = if others < beta {
            let below = (beta - others).value();
            match self.memory.stack.frame(ply).double_extensions {
                ..12 if !N::PV && below > params.singular_triple => 3,
                ..12 if !N::PV && below > params.singular_double => 2,
                _ => 1,
            }
        } else if beta >= window.beta {
            return Ok(Singular::MultiCut(beta));
        } else if score >= window.beta {
            -2
        } else if cut_node {
            -1
        } else {
            0
        };
        Ok(Singular::Extend(extension))
    }

    /// Step 7c, after the move is made: principal variation search with late move reductions.
    pub(super) fn search_move<N: Node>(
        &mut self,
        candidate: &Candidate,
        known: &Known,
        window: Window,
        new_depth: Depth,
        best: Score,
    ) -> Result<Score, Stopped> {
        let params = self.shared.params;
        let child = known.ply + 1;
        let null = -Window::above(window.alpha);
        let late = candidate.number > if N::ROOT { 3 } else { 1 };
        let mut score = -Score::INFINITE;
        let mut must_search_null = !N::PV || candidate.number > 1;
        if late && known.depth >= params.lmr_depth {
            let reduction = self.reduction::<N>(candidate, known) / 1024;
            let reduced = (new_depth - reduction).clamp(1, new_depth.max(1));
            score = -self.negamax::<NonPv>(null, reduced, child, true)?;
            must_search_null = score > window.alpha && reduced < new_depth;
            if must_search_null {
                let deeper = score > best + Score::cp(params.lmr_deeper);
                let shallower = score < best + Score::cp(new_depth);
                let new_depth = new_depth + Depth::from(deeper) - Depth::from(shallower);
                if new_depth > reduced {
                    score = -self.negamax::<NonPv>(null, new_depth, child, !known.cut_node)?;
                }
                must_search_null = false;
            }
        }
        if must_search_null {
            score = -self.negamax::<NonPv>(null, new_depth, child, !known.cut_node)?;
        }
        if N::PV && (candidate.number == 1 || score > window.alpha) {
            score = -self.negamax::<Pv>(-window, new_depth, child, false)?;
        }
        Ok(score)
    }

    /// How much a late move is reduced, in 1/1024 of a ply.
    fn reduction<N: Node>(&self, candidate: &Candidate, known: &Known) -> i32 {
        let params = self.shared.params;
        let mut reduction =
            self.shared.reductions.get(candidate.is_noisy, known.depth, candidate.number);
        let mut add = |condition: bool, plies: i32| {
            if condition {
                reduction += plies;
            }
        };
        add(N::PV, -params.lmr_pv);
        add(known.was_pv, -params.lmr_was_pv);
        add(known.cut_node, params.lmr_cut_node);
        add(!known.improving, params.lmr_not_improving);
        add(known.table_move.is_some_and(Move::is_capture), params.lmr_noisy_best);
        add(candidate.gives_check, -params.lmr_check);
        add(candidate.is_killer, -params.lmr_killer);
        add(self.memory.stack.frame(known.ply + 1).cutoffs > 3, params.lmr_cutoffs);
        reduction - candidate.history * 1024 / params.lmr_history_divisor
    }
}
