//! Pawns: their structure, passed pawns, and the threats of a pawn push.
//!
//! The structure reads pawns and kings only, so it can be cached. Passed pawns and pawn pushes also
//! read the attack maps.

use super::attacks::{AttackMap, PAWN};
use super::king;
use super::pawn_facts::{PawnFacts, at_least_second, neighbours};
use super::tapered::Tapered;
use super::terms::{
    BACKWARD, DOUBLED, GUARDED, ISOLATED, PASSED, PASSED_BLOCKED, PASSED_CLEAR, PASSED_ENEMY_KING,
    PASSED_FREE, PASSED_OWN_KING, PASSED_UNSTOPPABLE, PHALANX, THREAT_BY_PUSH,
};
use super::view::{Recorder, View};
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Square, Step};

/// Computes the facts of the pawns and the kings.
pub fn analyse<V: Rules, R: Recorder>(view: &mut View<V, R>) -> PawnFacts {
    let pos = view.pos;
    let mut facts = PawnFacts::of_pawns(pos);
    let [white, black] = Color::ALL.map(|us| {
        let squares = match V::is_royal(us) {
            true => view.piece_square(us, PieceKind::King, pos.king(us)),
            false => Tapered::ZERO,
        };
        squares + structure(view, us, &mut facts) + king::shelter(view, us, &facts)
    });
    facts.set_score(white - black);
    facts
}

/// Pawn structure: adds up the terms of each pawn of a side and notes the passed pawns.
fn structure<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    facts: &mut PawnFacts,
) -> Tapered {
    let pos = view.pos;
    let (them, ahead) = (!us, us.forward());
    let is_pawn = |sq: Square, color: Color| pos.cell(sq).holds(color, PieceKind::Pawn);
    let own_rear = facts.rear_ranks(us);
    let enemy_rear = facts.rear_ranks(them);
    let mut sum = Tapered::ZERO;
    for sq in pos.pieces(us, PieceKind::Pawn) {
        let (file, rank) = (sq.file(), sq.rank_for(us) as i8);
        let by_rank = at_least_second::<V>(us, rank) as usize - 1;
        let is_before = |file: usize| 7 - enemy_rear[file] > rank;
        let opposed = is_before(file.into());
        let open = usize::from(!opposed);
        sum += view.piece_square(us, PieceKind::Pawn, sq);

        if is_pawn(sq + Step::EAST, us) || is_pawn(sq + Step::WEST, us) {
            sum += view.add(us, PHALANX.at(by_rank), 1);
        }
        if is_pawn(sq + -ahead + Step::EAST, us) || is_pawn(sq + -ahead + Step::WEST, us) {
            sum += view.add(us, GUARDED.at(by_rank), 1);
        }
        if own_rear[file as usize] < rank {
            sum += view.add(us, DOUBLED.at(0), 1);
        }
        let stop = sq + ahead;
        if neighbours(file).all(|file| own_rear[file] > 7) {
            sum += view.add(us, ISOLATED.at(open), 1);
        } else if neighbours(file).all(|file| own_rear[file] > rank)
            && (is_pawn(stop + ahead + Step::EAST, them)
                || is_pawn(stop + ahead + Step::WEST, them))
        {
            sum += view.add(us, BACKWARD.at(open), 1);
        }
        let leads = facts.front_rank(us, file) == Some(rank);
        if leads && !opposed && !neighbours(file).any(is_before) {
            facts.add_passed(us, sq);
            sum += view.add(us, PASSED.at(by_rank), 1);
        }
    }
    sum
}

/// The prospects of a side's passed pawns.
pub fn passed<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    facts: &PawnFacts,
    attacks: &[AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let (them, ahead) = (!us, us.forward());
    let enemy_attacks = &attacks[them.index()];
    let mut sum = Tapered::ZERO;
    let mut unstoppable = false;
    for sq in facts.passed(us) {
        let by_rank = at_least_second::<V>(us, sq.rank_for(us) as i8) as usize - 1;
        let stop = sq + ahead;
        if !pos.cell(stop).is_empty() {
            sum += view.add(us, PASSED_BLOCKED.at(by_rank), 1);
        } else if enemy_attacks.on(stop) == 0 {
            sum += view.add(us, PASSED_FREE.at(by_rank), 1);
        }
        let path = || {
            std::iter::successors(Some(stop), |sq| sq.step(ahead)).take_while(|sq| sq.is_on_board())
        };
        let is_empty = path().all(|sq| pos.cell(sq).is_empty());
        if is_empty && path().all(|sq| enemy_attacks.on(sq) == 0) {
            sum += view.add(us, PASSED_CLEAR.at(by_rank), 1);
        }
        if by_rank >= 2 {
            for (color, term) in [(us, PASSED_OWN_KING), (them, PASSED_ENEMY_KING)] {
                if V::is_royal(color) {
                    let distance = usize::from(stop.distance(pos.king(color)));
                    sum += view.add(us, term.at(distance), 1);
                }
            }
        }
        if is_empty && !pos.has_non_pawn_material(them) {
            let goal = Square::new(sq.file(), 7 * (us == Color::White) as u8);
            let steps = sq.distance(goal).min(5);
            // The enemy king is one move ahead if it is to move.
            let lead = u8::from(pos.side_to_move() == them);
            unstoppable |= !V::is_royal(them) || pos.king(them).distance(goal) > steps + lead;
        }
    }
    if unstoppable {
        sum += view.add(us, PASSED_UNSTOPPABLE.at(0), 1);
    }
    sum
}

/// The pieces that a side can attack by a safe pawn push.
pub fn push_threats<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    attacks: &[AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let (them, ahead) = (!us, us.forward());
    let mut count = 0;
    for sq in pos.pieces(us, PieceKind::Pawn) {
        let stop = sq + ahead;
        if !pos.cell(stop).is_empty() {
            continue;
        }
        let danger = attacks[them.index()].on(stop);
        if danger & PAWN != 0 || danger != 0 && attacks[us.index()].on(stop) == 0 {
            continue;
        }
        let is_victim = |sq: Square| {
            let cell = pos.cell(sq);
            cell.belongs_to(them) && !cell.holds(them, PieceKind::Pawn)
        };
        let next = stop + ahead;
        count += i32::from(is_victim(next + Step::EAST)) + i32::from(is_victim(next + Step::WEST));
    }
    view.add(us, THREAT_BY_PUSH.at(0), count)
}

/// Marks the squares that a side's pawns attack.
pub fn mark_attacks<R: Rules>(pos: &Position<R>, us: Color, attacks: &mut AttackMap) {
    let ahead = us.forward();
    for sq in pos.pieces(us, PieceKind::Pawn) {
        attacks.mark(sq + ahead + Step::EAST, PAWN);
        attacks.mark(sq + ahead + Step::WEST, PAWN);
    }
}
