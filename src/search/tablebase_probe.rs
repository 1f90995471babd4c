//! Step 4 of the search: what the endgame tables say about a node.

use crate::tablebase::TableResult;
use crate::types::{Depth, Ply, Score};

use super::node::Node;
use super::rules::SearchRules;
use super::tablebase_use::{CURSED, TablebaseUse};
use super::tt::Entry;
use super::window::{Bound, Window};
use super::worker::Worker;

/// A score from a table is stored as if its search had been this many plies deeper.
const TABLE_DEPTH: Depth = 6;
/// The greatest depth that such an entry gets.
const DEEPEST: Depth = 120;

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
        let TablebaseUse { tables, most_men, depth: least_depth } = self.shared.tablebases;
        if self.pos.total_count() == most_men && depth < least_depth {
            return None;
        }
        let verdict = tables?.probe(&self.pos)?;
        self.count_tablebase_hit();
        let draw = self.draw_score();
        let (score, bound) = match verdict {
            TableResult::WinIn(plies) => (Score::win_in(ply + usize::from(plies)), Bound::Exact),
            TableResult::LossIn(plies) => (Score::loss_in(ply + usize::from(plies)), Bound::Exact),
            TableResult::Win => (Score::table_win(ply), Bound::Lower),
            TableResult::Loss => (-Score::table_win(ply), Bound::Upper),
            TableResult::Draw => (draw, Bound::Exact),
            TableResult::CursedWin => (draw + CURSED, Bound::Exact),
            TableResult::BlessedLoss => (draw - CURSED, Bound::Exact),
        };
        let entry = Entry { mv: None, found: Some((score, bound)), eval: None, depth, pv: N::PV };
        if entry.cutoff(window.beta).is_some() && (bound != Bound::Upper || score <= window.alpha) {
            let depth = (depth + TABLE_DEPTH).min(DEEPEST);
            self.shared.tt.store(self.pos.key(), ply, Entry { depth, ..entry });
            return Some(Found::Score(score));
        }
        N::PV.then_some(Found::Bound(score, bound))
    }
}
