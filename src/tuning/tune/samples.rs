//! Positions to learn from: how each one's score depends on the weights, and how its game ended.

use crate::board::{FenError, Position};
use crate::eval::classic::{Classic, Trace};
use crate::types::{Color, Move, Score};
use crate::variants::Variant;

use crate::tuning::datagen::store::Record;

/// One position. Its counts lie in [`Samples`].
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The share of the middle game in the score, 0 to 1.
    pub middle_share: f32,
    /// What the score is worth when it favours White, Black.
    pub scale: [f32; 2],
    /// The search's score in centipawns, White's view.
    pub score: f32,
    /// 1 if White won the game, 0 if Black did.
    pub result: f32,
    /// Where the counts end: the worth, the danger to White's king, to Black's.
    ends: [usize; 3],
}

/// How often a value of the weights counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub place: u16,
    pub times: i16,
}

/// Many positions.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    samples: Vec<Sample>,
    counts: Vec<Count>,
}

/// A sample with its counts.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub sample: &'a Sample,
    pub worth: &'a [Count],
    /// The danger to White's king, to Black's.
    pub danger: [&'a [Count]; 2],
}

/// Beyond this a score says only that the game is won.
const GREATEST_SCORE: i32 = 3000;

impl Samples {
    /// Adds the positions of a game from which one can learn: quiet ones, not yet decided.
    ///
    /// # Errors
    /// If the game's first position is none.
    pub fn add_game<V: Variant>(
        &mut self,
        evaluator: &Classic<V>,
        record: &Record,
    ) -> Result<(), FenError> {
        let mut pos = Position::<V>::from_fen(&record.fen)?;
        let result = match record.winner {
            Some(Color::White) => 1.0,
            None => 0.5,
            Some(Color::Black) => 0.0,
        };
        for &(mv, score) in &record.plies {
            if !pos.legal_moves().contains(&mv) {
                // Another version of the rules: the rest of the game means nothing.
                log::warn!("game {}: {mv} is illegal in {}", record.number, pos.fen());
                break;
            }
            if is_quiet(&pos, mv) && score.value().abs() < GREATEST_SCORE {
                self.add(&evaluator.trace(&pos), score, result);
            }
            pos.make_move(mv);
        }
        Ok(())
    }

    fn add(&mut self, trace: &Trace, score: Score, result: f32) {
        let ends = [&trace.counts, &trace.danger[0], &trace.danger[1]].map(|counts| {
            let counted = counts.iter().enumerate().filter(|(_, times)| **times != 0);
            self.counts
                .extend(counted.map(|(place, times)| Count { place: place as u16, times: *times }));
            self.counts.len()
        });
        let score = match trace.side_to_move {
            Color::White => score.value(),
            Color::Black => -score.value(),
        };
        self.samples.push(Sample {
            middle_share: trace.middle_share(),
            scale: trace.scale_shares(),
            score: score as f32,
            result,
            ends,
        });
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    pub fn get(&self, index: usize) -> View<'_> {
        let start = match index {
            0 => 0,
            _ => self.samples[index - 1].ends[2],
        };
        let sample = &self.samples[index];
        let [worth, white, black] = sample.ends;
        View {
            sample,
            worth: &self.counts[start..worth],
            danger: [&self.counts[worth..white], &self.counts[white..black]],
        }
    }
}

/// Does the static evaluation have its say here? Not in check, nor when something is to be taken.
fn is_quiet<V: Variant>(pos: &Position<V>, best: Move) -> bool {
    !pos.in_check() && !best.is_capture() && !best.is_promotion()
}
