//! Extensions: step 7b of the main search.
//!
//! Singular extensions, with multicut and negative extensions, for the table's move; check extensions
//! for every move.

use crate::types::{Depth, Move, Ply, Score};

use super::node::{Candidate, Node, NodeInfo, NonPv};
use super::rules::SearchRules;
use super::window::{Bound, Window};
use super::worker::{Stopped, Worker};

/// What step 7b says about a move.
pub(super) enum Extension {
    /// Search the move to this depth, counted after the move.
    Depth(Depth),
    /// Several moves exceed beta, so the node fails high with this score.
    MultiCut(Score),
}

/// What a search without the table's move says about it.
enum Singular {
    /// Search it deeper by this many plies; a negative number means shallower.
    Extend(Depth),
    /// See [`Extension::MultiCut`].
    MultiCut(Score),
}

impl<V: SearchRules> Worker<'_, V> {
    /// Step 7b: the depth to which the move is searched.
    pub(super) fn extend<N: Node>(
        &mut self,
        candidate: &Candidate,
        info: &NodeInfo,
        window: Window,
    ) -> Result<Extension, Stopped> {
        let &Candidate { mv, gives_check, .. } = candidate;
        let &NodeInfo { depth, ply, table_move, .. } = info;
        let is_excluding = self.data.stack.frame(ply).excluded_move.is_some();
        let mut extension = if Some(mv) == table_move && !N::ROOT && !is_excluding {
            match self.singular_extension::<N>(mv, info, window)? {
                Singular::Extend(plies) => plies,
                Singular::MultiCut(score) => return Ok(Extension::MultiCut(score)),
            }
        } else {
            0
        };
        let extends_check = gives_check && self.may_extend(ply);
        if extends_check {
            extension = extension.max(self.shared.params.check_extension);
        }
        let double_extensions = self.data.stack.frame(ply).double_extensions;
        self.data.stack.frame_mut(ply + 1).double_extensions =
            double_extensions + u32::from(extension >= 2);
        // A position in check gets a node of its own, whatever the parameter says.
        let least = Depth::from(extends_check);
        Ok(Extension::Depth((depth - 1 + extension).max(least)))
    }

    /// Is the line through a node at this ply still short enough for extensions?
    fn may_extend(&self, ply: Ply) -> bool {
        (ply as Depth) < self.shared.params.extension_line * self.root_depth
    }

    /// Searches the node less deep, without the table's move: does any other move come near the
    /// table's score?
    fn singular_extension<N: Node>(
        &mut self,
        mv: Move,
        info: &NodeInfo,
        window: Window,
    ) -> Result<Singular, Stopped> {
        let params = self.shared.params;
        let &NodeInfo { depth, ply, cut_node, .. } = info;
        let Some(entry) = info.hit else { return Ok(Singular::Extend(0)) };
        let Some((score, Bound::Exact | Bound::Lower)) = entry.found else {
            return Ok(Singular::Extend(0));
        };
        if depth < params.singular_depth
            || entry.depth < depth - params.singular_entry
            || score.is_decisive()
            || !self.may_extend(ply)
        {
            return Ok(Singular::Extend(0));
        }
        let beta = score - Score::cp(params.singular_margin * depth / 16);
        self.data.stack.frame_mut(ply).excluded_move = Some(mv);
        let reduced = (depth - 1) * params.singular_search / 256;
        let others = self.negamax::<NonPv>(Window::at_least(beta), reduced, ply, cut_node);
        self.data.stack.frame_mut(ply).excluded_move = None;
        let others = others?;
        let extension = if others < beta {
            let below = (beta - others).value();
            let double_extensions = self.data.stack.frame(ply).double_extensions;
            let may_extend_twice = !N::PV && double_extensions < params.singular_most as u32;
            if may_extend_twice && below > params.singular_triple {
                3
            } else if may_extend_twice && below > params.singular_double {
                2
            } else {
                1
            }
        } else if beta >= window.beta {
            let score = if others.is_decisive() { beta } else { others };
            return Ok(Singular::MultiCut(score));
        } else if score >= window.beta {
            -params.singular_beta
        } else if cut_node {
            -params.singular_cut_node
        } else {
            0
        };
        Ok(Singular::Extend(extension))
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::tt::Entry;
    use super::super::worker::with_worker;
    use super::*;
    use crate::variants::Standard;

    const PLY: Ply = 3;

    /// By how many plies the table's move Rh1xh8, which wins a rook, is extended where the table gives the node
    /// `score`, found at `entry_depth`. `None` is MultiCut.
    fn extension_of_capture(
        score: i32,
        bound: Bound,
        entry_depth: Depth,
        window: Window,
    ) -> Option<Depth> {
        let params = Params { singular_depth: 6, singular_entry: 3, ..Params::STANDARD };
        let fen = "4k2r/8/8/8/8/8/8/4K2R w - - 0 1";
        with_worker::<Standard, _>(fen, &params, |worker| {
            worker.root_depth = 10;
            let mv = *worker.pos.legal_moves().iter().find(|mv| mv.is_capture()).unwrap();
            let candidate = Candidate {
                mv,
                number: 1,
                is_noisy: true,
                gives_check: false,
                history: 0,
                is_killer: false,
            };
            let found = Some((Score::cp(score), bound));
            let hit = Entry { mv: Some(mv), found, eval: None, depth: entry_depth, pv: false };
            let info = NodeInfo {
                table_move: Some(mv),
                hit: Some(hit),
                cut_node: true,
                ..NodeInfo::plain(8, PLY)
            };
            match worker.extend::<NonPv>(&candidate, &info, window) {
                Ok(Extension::Depth(depth)) => Some(depth - 7),
                Ok(Extension::MultiCut(_)) => None,
                Err(_) => panic!("nothing stops the search"),
            }
        })
    }

    #[test]
    fn a_move_that_stands_alone_is_extended() {
        let above = |cp: i32| Window::above(Score::cp(cp));
        // All other moves are far worse than the score of the table.
        assert_eq!(extension_of_capture(2000, Bound::Lower, 5, above(2100)), Some(3));
        assert_eq!(extension_of_capture(2000, Bound::Exact, 5, above(2100)), Some(3));
        // An upper bound or a shallow entry says nothing.
        assert_eq!(extension_of_capture(2000, Bound::Upper, 5, above(2100)), Some(0));
        assert_eq!(extension_of_capture(2000, Bound::Lower, 4, above(2100)), Some(0));
        // Other moves reach that score, too: fewer plies, and a cutoff if it is above beta.
        let less = Params::STANDARD;
        assert_eq!(
            extension_of_capture(-2000, Bound::Lower, 5, above(-1900)),
            Some(-less.singular_cut_node)
        );
        assert_eq!(
            extension_of_capture(-2000, Bound::Lower, 5, above(-2010)),
            Some(-less.singular_beta)
        );
        assert_eq!(extension_of_capture(-2000, Bound::Lower, 5, above(-3000)), None);
    }

    #[test]
    fn a_line_counts_its_moves_that_are_extended_by_two_plies() {
        let count = |check_extension: Depth, before: u32| {
            let params = Params { check_extension, ..Params::STANDARD };
            let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
            with_worker::<Standard, _>(fen, &params, |worker| {
                worker.root_depth = 10;
                worker.data.stack.frame_mut(PLY).double_extensions = before;
                let check = Candidate {
                    mv: *worker
                        .pos
                        .legal_moves()
                        .iter()
                        .find(|mv| mv.to_string() == "a1a8")
                        .unwrap(),
                    number: 1,
                    is_noisy: false,
                    gives_check: true,
                    history: 0,
                    is_killer: false,
                };
                let info = NodeInfo::plain(6, PLY);
                let found = worker.extend::<NonPv>(&check, &info, Window::FULL);
                let Ok(Extension::Depth(depth)) = found else { panic!("nothing cuts") };
                assert_eq!(depth, 5 + check_extension);
                worker.data.stack.frame(PLY + 1).double_extensions
            })
        };
        assert_eq!([count(2, 0), count(2, 3)], [1, 4]);
        assert_eq!([count(1, 0), count(1, 3)], [0, 3]);
    }
}
