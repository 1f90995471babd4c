//! The static evaluation as the search uses it: step 5.
//!
//! The evaluator's score comes from the table where possible, is corrected by what earlier searches
//! have learnt (correction history), and is refined by the table's score.

use crate::board::FIFTY_MOVES;
use crate::eval::without_false_advantage;
use crate::movegen::Legality;
use crate::types::{Depth, Move, Ply, Score};

use super::history::PreviousMoves;
use super::node::{Node, NodeInfo};
use super::rules::SearchRules;
use super::stack::Frame;
use super::tt::Entry;
use super::window::Bound;
use super::worker::Worker;

/// With this many pieces or more, kings and pawns included, all of the evaluation counts.
pub(super) const FULL_BOARD: i32 = 22;
/// The pieces with which the least of it counts.
const FEWEST_PIECES: i32 = 2;
const SCALE_ONE: i32 = 1024;

impl<V: SearchRules> Worker<'_, V> {
    /// Step 5: what is known about the node before its moves are searched. The frame of this ply keeps the
    /// evaluation; a singular search finds it there.
    #[inline(always)]
    pub(super) fn node_info<N: Node>(
        &mut self,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
        hit: Option<Entry>,
        table_move: Option<Move>,
        legality: &Legality,
    ) -> NodeInfo {
        let previous = self.data.stack.previous_moves(ply);
        let is_singular_search = self.data.stack.frame(ply).excluded_move.is_some();
        let mut raw_eval = None;
        if !is_singular_search {
            let was_pv = N::PV || hit.is_some_and(|entry| entry.pv);
            self.data.stack.frame_mut(ply).was_pv = was_pv;
            let mut correction = Score::ZERO;
            if !legality.is_forced() {
                // Before the evaluation: what it reads is far away and arrives meanwhile.
                correction = self.correction(&previous);
                raw_eval = Some(self.raw_eval(hit, was_pv, ply));
            }
            let eval = raw_eval.map(|raw| self.corrected(raw, correction));
            let frame = self.data.stack.frame_mut(ply);
            (frame.eval, frame.correction) = (eval, correction.value());
        }
        let &Frame { eval, correction, was_pv, .. } = self.data.stack.frame(ply);
        NodeInfo {
            depth,
            ply,
            previous,
            cut_node,
            eval: eval.map(|eval| refine_eval(eval, hit)),
            raw_eval,
            correction,
            improving: self.is_improving(eval, ply),
            was_pv,
            table_move,
            hit,
        }
    }

    /// The uncorrected evaluation: from the table's entry, else from the evaluator. If the table has
    /// no entry, the evaluation is stored.
    pub(super) fn raw_eval(&mut self, hit: Option<Entry>, pv: bool, ply: Ply) -> Score {
        if let Some(eval) = hit.and_then(|entry| entry.eval) {
            return eval;
        }
        let eval = self.evaluate(ply);
        if hit.is_none() {
            self.shared.tt.store_eval(self.pos.key(), eval, pv);
        }
        eval
    }

    /// What the correction history adds to the evaluation of the position.
    pub(super) fn correction(&self, previous: &PreviousMoves) -> Score {
        self.data.corrections.get(&self.pos, previous, self.shared.params)
    }

    /// The evaluation with a correction added; never a decisive score. The fewer pieces there are and the
    /// nearer the fifty-move rule is, the nearer the evaluation is to zero.
    pub(super) fn corrected(&self, raw: Score, correction: Score) -> Score {
        let (clock, plies) =
            (self.pos.fifty_move_clock().min(FIFTY_MOVES) as i32, self.shared.params.fifty_moves);
        let scaled = raw.value() * self.endgame_scale() / SCALE_ONE;
        let damped = Score::cp(scaled * (plies - clock) / plies);
        let sum = (damped + correction).clamp(-Score::EVAL_LIMIT, Score::EVAL_LIMIT);
        // A correction gives no advantage, either, with which a side cannot win.
        if raw == Score::ZERO { without_false_advantage(&self.pos, sum) } else { sum }
    }

    /// How much of the evaluation counts with the pieces on the board, in 1/1024: a lead wins less often with
    /// few pieces, where many endgames are drawn.
    fn endgame_scale(&self) -> i32 {
        let least = self.shared.params.endgame_scale * SCALE_ONE / 100;
        let pieces =
            (self.pos.total_count() as i32).clamp(FEWEST_PIECES, FULL_BOARD) - FEWEST_PIECES;
        least + (SCALE_ONE - least) * pieces / (FULL_BOARD - FEWEST_PIECES)
    }

    /// Is the evaluation better than at our previous turn? If our answer was forced then, the turn before
    /// that counts.
    pub(super) fn is_improving(&self, eval: Option<Score>, ply: Ply) -> bool {
        let Some(eval) = eval else { return false };
        let earlier = self.data.stack.above(ply, 2).eval;
        let earlier = earlier.or(self.data.stack.above(ply, 4).eval);
        earlier.is_none_or(|earlier| eval > earlier)
    }
}

/// The table's score in place of the evaluation, where its bound allows.
pub fn refine_eval(eval: Score, hit: Option<Entry>) -> Score {
    match hit.and_then(|entry| entry.found) {
        Some((score, _)) if score.is_decisive() => eval,
        Some((score, Bound::Exact)) => score,
        Some((score, Bound::Lower)) => eval.max(score),
        Some((score, Bound::Upper)) => eval.min(score),
        None => eval,
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::worker::with_worker;
    use super::*;
    use crate::variants::Standard;

    #[test]
    fn the_tables_score_refines_the_evaluation() {
        let refined = |score: Score, bound: Bound| {
            let entry =
                Entry { mv: None, found: Some((score, bound)), eval: None, depth: 3, pv: false };
            refine_eval(Score::cp(50), Some(entry)).value()
        };
        let [low, high] = [Score::cp(20), Score::cp(80)];
        assert_eq!([refined(low, Bound::Exact), refined(high, Bound::Exact)], [20, 80]);
        assert_eq!([refined(low, Bound::Lower), refined(high, Bound::Lower)], [50, 80]);
        assert_eq!([refined(low, Bound::Upper), refined(high, Bound::Upper)], [20, 50]);
        assert_eq!(refined(Score::win_in(5), Bound::Lower), 50);
        assert_eq!(refine_eval(Score::cp(50), None), Score::cp(50));
    }

    #[test]
    fn a_side_improves_on_its_last_turn_out_of_check() {
        const PLY: Ply = 4;
        let improves = |before: Option<i32>, earlier: Option<i32>, now: Option<i32>| {
            let fen = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1";
            with_worker::<Standard, _>(fen, &Params::STANDARD, |worker| {
                worker.data.stack.frame_mut(PLY - 2).eval = before.map(Score::cp);
                worker.data.stack.frame_mut(PLY - 4).eval = earlier.map(Score::cp);
                worker.is_improving(now.map(Score::cp), PLY)
            })
        };
        assert!(improves(Some(10), Some(90), Some(20)) && !improves(Some(30), Some(0), Some(20)));
        assert!(!improves(Some(20), None, Some(20)));
        assert!(improves(None, Some(10), Some(20)) && !improves(None, Some(30), Some(20)));
        assert!(improves(None, None, Some(20)) && !improves(Some(0), Some(0), None));
    }

    #[test]
    fn the_evaluation_counts_less_with_few_pieces() {
        let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let twelve = "4k3/ppppp3/8/8/8/8/PPPPP3/4K3 w - - 0 1";
        let thirty_two = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mut params = Params { endgame_scale: 40, ..Params::STANDARD };
        let eval = |fen: &str, params: &Params| {
            with_worker::<Standard, _>(fen, params, |worker| {
                worker.corrected(Score::cp(1000), Score::ZERO).value()
            })
        };
        let all = [kings, twelve, thirty_two].map(|fen| eval(fen, &params));
        assert_eq!(all, [399, 699, 1000]);
        params.endgame_scale = 100;
        assert_eq!([kings, twelve, thirty_two].map(|fen| eval(fen, &params)), [1000; 3]);
    }

    #[test]
    fn a_correction_gives_no_advantage_to_a_side_that_cannot_win() {
        for (fen, correction, expected) in [
            ("7k/8/8/8/7P/3B4/8/4K3 w - - 0 1", 90, 0),
            ("7k/8/8/8/8/p2B4/8/4K3 w - - 0 1", -90, -90),
            ("7k/8/8/8/7P/3B4/8/4K3 b - - 0 1", -90, 0),
            ("7k/8/8/8/7P/4B3/8/4K3 w - - 0 1", 90, 90),
        ] {
            let eval = with_worker::<Standard, _>(fen, &Params::STANDARD, |worker| {
                worker.corrected(Score::ZERO, Score::cp(correction)).value()
            });
            assert_eq!(eval, expected, "{fen}");
        }
    }

    #[test]
    fn the_evaluation_fades_towards_the_fifty_move_rule() {
        for (clock, expected) in [(0, 200), (50, 150), (99, 101), (150, 100)] {
            let fen = format!("4k3/8/8/8/8/8/3R4/4K3 w - - {clock} 100");
            let params = Params { endgame_scale: 100, ..Params::STANDARD };
            let eval = with_worker::<Standard, _>(&fen, &params, |worker| {
                worker.corrected(Score::cp(200), Score::ZERO)
            });
            assert_eq!(eval, Score::cp(expected), "{clock}");
        }
    }
}
