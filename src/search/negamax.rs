//! The main search: negamax with alpha-beta, principal variation search, and the pruning and
//! reductions that make it deep.

use crate::board::Checks;
use crate::movegen::Legality;
use crate::types::{Depth, MAX_PLY, Move, Ply, Score};

use super::limits::Bound;
use super::node::Node;
use super::order::{Picker, Scope, Sources};
use super::report::Standing;
use super::rules::SearchRules;
use super::selectivity::{Candidate, Singular};
use super::tried::Tried;
use super::tt::Entry;
use super::window::Window;
use super::worker::{Stopped, Worker};

/// What is known about a node before its moves are tried.
pub(super) struct Known {
    pub depth: Depth,
    pub ply: Ply,
    /// Is the node expected to fail high?
    pub cut_node: bool,
    /// The corrected static evaluation, drawn towards the table's score; none while in check.
    pub eval: Option<Score>,
    /// Is the evaluation better than at our last turn?
    pub improving: bool,
    /// Was the position ever on the principal variation?
    pub was_pv: bool,
    pub table_move: Option<Move>,
    pub hit: Option<Entry>,
}

impl<V: SearchRules> Worker<'_, V> {
    /// The score of the position for the side to move, `depth` plies deep; exact within the
    /// window, a bound outside (fail-soft).
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

        // 1. Stop?
        self.count_node(ply)?;
        self.memory.stack.clear_line(ply);

        if !N::ROOT {
            // 2. The variant's own end comes first, then draws.
            if let Some(score) = self.ended(ply) {
                return Ok(score);
            }
            if ply >= MAX_PLY - 1 {
                return Ok(self.memory.evaluator.evaluate(&self.pos));
            }

            // 3. Mate distance pruning.
            window = window.clamp_to_ply(ply);
            if window.is_empty() {
                return Ok(window.alpha);
            }
        }

        // 4. Transposition table.
        let excluded = self.memory.stack.frame(ply).excluded;
        let hit = match excluded {
            None => self.shared.table.probe(self.pos.key(), ply),
            Some(_) => None,
        };
        if !N::PV
            && let Some(entry) = hit
            && entry.depth >= depth
            && self.pos.halfmove_clock() < 90
            && let Some(score) = entry.cutoff(window.beta)
        {
            return Ok(score);
        }
        // What is in the table has been asked before.
        let legality = Legality::new(&self.pos);
        let checks = Checks::default();
        if !N::ROOT
            && excluded.is_none()
            && hit.is_none()
            && let Some(mv) = V::winning_move(&self.pos, &legality, &checks)
        {
            self.memory.stack.clear_line(ply + 1);
            self.memory.stack.set_line(ply, mv);
            return Ok(Score::win_in(ply + 1));
        }
        let table_move = match hit {
            _ if N::ROOT => self.root.first_open(),
            Some(entry) => entry.mv.filter(|&mv| self.pos.is_legal(mv, &legality)),
            None => None,
        };

        // 5. Static evaluation.
        let was_pv = N::PV || hit.is_some_and(|entry| entry.pv);
        let in_check = legality.in_check();
        let raw_eval = match excluded {
            None if !in_check => Some(self.static_eval(hit, was_pv, ply)),
            _ => None,
        };
        if excluded.is_none() {
            let eval = raw_eval.map(|raw| self.corrected(raw, ply));
            self.memory.stack.frame_mut(ply).eval = eval;
        }
        let own_eval = self.memory.stack.frame(ply).eval;
        let known = Known {
            depth,
            ply,
            cut_node,
            eval: own_eval.map(|eval| drawn_to_table(eval, hit)),
            improving: self.is_improving(own_eval, ply),
            was_pv,
            table_move,
            hit,
        };
        self.memory.stack.frame_mut(ply + 1).cutoffs = 0;
        self.memory.stack.frame_mut(ply + 2).killer = None;

        // 6. Pruning the node.
        if !N::PV
            && excluded.is_none()
            && let Some(eval) = known.eval
            && let Some(score) = self.prune_node(&known, eval, window.beta, &legality, &checks)?
        {
            return Ok(score);
        }
        // Internal iterative reduction: without a table move the order is poor.
        if depth >= self.shared.params.iir_depth && table_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }
        let known = Known { depth, ..known };

        // 7. Moves.
        let before = self.memory.stack.before(ply);
        let killer = self.memory.stack.frame(ply).killer;
        let killer = killer.filter(|&mv| self.pos.is_legal(mv, &legality));
        let mut picker = Picker::new(Scope::All, table_move, killer, before, 0);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut tried = Tried::new();
        let old_alpha = window.alpha;
        while let Some(mv) = picker.next(&Sources {
            pos: &self.pos,
            legality: &legality,
            checks: &checks,
            histories: &self.memory.histories,
            params: self.shared.params,
        }) {
            if Some(mv) == excluded || N::ROOT && !self.root.contains(mv) {
                continue;
            }
            number += 1;
            let is_noisy = mv.is_capture() || mv.is_promotion();
            let candidate = Candidate {
                mv,
                number,
                is_noisy,
                gives_check: checks.gives_check(&self.pos, mv),
                history: if is_noisy {
                    self.memory.histories.noisy(&self.pos, mv)
                } else {
                    let us = self.pos.side_to_move();
                    self.memory.histories.of_quiets(us, &before).get(&self.pos, mv)
                },
                is_killer: Some(mv) == killer,
            };

            // 7a. Pruning.
            if !N::ROOT
                && !best.is_loss()
                && self.prune_move(&candidate, &known, window.alpha, &mut picker)
            {
                continue;
            }

            // 7b. Extension.
            let extension = if Some(mv) == table_move && !N::ROOT && excluded.is_none() {
                match self.singular_extension::<N>(mv, &known, window)? {
                    Singular::Extend(plies) => plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            } else {
                0
            };
            let params = self.shared.params;
            let may_extend = (ply as Depth) < 2 * self.root_depth;
            let extension = if candidate.gives_check && may_extend {
                extension.max(params.check_extension)
            } else {
                extension
            };
            let extended = self.memory.stack.frame(ply).double_extensions;
            self.memory.stack.frame_mut(ply + 1).double_extensions =
                extended + u32::from(extension >= 2);
            // Quiescence is not for positions in check.
            let least = Depth::from(candidate.gives_check && may_extend);
            let new_depth = (depth - 1 + extension).max(least);

            // 7c. Search.
            let nodes_before = self.nodes();
            if N::ROOT {
                let moves_left = self.root.open().saturating_sub(number);
                self.standing = Standing { moves_left, current: Some(mv) };
                self.report_root();
            }
            self.make_move(mv, candidate.gives_check, ply);
            let score = self.search_move::<N>(&candidate, &known, window, new_depth, best);
            self.pos.unmake_move();
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
                        self.memory.stack.set_line(ply, mv);
                    }
                    if score >= window.beta {
                        self.memory.stack.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    window.alpha = score;
                }
            }
            if Some(mv) != best_move {
                tried.push(mv, is_noisy);
            }
        }

        // 8. No moves: mate or stalemate, unless one was left out.
        if number == 0 {
            return Ok(match excluded {
                Some(_) => window.alpha,
                None if in_check => Score::loss_in(ply),
                None => self.draw_score(),
            });
        }

        // 9. Learning and storing.
        if let Some(mv) = best_move
            && best >= window.beta
        {
            self.learn_from_cutoff(mv, &tried, depth, ply);
        }
        if excluded.is_none() {
            let bound = match best_move {
                Some(_) if best >= window.beta => Bound::Lower,
                Some(_) => Bound::Exact,
                None => Bound::Upper,
            };
            debug_assert!(bound != Bound::Exact || best > old_alpha);
            if let Some(eval) = own_eval {
                self.learn_correction(eval, best, bound, best_move, depth, ply);
            }
            if !N::ROOT || self.root.is_first_line() {
                let found = Some((best, bound));
                let entry = Entry { mv: best_move, found, eval: raw_eval, depth, pv: was_pv };
                self.shared.table.store(self.pos.key(), ply, entry);
            }
        }
        Ok(best)
    }

    /// The score of a finished game: the variant's end, or a draw.
    pub(super) fn ended(&self, ply: Ply) -> Option<Score> {
        if let Some(outcome) = self.pos.variant_outcome() {
            return Some(match outcome.winner {
                Some(winner) if winner == self.pos.side_to_move() => Score::win_in(ply),
                Some(_) => Score::loss_in(ply),
                None => self.draw_score(),
            });
        }
        self.is_draw().then(|| self.draw_score())
    }

    /// The evaluation of the position as the evaluator gives it, from the table if it is there.
    pub(super) fn static_eval(&mut self, hit: Option<Entry>, pv: bool, ply: Ply) -> Score {
        if let Some(eval) = hit.and_then(|entry| entry.eval) {
            return eval;
        }
        let eval = self.memory.evaluator.evaluate(&self.pos);
        if hit.is_none() {
            let entry = Entry { mv: None, found: None, eval: Some(eval), depth: -6, pv };
            self.shared.table.store(self.pos.key(), ply, entry);
        }
        eval
    }

    /// Is the evaluation better than it was at our last turn, or, if we were in check then, at the
    /// turn before?
    fn is_improving(&self, eval: Option<Score>, ply: Ply) -> bool {
        let Some(eval) = eval else { return false };
        let earlier = self.memory.stack.above(ply, 2).eval;
        let earlier = earlier.or(self.memory.stack.above(ply, 4).eval);
        earlier.is_none_or(|earlier| eval > earlier)
    }

    /// Keeps account of a root move that has been searched.
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
            entry.pv.extend(self.memory.stack.line(1));
        } else {
            entry.score = -Score::INFINITE;
        }
    }
}

/// The table's score as a better evaluation, where its bound allows.
pub(super) fn drawn_to_table(eval: Score, hit: Option<Entry>) -> Score {
    match hit.and_then(|entry| entry.found) {
        Some((score, _)) if score.is_decisive() => eval,
        Some((score, Bound::Exact)) => score,
        Some((score, Bound::Lower)) => eval.max(score),
        Some((score, Bound::Upper)) => eval.min(score),
        None => eval,
    }
}
