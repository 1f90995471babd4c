//! What a side threatens: what it could do if the other side did nothing.

use crate::board::Position;
use crate::board::attacks::step_towards;
use crate::movegen::Legality;
use crate::types::{Color, Move, Outcome, Reason, Square, Step};

use super::exchange::{gain_of, gains_at_least, passed};
use super::line_of_play::LineOfPlay;
use super::rules::CoachRules;
use super::tactics::{Tactic, tactic};

/// What a check in a race of checks may cost, in centipawns: a knight or a bishop for a pawn.
const PRICE_OF_CHECK: i32 = 250;
/// The least gain of a tactic that is worth a word as a threat, in centipawns: a piece for a pawn.
const LEAST_THREAT: i32 = 200;

/// How the move wins the game at once, if it does.
pub(super) fn win_by<V: CoachRules>(pos: &Position<V>, mv: Move) -> Option<Reason> {
    let us: Color = pos.side_to_move();
    let pos = pos.after(mv);
    let Outcome { winner, reason } = pos.outcome()?;
    (winner == Some(us)).then_some(reason)
}

/// A move that ends the game at once with a win, and how it wins: first an end that the variant
/// adds, else mate. A draw that nobody has claimed does not end the game.
pub(super) fn winning_end<V: CoachRules>(pos: &Position<V>) -> Option<(Move, Reason)> {
    if pos.outcome().is_some_and(|outcome| outcome.winner.is_some()) {
        return None;
    }
    let legality = Legality::new(pos);
    if let Some(mv) = V::winning_move(pos, &legality, &Default::default()) {
        return Some((mv, win_by(pos, mv)?));
    }
    // Without an end of its own, a game is won by a check alone.
    let may_win = |mv: &&Move| !V::ENDINGS.is_empty() || pos.gives_check(**mv);
    let moves = pos.legal_moves();
    moves.iter().filter(may_win).find_map(|&mv| Some((mv, win_by(pos, mv)?)))
}

/// How the side that has just moved threatens to win the game with its next move, if it does.
pub(super) fn threatened_win<V: CoachRules>(pos: &Position<V>) -> Option<Reason> {
    winning_end(&passed(pos)?).map(|(_, reason)| reason)
}

/// The checks that the side to move can give for little or nothing, the cheapest first.
fn checks<V: CoachRules>(pos: &Position<V>) -> Vec<Move> {
    let moves = pos.legal_moves();
    let pays = |mv: &Move| pos.gives_check(*mv) && gains_at_least(pos, *mv, -PRICE_OF_CHECK);
    let mut checks: Vec<Move> = moves.iter().copied().filter(pays).collect();
    checks.sort_by_key(|&mv| !gains_at_least(pos, mv, 0));
    checks
}

/// In a race of checks, the squares from which the side that has just moved threatens to give check, and could not
/// do so before; `before` is a position in which it is to move.
pub(super) fn threatened_checks<V: CoachRules>(
    before: &Position<V>,
    after: &Position<V>,
) -> Vec<Square> {
    let (true, Some(next)) = (V::COUNTS_CHECKS, passed(after)) else { return Vec::new() };
    let known = checks(before);
    let is_new = |mv: &Move| known.iter().all(|old| old.to() != mv.to());
    checks(&next).into_iter().filter(is_new).map(|mv| mv.to()).collect()
}

/// A tactic with which the side that has just moved threatens to win a piece, whatever the reply to it. An explosion is
/// a threat if it can come with the next move: later it depends on the reply, what explodes.
pub(super) fn threatened_tactic<V: CoachRules>(after: &Position<V>) -> Option<Tactic> {
    let next = passed(after)?;
    let moves = next.legal_moves();
    if V::CAPTURES_EXPLODE {
        let captures = moves.iter().filter(|mv| mv.is_capture());
        let gains = captures.map(|&mv| (gain_of(&next, mv), mv));
        let (gain, mv) = gains.max_by_key(|(gain, _)| *gain)?;
        return (gain >= LEAST_THREAT).then(|| Tactic::Explosion(mv.to()));
    }
    let proven = moves.iter().filter_map(|&mv| {
        let play = LineOfPlay::of_good(&next, &[mv])?;
        let gain = play.gain_after_every_reply(1).filter(|&gain| gain >= LEAST_THREAT)?;
        Some((gain, mv))
    });
    let (_, mv) = proven.max_by_key(|(gain, _)| *gain)?;
    let later = next.after(mv);
    // The tactic shows itself after one of the replies at the latest.
    let replies = later.legal_moves();
    replies.iter().find_map(|&reply| {
        let mut play = LineOfPlay::of_good(&next, &[mv, reply])?;
        let prize = play.gains().first()?.prize;
        tactic(&play, prize).filter(|found| !matches!(found, Tactic::Hanging(..)))
    })
}

/// Does the first square lie between the second one and the king of this side, on one line with them?
pub(super) fn is_between<V: CoachRules>(
    pos: &Position<V>,
    at: Square,
    from: Square,
    victim: Color,
) -> bool {
    pos.royal_king(victim).is_some_and(|king| {
        let step = step_towards(from, king);
        Step::ROYAL.contains(&step)
            && step_towards(from, at) == step
            && step_towards(at, king) == step
    })
}
