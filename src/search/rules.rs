//! What the search asks a variant.
//!
//! Imports `eval` and below. Each question has an answer that suits standard chess.

use crate::board::{Checks, Position};
use crate::eval::{EvalRules, is_drawn_by_bare_king};
use crate::movegen::Legality;
use crate::types::{Color, Move, Outcome, Reason};

use super::params::Params;
use super::see;
use super::win_rate::WinRate;

/// A variant's answers to the search.
pub trait SearchRules: EvalRules {
    /// Is a check progress towards a win? Then checking moves are never pruned. Quiescence searches quiet
    /// checks that advance ([`SearchRules::check_advances`]) at its first ply, and captures with such a check
    /// are ordered as good ones.
    const CHECKS_ADVANCE: bool = false;

    /// Does stalemate win or lose? Then quiescence sees it where a side has pawns alone: with other men, a side can
    /// nearly always move.
    const STALEMATE_DECIDES: bool = false;

    /// How many times as many nodes as in standard chess the search gets for a limited strength.
    const NODES_FOR_STRENGTH: u64 = 1;

    /// What scores mean for the result.
    const WIN_RATE: WinRate = WinRate::STANDARD;

    /// The variant's search constants.
    fn params() -> Params {
        Params::STANDARD
    }

    /// How a game that is not over ends when both sides play well, if that is known. Not asked at the root.
    #[inline(always)]
    fn forced_outcome(pos: &Position<Self>) -> Option<Outcome> {
        (Self::HAS_DRAWN_ENDGAMES && is_drawn_by_bare_king(pos))
            .then(|| Outcome::draw(Reason::InsufficientMaterial))
    }

    /// A move that wins the game at once by the variant's rules, if that is cheap to find. It need
    /// not find mates: the search finds them.
    fn winning_move(_pos: &Position<Self>, _legality: &Legality, _checks: &Checks) -> Option<Move> {
        None
    }

    /// Could this side win at once by the variant's rules if it were to move? Asked of the side that is not to move: the
    /// other one then does not stand pat, and no evaluation is high enough to prune its node. It need not see all wins.
    #[inline(always)]
    fn threatens_win(_pos: &Position<Self>, _by: Color) -> bool {
        false
    }

    /// Is the check that this move gives progress? Asked only where [`SearchRules::CHECKS_ADVANCE`].
    #[inline(always)]
    fn check_advances(_pos: &Position<Self>, _mv: Move) -> bool {
        true
    }

    /// What a capture or promotion wins at once, in centipawns.
    #[inline(always)]
    fn gain(pos: &Position<Self>, mv: Move) -> i32 {
        see::VALUES[pos.victim(mv)] + see::promotion_gain(mv)
    }

    /// Does a move gain at least this many centipawns in the exchanges on its target? As
    /// [`see::gains_at_least`].
    #[inline(always)]
    fn gains_at_least(pos: &Position<Self>, mv: Move, threshold: i32) -> bool {
        see::gains_at_least(pos, mv, threshold)
    }

    /// Is null-move pruning sound here? Not where passing could be the best move (zugzwang).
    fn null_move_ok(pos: &Position<Self>) -> bool {
        pos.has_non_pawn_material(pos.side_to_move())
    }
}
