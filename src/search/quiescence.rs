//! Quiescence search: captures and promotions until the position is quiet. In check it searches evasions, and where
//! a capture is compulsory all captures, for [`FORCED_PLIES`] at most where they branch; where checks are progress
//! towards a win, it searches quiet checks at its first ply ([`SearchRules::check_advances`]). At its first two plies,
//! a side does not stand pat that would lose at once ([`SearchRules::threatens_win`]). Stalemate is seen only where it
//! decides games ([`SearchRules::STALEMATE_DECIDES`]).

use crate::board::Checks;
use crate::movegen::Legality;
use crate::types::{Depth, PieceKind, Ply, Score};

use super::node::Node;
use super::order::{Picker, Scope};
use super::rules::SearchRules;
use super::static_eval::refine_eval;
use super::tt::{EVAL_ONLY_DEPTH, Entry};
use super::window::{Bound, Window};
use super::worker::{Stopped, Worker};

/// After this many plies of quiescence the static evaluation values a choice among compulsory captures. Without such
/// an end, a few positions take millions of nodes.
const FORCED_PLIES: Depth = 8;

/// A threat to win at once is answered by a move, not by standing pat, up to this many plies after the first.
const THREAT_PLIES: Depth = 1;

impl<V: SearchRules> Worker<'_, V> {
    /// The score of the position after the captures worth searching, for the side to move. `depth` is
    /// 0 at the first ply of quiescence and -1 at the next.
    ///
    /// Steps: 1 stop? · 2 variant end, draw · 3 mate distance · 4 transposition table · 5 stand
    /// pat · 6 moves · 7 no moves · 8 store.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        mut window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        // 1. Stop? 2. Variant end, draw. 3. Mate distance pruning.
        if let Some(score) = self.enter_node::<N>(&mut window, ply)? {
            return Ok(score);
        }

        // 4. Transposition table. An entry of any depth will do, unless this ply searches quiet checks: then the
        // entry's search must have done so, too. An entry may come from a side that stood pat deeper down.
        let hit = self.shared.tt.probe(self.pos.key(), ply);
        let searches_checks = V::CHECKS_ADVANCE && depth == 0;
        let least_depth = if searches_checks { 0 } else { EVAL_ONLY_DEPTH };
        if let Some(score) = self.table_cutoff::<N>(hit, least_depth, window.beta) {
            return Ok(score);
        }
        let legality = Legality::new(&self.pos);
        let checks = Checks::default();
        // On a table hit, this was already tried.
        if hit.is_none()
            && let Some(score) = self.immediate_win(&legality, &checks, ply)
        {
            return Ok(score);
        }

        // A chain of compulsory captures is broken off where it is long and branches on.
        if V::MUST_CAPTURE
            && depth <= -FORCED_PLIES
            && legality.must_capture()
            && self.pos.count_legal_moves() > 1
        {
            return Ok(self.evaluate(ply));
        }

        // 5. Stand pat, if there is a move.
        let is_threatened = depth >= -THREAT_PLIES
            && !legality.is_forced()
            && V::threatens_win(&self.pos, !self.pos.side_to_move());
        let is_forced = legality.is_forced() || is_threatened;
        if V::STALEMATE_DECIDES && !is_forced && self.is_stalemate_of_pawns() {
            return Ok(self.score_of(V::stalemate(&self.pos), ply));
        }
        let was_pv = N::PV || hit.is_some_and(|entry| entry.pv);
        let previous = self.data.stack.previous_moves(ply);
        // Before the evaluation: what it reads is far away and arrives meanwhile.
        let correction = if is_forced { Score::ZERO } else { self.correction(&previous) };
        let raw_eval = (!is_forced).then(|| self.raw_eval(hit, was_pv, ply));
        let eval = raw_eval.map(|raw| refine_eval(self.corrected(raw, correction), hit));
        let mut best = -Score::INFINITE;
        if let Some(eval) = eval {
            best = eval;
            if best >= window.beta {
                // The opponent may have something better than what led here: do not trust it whole.
                let is_settled = best.is_decisive() || window.beta.is_decisive();
                return Ok(if is_settled { best } else { (best + window.beta) / 2 });
            }
            window.alpha = window.alpha.max(best);
        }

        // 6. Moves.
        let params = self.shared.params;
        let scope = match is_forced {
            true => Scope::All,
            false if searches_checks => Scope::GoodNoisyAndChecks,
            false => Scope::GoodNoisy,
        };
        let table_move = hit.and_then(|entry| entry.mv).filter(|&mv| {
            let is_in_scope =
                is_forced || mv.is_noisy() || searches_checks && checks.gives_check(&self.pos, mv);
            is_in_scope && self.pos.is_legal(mv, &legality)
        });
        let mut picker = Picker::new(scope, table_move, None, previous, 0);
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = picker.next(&self.sources(&legality, &checks)) {
            let is_quiet_check = searches_checks && !is_forced && !mv.is_noisy();
            if is_quiet_check && !V::check_advances(&self.pos, mv) {
                continue;
            }
            number += 1;
            let gives_check =
                (V::COUNTS_CHECKS || V::CHECKS_ADVANCE) && checks.gives_check(&self.pos, mv);
            if !best.is_loss() {
                let is_noisy = mv.is_noisy();
                if is_forced && !is_noisy {
                    // One evasion that does not lose is enough; captures are tried all the same. The first
                    // move never comes here: before it, `best` is a loss.
                    picker.skip_quiets(false);
                    continue;
                }
                // Futility pruning: even the whole victim would not bring the score up to alpha.
                if let Some(eval) = eval
                    && is_noisy
                    && !mv.is_promotion()
                    && !(V::CHECKS_ADVANCE && gives_check)
                {
                    let gain = V::gain(&self.pos, mv) + params.quiescence_futility;
                    let reach = eval + Score::cp(gain);
                    if reach <= window.alpha {
                        best = best.max(reach);
                        continue;
                    }
                }
            }
            self.prefetch_after(mv);
            self.make_move(mv, gives_check, ply);
            let score = self.quiescence::<N>(-window, depth - 1, ply + 1);
            self.unmake_move();
            let score = -score?;
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.data.stack.set_line(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                }
            }
        }

        // 7. No moves: mate or stalemate.
        if is_forced && number == 0 {
            return Ok(match is_threatened {
                true => self.score_of(V::stalemate(&self.pos), ply),
                false => Score::loss_in(ply),
            });
        }

        // 8. Store.
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let found = Some((best, bound));
        let entry =
            Entry { mv: best_move, found, eval: raw_eval, depth: depth.max(-1), pv: was_pv };
        self.shared.tt.store(self.pos.key(), ply, entry);
        Ok(best)
    }

    /// Has the side to move pawns alone, none of which can move? It must not be in check.
    fn is_stalemate_of_pawns(&self) -> bool {
        let us = self.pos.side_to_move();
        self.pos.count(us, PieceKind::Pawn) == self.pos.count_all(us)
            && self.pos.count_legal_moves() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{NonPv, Pv};
    use super::super::params::Params;
    use super::super::worker::with_worker;
    use super::*;
    use crate::variants::{Antichess, Atomic, Crazyhouse, Standard, Suicide, ThreeCheck};

    /// The score, and the number of nodes.
    fn search(fen: &str, window: Window) -> (Score, u64) {
        with_worker::<Standard, _>(fen, &Params::STANDARD, |worker| {
            let score = worker.quiescence::<Pv>(window, 0, 1).expect("nothing stops the search");
            (score, worker.nodes())
        })
    }

    fn stand_pat(fen: &str) -> Score {
        with_worker::<Standard, _>(fen, &Params::STANDARD, |worker| {
            let raw = worker.evaluate(0);
            worker.corrected(raw, Score::ZERO)
        })
    }

    /// The stand-pat score raises alpha: a full window costs no more than one that begins there.
    #[test]
    fn the_stand_pat_score_raises_alpha() {
        for fen in [
            "r1bq1rk1/pp3ppp/2n2n2/2bpp3/4P3/2PP1N2/PP2BPPP/RNBQ1RK1 w - - 0 9",
            "r1bqk2r/pp2bppp/2n1pn2/2pp4/2PP1B2/2N1PN2/PP3PPP/R2QKB1R w KQkq - 0 8",
            "4k3/2n1b3/5b2/3p4/4P3/2N2B2/3R4/3RK3 w - - 0 1",
        ] {
            let pat = stand_pat(fen);
            let (score, nodes) = search(fen, Window::FULL);
            assert!(score >= pat && nodes > 1, "{fen}: {score:?}, {nodes} nodes");
            let from_pat = search(fen, Window::new(pat, Score::INFINITE));
            assert_eq!(from_pat, (score, nodes), "{fen}");
        }
    }

    #[test]
    fn a_side_that_need_not_capture_stands_pat() {
        // Every capture loses material.
        let fen = "4k3/2p5/3p4/4p3/8/8/4R3/4K3 w - - 0 1";
        assert_eq!(search(fen, Window::FULL).0, stand_pat(fen));
        // Above beta nothing is tried.
        let fen = "4k3/8/8/3q4/8/8/3R4/3RK3 w - - 0 1";
        let beta = stand_pat(fen);
        assert_eq!(search(fen, Window::at_least(beta)), (beta, 1));
        assert!(search(fen, Window::FULL).0 > beta + Score::cp(500), "the queen is taken");
    }

    #[test]
    fn a_side_in_check_cannot_stand_pat() {
        assert_eq!(search("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Window::FULL).0, Score::loss_in(1));
    }

    /// In Antichess the side that cannot move wins; in Suicide the side with fewer men.
    #[test]
    fn stalemate_is_seen_where_it_decides() {
        fn score<V: SearchRules>(fen: &str) -> Score {
            with_worker::<V, _>(fen, &V::params(), |worker| {
                worker.quiescence::<Pv>(Window::FULL, 0, 1).expect("nothing stops the search")
            })
        }
        let fewer = "8/8/8/6p1/6P1/4b3/8/8 w - - 0 1";
        let as_many = "8/8/8/6p1/6P1/8/8/8 w - - 0 1";
        let more = "8/8/8/8/p7/P7/P7/8 w - - 0 1";
        assert_eq!([fewer, as_many, more].map(score::<Antichess>), [Score::win_in(1); 3]);
        let contempt = Score::cp(-25);
        assert_eq!(
            [fewer, as_many, more].map(score::<Suicide>),
            [Score::win_in(1), contempt, Score::loss_in(1)]
        );
        let free = "8/8/8/8/p7/P7/1P6/8 w - - 0 1";
        assert!(!score::<Antichess>(free).is_decisive());
    }

    /// The bishop takes on f7 and blows up the king, unless a move of Black's prevents it.
    #[test]
    fn a_side_that_would_be_blown_up_does_not_stand_pat() {
        let score = |fen: &str, depth| {
            with_worker::<Atomic, _>(fen, &Atomic::params(), |worker| {
                let score = worker.quiescence::<Pv>(Window::FULL, depth, 1);
                score.expect("nothing stops the search")
            })
        };
        let lost = "6kr/5ppp/8/8/2B5/8/8/4K3 b - - 0 1";
        assert!(score(lost, 0).is_loss() && !score(lost, -2).is_decisive());
        let defended = "6kr/2n2ppp/8/8/2B5/8/8/4K3 b - - 0 1";
        assert!(!score(defended, 0).is_decisive());
    }

    /// A pawn dropped beside the king gives check. The king takes it, unless a knight defends it.
    #[test]
    fn a_check_that_is_simply_taken_is_left_out() {
        let nodes = |fen| {
            with_worker::<Crazyhouse, _>(fen, &Params::STANDARD, |worker| {
                let score = worker.quiescence::<Pv>(Window::FULL, 0, 1);
                score.expect("nothing stops the search");
                worker.nodes()
            })
        };
        assert_eq!(nodes("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"), 1);
        assert!(nodes("4k3/8/8/4N3/8/8/8/4K3[P] w - - 0 1") > 1);
    }

    /// An entry of the second ply of quiescence has seen no quiet checks. Where checks count, it says
    /// nothing about the first ply.
    #[test]
    fn an_entry_without_checks_decides_no_ply_with_checks() {
        let cuts = |entry_depth: Depth, depth: Depth| {
            let fen = "r3k3/pp6/8/8/8/8/PP6/3RK3 w - - 3+3 0 1";
            with_worker::<ThreeCheck, _>(fen, &Params::STANDARD, |worker| {
                let found = Some((Score::cp(-700), Bound::Upper));
                let entry = Entry { mv: None, found, eval: None, depth: entry_depth, pv: false };
                worker.shared.tt.store(worker.pos.key(), 1, entry);
                let window = Window::at_least(Score::cp(600));
                worker.quiescence::<NonPv>(window, depth, 1).expect("nothing stops the search");
                worker.nodes() == 1
            })
        };
        assert!(cuts(0, 0) && cuts(-1, -1) && !cuts(-1, 0));
    }

    /// The rook checks in every ply of its side, and the third check wins.
    #[test]
    fn quiet_checks_are_tried_in_the_first_ply_alone() {
        let wins = |checks: &str, depth: Depth| {
            let fen = format!("7k/8/8/8/8/8/8/KR6 w - - {checks} 0 1");
            with_worker::<ThreeCheck, _>(&fen, &Params::STANDARD, |worker| {
                let score = worker.quiescence::<Pv>(Window::FULL, depth, 1);
                score.expect("nothing stops the search").is_win()
            })
        };
        assert!(wins("2+3", 0), "a quiet check, then the one that wins");
        assert!(!wins("3+3", 0) && !wins("2+3", -1));
    }
}
