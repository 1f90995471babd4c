//! Settings of a check: the stage, the order of the pawns, the time margin.

use std::time::Duration;

use super::board_order::BoardOrder;
use super::criterion::Criterion;
use trebuchet::play::Stage;

/// The settings of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckSettings {
    /// The stage of the bots, whose rules they have to keep.
    pub stage: Stage,
    /// The order in which pawns have to move, if it matters.
    pub board_order: Option<BoardOrder>,
    /// A move that exceeds the clock by this much is still in time.
    pub margin: Duration,
}

impl CheckSettings {
    /// The criteria of the check, in order.
    pub fn criteria(&self) -> impl Iterator<Item = Criterion> + Clone {
        let (stage, in_order) = (self.stage, self.board_order.is_some());
        let all = Criterion::ALL.iter().copied();
        all.filter(move |criterion| criterion.belongs_to(stage, in_order))
    }
}
