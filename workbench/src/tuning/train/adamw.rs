//! AdamW: the running means of every weight, and the steps on several threads.

use gradient::Descent;

use crate::parallel::in_parallel;

/// The running means of every weight.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamW {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
    pub steps: u64,
}

impl AdamW {
    pub fn new(count: usize) -> AdamW {
        AdamW { first: vec![0.0; count], second: vec![0.0; count], steps: 0 }
    }

    /// Moves the weights against the gradient, each by at most about `rate`. The threads share the
    /// weights.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, threads: usize) {
        self.steps += 1;
        let descent = Descent::new(self.steps, rate);
        let part = weights.len().div_ceil(threads).max(1);
        let means = self.first.chunks_mut(part).zip(self.second.chunks_mut(part));
        let parts = weights.chunks_mut(part).zip(gradient.chunks(part)).zip(means);
        in_parallel(parts, |((weights, gradient), (first, second))| {
            descent.step(weights, gradient, first, second);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimum(threads: usize) -> [f32; 2] {
        let mut weights = [5.0, -8.0];
        let mut adam = AdamW::new(2);
        for step in 0..3000 {
            let gradient = [2.0 * (weights[0] - 3.0), 0.2 * (weights[1] - 1.0)];
            adam.step(&mut weights, &gradient, 0.02 * (1.0 - step as f32 / 3000.0), threads);
        }
        weights
    }

    #[test]
    fn it_finds_a_minimum_near_zero_cost() {
        let weights = minimum(1);
        // The decay draws a little towards zero.
        assert!((weights[0] - 3.0).abs() < 0.1 && (weights[1] - 1.0).abs() < 0.1, "{weights:?}");
    }

    #[test]
    fn a_weight_without_gradient_loses_a_hundredth_times_the_rate() {
        let mut weights = [5.0, -8.0, 0.0];
        let mut adam = AdamW::new(3);
        adam.step(&mut weights, &[0.0; 3], 0.5, 1);
        for (weight, expected) in weights.into_iter().zip([4.975, -7.96, 0.0]) {
            assert!((weight - expected).abs() < 1e-5, "{weights:?}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        assert_eq!(minimum(1), minimum(2));
    }
}
