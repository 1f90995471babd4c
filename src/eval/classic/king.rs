//! The king's shelter: the pawns of both sides on the files around it.
//!
//! Reads pawns and kings only, so the result can be cached. Attacks on the king are in `danger`.

use super::attacks::{AttackMap, KING};
use super::pawn_facts::{PawnFacts, at_least_second};
use super::tapered::Tapered;
use super::terms::{SHELTER, STORM, STORM_BLOCKED};
use super::view::{Recorder, View};
use crate::board::{Position, Rules};
use crate::types::{Color, Step};

/// Marks the squares that a side's king attacks.
pub fn mark_attacks<R: Rules>(pos: &Position<R>, us: Color, attacks: &mut AttackMap) {
    if !R::is_royal(us) {
        return;
    }
    for step in Step::ROYAL {
        attacks.mark(pos.king(us) + step, KING);
    }
}

/// The pawns of both sides on the king's files.
pub fn shelter<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    facts: &PawnFacts,
) -> Tapered {
    if !V::is_royal(us) {
        return Tapered::ZERO;
    }
    let king = view.pos.king(us);
    let king_rank = king.rank_for(us) as i8;
    let middle = king.file().clamp(1, 6);
    let mut sum = Tapered::ZERO;
    for file in middle - 1..=middle + 1 {
        // A pawn behind the king gives no shelter. If the rearmost pawn of the file stands behind
        // the king, the most advanced one may still stand in front of it.
        let own = [facts.rear_rank(us, file), facts.front_rank(us, file)];
        let own = own.into_iter().flatten().find(|rank| *rank >= king_rank);
        let enemy = facts.front_rank(!us, file).map(|rank| 7 - at_least_second::<V>(!us, rank));
        let enemy = enemy.filter(|rank| *rank >= king_rank);
        let row = 7 * usize::from(file.min(7 - file));
        let index = |rank: Option<i8>| row + rank.map_or(0, |rank| rank as usize);
        sum += view.add(us, SHELTER.at(index(own)), 1);
        sum += view.add(us, STORM.at(index(enemy)), 1);
        if let (Some(own), Some(enemy)) = (own, enemy)
            && enemy == own + 1
        {
            sum += view.add(us, STORM_BLOCKED.at(enemy as usize - 1), 1);
        }
    }
    sum
}
