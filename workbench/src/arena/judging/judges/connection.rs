//! The handshake and the pings.

use super::Judge;
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::event::{EventKind, GameEvent};
use crate::arena::judging::sheet::{Sheet, Violation};
use trebuchet::cecp::wire::FeatureValue;

/// Judges the features. They belong to the first game.
#[derive(Debug, Default)]
pub struct Handshake {
    /// The line at which the GUI has started the bot.
    started: Option<u64>,
    has_game: bool,
    has_features: bool,
    is_done: bool,
}

impl Judge for Handshake {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        match event.kind {
            EventKind::Started => self.started = Some(event.line),
            EventKind::Features(features) => {
                self.has_features |= !features.is_empty();
                for feature in features.iter().filter(|feature| feature.name == "done") {
                    if let FeatureValue::Number(done) = feature.value {
                        self.is_done = done == 1;
                    }
                }
            }
            EventKind::GameEnded(_) if !self.has_game => {
                self.has_game = true;
                self.judge(sheet);
            }
            _ => {}
        }
    }
}

impl Handshake {
    fn judge(&self, sheet: &mut Sheet) {
        let Some(line) = self.started else { return };
        if self.is_done {
            sheet.kept(Criterion::Features);
        } else if self.has_features {
            let text = "no `done=1` after the features, so xboard waits for ten seconds";
            sheet.broken(Criterion::Features, Violation::at_line(line, text));
        } else {
            sheet.not_judged(Criterion::Features, "no feature line: a bot of protocol 1");
        }
    }
}

/// Judges the answers to pings.
pub struct Pings;

impl Judge for Pings {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        let text = match event.kind {
            EventKind::PingAnswered => return sheet.kept(Criterion::AnswersPings),
            EventKind::PingSkipped { number, answered } => {
                format!("ping {number} was not answered before ping {answered}")
            }
            EventKind::PingLate { number, millis } => {
                format!("ping {number} was answered after {:.1} s", millis as f64 / 1000.0)
            }
            EventKind::PingUnanswered(number) => format!("ping {number} was never answered"),
            EventKind::StrayPong(number) => format!("pong {number} answers no ping"),
            _ => return,
        };
        sheet.broken(Criterion::AnswersPings, event.violation(text));
    }
}
