//! A record of one evaluation: how often each weight was counted.
//!
//! The tuner makes a trace of each position, and then knows the score as a function of the weights.

use super::danger;
use super::tapered::{FULL_PHASE, Tapered};
use super::terms::{DANGER_BASE, VALUE_COUNT};
use super::view::Recorder;
use super::weights::Weights;
use crate::eval::endgames::FULL_SCALE;
use crate::types::Color;

/// How an evaluation depends on the weights.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How often each weight counts in the score: White's count minus Black's.
    pub counts: Vec<i16>,
    /// How often each weight counts in the danger to White's king and to Black's.
    pub danger: [Vec<i16>; 2],
    /// The phase of the game: 0 is an ending of kings and pawns, 24 the start.
    pub phase: i32,
    /// The scale of a score that favours White, and of one that favours Black; in 64ths.
    pub scale: [i32; 2],
    pub side_to_move: Color,
}

impl Trace {
    pub(super) fn new(side_to_move: Color) -> Trace {
        let none = || vec![0; VALUE_COUNT];
        Trace {
            counts: none(),
            danger: [none(), none()],
            phase: 0,
            scale: [FULL_SCALE; 2],
            side_to_move,
        }
    }

    /// The share of the middle game, 0 to 1.
    pub fn middle_share(&self) -> f32 {
        self.phase as f32 / FULL_PHASE as f32
    }

    /// The scale of a score that favours White, and of one that favours Black; 0 to 1.
    pub fn scale_shares(&self) -> [f32; 2] {
        self.scale.map(|scale| scale as f32 / FULL_SCALE as f32)
    }

    /// The score with these weights in centipawns from the side to move, as the evaluation gives it.
    pub fn score(&self, weights: &Weights) -> i32 {
        let sum = |counts: &[i16]| sum_of(weights, counts, |_| true);
        let [white, black] = &self.danger;
        let total = sum(&self.counts) - danger::penalty(sum(white)) + danger::penalty(sum(black));
        let white = total.blend(self.phase);
        let white_score = white * self.scale[usize::from(white < 0)] / FULL_SCALE;
        match self.side_to_move {
            Color::White => white_score,
            Color::Black => -white_score,
        }
    }
}

impl Trace {
    /// What some of the values add to the score with these weights, in centipawns from White's side
    /// and before the scale of endgames. `is_member` chooses values by their index. King danger counts
    /// as a whole, if its first value is chosen.
    pub(super) fn part(&self, weights: &Weights, is_member: impl Fn(usize) -> bool) -> i32 {
        let mut total = sum_of(weights, &self.counts, &is_member);
        if is_member(DANGER_BASE.at(0)) {
            let [white, black] =
                [0, 1].map(|side| danger::penalty(sum_of(weights, &self.danger[side], |_| true)));
            total = total - white + black;
        }
        total.blend(self.phase)
    }
}

/// The sum of the chosen values, each times its count.
fn sum_of(weights: &Weights, counts: &[i16], is_member: impl Fn(usize) -> bool) -> Tapered {
    counts
        .iter()
        .enumerate()
        .filter(|(index, count)| **count != 0 && is_member(*index))
        .fold(Tapered::ZERO, |sum, (index, count)| sum + weights.value(index) * i32::from(*count))
}

impl Recorder for Trace {
    const RECORDS: bool = true;

    fn add(&mut self, owner: Color, index: usize, count: i32) {
        self.counts[index] += match owner {
            Color::White => count as i16,
            Color::Black => -count as i16,
        };
    }

    fn add_danger(&mut self, owner: Color, index: usize, count: i32) {
        self.danger[owner.index()][index] += count as i16;
    }
}
