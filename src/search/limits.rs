//! What a search may spend, apart from time.

use crate::types::{Depth, Move};

/// The limits that hold from the start of a search to its end. Time limits are in
/// [`StopToken`](super::StopToken), because they may be set while the search runs.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The deepest iteration, in plies.
    pub depth: Option<Depth>,
    /// Stop when all threads together have searched about this many nodes.
    pub nodes: Option<u64>,
    /// Root moves that are not searched (CECP `exclude`).
    pub excluded_root_moves: Vec<Move>,
    /// Search for a win in at most this many moves (UCI `go mate`): it ends the search, and a win that takes
    /// longer does not.
    pub mate: Option<u32>,
    /// The number of best lines to find; 0 counts as 1.
    pub lines: usize,
    /// Search on until the stop token ends the search: for analysis, or for pondering until the hit.
    /// The search then does not end by itself on a forced mate or a single legal move, but only at the
    /// depth limit.
    pub infinite: bool,
    /// Judge as somebody who does not play: a draw is worth nothing, whatever the contempt, and all of an evaluation
    /// counts with few pieces, too, whatever [`Params::endgame_scale`](super::Params) says. For verdicts, because a won
    /// endgame whose win the search does not see must not seem much worse than one whose win it sees, and for
    /// labels, because the search scales what a network has learnt.
    pub impartial: bool,
}
