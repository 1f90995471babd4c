//! What an evaluation was made of: how often each value of the weights was counted.
//!
//! Play uses no trace (the sink `()` costs nothing); the tuner records one for each position and
//! then knows the score as a function of the weights.

use super::tapered::{FULL_PHASE, Tapered};
use super::terms::VALUE_COUNT;
use super::weights::Weights;
use super::{FULL_SCALE, king};
use crate::types::Color;

/// Hears which values an evaluation counts.
pub trait Sink {
    /// Is there anyone to hear? If not, cached parts of the evaluation may be taken.
    const RECORDS: bool;
    /// `owner` was given the value at `place` so many times.
    fn worth(&mut self, owner: Color, place: usize, times: i32);
    /// The danger to the king of `owner` grew by the value at `place` so many times.
    fn danger(&mut self, owner: Color, place: usize, times: i32);
}

impl Sink for () {
    const RECORDS: bool = false;
    #[inline(always)]
    fn worth(&mut self, _: Color, _: usize, _: i32) {}
    #[inline(always)]
    fn danger(&mut self, _: Color, _: usize, _: i32) {}
}

/// How an evaluation depends on the weights.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How often each value counts, White's times less Black's.
    pub worth: Vec<i16>,
    /// How often each value adds to the danger of White's king and of Black's.
    pub danger: [Vec<i16>; 2],
    /// 0 to `FULL_PHASE`: the share of the middle game.
    pub phase: i32,
    /// What the score is worth when it favours White, Black; in 64ths.
    pub scale: [i32; 2],
    pub side_to_move: Color,
}

impl Trace {
    pub(super) fn new(side_to_move: Color) -> Trace {
        let none = || vec![0; VALUE_COUNT];
        Trace {
            worth: none(),
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

    /// What the score is worth when it favours White, Black; 0 to 1.
    pub fn scale_shares(&self) -> [f32; 2] {
        self.scale.map(|scale| scale as f32 / FULL_SCALE as f32)
    }

    /// The score with these weights in centipawns from the side to move, as the evaluation gives it.
    pub fn score(&self, weights: &Weights) -> i32 {
        let sum = |counts: &[i16]| {
            counts
                .iter()
                .enumerate()
                .filter(|(_, times)| **times != 0)
                .fold(Tapered::ZERO, |sum, (at, times)| sum + weights.value(at) * i32::from(*times))
        };
        let [white, black] = &self.danger;
        let total = sum(&self.worth) - king::penalty(sum(white)) + king::penalty(sum(black));
        let white = total.blend(self.phase);
        let white_score = white * self.scale[usize::from(white < 0)] / FULL_SCALE;
        match self.side_to_move {
            Color::White => white_score,
            Color::Black => -white_score,
        }
    }
}

impl Sink for Trace {
    const RECORDS: bool = true;

    fn worth(&mut self, owner: Color, place: usize, times: i32) {
        self.worth[place] += match owner {
            Color::White => times as i16,
            Color::Black => -times as i16,
        };
    }

    fn danger(&mut self, owner: Color, place: usize, times: i32) {
        self.danger[owner.index()][place] += times as i16;
    }
}
