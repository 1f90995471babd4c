//! How a bot behaves: moves when it is asked, honest claims and complaints, lines that are understood,
//! and a program that keeps running.

use super::Judge;
use crate::arena::games::ForfeitKind;
use crate::arena::judging::claim::ClaimStanding;
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::event::{EventKind, GameEvent};
use crate::arena::judging::sheet::{Sheet, Violation, shown};

/// Judges whether the bot moves only when it is asked.
pub struct TurnKeeping;

impl Judge for TurnKeeping {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        match event.kind {
            EventKind::Move(_) => sheet.kept(Criterion::MovesOnTurn),
            EventKind::StrayMove { text, when } => {
                // The number of the last move does not fit a move of the other side.
                let violation = event.violation_at(text, format!("a move {when}"));
                sheet.broken(Criterion::MovesOnTurn, Violation { mv: shown(text), ..violation });
            }
            _ => {}
        }
    }
}

/// Judges whether the bot refuses the illegal moves, and no others.
pub struct Refusals;

impl Judge for Refusals {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        match event.kind {
            EventKind::Refusal { is_legal: false, .. } => {
                sheet.kept(Criterion::RefusesIllegalMoves);
            }
            EventKind::Refusal { text, is_legal: true } => {
                let text = format!("the bot refuses the legal move {}", shown(text));
                sheet.broken(Criterion::AcceptsLegalMoves, event.violation(text));
            }
            EventKind::IllegalMoveAccepted { text, plays_on } => {
                let what = if plays_on { "plays on after the" } else { "does not refuse the" };
                let text = format!("the bot {what} illegal move {}", shown(text));
                sheet.broken(Criterion::RefusesIllegalMoves, event.violation(text));
            }
            EventKind::GameEnded(game) if game.moves > 0 => {
                sheet.kept(Criterion::AcceptsLegalMoves);
            }
            _ => {}
        }
    }
}

/// Judges whether the results that the bot claims stand on the board.
pub struct Claims;

impl Judge for Claims {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        let EventKind::Claim { result, comment, standing } = event.kind else { return };
        match standing {
            ClaimStanding::True => sheet.kept(Criterion::ResultClaims),
            ClaimStanding::Believed => {}
            ClaimStanding::Unknown => {
                sheet.not_judged(Criterion::ResultClaims, "a claim that time is up");
            }
            ClaimStanding::False => {
                let stands = match event.board.and_then(|board| board.outcome()) {
                    Some(outcome) => format!("the board says: {outcome}"),
                    None => "the game is not over on the board".to_owned(),
                };
                let claim = format!("claims {result} {{{}}}", shown(comment));
                let ply = event.board.map_or(0, |board| board.ply_count());
                let violation = event.violation(format!("the bot {claim}, but {stands}"));
                sheet.broken(Criterion::ResultClaims, Violation { ply, ..violation });
            }
        }
    }
}

/// Judges whether xboard misreads a line.
pub struct Misreadings;

impl Judge for Misreadings {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        match event.kind {
            EventKind::Misread(line) => {
                let text = format!("xboard misreads this line: {}", shown(line));
                sheet.broken(Criterion::NothingMisread, event.violation(text));
            }
            EventKind::GameEnded(_) => sheet.kept(Criterion::NothingMisread),
            _ => {}
        }
    }
}

/// Notes what the GUI or the file says of forfeits.
pub struct Forfeits;

impl Judge for Forfeits {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        match event.kind {
            EventKind::Forfeit { kind, words } => {
                let criterion = match kind {
                    ForfeitKind::IllegalMove => Criterion::LegalMoves,
                    ForfeitKind::FalseClaim => Criterion::ResultClaims,
                    ForfeitKind::FalseProtest => Criterion::AcceptsLegalMoves,
                    ForfeitKind::Crash | ForfeitKind::CannotPlay => Criterion::KeepsRunning,
                    ForfeitKind::TimeLoss | ForfeitKind::Stall => Criterion::Clock,
                };
                sheet.broken(criterion, event.violation(words));
            }
            EventKind::GameEnded(_) => sheet.kept(Criterion::KeepsRunning),
            _ => {}
        }
    }
}
