//! What the search asks a variant.

use crate::board::{Checks, Position};
use crate::eval::EvalRules;
use crate::movegen::Legality;
use crate::types::Move;

use super::params::Params;

/// A variant's answers to the search.
pub trait SearchRules: EvalRules {
    /// The variant's search constants.
    fn params() -> Params {
        Params::STANDARD
    }

    /// A move that wins the game at once, where the rules make that cheap to see. Mates need not be
    /// found: the search sees them.
    fn winning_move(_pos: &Position<Self>, _legality: &Legality, _checks: &Checks) -> Option<Move> {
        None
    }

    /// May the side to move pass to prove that it stands well? Not where passing could be its best
    /// move.
    fn null_move_ok(pos: &Position<Self>) -> bool {
        pos.has_pieces(pos.side_to_move())
    }
}
