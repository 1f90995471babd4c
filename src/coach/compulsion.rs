//! Captures that a side must make, one after another, in games where a capture is compulsory.

use crate::board::Position;
use crate::types::Move;

use super::line_of_play::{LineOfPlay, Trade};
use super::rules::CoachRules;

/// By how many men a series must rid a side of more than the other line does.
const LEAST: i32 = 2;

/// A series of compulsory captures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// How many captures the victim must make.
    pub captures: usize,
    /// The men that both sides have lost: `won` are those of the victim.
    pub trade: Trade,
}

/// How many more men the punisher has lost than the victim, where this is most in the series of captures with which
/// the line begins, and the index of the victim's last capture there.
fn balance<V: CoachRules>(play: &LineOfPlay<V>) -> (i32, usize) {
    let is_compulsory = |&index: &usize| {
        let pos = &play.positions[index];
        play.moves[index].is_capture() && pos.legal_moves().iter().all(|mv| mv.is_capture())
    };
    let (mut given, mut best) = (0, (0, 0));
    for index in (2..play.moves.len()).step_by(2).take_while(is_compulsory) {
        given += if play.moves[index - 1].is_capture() { 0 } else { 1 };
        if given > best.0 {
            best = (given, index);
        }
    }
    best
}

/// The series with which a line begins, if it rids the punisher of clearly more men than the other line does.
pub(super) fn series<V: CoachRules>(
    play: &LineOfPlay<V>,
    other: Option<&LineOfPlay<V>>,
) -> Option<(Series, usize)> {
    let (given, end) = balance(play);
    if given - other.map_or(0, |other| balance(other).0) < LEAST {
        return None;
    }
    Some((Series { captures: end / 2, trade: play.exchanged(1, end)? }, end))
}

/// How many moves of a good line show the series with which it begins; 0 without one.
pub(super) fn length_of_series<V: CoachRules>(before: &Position<V>, line: &[Move]) -> usize {
    let play = LineOfPlay::of_good(before, line).filter(|_| V::MUST_CAPTURE);
    play.and_then(|play| series(&play, None)).map_or(0, |(_, end)| end)
}
