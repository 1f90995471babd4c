//! The pings of a GUI and the answers of a bot.

use std::collections::VecDeque;

use super::item::Item;
use super::sheet::{Sheet, Violation};

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

    /// The bot answers. xboard does not mind a second answer, so that is no violation.
    pub fn pong(&mut self, sheet: &mut Sheet, number: i64, line: u64) {
        let place = self.waiting.iter().position(|ping| ping.number == number);
        let Some(place) = place else {
            if !self.recent.contains(&number) {
                let text = format!("pong {number} answers no ping");
                sheet.broken(Item::AnswersPings, Violation::at_line(line, text));
            }
            return;
        };
        for ping in self.waiting.drain(..=place) {
            self.answered += 1;
            let violation = (ping.number != number).then(|| {
                let text = format!("ping {} was not answered before ping {number}", ping.number);
                Violation::at_line(ping.line, text)
            });
            sheet.judge(Item::AnswersPings, violation);
            self.recent.push_back(ping.number);
        }
        while self.recent.len() > REMEMBERED {
            self.recent.pop_front();
        }
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

    /// The log ends, at `now` milliseconds. `has_quit`: the GUI has sent `quit`. `is_alive`: the bot's
    /// process has not ended before.
    pub fn end(&mut self, sheet: &mut Sheet, now: u64, has_quit: bool, is_alive: bool) {
        for ping in self.waiting.drain(..) {
            let is_overdue = now.saturating_sub(ping.at) > PATIENCE;
            // The GUI waits for the answer before a game begins: there the log stops.
            let is_stuck = !has_quit && !ping.follows_result;
            if is_alive && (is_overdue || is_stuck) {
                let text = format!("ping {} was never answered", ping.number);
                sheet.broken(Item::AnswersPings, Violation::at_line(ping.line, text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(talk: impl Fn(&mut Pings, &mut Sheet)) -> Vec<String> {
        let (mut pings, mut sheet) = (Pings::default(), Sheet::default());
        talk(&mut pings, &mut sheet);
        let found = sheet.violations(Item::AnswersPings);
        let mut texts: Vec<String> =
            found.map(|found| format!("{} {}", found.line, found.text)).collect();
        texts.insert(0, sheet.verdict(Item::AnswersPings).name().to_owned());
        texts
    }

    #[test]
    fn pongs_come_in_order() {
        let kept = judged(|pings, sheet| {
            pings.ping(1, 10, 0, false);
            pings.ping(2, 11, 0, false);
            pings.pong(sheet, 1, 12);
            pings.pong(sheet, 1, 13);
            pings.pong(sheet, 2, 14);
            pings.ping(3, 15, 100, true);
            pings.end(sheet, 200, false, true);
        });
        assert_eq!(kept, ["kept"]);
        let wrong = judged(|pings, sheet| {
            pings.ping(1, 10, 0, false);
            pings.ping(2, 11, 0, false);
            pings.pong(sheet, 2, 12);
            pings.pong(sheet, 9, 13);
        });
        assert_eq!(
            wrong,
            ["broken", "10 ping 1 was not answered before ping 2", "13 pong 9 answers no ping"]
        );
    }

    #[test]
    fn a_ping_without_an_answer_is_told_from_the_end_of_the_log() {
        let end = |follows_result, now, has_quit, is_alive| {
            judged(|pings, sheet| {
                pings.ping(1, 10, 0, follows_result);
                pings.end(sheet, now, has_quit, is_alive);
            })
        };
        let never = ["broken", "10 ping 1 was never answered"];
        assert_eq!(end(false, 0, true, true), ["not tested"]);
        assert_eq!(end(true, 5_000, false, true), ["not tested"]);
        assert_eq!(end(false, 0, false, true), never);
        assert_eq!(end(true, 5_001, true, true), never);
        assert_eq!(end(true, 5_001, true, false), ["not tested"]);
    }
}
