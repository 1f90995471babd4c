//! Quiescence search: captures and promotions until the position is quiet; in check, every way
//! out; where checks count, quiet checks at its first ply.

use crate::board::Checks;
use crate::movegen::Legality;
use crate::types::{Depth, MAX_PLY, Ply, Score};

use super::history::victim;
use super::limits::Bound;
use super::negamax::drawn_to_table;
use super::node::Node;
use super::order::{Picker, Scope, Sources};
use super::rules::SearchRules;
use super::see;
use super::tt::Entry;
use super::window::Window;
use super::worker::{Stopped, Worker};

impl<V: SearchRules> Worker<'_, V> {
    /// The score of the position once it is quiet. `depth` is 0 at the first ply and falls by one
    /// with each.
    ///
    /// Steps: 1 stop? · 2 variant end, draw · 3 mate distance · 4 transposition table · 5 stand
    /// pat · 6 moves · 7 no moves · 8 store.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        mut window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        // 1. Stop?
        self.count_node(ply)?;
        self.memory.stack.clear_line(ply);

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

        // 4. Transposition table.
        let hit = self.shared.table.probe(self.pos.key(), ply);
        if !N::PV
            && let Some(entry) = hit
            && self.pos.halfmove_clock() < 90
            && let Some(score) = entry.cutoff(window.beta)
        {
            return Ok(score);
        }
        let legality = Legality::new(&self.pos);
        let checks = Checks::default();
        // What is in the table has been asked before.
        if hit.is_none()
            && let Some(mv) = V::winning_move(&self.pos, &legality, &checks)
        {
            self.memory.stack.clear_line(ply + 1);
            self.memory.stack.set_line(ply, mv);
            return Ok(Score::win_in(ply + 1));
        }

        // 5. Stand pat.
        let in_check = legality.in_check();
        let was_pv = N::PV || hit.is_some_and(|entry| entry.pv);
        let raw_eval = (!in_check).then(|| self.static_eval(hit, was_pv, ply));
        let eval = raw_eval.map(|raw| drawn_to_table(self.corrected(raw, ply), hit));
        let mut best = -Score::INFINITE;
        if let Some(eval) = eval {
            best = eval;
            if best >= window.beta {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }

        // 6. Moves.
        let params = self.shared.params;
        let scope = match in_check {
            true => Scope::All,
            false if V::COUNTS_CHECKS && depth == 0 => Scope::GoodNoisyAndChecks,
            false => Scope::GoodNoisy,
        };
        let table_move = hit.and_then(|entry| entry.mv).filter(|&mv| {
            (in_check || mv.is_capture() || mv.is_promotion()) && self.pos.is_legal(mv, &legality)
        });
        let before = self.memory.stack.before(ply);
        let mut picker = Picker::new(scope, table_move, None, before, 0);
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = picker.next(&Sources {
            pos: &self.pos,
            legality: &legality,
            checks: &checks,
            histories: &self.memory.histories,
            params,
        }) {
            number += 1;
            let gives_check = V::COUNTS_CHECKS && checks.gives_check(&self.pos, mv);
            if !best.is_loss() {
                let is_noisy = mv.is_capture() || mv.is_promotion();
                if in_check && !is_noisy {
                    // One quiet way out is enough.
                    picker.skip_quiets(false);
                    if number > 1 {
                        continue;
                    }
                }
                // Futility: even the whole victim would not reach alpha.
                if let Some(eval) = eval
                    && is_noisy
                    && !mv.is_promotion()
                    && !gives_check
                {
                    let gain = see::VALUES[victim(&self.pos, mv)] + params.quiescence_futility;
                    let reach = eval + Score::cp(gain);
                    if reach <= window.alpha {
                        best = best.max(reach);
                        continue;
                    }
                }
            }
            self.make_move(mv, gives_check, ply);
            let score = self.quiescence::<N>(-window, depth - 1, ply + 1);
            self.pos.unmake_move();
            let score = -score?;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.memory.stack.set_line(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                }
            }
        }

        // 7. No moves: mate. Stalemate is not looked for here.
        if in_check && number == 0 {
            return Ok(Score::loss_in(ply));
        }

        // 8. Store.
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let found = Some((best, bound));
        let entry =
            Entry { mv: best_move, found, eval: raw_eval, depth: depth.max(-1), pv: was_pv };
        self.shared.table.store(self.pos.key(), ply, entry);
        Ok(best)
    }
}
