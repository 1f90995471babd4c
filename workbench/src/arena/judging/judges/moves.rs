//! Are the moves legal and in time?

use std::time::Duration;

use super::{Judge, stage_pawns};
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::event::{EventKind, GameEvent};
use crate::arena::judging::sheet::Sheet;
use trebuchet::play::Stage;

/// Judges whether the moves are legal, and promotions complete.
pub struct Legality;

impl Judge for Legality {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        match event.kind {
            EventKind::Move(_) => sheet.kept(Criterion::LegalMoves),
            EventKind::IllegalMove { text, reason } => {
                sheet.broken(Criterion::LegalMoves, event.violation_at(text, reason));
            }
            EventKind::Promotion { is_named: true, .. } => sheet.kept(Criterion::NamesPromotions),
            EventKind::Promotion { text, is_named: false } => {
                let reason = "the letter of the new piece is missing";
                sheet.broken(Criterion::NamesPromotions, event.violation_at(text, reason));
            }
            EventKind::BareMove { text } => {
                let reason = "a move needs the word `move` before it, or the GUI does not see it";
                sheet.broken(Criterion::LegalMoves, event.violation_at(text, reason));
            }
            EventKind::UnknownMove { reason } => sheet.not_judged(Criterion::LegalMoves, reason),
            _ => {}
        }
    }
}

/// Judges whether the moves are in time.
pub struct Clocks {
    pub stage: Stage,
    /// A move that exceeds the clock by this much is still in time.
    pub margin: Duration,
}

impl Judge for Clocks {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        match event.kind {
            EventKind::InTime => sheet.kept(Criterion::Clock),
            EventKind::UnknownTime => sheet.not_judged(Criterion::Clock, "no times in the file"),
            EventKind::TimeUsed { left: None, .. } => {
                sheet.not_judged(Criterion::Clock, "no clock");
            }
            EventKind::TimeUsed { text, elapsed, left: Some(left) } => {
                let late = (elapsed > left + self.margin).then(|| {
                    let (elapsed, left) = (seconds(elapsed), seconds(left));
                    event.violation_at(text, format!("{elapsed} for the move, with {left} left"))
                });
                sheet.judge(Criterion::Clock, late);
            }
            EventKind::NoMove { elapsed, left: Some(left) } if elapsed > left + self.margin => {
                let words = format!("no move in {}", seconds(elapsed));
                self.time_is_up(event, sheet, &words, true);
            }
            EventKind::OutOfTime { words, on_turn } => {
                self.time_is_up(event, sheet, words, on_turn);
            }
            _ => {}
        }
    }
}

impl Clocks {
    /// The player's time is up. In the stage `pawns`, a bot that cannot move a pawn should have resigned
    /// instead: this is its fault then, not the clock.
    fn time_is_up(&self, event: &GameEvent, sheet: &mut Sheet, words: &str, on_turn: bool) {
        let is_stuck = self.stage == Stage::Pawns
            && on_turn
            && event.board.is_some_and(stage_pawns::must_resign);
        let (criterion, text) = if is_stuck {
            let text = format!("no pawn can move, and the bot does not resign ({words})");
            (Criterion::ResignsWithoutPawnMove, text)
        } else {
            (Criterion::Clock, words.to_owned())
        };
        let violation = if on_turn { event.violation_at("", text) } else { event.violation(text) };
        sheet.broken(criterion, violation);
    }
}

/// Seconds to the hundredth.
fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_late_beyond_the_margin() {
        let judged = |left: Option<u64>, elapsed| {
            let elapsed = Duration::from_millis(elapsed);
            let left = left.map(Duration::from_millis);
            let kind = EventKind::TimeUsed { text: "e2e4", elapsed, left };
            let mut sheet = Sheet::default();
            let mut clocks = Clocks { stage: Stage::Full, margin: Duration::from_millis(200) };
            clocks.on(&GameEvent { line: 3, board: None, kind }, &mut sheet);
            let text = sheet.violations(Criterion::Clock).next().map(|found| found.text.clone());
            (sheet.verdict(Criterion::Clock).name(), text)
        };
        assert_eq!(judged(None, 99_999), ("not judged", None));
        assert_eq!(judged(Some(1_000), 1_200), ("kept", None));
        let text = "1.21 s for the move, with 1.00 s left".to_owned();
        assert_eq!(judged(Some(1_000), 1_207), ("broken", Some(text)));
    }
}
