//! What a better move would have achieved, as far as it can be proven: what it wins, saves or stops.

use crate::board::Position;
use crate::search::see;
use crate::types::{Move, Reason};

use super::line_of_play::{LineOfPlay, WINS_MATERIAL};
use super::lines::Line;
use super::motifs::Tactic;
use super::reasons::check;
use super::refutation::{Motif, Refutation};
use super::rules::CoachRules;

/// The most reasons that are given.
const MOST: usize = 2;

/// The reasons for the first move of a line, the strongest first; none if nothing can be proven.
/// `refutation` is the punishment of the move that was played instead.
pub(super) fn merits<V: CoachRules>(
    before: &Position<V>,
    line: &Line,
    refutation: Option<&Refutation>,
) -> Vec<String> {
    let Some(&mv) = line.moves.first() else { return Vec::new() };
    let mut after = before.clone();
    after.make_move(mv);
    if let Some(outcome) = after.outcome() {
        return vec![match outcome.reason {
            Reason::Checkmate => "mates".to_owned(),
            Reason::Variant(deed) => deed.to_owned(),
            _ => "ends the game as a draw".to_owned(),
        }];
    }
    if let Some(moves) = line.score.moves_to_end().filter(|&moves| moves > 0) {
        return vec![format!("wins in {moves}")];
    }
    let mut found = Vec::new();
    // In a race of checks, each check is a step.
    if V::COUNTS_CHECKS && after.in_check() {
        found.push(check::<V>(&after, before.side_to_move()));
    }
    match mv.promotion() {
        _ if !V::HAS_EXCHANGES => {}
        Some(kind) => found.push(format!("promotes to a {}", kind.name())),
        None => found.extend(won(before, line)),
    }
    found.extend(refutation.and_then(|refutation| stopped(before, mv, refutation)));
    found.truncate(MOST);
    found
}

/// The material that the line wins.
fn won<V: CoachRules>(before: &Position<V>, line: &Line) -> Option<String> {
    let mut play = LineOfPlay::of_good(before, &line.moves)?;
    let gain = play.gains().into_iter().next()?;
    let mv = line.moves[0];
    if before.last_move().is_some_and(|last| last.is_capture() && last.to() == mv.to()) {
        return play.taken(1).map(|kind| format!("takes the {} back", kind.name()));
    }
    Some(gain.trade.map_or("wins material".to_owned(), |trade| format!("wins {trade}")))
}

/// What the opponent threatened already before, and can no longer do after the better move.
fn stopped<V: CoachRules>(
    before: &Position<V>,
    mv: Move,
    refutation: &Refutation,
) -> Option<String> {
    let threat = *refutation.line.first()?;
    if before.in_check() {
        return None;
    }
    let mut passed = before.clone();
    passed.make_null_move();
    let mut after = before.clone();
    after.make_move(mv);
    match &refutation.motif {
        Motif::Win { reason, moves: 1, .. } => {
            let is_stopped = wins(&passed, threat) && !wins(&after, threat);
            is_stopped.then(|| format!("stops {}", reason.winning_noun().unwrap_or("the threat")))
        }
        Motif::Material { tactic: Some(Tactic::Hanging(kind, at)), .. } => {
            if !before.cell(*at).holds(before.side_to_move(), *kind) || !gains(&passed, threat) {
                return None;
            }
            let name = kind.name();
            if mv.from() == *at {
                let moves = after.legal_moves();
                let is_lost = |reply: &Move| reply.to() == mv.to() && gains(&after, *reply);
                return (!moves.iter().any(is_lost)).then(|| format!("saves the {name}"));
            }
            (!gains(&after, threat)).then(|| format!("protects the {name} on {at}"))
        }
        _ => None,
    }
}

/// Is the move legal, and does it win at once?
fn wins<V: CoachRules>(pos: &Position<V>, mv: Move) -> bool {
    let mut after = pos.clone();
    pos.legal_moves().contains(&mv) && {
        after.make_move(mv);
        after.outcome().is_some_and(|outcome| outcome.winner == Some(pos.side_to_move()))
    }
}

/// Is the move legal, and does it win material?
fn gains<V: CoachRules>(pos: &Position<V>, mv: Move) -> bool {
    pos.legal_moves().contains(&mv) && see::gains_at_least(pos, mv, WINS_MATERIAL)
}
