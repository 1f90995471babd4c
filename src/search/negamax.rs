//! The main search: negamax with alpha-beta and principal variation search (PVS).
//!
//! The steps that need more than a few lines are in files of their own: `node_entry` (1 to 4),
//! `tablebase_probe` (4, the endgame tables), `static_eval` (5), `pruning` (6, 7a), `extensions` (7b),
//! `reductions` (7c), `learning` (9).

use crate::board::{Checks, EndgameTables};
use crate::movegen::Legality;
use crate::types::{Depth, Move, Ply, Score};

use super::extensions::Extension;
use super::history::{TriedMoves, attacked_squares};
use super::learning::NodeResult;
use super::node::{Candidate, Node, NodeInfo, NonPv, Pv};
use super::order::{Picker, Scope};
use super::root::RootProgress;
use super::rules::SearchRules;
use super::tablebase_probe::Found;
use super::window::{Bound, Window};
use super::worker::{Stopped, Worker};

impl<V: SearchRules> Worker<'_, V> {
    /// The score of the position for the side to move, searched `depth` plies deep: exact within
    /// the window, a bound outside it (fail-soft). `cut_node` says that the node is expected to fail
    /// high.
    ///
    /// Steps: 1 stop? · 2 variant end, draw · 3 mate distance · 4 transposition table · 5 static
    /// evaluation · 6 pruning the node · 7 moves: 7a pruning, 7b extension, 7c search, 7d result ·
    /// 8 no moves · 9 learning and storing.
    pub(super) fn negamax<N: Node>(
        &mut self,
        mut window: Window,
        mut depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.quiescence::<N>(window, 0, ply);
        }

        // 1. Stop? 2. Variant end, draw. 3. Mate distance pruning.
        if let Some(score) = self.enter_node::<N>(&mut window, ply)? {
            return Ok(score);
        }

        // 4. Transposition table.
        let excluded = self.data.stack.frame(ply).excluded_move;
        let hit = match excluded {
            None => self.shared.tt.probe(self.pos.key(), ply),
            Some(_) => None,
        };
        if let Some(score) = self.table_cutoff::<N>(hit, depth, window.beta) {
            if let Some(mv) = hit.and_then(|entry| entry.mv).filter(|_| score >= window.beta) {
                let previous = self.data.stack.previous_moves(ply);
                let params = self.shared.params;
                self.data.histories.learn_table_cutoff(&self.pos, &previous, mv, depth, params);
            }
            return Ok(score);
        }
        // 4. Endgame tables.
        let (mut at_least, mut at_most) = (-Score::INFINITE, Score::INFINITE);
        if V::ENDGAME_TABLES != EndgameTables::None
            && !N::ROOT
            && self.pos.total_count() <= self.shared.tablebases.most_men
            && excluded.is_none()
            && let Some(found) = self.look_up::<N>(depth, window, ply)
        {
            match found {
                Found::Score(score) => return Ok(score),
                Found::Bound(score, Bound::Lower) => {
                    at_least = score;
                    window.alpha = window.alpha.max(score);
                }
                Found::Bound(score, _) => at_most = score,
            }
        }
        let legality = Legality::new(&self.pos);
        let checks = Checks::default();
        // On a TT hit, this was already tried.
        if !N::ROOT
            && excluded.is_none()
            && hit.is_none()
            && let Some(score) = self.immediate_win(&legality, &checks, ply)
        {
            return Ok(score);
        }
        let table_move = match hit {
            _ if N::ROOT => self.root.first_open(),
            Some(entry) => entry.mv.filter(|&mv| self.pos.is_legal(mv, &legality)),
            None => None,
        };

        // 5. Static evaluation.
        let info = self.node_info::<N>(depth, ply, cut_node, hit, table_move, &legality);
        self.data.stack.frame_mut(ply + 1).cutoffs = 0;
        self.data.stack.frame_mut(ply + 2).killer = None;

        // 6. Pruning the node.
        if !N::PV
            && excluded.is_none()
            && let Some(eval) = info.eval
            && let Some(score) = self.prune_node(&info, eval, window.beta, &legality, &checks)?
        {
            return Ok(score);
        }
        // The last move was reduced much, and yet the opponent does not stand worse after it: look deeper.
        if !N::ROOT && excluded.is_none() && self.regrets_reduction(ply) {
            depth += 1;
        }
        // Internal iterative reduction: without a table move the order is poor, so search less deep.
        if depth >= self.shared.params.iir_depth && table_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }
        let info = NodeInfo { depth, ..info };

        // 7. Moves.
        let killer = self.data.stack.frame(ply).killer;
        let mut picker = Picker::new(Scope::All, table_move, killer, info.previous, 0);
        let mut best = at_least;
        let mut best_move = None;
        let mut number = 0;
        let mut tried = TriedMoves::new();
        let (us, attacked) = (self.pos.side_to_move(), attacked_squares(&self.pos));
        let params = self.shared.params;
        let old_alpha = window.alpha;
        // A bare king has few moves, and often one alone holds a draw.
        let is_bare_king = V::HAS_DRAWN_ENDGAMES && self.pos.is_bare(us);
        let may_prune_moves = !N::ROOT && !is_bare_king;
        while let Some(mv) = picker.next(&self.sources(&legality, &checks)) {
            if Some(mv) == excluded || N::ROOT && !self.root.contains(mv) {
                continue;
            }
            self.prefetch_after(mv);
            number += 1;
            let is_noisy = mv.is_noisy();
            let candidate = Candidate {
                mv,
                number,
                is_noisy,
                gives_check: checks.gives_check(&self.pos, mv),
                history: if is_noisy {
                    self.data.histories.noisy(&self.pos, mv)
                } else {
                    let histories = &self.data.histories;
                    histories.of_quiets(us, attacked, &info.previous, params).get(&self.pos, mv)
                },
                is_killer: Some(mv) == killer,
            };

            // 7a. Pruning.
            if may_prune_moves
                && !best.is_loss()
                && self.prune_move(&candidate, &info, window.alpha, &mut picker)
            {
                continue;
            }

            // 7b. Extension.
            let new_depth = match self.extend::<N>(&candidate, &info, window)? {
                Extension::Depth(new_depth) => new_depth,
                Extension::MultiCut(score) => return Ok(score),
            };

            // 7c. Search.
            let nodes_before = self.nodes();
            if N::ROOT {
                let moves_left = self.root.open().saturating_sub(number);
                self.root_progress = RootProgress { moves_left, current: Some(mv) };
                self.report_root();
            }
            self.make_move(mv, candidate.gives_check, ply);
            self.data.stack.frame_mut(ply).history = candidate.history;
            let score = self.search_move::<N>(&candidate, &info, window, new_depth, best);
            self.unmake_move();
            let score = score?;

            // 7d. Result.
            if N::ROOT {
                self.note_root_move(mv, number == 1, score, window.alpha, nodes_before);
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.data.stack.set_line(ply, mv);
                    }
                    if score >= window.beta {
                        self.data.stack.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    window.alpha = score;
                }
            }
            if Some(mv) != best_move {
                tried.push(mv, is_noisy);
            }
        }

        // 8. No moves: mate or stalemate, unless the only move is excluded.
        if number == 0 {
            return Ok(match excluded {
                Some(_) => window.alpha,
                None if legality.in_check() => Score::loss_in(ply),
                None => self.score_of(V::stalemate(&self.pos), ply),
            });
        }

        // 9. Learning and storing.
        best = best.min(at_most);
        let bound = match best_move {
            Some(_) if best >= window.beta => Bound::Lower,
            Some(_) => Bound::Exact,
            None => Bound::Upper,
        };
        debug_assert!(bound != Bound::Exact || best > old_alpha);
        let result = NodeResult { score: best, bound, best_move, tried };
        self.learn_and_store::<N>(&info, &result, &checks);
        Ok(best)
    }

    /// Step 7c, after the move is made: principal variation search with late move reductions. A late
    /// move is first searched less deep with a null window, then deeper, then with the open window,
    /// as long as it beats alpha.
    pub(super) fn search_move<N: Node>(
        &mut self,
        candidate: &Candidate,
        info: &NodeInfo,
        window: Window,
        new_depth: Depth,
        best: Score,
    ) -> Result<Score, Stopped> {
        let params = self.shared.params;
        let child = info.ply + 1;
        let null = -Window::above(window.alpha);
        let unreduced = match (N::ROOT, N::PV) {
            (true, _) => params.lmr_root_moves,
            (false, true) => params.lmr_pv_moves,
            (false, false) => params.lmr_moves,
        };
        let is_late = candidate.number > unreduced as usize;
        let mut score = -Score::INFINITE;
        let mut must_search_null = !N::PV || candidate.number > 1;
        if is_late && info.depth >= params.lmr_depth {
            let cutoffs = self.data.stack.frame(child).cutoffs;
            let reduction =
                self.shared.reductions.of_late_move::<N>(candidate, info, cutoffs, params);
            let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
            self.data.stack.frame_mut(info.ply).reduction = reduction;
            score = -self.negamax::<NonPv>(null, reduced, child, true)?;
            self.data.stack.frame_mut(info.ply).reduction = 0;
            must_search_null = score > window.alpha && reduced < new_depth;
            if must_search_null {
                let deeper = score > best + Score::cp(params.lmr_deeper);
                let shallower = score < best + Score::cp(new_depth * params.lmr_shallower / 64);
                let new_depth = new_depth + Depth::from(deeper) - Depth::from(shallower);
                if new_depth > reduced {
                    score = -self.negamax::<NonPv>(null, new_depth, child, !info.cut_node)?;
                    if let Some(made) = self.data.stack.frame(info.ply).piece_to
                        && !candidate.is_noisy
                    {
                        let was_good = score > window.alpha;
                        let histories = &mut self.data.histories;
                        histories.learn_research(&info.previous, made, was_good, new_depth, params);
                    }
                }
                must_search_null = false;
            }
        }
        if must_search_null {
            score = -self.negamax::<NonPv>(null, new_depth, child, !info.cut_node)?;
        }
        if N::PV && (candidate.number == 1 || score > window.alpha) {
            score = -self.negamax::<Pv>(-window, new_depth, child, false)?;
        }
        Ok(score)
    }

    /// Was the move to this node reduced so much that the search should go a ply deeper? Only if the
    /// opponent, who made it, does not stand worse after it.
    fn regrets_reduction(&self, ply: Ply) -> bool {
        let least = self.shared.params.hindsight_reduction;
        let (frame, before) = (self.data.stack.frame(ply), self.data.stack.above(ply, 1));
        least > 0
            && before.reduction >= least * 1024
            && frame.eval.zip(before.eval).is_some_and(|(ours, theirs)| ours <= -theirs)
    }

    /// Notes the result of a root move.
    fn note_root_move(
        &mut self,
        mv: Move,
        is_first: bool,
        score: Score,
        alpha: Score,
        nodes_before: u64,
    ) {
        let nodes = self.nodes() - nodes_before;
        let seldepth = self.seldepth;
        let Some(entry) = self.root.find(mv) else { return };
        entry.nodes += nodes;
        if is_first || score > alpha {
            entry.score = score;
            entry.seldepth = seldepth;
            entry.pv.clear();
            entry.pv.push(mv);
            entry.pv.extend(self.data.stack.line(1));
        } else {
            entry.score = -Score::INFINITE;
        }
    }
}
