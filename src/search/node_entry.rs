//! What negamax and quiescence do first in a node: steps 1 to 4, except the table move.
//!
//! These steps look at no moves, except a move that wins at once by the variant's rules.

use crate::board::{Checks, FIFTY_MOVES};
use crate::movegen::Legality;
use crate::types::{Depth, MAX_PLY, Outcome, Ply, Score};

use super::node::Node;
use super::rules::SearchRules;
use super::tt::Entry;
use super::window::Window;
use super::worker::{Stopped, Worker};

/// From this halfmove clock on, in plies, no table score cuts off: the table does not know how near
/// the fifty-move rule is.
const LAST_PLIES_OF_FIFTY_MOVES: u32 = FIFTY_MOVES - 10;

impl<V: SearchRules> Worker<'_, V> {
    /// Steps 1 to 3. Returns the score of the node if they decide it, and narrows the window.
    #[inline(always)]
    pub(super) fn enter_node<N: Node>(
        &mut self,
        window: &mut Window,
        ply: Ply,
    ) -> Result<Option<Score>, Stopped> {
        // 1. Stop?
        self.count_node(ply)?;
        // Nobody reads the line of another node.
        if N::PV {
            self.data.stack.clear_line(ply);
        }
        if N::ROOT {
            return Ok(None);
        }

        // 2. Variant end, draw. The longest line the stack can hold ends here, too.
        if let Some(score) = self.score_of_end(ply) {
            return Ok(Some(score));
        }
        if ply >= MAX_PLY - 1 {
            return Ok(Some(self.evaluate(ply)));
        }

        // 3. Mate distance pruning.
        *window = window.clamp_to_ply(ply);
        Ok(window.is_empty().then_some(window.alpha))
    }

    /// Step 4: the table's score, if it decides a node of this depth with this beta.
    #[inline(always)]
    pub(super) fn table_cutoff<N: Node>(
        &self,
        hit: Option<Entry>,
        depth: Depth,
        beta: Score,
    ) -> Option<Score> {
        if N::PV {
            return None;
        }
        let is_trusted = |entry: &Entry| {
            entry.depth >= depth && self.pos.fifty_move_clock() < LAST_PLIES_OF_FIFTY_MOVES
        };
        hit.filter(is_trusted)?.cutoff(beta)
    }

    /// Step 4: the score of the node if a move wins at once by the variant's rules.
    #[inline(always)]
    pub(super) fn immediate_win(
        &mut self,
        legality: &Legality,
        checks: &Checks,
        ply: Ply,
    ) -> Option<Score> {
        let mv = V::winning_move(&self.pos, legality, checks)?;
        self.data.stack.clear_line(ply + 1);
        self.data.stack.set_line(ply, mv);
        Some(Score::win_in(ply + 1))
    }

    /// The score of a finished game. The variant's own end comes before draws. Mate and stalemate
    /// are found when the node has no moves.
    fn score_of_end(&self, ply: Ply) -> Option<Score> {
        if let Some(outcome) = self.pos.variant_outcome().or_else(|| V::forced_outcome(&self.pos)) {
            return Some(self.score_of(outcome, ply));
        }
        self.pos.is_draw_for_search(self.root_ply_count).then(|| self.draw_score())
    }

    /// The score of the end of the game, for the side to move.
    pub(super) fn score_of(&self, outcome: Outcome, ply: Ply) -> Score {
        match outcome.winner {
            Some(winner) if winner == self.pos.side_to_move() => Score::win_in(ply),
            Some(_) => Score::loss_in(ply),
            None => self.draw_score(),
        }
    }

    /// The score of a draw for the side to move.
    pub(super) fn draw_score(&self) -> Score {
        if self.pos.side_to_move() == self.root_side {
            -self.shared.contempt
        } else {
            self.shared.contempt
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{NonPv, Pv, Root};
    use super::super::params::Params;
    use super::super::window::Bound;
    use super::super::worker::with_worker;
    use super::*;
    use crate::variants::{RacingKings, Standard, ThreeCheck};

    const BOUND: Score = Score::cp(50);
    /// A draw for the side to move at the root: the worker's contempt.
    const DRAW: Option<Score> = Some(Score::cp(-25));

    fn entry(depth: Depth) -> Option<Entry> {
        Some(Entry { mv: None, found: Some((BOUND, Bound::Lower)), eval: None, depth, pv: false })
    }

    fn cutoff<N: Node>(clock: u32, hit: Option<Entry>, depth: Depth) -> Option<Score> {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 80");
        with_worker::<Standard, _>(&fen, &Params::STANDARD, |worker| {
            worker.table_cutoff::<N>(hit, depth, Score::cp(20))
        })
    }

    #[test]
    fn the_table_decides_a_node_if_its_search_was_as_deep() {
        assert_eq!(cutoff::<NonPv>(0, entry(7), 7), Some(BOUND));
        assert_eq!(cutoff::<NonPv>(0, entry(8), 7), Some(BOUND));
        assert_eq!(cutoff::<NonPv>(0, entry(6), 7), None);
        assert_eq!(cutoff::<NonPv>(0, None, 7), None);
        assert_eq!(cutoff::<Pv>(0, entry(7), 7), None);
    }

    #[test]
    fn no_table_score_is_trusted_near_the_fifty_move_rule() {
        assert_eq!(cutoff::<NonPv>(LAST_PLIES_OF_FIFTY_MOVES - 1, entry(7), 7), Some(BOUND));
        assert_eq!(cutoff::<NonPv>(LAST_PLIES_OF_FIFTY_MOVES, entry(7), 7), None);
    }

    /// What `enter_node` returns, and what it leaves of the window.
    fn enter<V: SearchRules, N: Node>(
        fen: &str,
        mut window: Window,
        ply: Ply,
    ) -> (Option<Score>, Window) {
        let entered = with_worker::<V, _>(fen, &Params::STANDARD, |worker| {
            worker.enter_node::<N>(&mut window, ply)
        });
        (entered.expect("nothing stops the search"), window)
    }

    #[test]
    fn mate_distance_narrows_the_window() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let narrowed = Window::new(Score::loss_in(7), Score::win_in(8));
        assert_eq!(enter::<Standard, Pv>(fen, Window::FULL, 7), (None, narrowed));
        assert_eq!(enter::<Standard, Root>(fen, Window::FULL, 7), (None, Window::FULL));
        // Another line wins as early as any line through this node could.
        let (score, _) = enter::<Standard, NonPv>(fen, Window::above(Score::win_in(8)), 7);
        assert_eq!(score, Some(Score::win_in(8)));
        let (score, _) = enter::<Standard, NonPv>(fen, Window::above(Score::win_in(9)), 7);
        assert_eq!(score, None);
    }

    #[test]
    fn ends_have_their_scores() {
        let score = |fen| enter::<Standard, NonPv>(fen, Window::FULL, 3).0;
        assert_eq!(score("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), None);
        assert_eq!(score("4k3/8/8/8/8/8/8/R3K3 w - - 100 80"), DRAW);
        // A mate on the board takes precedence; negamax finds it.
        assert_eq!(score("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80"), None);
        assert_eq!(score("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"), DRAW);
        let fen = "4k3/8/8/8/8/8/4Q3/4K3 b - - 0+3 100 80";
        assert_eq!(enter::<ThreeCheck, NonPv>(fen, Window::FULL, 3).0, Some(Score::loss_in(3)));
        let fen = "4k3/8/8/8/8/8/4Q3/4K3 b - - 1+3 100 80";
        assert_eq!(enter::<ThreeCheck, NonPv>(fen, Window::FULL, 3).0, DRAW);
        let root = enter::<Standard, Root>("4k3/8/8/8/8/8/8/R3K3 w - - 100 80", Window::FULL, 0);
        assert_eq!(root.0, None, "the root is always searched");
    }

    /// White's king is there, Black's can follow; the network does not decide this.
    #[test]
    fn a_race_that_black_can_draw_is_a_draw() {
        let score = |fen| enter::<RacingKings, NonPv>(fen, Window::FULL, 3).0;
        assert_eq!(score("K7/7k/8/8/8/8/8/8 b - - 0 1"), DRAW);
        assert_eq!(score("8/K6k/8/8/8/8/8/8 w - - 0 1"), None);
        let root = enter::<RacingKings, Root>("K7/7k/8/8/8/8/8/8 b - - 0 1", Window::FULL, 0);
        assert_eq!(root.0, None, "the root is always searched");
    }

    #[test]
    fn a_position_that_comes_back_is_a_draw() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        with_worker::<Standard, _>(start, &Params::STANDARD, |worker| {
            let mut scores = Vec::new();
            for (ply, text) in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3"].into_iter().enumerate() {
                let mv = worker.pos.legal_moves().iter().copied().find(|mv| mv.to_string() == text);
                worker.make_move(mv.expect("a legal move"), false, ply);
                scores.push(worker.enter_node::<NonPv>(&mut { Window::FULL }, ply + 1).ok());
            }
            // First White is to move, who moves at the root, then Black.
            let draws = [DRAW, Some(Score::cp(25))].map(Some);
            assert_eq!(scores, [Some(None), Some(None), Some(None), draws[0], draws[1]]);
        });
    }
}
