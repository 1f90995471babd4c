//! One step of AdamW: descent along a noisy gradient, with a rate of its own for every weight, and weights
//! that decay (Loshchilov and Hutter 2017).

/// The decay of the mean of the gradient, and of the mean of its square.
const KEEP_FIRST: f32 = 0.9;
const KEEP_SECOND: f32 = 0.999;
/// What a weight loses in a step, times the rate.
const DECAY: f32 = 0.01;

/// What all weights share in one step.
#[derive(Clone, Copy, Debug)]
pub struct Descent {
    rate: f32,
    /// How much of the running means is known: they begin at zero.
    first_part: f32,
    second_part: f32,
}

impl Descent {
    /// The step of this number, from 1, that moves a weight by at most about `rate`.
    pub fn new(steps: u64, rate: f32) -> Descent {
        let steps = steps.min(1_000_000) as i32;
        Descent {
            rate,
            first_part: 1.0 - KEEP_FIRST.powi(steps),
            second_part: 1.0 - KEEP_SECOND.powi(steps),
        }
    }

    /// Moves these weights against the gradient. `first` and `second` are the running means of the gradient
    /// and of its square.
    pub fn step(
        self,
        weights: &mut [f32],
        gradient: &[f32],
        first: &mut [f32],
        second: &mut [f32],
    ) {
        let means = first.iter_mut().zip(second);
        for ((weight, slope), (first, second)) in weights.iter_mut().zip(gradient).zip(means) {
            *first += (1.0 - KEEP_FIRST) * (slope - *first);
            *second += (1.0 - KEEP_SECOND) * (slope * slope - *second);
            let spread = (*second / self.second_part).sqrt() + 1e-8;
            *weight -= self.rate * (*first / self.first_part / spread + DECAY * *weight);
        }
    }
}
