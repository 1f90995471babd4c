//! The way of a king to the goal, in games that a king wins by reaching one.

use crate::board::{Position, Rules};
use crate::types::{Color, Square, Step};

/// A king is near the goal if it is at most this many steps away.
const NEAR: u8 = 2;

/// How many steps the king is from the goal; `None` without a goal, or without a royal king.
pub(super) fn steps_to_goal<R: Rules>(pos: &Position<R>, us: Color) -> Option<u8> {
    distance_to_goal::<R>(pos.royal_king(us)?)
}

fn distance_to_goal<R: Rules>(at: Square) -> Option<u8> {
    Square::all().filter(|sq| sq.is_in(R::GOAL)).map(|sq| at.distance(sq)).min()
}

/// The squares next to a king near the goal that are nearer to it and that no own man takes. `None` if the king is
/// far, or if the game has no goal.
fn ahead<R: Rules>(pos: &Position<R>, us: Color) -> Option<impl Iterator<Item = Square>> {
    let king = pos.royal_king(us)?;
    let left = distance_to_goal::<R>(king).filter(|left| (1..=NEAR).contains(left))?;
    let steps = Step::ROYAL.into_iter().filter_map(move |step| king.step(step));
    let is_ahead =
        move |&to: &Square| distance_to_goal::<R>(to) < Some(left) && !pos.cell(to).belongs_to(us);
    Some(steps.filter(is_ahead))
}

/// The squares by which a king near the goal could go on if the other side did not guard them.
pub(super) fn guarded_steps<R: Rules>(pos: &Position<R>, us: Color) -> Vec<Square> {
    let is_guarded = |&to: &Square| pos.is_attacked_through_king(to, !us);
    ahead(pos, us).map_or(Vec::new(), |steps| steps.filter(is_guarded).collect())
}

/// Can a king near the goal go nowhere nearer to it? `None` if it is far.
pub(super) fn is_way_shut<R: Rules>(pos: &Position<R>, us: Color) -> Option<bool> {
    let is_guarded = |to: Square| pos.is_attacked_through_king(to, !us);
    ahead(pos, us).map(|mut steps| steps.all(is_guarded))
}
