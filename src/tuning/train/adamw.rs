//! AdamW: descent along a noisy gradient, with a rate of its own for every weight, and weights that
//! decay (Loshchilov and Hutter 2017).

/// The running means of every weight.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamW {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
    pub steps: u64,
}

/// The decay of the mean of the gradient, and of the mean of its square.
const KEEP_FIRST: f32 = 0.9;
const KEEP_SECOND: f32 = 0.999;
/// What a weight loses in a step, times the rate.
const DECAY: f32 = 0.01;

impl AdamW {
    pub fn new(count: usize) -> AdamW {
        AdamW { first: vec![0.0; count], second: vec![0.0; count], steps: 0 }
    }

    /// Moves the weights against the gradient, each by at most about `rate`.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let steps = self.steps.min(1_000_000) as i32;
        let first_part = 1.0 - KEEP_FIRST.powi(steps);
        let second_part = 1.0 - KEEP_SECOND.powi(steps);
        let means = self.first.iter_mut().zip(&mut self.second);
        for ((weight, slope), (first, second)) in weights.iter_mut().zip(gradient).zip(means) {
            *first += (1.0 - KEEP_FIRST) * (slope - *first);
            *second += (1.0 - KEEP_SECOND) * (slope * slope - *second);
            let spread = (*second / second_part).sqrt() + 1e-8;
            *weight -= rate * (*first / first_part / spread + DECAY * *weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_a_minimum_near_zero_cost() {
        let mut weights = [5.0, -8.0];
        let mut adam = AdamW::new(2);
        for step in 0..3000 {
            let gradient = [2.0 * (weights[0] - 3.0), 0.2 * (weights[1] - 1.0)];
            adam.step(&mut weights, &gradient, 0.02 * (1.0 - step as f32 / 3000.0));
        }
        // The decay draws a little towards zero.
        assert!((weights[0] - 3.0).abs() < 0.1 && (weights[1] - 1.0).abs() < 0.1, "{weights:?}");
    }
}
