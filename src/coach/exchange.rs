//! What moves win and rescue on a board: what a move gains when both sides go on taking on its target.
//!
//! The search's static exchange evaluation ignores pins, discovered checks and the rule of a game that forbids captures.
//! Where a pinned man could take part, after a discovered check and in such a game, the captures are made on the board
//! here, the cheapest legal one first.

use std::cmp::Reverse;

use crate::board::attacks::{aims_at, step_towards};
use crate::board::{Checks, Position, Rules};
use crate::search::see::{self, VALUES, promotion_gain};
use crate::types::{Color, Move, PieceKind, Square, Step};

use super::danger::{WINS_MATERIAL, attacks, is_free_to_take, pin};
use super::rules::CoachRules;

/// The greatest gain of a single move, in centipawns.
const GREATEST_GAIN: i32 = 2000;

pub(super) const fn value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// How many men of this kind a side has, those in hand included.
pub(super) fn men<V: CoachRules>(pos: &Position<V>, color: Color, kind: PieceKind) -> usize {
    pos.count(color, kind) + pos.hands().map_or(0, |hands| hands.count(color, kind))
}

/// By how much the material of a side exceeds the other's, in centipawns. A man that changes sides counts once.
pub(super) fn lead<V: CoachRules>(pos: &Position<V>, us: Color) -> i32 {
    let worth = |color, kind| men(pos, color, kind) as i32 * value(kind);
    let sum = |color| -> i32 { PieceKind::ALL.into_iter().map(|kind| worth(color, kind)).sum() };
    let lead = sum(us) - sum(!us);
    if V::HAS_DROPS { lead / 2 } else { lead }
}

/// Does a legal move gain at least this many centipawns on its target? An explosion ends the exchange there.
pub(super) fn gains_at_least<V: CoachRules>(pos: &Position<V>, mv: Move, threshold: i32) -> bool {
    if !V::CAPTURES_EXPLODE {
        return match gain_on_board(pos, mv) {
            Some(gain) => gain >= threshold,
            None => see::gains_at_least(pos, mv, threshold),
        };
    }
    if mv.is_noisy() {
        return V::gain(pos, mv) >= threshold;
    }
    let after = pos.after(mv);
    let replies = after.legal_moves();
    let on_target = replies.iter().filter(|reply| reply.is_capture() && reply.to() == mv.to());
    on_target.map(|&reply| -V::gain(&after, reply)).min().unwrap_or(0) >= threshold
}

/// What a legal move gains on its target, in centipawns, if a pinned man could take there were it free, if the move
/// gives a discovered check, or if the game forbids some captures; else `None`.
fn gain_on_board<R: Rules>(pos: &Position<R>, mv: Move) -> Option<i32> {
    let is_pinned_for = |us: Color| is_pinned_off(pos, us, mv);
    let is_special = !mv.is_castling()
        && (R::FORBIDDEN.is_some()
            || Checks::default().gives_discovered_check(pos, mv)
            || Color::ALL.into_iter().any(is_pinned_for));
    is_special.then(|| gain(&mut pos.clone(), mv))
}

/// Has a side a man that aims at the target of a move, and is pinned to its king on another line?
fn is_pinned_off<R: Rules>(pos: &Position<R>, us: Color, mv: Move) -> bool {
    let (Some(king), to) = (pos.royal_king(us), mv.to()) else { return false };
    Step::ROYAL.into_iter().filter(|&step| step != step_towards(king, to)).any(|step| {
        let at = pos.first_piece(king, step);
        let cell = pos.cell(at);
        cell.belongs_to(us) && aims_at(cell, at, to) && pin(pos, us, at).is_some()
    })
}

fn gain<R: Rules>(pos: &mut Position<R>, mv: Move) -> i32 {
    let won = won_by(pos, mv);
    pos.make_move(mv);
    let lost = best_recapture(pos, mv.to());
    pos.unmake_move();
    won - lost
}

/// What the side to move gains on a square, if it takes with its cheapest man or not at all.
fn best_recapture<R: Rules>(pos: &mut Position<R>, to: Square) -> i32 {
    if pos.variant_outcome().is_some() {
        return 0;
    }
    let moves = pos.legal_moves();
    let captures = moves.iter().filter(|mv| mv.is_capture() && mv.to() == to);
    let cost = |mv: &&Move| (pos.cell(mv.from()).kind_index(), Reverse(mv.promotion()));
    let cheapest = captures.min_by_key(cost).copied();
    cheapest.map_or(0, |mv| gain(pos, mv).max(0))
}

/// What a move takes and promotes to, in centipawns.
pub(super) fn won_by<R: Rules>(pos: &Position<R>, mv: Move) -> i32 {
    let taken = if mv.is_castling() { 0 } else { VALUES[pos.victim(mv)] };
    taken + promotion_gain(mv)
}

/// What a legal move gains on its target, 0 or more, in steps of ten centipawns.
pub(super) fn gain_of<V: CoachRules>(pos: &Position<V>, mv: Move) -> i32 {
    if !V::CAPTURES_EXPLODE
        && let Some(gain) = gain_on_board(pos, mv)
    {
        return gain.clamp(0, GREATEST_GAIN);
    }
    let (mut low, mut high) = (0, GREATEST_GAIN / 10);
    while low < high {
        let middle = (low + high + 1) / 2;
        if gains_at_least(pos, mv, 10 * middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    10 * low
}

/// The most that the side to move can win at once by taking or promoting.
pub(super) fn best_gain<V: CoachRules>(pos: &Position<V>) -> i32 {
    if pos.variant_outcome().is_some() {
        return 0;
    }
    let moves = pos.legal_moves();
    moves.iter().filter(|mv| mv.is_noisy()).map(|&mv| gain_of(pos, mv)).max().unwrap_or(0)
}

/// The same if that side is to move, else 0.
pub(super) fn best_gain_if<V: CoachRules>(pos: &Position<V>, side: Color) -> i32 {
    if pos.side_to_move() == side { best_gain(pos) } else { 0 }
}

/// The capture among those that count after which the side to move stands best in material, and by how much
/// it has then improved on an earlier lead.
pub(super) fn best_capture<V: CoachRules>(
    pos: &Position<V>,
    start: i32,
    counts: impl Fn(&Move) -> bool,
) -> Option<(Move, i32)> {
    let us = pos.side_to_move();
    let moves = pos.legal_moves();
    let captures = moves.iter().filter(|mv| mv.is_capture() && counts(mv));
    let judged = captures.map(|&mv| {
        let after = pos.after(mv);
        let gain = match after.variant_outcome() {
            Some(_) => GREATEST_GAIN,
            None => lead(&after, us) - start - best_gain(&after),
        };
        (mv, gain)
    });
    judged.max_by_key(|(_, value)| *value)
}

/// Can the side to move take what stands there and win material?
pub(super) fn is_winnable<V: CoachRules>(pos: &Position<V>, at: Square) -> bool {
    let moves = pos.legal_moves();
    moves.iter().any(|&mv| mv.to() == at && gains_at_least(pos, mv, WINS_MATERIAL))
}

/// Does the move take back a man that has just taken, and that is not worth clearly more than what it took? Who has
/// promoted was a pawn.
pub(super) fn takes_back<V: CoachRules>(pos: &Position<V>, mv: Move) -> bool {
    let is_taken = |last: &Move| last.is_capture() && mv.is_capture() && last.to() == mv.to();
    let Some(last) = pos.last_move().filter(is_taken) else { return false };
    let mut earlier = pos.clone();
    earlier.unmake_move();
    let worth = |at| earlier.piece_at(at).map_or(0, |piece| value(piece.kind()));
    worth(last.from()) < worth(last.victim_square()) + WINS_MATERIAL
}

/// The same position with the other side to move; `None` in check.
pub(super) fn passed<V: CoachRules>(pos: &Position<V>) -> Option<Position<V>> {
    if pos.in_check() {
        return None;
    }
    let mut pos = pos.clone();
    pos.make_null_move();
    Some(pos)
}

/// Could the side that is not to move win what stands there?
pub(super) fn is_threatened<V: CoachRules>(pos: &Position<V>, at: Square) -> bool {
    passed(pos).is_some_and(|pos| is_winnable(&pos, at))
}

/// In which way a move rescues a man that stays on its square: it protects the man if more men guard it then. A man
/// that has moved and can be taken without loss protects nothing.
pub(super) fn rescues<V: CoachRules>(
    [before, after]: [&Position<V>; 2],
    at: Square,
    us: Color,
) -> &'static str {
    let guards = |pos: &Position<V>| {
        let guards = |&(from, _): &(Square, PieceKind)| {
            attacks(pos, from, at) && is_free_to_take(pos, from, at)
        };
        pos.all_pieces(us).filter(guards).count()
    };
    let replies = after.legal_moves();
    let is_lost = |mover: Square| {
        let takes = |mv: &Move| mv.is_capture() && mv.to() == mover;
        replies.iter().any(|mv| takes(mv) && gains_at_least(after, *mv, 0))
    };
    let mover = after.last_move().map(Move::to).filter(|&mover| attacks(after, mover, at));
    let lost = usize::from(mover.is_some_and(is_lost));
    // Nothing is protected from an explosion.
    match !V::CAPTURES_EXPLODE && guards(after) > guards(before) + lost {
        true => "protects",
        false => "saves",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::variants::{RacingKings, Standard};

    #[test]
    fn pinned_men_do_not_take_part() {
        let [_, pawn, knight, ..] = VALUES;
        for (fen, mv, expected) in [
            // The pawn that protects is pinned, and free.
            ("4k3/8/4p3/3p4/8/2N5/8/4RK2 w - - 0 1", "Nxd5", Some(pawn)),
            ("3k4/8/4p3/3p4/8/2N5/8/4RK2 w - - 0 1", "Nxd5", None),
            // The rook that would take back for the attacker is pinned.
            ("3rk3/8/8/3p4/8/2N5/8/q2RK3 w - - 0 1", "Nxd5", Some(pawn - knight)),
            // The queen is pinned on the line on which it takes.
            ("4k3/3q4/8/1B6/P7/2n5/8/4K3 b - - 0 1", "Nxb5", None),
        ] {
            let pos = Position::<Standard>::from_fen(fen).unwrap();
            let found = gain_on_board(&pos, parse_move(&pos, mv).unwrap());
            assert_eq!(found, expected, "{fen} {mv}");
        }
    }

    #[test]
    fn a_capture_that_the_game_forbids_takes_no_part() {
        let pos = Position::<RacingKings>::from_fen("3r4/8/8/k7/8/3n2K1/8/1B6 w - - 0 1").unwrap();
        // The rook would give check.
        let [_, _, knight, ..] = VALUES;
        assert_eq!(gain_on_board(&pos, parse_move(&pos, "Bxd3").unwrap()), Some(knight));
    }

    #[test]
    fn after_a_discovered_check_only_who_meets_it_takes_part() {
        let gain = |fen: &str| {
            let pos = Position::<Standard>::from_fen(fen).unwrap();
            gain_on_board(&pos, parse_move(&pos, "Nxc6").unwrap())
        };
        let [_, pawn, ..] = VALUES;
        assert_eq!(gain("3qk3/1p3ppp/2p5/4N3/8/8/5PPP/4R1K1 w - - 0 1"), Some(pawn));
        // Without the rook, the pawn takes back.
        assert_eq!(gain("3qk3/1p3ppp/2p5/4N3/8/8/5PPP/6K1 w - - 0 1"), None);
    }
}
