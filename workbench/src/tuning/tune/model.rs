//! The evaluation as a function of its weights, with its loss and gradient.

use std::ops::Range;

use super::samples::{Count, SampleView, Samples};
use crate::parallel::in_parallel;
use trebuchet::eval::classic::terms::VALUE_COUNT;
use trebuchet::eval::classic::{DANGER_DIVISOR, DANGER_LIMIT, Tapered, Weights};

/// The weights as fractions of centipawns, for the middle game and the endgame.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub values: Vec<[f32; 2]>,
}

/// What the scores should predict.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The score in centipawns that wins 73 % of the points: the unit of the logistic curve.
    pub unit: f32,
    /// The share of the game's result in the target; the rest is the search's score.
    pub result_share: f32,
}

impl Target {
    /// White's expected score in the target, 0 to 1.
    fn expected(&self, view: &SampleView) -> f32 {
        let by_score = self.curve(view.sample.score);
        self.result_share * view.sample.result + (1.0 - self.result_share) * by_score
    }

    fn curve(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-score / self.unit).exp())
    }

    /// The logistic loss of a score, less the least that is possible for this target.
    fn loss(&self, view: &SampleView, score: f32) -> f64 {
        let share = f64::from(self.expected(view));
        // -share ln(curve) - (1 - share) ln(1 - curve), in a form that no score saturates.
        let x = f64::from(score / self.unit);
        let cross = x.max(0.0) + (-x.abs()).exp().ln_1p() - share * x;
        let entropy = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
        cross - entropy(share) - entropy(1.0 - share)
    }
}

/// A score in centipawns from White's point of view, with what its gradient needs.
struct Prediction {
    score: f32,
    /// The slope of the score in the sum for the middle game, and for the endgame.
    slope: [f32; 2],
    /// The danger to White's king and to Black's, for middle game and endgame.
    danger: [[f32; 2]; 2],
}

impl Model {
    pub fn new(weights: &Weights) -> Model {
        let value = |place| {
            let value = weights.value(place);
            [value.middle() as f32, value.end() as f32]
        };
        Model { values: (0..VALUE_COUNT).map(value).collect() }
    }

    /// The nearest whole numbers.
    pub fn round(&self) -> Vec<Tapered> {
        let whole = |value: f32| value.round().clamp(-9999.0, 9999.0) as i32;
        self.values.iter().map(|[middle, end]| Tapered::new(whole(*middle), whole(*end))).collect()
    }

    fn sum(&self, counts: &[Count]) -> [f32; 2] {
        counts.iter().fold([0.0; 2], |[middle, end], count| {
            let value = self.values[usize::from(count.place)];
            let times = f32::from(count.times);
            [middle + times * value[0], end + times * value[1]]
        })
    }

    fn predict(&self, view: &SampleView) -> Prediction {
        let danger = view.danger.map(|counts| self.sum(counts));
        let worth = self.sum(view.worth);
        let middle_share = view.sample.middle_share;
        let total = |half: usize| worth[half] - penalty(danger[0][half]) + penalty(danger[1][half]);
        let score = total(0) * middle_share + total(1) * (1.0 - middle_share);
        let scale = view.sample.scale[usize::from(score < 0.0)];
        let slope = [scale * middle_share, scale * (1.0 - middle_share)];
        Prediction { score: score * scale, slope, danger }
    }

    /// The mean loss over these samples.
    pub fn loss(&self, samples: &Samples, target: Target, threads: usize) -> f64 {
        let sums = in_parts(samples.len(), threads, |range| {
            let loss = |index| {
                let view = samples.get(index);
                target.loss(&view, self.predict(&view).score)
            };
            range.map(loss).sum::<f64>()
        });
        sums.into_iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The unit for which the present scores predict the results best.
    pub fn fit_unit(&self, samples: &Samples, threads: usize) -> f32 {
        let loss = |unit: f32| self.loss(samples, Target { unit, result_share: 1.0 }, threads);
        // Golden section on a logarithmic scale: the loss has one valley.
        let ratio = (5f32.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (50f32.ln(), 2000f32.ln());
        let mut inner = [high - ratio * (high - low), low + ratio * (high - low)];
        let mut losses = inner.map(|at| loss(at.exp()));
        while high - low > 0.005 {
            if losses[0] < losses[1] {
                high = inner[1];
                inner = [high - ratio * (high - low), inner[0]];
                losses = [loss(inner[0].exp()), losses[0]];
            } else {
                low = inner[0];
                inner = [inner[1], low + ratio * (high - low)];
                losses = [losses[1], loss(inner[1].exp())];
            }
        }
        ((low + high) / 2.0).exp()
    }

    /// The gradient of the mean loss over a batch of the samples.
    pub fn gradient(
        &self,
        samples: &Samples,
        batch: &[u32],
        target: Target,
        threads: usize,
    ) -> Vec<[f32; 2]> {
        let parts = in_parts(batch.len(), threads, |range| {
            let mut gradient = vec![[0.0; 2]; VALUE_COUNT];
            for &index in &batch[range] {
                self.add_gradient(&samples.get(index as usize), target, &mut gradient);
            }
            gradient
        });
        let mut total = vec![[0.0; 2]; VALUE_COUNT];
        for part in parts {
            for (sum, slope) in total.iter_mut().zip(part) {
                sum[0] += slope[0] / batch.len() as f32;
                sum[1] += slope[1] / batch.len() as f32;
            }
        }
        total
    }

    fn add_gradient(&self, view: &SampleView, target: Target, gradient: &mut [[f32; 2]]) {
        let prediction = self.predict(view);
        // Per centipawn; the unit makes it a slope of the logistic loss.
        let error = (target.curve(prediction.score) - target.expected(view)) / target.unit;
        let slope = prediction.slope.map(|slope| slope * error);
        let mut add = |counts: &[Count], slope: [f32; 2]| {
            for count in counts {
                let times = f32::from(count.times);
                let sum = &mut gradient[usize::from(count.place)];
                sum[0] += times * slope[0];
                sum[1] += times * slope[1];
            }
        };
        add(view.worth, slope);
        for (sign, color) in [(-1.0, 0), (1.0, 1)] {
            let danger = prediction.danger[color];
            let steep = |half: usize| sign * slope[half] * penalty_slope(danger[half]);
            add(view.danger[color], [steep(0), steep(1)]);
        }
    }
}

/// The penalty of the evaluation, without rounding.
fn penalty(danger: f32) -> f32 {
    let danger = danger.clamp(0.0, DANGER_LIMIT as f32);
    danger * danger / DANGER_DIVISOR as f32
}

fn penalty_slope(danger: f32) -> f32 {
    if (0.0..DANGER_LIMIT as f32).contains(&danger) {
        2.0 * danger / DANGER_DIVISOR as f32
    } else {
        0.0
    }
}

/// Splits `0..count` evenly and works on the parts in parallel.
fn in_parts<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let part = |number: usize| number * count / threads..(number + 1) * count / threads;
    in_parallel((0..threads).map(part), work)
}
