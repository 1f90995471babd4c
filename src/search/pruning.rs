//! Pruning: of a whole node before its moves are tried (step 6 of the main search), and of single
//! moves (step 7a).
//!
//! A check that is progress towards a win ([`SearchRules::CHECKS_ADVANCE`]) is never pruned as a move.

use crate::board::Checks;
use crate::movegen::Legality;
use crate::types::{Depth, Score};

use super::history::HISTORY_LIMIT;
use super::node::{Candidate, NodeInfo, NonPv};
use super::order::{Picker, Scope};
use super::rules::SearchRules;
use super::tt::Entry;
use super::window::{Bound, Window};
use super::worker::{Stopped, Worker};

impl<V: SearchRules> Worker<'_, V> {
    /// Step 6: a score that spares the search of the node: at least beta, or below it by razoring.
    /// The answer must not be forced, and the window must be null.
    pub(super) fn prune_node(
        &mut self,
        info: &NodeInfo,
        eval: Score,
        beta: Score,
        legality: &Legality,
        checks: &Checks,
    ) -> Result<Option<Score>, Stopped> {
        if beta.is_decisive() {
            return Ok(None);
        }
        if let Some(score) = self.reverse_futility(info, eval, beta) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razor(info, eval, beta)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(info, eval, beta)? {
            return Ok(Some(score));
        }
        self.probcut(info, eval, beta, legality, checks)
    }

    /// Reverse futility pruning: so far above beta that the opponent hardly has a move that refutes
    /// it. Not if the opponent wins already: then only a mate is better, and no evaluation shows a mate.
    fn reverse_futility(&self, info: &NodeInfo, eval: Score, beta: Score) -> Option<Score> {
        let params = self.shared.params;
        let history = self.data.stack.above(info.ply, 1).history;
        let margin = params.rfp_margin * (info.depth - Depth::from(info.improving))
            - history * params.rfp_history / HISTORY_LIMIT;
        // A quiet table move means that quiet play has mattered here before.
        let is_sharp = info.was_pv || info.table_move.is_some_and(|mv| !mv.is_noisy());
        let fails_high = !is_sharp
            && info.depth <= params.rfp_depth
            && beta > -Score::cp(params.mate_lead)
            && eval - Score::cp(margin) >= beta
            && !V::threatens_win(&self.pos, !self.pos.side_to_move());
        let share = params.rfp_return;
        fails_high.then(|| (eval * (100 - share) + beta * share) / 100)
    }

    /// Razoring: so far below alpha that only captures could help, so quiescence decides. Not if alpha wins already:
    /// a mate by a quiet move would help, too.
    fn razor(
        &mut self,
        info: &NodeInfo,
        eval: Score,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        let params = self.shared.params;
        let margin = Score::cp(params.razor_margin * info.depth);
        let seeks_mate = beta > Score::cp(params.mate_lead);
        if info.depth > params.razor_depth || eval + margin >= beta || seeks_mate {
            return Ok(None);
        }
        let score = self.quiescence::<NonPv>(Window::at_least(beta), 0, info.ply)?;
        Ok(Some(score).filter(|&score| score < beta))
    }

    /// Null-move pruning: the score is still at least beta if the side to move passes.
    fn null_move(
        &mut self,
        info: &NodeInfo,
        eval: Score,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        let params = self.shared.params;
        let &NodeInfo { depth, ply, cut_node, .. } = info;
        let follows_null = ply > 0 && self.data.stack.above(ply, 1).mv.is_none();
        if depth < params.null_depth
            || !cut_node
            || eval < beta
            || follows_null
            || !V::null_move_ok(&self.pos)
        {
            return Ok(None);
        }
        let by_eval = (eval - beta).value() / params.null_eval_divisor;
        let reduction = params.null_base
            + depth / params.null_depth_divisor
            + by_eval.min(params.null_eval_max);
        self.data.stack.inherit_extensions(ply);
        self.make_null_move(ply);
        let window = -Window::at_least(beta);
        let score = self.negamax::<NonPv>(window, depth - reduction, ply + 1, !cut_node);
        self.unmake_null_move();
        let score = -score?;
        // A win found after passing is not proven.
        Ok((score >= beta).then(|| if score.is_win() { beta } else { score }))
    }

    /// ProbCut: a capture that is well above beta at reduced depth will be above beta at full depth.
    fn probcut(
        &mut self,
        info: &NodeInfo,
        eval: Score,
        beta: Score,
        legality: &Legality,
        checks: &Checks,
    ) -> Result<Option<Score>, Stopped> {
        let params = self.shared.params;
        let &NodeInfo { depth, ply, cut_node, .. } = info;
        let margin = params.probcut_margin - i32::from(info.improving) * params.probcut_improving;
        let raised = beta + Score::cp(margin);
        // The depth after the capture, and what it proves about the node.
        let reduced = depth - params.probcut_reduction;
        let proven = reduced + 1;
        let table_denies = info.hit.is_some_and(|entry| {
            entry.depth >= proven && entry.found.is_some_and(|(score, _)| score < raised)
        });
        if depth < params.probcut_depth || raised.is_decisive() || table_denies {
            return Ok(None);
        }
        let table_move = info.table_move.filter(|mv| mv.is_capture());
        let threshold = (raised - eval).value().max(0);
        let mut picker = Picker::new(Scope::GoodNoisy, table_move, None, info.previous, threshold);
        let window = -Window::at_least(raised);
        while let Some(mv) = picker.next(&self.sources(legality, checks)) {
            self.prefetch_after(mv);
            let gives_check = V::COUNTS_CHECKS && checks.gives_check(&self.pos, mv);
            self.data.stack.inherit_extensions(ply);
            self.make_move(mv, gives_check, ply);
            let mut score = self.quiescence::<NonPv>(window, 0, ply + 1).map(|score| -score);
            if score.is_ok_and(|score| score >= raised) {
                score =
                    self.negamax::<NonPv>(window, reduced, ply + 1, !cut_node).map(|score| -score);
            }
            self.unmake_move();
            let score = score?;
            if score >= raised {
                let entry = Entry {
                    mv: Some(mv),
                    found: Some((score, Bound::Lower)),
                    eval: info.raw_eval,
                    depth: proven,
                    pv: info.was_pv,
                };
                self.shared.tt.store(self.pos.key(), ply, entry);
                return Ok(Some(if score.is_decisive() { score } else { score - (raised - beta) }));
            }
        }
        Ok(None)
    }

    /// Step 7a: should the move not be searched? May also tell the picker to skip quiet moves.
    pub(super) fn prune_move(
        &self,
        candidate: &Candidate,
        info: &NodeInfo,
        alpha: Score,
        picker: &mut Picker,
    ) -> bool {
        let Candidate { mv, number, is_noisy, gives_check, history, .. } = *candidate;
        let params = self.shared.params;
        if V::CHECKS_ADVANCE && gives_check {
            return false;
        }
        let depth = info.depth;
        let keeps_checks = V::CHECKS_ADVANCE || depth >= params.keep_checks_depth;
        if is_noisy {
            // Static exchange evaluation: captures that lose material.
            let margin = params.see_noisy_margin * depth + history / params.see_noisy_history;
            return !V::gains_at_least(&self.pos, mv, -margin.max(0));
        }
        let reduction = self.shared.reductions.of_pruning(depth, number, history, params);
        let reduced = (depth - 1 - reduction).max(0);
        if !gives_check {
            // Late move pruning.
            let most_moves = (params.lmp_base + depth * depth) / (2 - i32::from(info.improving));
            if number as i32 > most_moves {
                picker.skip_quiets(keeps_checks);
                return true;
            }
            // Futility pruning. If alpha wins already, only a mate is better, and no evaluation shows
            // a mate.
            if let Some(eval) = info.eval
                && alpha < Score::cp(params.futility_alpha)
                && reduced <= params.futility_depth
                && eval.value()
                    + params.futility_base
                    + params.futility_margin * reduced
                    + history / params.futility_history
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
        // Static exchange evaluation: quiet moves that lose material.
        let margin =
            params.see_quiet_margin * reduced * reduced + history / params.see_quiet_history;
        !V::gains_at_least(&self.pos, mv, -margin.max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::worker::with_worker;
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    /// Mate in one, also after White has passed.
    const LADDER: &str = "6k1/R7/8/8/8/8/8/1RK5 w - - 0 1";
    const PLY: usize = 5;

    /// A node whose evaluation improves and of which the table knows nothing.
    fn info(depth: Depth) -> NodeInfo {
        NodeInfo { improving: true, ..NodeInfo::plain(depth, PLY) }
    }

    /// An expected cut-node.
    fn cut_node(depth: Depth) -> NodeInfo {
        NodeInfo { cut_node: true, ..info(depth) }
    }

    /// Tries a null move where the evaluation seems to be `margin` centipawns above beta. Beta is
    /// out of reach of the true evaluation, so that only a mate reaches it. Returns the score and
    /// beta.
    fn null_move(fen: &str, margin: i32, follows_null: bool) -> (Option<Score>, Score) {
        // Small reductions, so that the search after the null move is some plies deep.
        let mut params = Params::STANDARD;
        for name in ["null_depth", "null_base", "null_eval_max"] {
            assert!(params.set(name, 0), "the least value");
        }
        with_worker::<Standard, _>(fen, &params, |worker| {
            let before = worker.pos.fen();
            let beta = worker.evaluate(0) + Score::cp(100);
            if !follows_null {
                worker.data.stack.frame_mut(PLY - 1).mv = worker.pos.legal_moves().first().copied();
            }
            let found = worker.null_move(&cut_node(14), beta + Score::cp(margin), beta);
            assert_eq!(worker.pos.fen(), before);
            (found.expect("nothing stops the search"), beta)
        })
    }

    #[test]
    fn a_win_after_a_null_move_counts_as_beta() {
        let (score, beta) = null_move(LADDER, 0, false);
        assert_eq!(score, Some(beta));
    }

    #[test]
    fn a_null_move_that_falls_below_beta_prunes_nothing() {
        // The other side mates or takes the queen.
        assert_eq!(null_move("4k3/8/8/3q4/8/8/6P1/3QK3 w - - 0 1", 0, false).0, None);
    }

    #[test]
    fn no_null_move_after_another_or_below_beta_or_with_pawns_alone() {
        assert_eq!(null_move(LADDER, 0, true).0, None);
        assert_eq!(null_move(LADDER, -1, false).0, None);
        // Passing would be no worse for White.
        let pawns = "4k3/8/8/8/8/2P5/PP6/2K5 w - - 0 1";
        with_worker::<Standard, _>(pawns, &Params::STANDARD, |worker| {
            worker.data.stack.frame_mut(PLY - 1).mv = worker.pos.legal_moves().first().copied();
            let found = worker.null_move(&cut_node(8), Score::ZERO, -Score::cp(300));
            assert_eq!(found.expect("nothing stops the search"), None);
        });
    }

    #[test]
    fn no_null_move_where_no_cutoff_is_expected() {
        with_worker::<Standard, _>(LADDER, &Params::STANDARD, |worker| {
            worker.data.stack.frame_mut(PLY - 1).mv = worker.pos.legal_moves().first().copied();
            let mut prunes = |info: &NodeInfo| {
                let found = worker.null_move(info, Score::ZERO, Score::cp(-300));
                found.expect("nothing stops the search").is_some()
            };
            assert!(prunes(&cut_node(4)) && !prunes(&info(4)));
        });
    }

    #[test]
    fn reverse_futility_spares_sharp_nodes() {
        with_worker::<Standard, _>(LADDER, &Params::STANDARD, |worker| {
            let quiet = worker.pos.legal_moves().iter().copied().find(|mv| !mv.is_noisy());
            let prunes = |info: &NodeInfo| {
                worker.reverse_futility(info, Score::cp(900), Score::ZERO).is_some()
            };
            assert!(prunes(&info(3)));
            assert!(!prunes(&NodeInfo { was_pv: true, ..info(3) }));
            assert!(!prunes(&NodeInfo { table_move: quiet, ..info(3) }));
        });
    }

    /// Would a late quiet rook move with this history be pruned, far below alpha?
    fn prunes_rook_move<V: SearchRules>(fen: &str, gives_check: bool) -> bool {
        with_worker::<V, _>(fen, &Params::STANDARD, |worker| {
            let name = if gives_check { "a1a8" } else { "a1a7" };
            let moves = worker.pos.legal_moves();
            let mv = *moves.iter().find(|mv| mv.to_string() == name).unwrap();
            let candidate = Candidate {
                mv,
                number: 60,
                is_noisy: false,
                gives_check,
                history: -16_000,
                is_killer: false,
            };
            let info = NodeInfo { eval: Some(Score::ZERO), ..info(1) };
            let mut picker = Picker::new(Scope::All, None, None, [None; 4], 0);
            worker.prune_move(&candidate, &info, Score::cp(900), &mut picker)
        })
    }

    #[test]
    fn a_check_that_counts_is_never_pruned() {
        // The bishop would take the rook.
        let (men, rest) = ("3bk3/8/8/8/8/8/8/R3K3 w - -", "0 1");
        let three_check = format!("{men} 3+3 {rest}").replace("3bk3", "1b2k3");
        assert!(!prunes_rook_move::<ThreeCheck>(&three_check, true));
        assert!(prunes_rook_move::<ThreeCheck>(&three_check, false));
        let chess = format!("{men} {rest}").replace("3bk3", "1b2k3");
        assert!(prunes_rook_move::<Standard>(&chess, false));
    }

    #[test]
    fn probcut_stores_what_it_proves() {
        // The queen is lost.
        let fen = "4k3/8/8/3q4/4P3/8/8/4K2R w - - 0 1";
        with_worker::<Standard, _>(fen, &Params::STANDARD, |worker| {
            let params = worker.shared.params;
            let (legality, checks) = (Legality::new(&worker.pos), Checks::default());
            let eval = worker.evaluate(PLY);
            let beta = eval.max(Score::ZERO);
            let depth = params.probcut_depth + 2;
            let mut cut = |info: &NodeInfo, beta: Score| {
                let info = NodeInfo { raw_eval: Some(eval), ..*info };
                let found = worker.probcut(&info, eval, beta, &legality, &checks);
                let entry = worker.shared.tt.probe(worker.pos.key(), PLY);
                (found.expect("nothing stops the search"), entry)
            };
            assert!(cut(&info(params.probcut_depth - 1), beta).0.is_none(), "not deep enough");
            let out_of_reach = cut(&info(depth), Score::cp(5000));
            assert_eq!(out_of_reach.0, None);
            let (score, entry) = cut(&info(depth), beta);
            assert!(score.is_some_and(|score| score >= beta), "{score:?}");
            let entry = entry.expect("stored");
            assert_eq!(entry.mv.map(|mv| mv.to_string()).as_deref(), Some("e4d5"));
            assert_eq!(entry.depth, depth - params.probcut_reduction + 1);
            assert!(matches!(entry.found, Some((_, Bound::Lower))));
            assert_eq!(entry.eval, Some(eval));
        });
    }

    #[test]
    fn no_node_is_pruned_where_a_forced_end_is_at_stake() {
        let prune = |eval: Score, beta: Score| {
            with_worker::<Standard, _>(LADDER, &Params::STANDARD, |worker| {
                let (legality, checks) = (Legality::new(&worker.pos), Checks::default());
                let pruned = worker.prune_node(&info(1), eval, beta, &legality, &checks);
                pruned.expect("nothing stops the search")
            })
        };
        assert!(prune(Score::cp(5000), Score::ZERO).is_some(), "far above beta");
        assert_eq!(prune(Score::cp(5000), Score::loss_in(10)), None);
        assert!(prune(Score::ZERO, Score::cp(1400)).is_some(), "far below beta");
        assert_eq!(prune(Score::ZERO, Score::win_in(10)), None);
        // Only a mate is better.
        assert_eq!(prune(Score::ZERO, Score::cp(-2000)), None);
        assert_eq!(prune(Score::ZERO, Score::cp(2000)), None);
    }
}
