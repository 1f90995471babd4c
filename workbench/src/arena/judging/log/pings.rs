//! The pings of a GUI and the answers of a bot.

use std::collections::VecDeque;

use super::position::LogPosition;
use crate::arena::judging::event::EventKind;

/// A ping that waits for its answer.
#[derive(Clone, Copy, Debug)]
struct Ping {
    number: i64,
    line: u64,
    /// Milliseconds.
    at: u64,
    /// It follows the end of a game, so the GUI may be closed before it reads the answer.
    follows_result: bool,
}

/// An event, and the line to which it belongs.
pub type PingEvent = (u64, EventKind<'static>);

/// The pings of a dialogue.
#[derive(Clone, Debug, Default)]
pub struct Pings {
    waiting: VecDeque<Ping>,
    /// How many have been sent, and how many of them are answered.
    sent: u64,
    answered: u64,
    /// The last answered numbers, because some bots answer twice.
    recent: VecDeque<i64>,
}

/// The most pings that are remembered. No GUI has more than a few open.
const REMEMBERED: usize = 64;

/// After this many milliseconds, a ping counts as not answered.
const PATIENCE: u64 = 5_000;

/// An answer after more than this many milliseconds is late: the GUI waits for it.
const LATE: u64 = 10_000;

impl Pings {
    /// The GUI sends a ping.
    pub fn ping(&mut self, number: i64, line: u64, at: u64, follows_result: bool) {
        self.sent += 1;
        self.waiting.push_back(Ping { number, line, at, follows_result });
        if self.waiting.len() > REMEMBERED {
            self.waiting.pop_front();
            self.answered += 1;
        }
    }

    /// The bot has just moved. While it thought it did not have to answer.
    pub fn bot_was_busy(&mut self, now: u64) {
        self.waiting.iter_mut().for_each(|ping| ping.at = now);
    }

    /// The bot answers. xboard does not mind a second answer, so that is no event.
    pub fn pong(&mut self, number: i64, now: LogPosition) -> Vec<PingEvent> {
        let line = now.line;
        let place = self.waiting.iter().position(|ping| ping.number == number);
        let Some(place) = place else {
            let is_new = !self.recent.contains(&number);
            return is_new.then_some((line, EventKind::StrayPong(number))).into_iter().collect();
        };
        let mut events = Vec::new();
        for ping in self.waiting.drain(..=place) {
            self.answered += 1;
            self.recent.push_back(ping.number);
            let millis = now.at.saturating_sub(ping.at);
            events.push(if ping.number == number && millis > LATE {
                (line, EventKind::PingLate { number, millis })
            } else if ping.number == number {
                (line, EventKind::PingAnswered)
            } else {
                (ping.line, EventKind::PingSkipped { number: ping.number, answered: number })
            });
        }
        while self.recent.len() > REMEMBERED {
            self.recent.pop_front();
        }
        events
    }

    /// Is the GUI waiting for an answer? xboard ignores most lines until it comes.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// How many pings have been sent.
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// How many pings have been answered, counted from the first.
    pub const fn answered(&self) -> u64 {
        self.answered
    }

    /// The dialogue ends, at `now` milliseconds. `has_quit`: the GUI has sent `quit`. The pings that the
    /// bot has left without an answer; all are forgotten.
    pub fn end(&mut self, now: u64, has_quit: bool) -> Vec<PingEvent> {
        let is_unanswered = |ping: &Ping| {
            let is_overdue = now.saturating_sub(ping.at) > PATIENCE;
            // The GUI waits for the answer before a game begins: there the log stops.
            let is_stuck = !has_quit && !ping.follows_result;
            is_overdue || is_stuck
        };
        let unanswered = self.waiting.drain(..).filter(is_unanswered);
        unanswered.map(|ping| (ping.line, EventKind::PingUnanswered(ping.number))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events, with the line before each.
    fn events(talk: impl Fn(&mut Pings) -> Vec<PingEvent>) -> Vec<String> {
        let events = talk(&mut Pings::default());
        events.into_iter().map(|(line, kind)| format!("{line} {kind:?}")).collect()
    }

    fn at(line: u64, at: u64) -> LogPosition {
        LogPosition { line, at }
    }

    #[test]
    fn an_answer_after_twelve_seconds_is_late_unless_the_bot_had_to_move() {
        let answer = |moved_at: Option<u64>, answered_at| {
            events(|pings| {
                pings.ping(1, 10, 0, false);
                moved_at.iter().for_each(|&moved| pings.bot_was_busy(moved));
                pings.pong(1, at(12, answered_at))
            })
        };
        assert_eq!(answer(None, 12_000), ["12 PingLate { number: 1, millis: 12000 }"]);
        assert_eq!(answer(None, 10_000), ["12 PingAnswered"]);
        assert_eq!(answer(Some(11_900), 12_000), ["12 PingAnswered"]);
    }

    #[test]
    fn pongs_come_in_order() {
        let kept = events(|pings| {
            pings.ping(1, 10, 0, false);
            pings.ping(2, 11, 0, false);
            let mut events = pings.pong(1, at(12, 0));
            events.extend(pings.pong(1, at(13, 0)));
            events.extend(pings.pong(2, at(14, 0)));
            pings.ping(3, 15, 100, true);
            events.extend(pings.end(200, false));
            events
        });
        assert_eq!(kept, ["12 PingAnswered", "14 PingAnswered"]);
        let wrong = events(|pings| {
            pings.ping(1, 10, 0, false);
            pings.ping(2, 11, 0, false);
            [pings.pong(2, at(12, 0)), pings.pong(9, at(13, 0))].concat()
        });
        let skipped = "10 PingSkipped { number: 1, answered: 2 }";
        assert_eq!(wrong, [skipped, "12 PingAnswered", "13 StrayPong(9)"]);
    }

    #[test]
    fn a_ping_without_an_answer_is_told_from_the_end_of_the_log() {
        let end = |follows_result, now, has_quit| {
            events(|pings| {
                pings.ping(1, 10, 0, follows_result);
                pings.end(now, has_quit)
            })
        };
        let never = ["10 PingUnanswered(1)"];
        assert!(end(false, 0, true).is_empty());
        assert!(end(true, 5_000, false).is_empty());
        assert_eq!(end(false, 0, false), never);
        assert_eq!(end(true, 5_001, true), never);
    }
}
