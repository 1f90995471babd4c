//! What a move gains when both sides go on taking on its target.
//!
//! The search's static exchange evaluation ignores pins, discovered checks and the rule of a game that forbids captures.
//! Where a pinned man could take part, after a discovered check and in such a game, the captures are made on the board
//! here, the cheapest legal one first.

use std::cmp::Reverse;

use crate::board::attacks::{aims_at, step_towards};
use crate::board::{Checks, Position, Rules};
use crate::search::see::{self, VALUES, promotion_gain};
use crate::types::{Color, Move, Square, Step};

use super::danger::pin;

/// Does a legal move gain at least this many centipawns on its target?
pub(super) fn gains_at_least<R: Rules>(pos: &Position<R>, mv: Move, threshold: i32) -> bool {
    match gain_on_board(pos, mv) {
        Some(gain) => gain >= threshold,
        None => see::gains_at_least(pos, mv, threshold),
    }
}

/// What a legal move gains on its target, in centipawns, if a pinned man could take there were it free, if the move
/// gives a discovered check, or if the game forbids some captures; else `None`.
pub(super) fn gain_on_board<R: Rules>(pos: &Position<R>, mv: Move) -> Option<i32> {
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
