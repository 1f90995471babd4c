//! The training positions: how each one's score depends on the weights, and how its game ended.

use crate::tuning::datagen::store::StoredGame;
use crate::tuning::selection::{IllegalMove, Selection};
use trebuchet::board::FenError;
use trebuchet::eval::classic::{Classic, Trace};
use trebuchet::types::{Color, Score};
use trebuchet::variants::Variant;

/// One position. Its counts lie in [`Samples`].
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The share of the middle game in the score, 0 to 1.
    pub middle_share: f32,
    /// The factor on a score that favours White, and on one that favours Black.
    pub scale: [f32; 2],
    /// The search's score in centipawns, White's view.
    pub score: f32,
    /// The game's result: 1 if White won, 0.5 for a draw, 0 if Black won.
    pub result: f32,
    /// Where three lists of counts in [`Samples`] end: for the score without danger, for the danger
    /// to White's king, for the danger to Black's.
    ends: [usize; 3],
}

/// How many times a value of the weights counts in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub place: u16,
    pub times: i16,
}

/// Training positions, with their counts in one list.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    samples: Vec<Sample>,
    counts: Vec<Count>,
}

/// A sample with its counts.
#[derive(Clone, Copy, Debug)]
pub struct SampleView<'a> {
    pub sample: &'a Sample,
    pub worth: &'a [Count],
    /// The danger to White's king, to Black's.
    pub danger: [&'a [Count]; 2],
}

impl Samples {
    /// Adds the positions of a game that are for training, up to the first move that is illegal. Returns
    /// that move.
    ///
    /// # Errors
    /// If the FEN of the game's first position is bad.
    pub fn add_game<V: Variant>(
        &mut self,
        evaluator: &Classic<V>,
        game: &StoredGame,
    ) -> Result<Option<IllegalMove>, FenError> {
        let result = match game.winner {
            Some(Color::White) => 1.0,
            None => 0.5,
            Some(Color::Black) => 0.0,
        };
        Selection::default().visit(game, |pos, _, best| {
            self.add(&evaluator.trace(pos), best.score, result);
        })
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

    pub fn get(&self, index: usize) -> SampleView<'_> {
        let start = match index {
            0 => 0,
            _ => self.samples[index - 1].ends[2],
        };
        let sample = &self.samples[index];
        let [worth, white, black] = sample.ends;
        SampleView {
            sample,
            worth: &self.counts[start..worth],
            danger: [&self.counts[worth..white], &self.counts[white..black]],
        }
    }
}
