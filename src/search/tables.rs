//! Endgame tables in the search: what they say about a node, and about the moves of the root.

use crate::tablebase::{RootAdvice, Tablebases, Verdict};
use crate::types::{Depth, Ply, Score};

use super::node::Node;
use super::rules::SearchRules;
use super::tt::Entry;
use super::window::{Bound, Window};
use super::worker::Worker;

/// What a cursed win is worth beyond a draw, in centipawns, and a blessed loss below it.
const CURSED: Score = Score::cp(3);
/// A score from a table is stored as if its search had been this many plies deeper.
const TABLE_DEPTH: Depth = 6;
/// The greatest depth that such an entry gets.
const DEEPEST: Depth = 120;

/// The endgame tables as one search uses them.
#[derive(Clone, Copy, Default)]
pub struct TableUse<'a> {
    pub tables: Option<&'a Tablebases>,
    /// Nodes with more men are not looked up; 0 looks nothing up.
    pub most_men: usize,
    /// Nodes with exactly `most_men` men are looked up from this depth on, in plies.
    pub depth: Depth,
}

/// What a table says about a node.
pub(super) enum Found {
    /// This is the score of the node.
    Score(Score),
    /// In a window that is open: the true score is at least or at most this one.
    Bound(Score, Bound),
}

impl<V: SearchRules> Worker<'_, V> {
    /// Step 4: what the endgame tables say about the node. The caller has compared the number of men.
    #[cold]
    #[inline(never)]
    pub(super) fn look_up<N: Node>(
        &mut self,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Option<Found> {
        let TableUse { tables, most_men, depth: least_depth } = self.shared.tables;
        if self.pos.total_count() == most_men && depth < least_depth {
            return None;
        }
        let verdict = tables?.probe(&self.pos)?;
        self.count_table_hit();
        let draw = self.draw_score();
        let (score, bound) = match verdict {
            Verdict::WinIn(plies) => (Score::win_in(ply + usize::from(plies)), Bound::Exact),
            Verdict::LossIn(plies) => (Score::loss_in(ply + usize::from(plies)), Bound::Exact),
            Verdict::Win => (Score::table_win(ply), Bound::Lower),
            Verdict::Loss => (-Score::table_win(ply), Bound::Upper),
            Verdict::Draw => (draw, Bound::Exact),
            Verdict::CursedWin => (draw + CURSED, Bound::Exact),
            Verdict::BlessedLoss => (draw - CURSED, Bound::Exact),
        };
        let entry = Entry { mv: None, found: Some((score, bound)), eval: None, depth, pv: N::PV };
        if entry.cutoff(window.beta).is_some() && (bound != Bound::Upper || score <= window.alpha) {
            let depth = (depth + TABLE_DEPTH).min(DEEPEST);
            self.shared.table.store(self.pos.key(), ply, Entry { depth, ..entry });
            return Some(Found::Score(score));
        }
        N::PV.then_some(Found::Bound(score, bound))
    }
}

/// The score of the root by the tables' advice, shown instead of a search's score that is no forced
/// end.
pub fn root_score(advice: &RootAdvice) -> Score {
    match advice.verdict {
        Verdict::Win | Verdict::WinIn(_) => Score::table_win(0),
        Verdict::Loss | Verdict::LossIn(_) => -Score::table_win(0),
        Verdict::Draw => Score::ZERO,
        Verdict::CursedWin => CURSED,
        Verdict::BlessedLoss => -CURSED,
    }
}
