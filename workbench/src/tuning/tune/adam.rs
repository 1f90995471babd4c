//! Adam: descent along a noisy gradient, with one rate per value (Kingma and Ba 2014).

/// The running means for each value, for middle game and endgame.
pub struct Adam {
    first: Vec<[f32; 2]>,
    second: Vec<[f32; 2]>,
    steps: i32,
}

/// The decay of the mean of the gradient, and of the mean of its square.
const KEEP_FIRST: f32 = 0.9;
const KEEP_SECOND: f32 = 0.999;

impl Adam {
    pub fn new(count: usize) -> Adam {
        Adam { first: vec![[0.0; 2]; count], second: vec![[0.0; 2]; count], steps: 0 }
    }

    /// Moves the values against the gradient, each by at most about `rate`.
    pub fn step(&mut self, values: &mut [[f32; 2]], gradient: &[[f32; 2]], rate: f32) {
        self.steps += 1;
        let first_part = 1.0 - KEEP_FIRST.powi(self.steps);
        let second_part = 1.0 - KEEP_SECOND.powi(self.steps);
        for (index, (value, slope)) in values.iter_mut().zip(gradient).enumerate() {
            for half in 0..2 {
                let first = &mut self.first[index][half];
                let second = &mut self.second[index][half];
                *first += (1.0 - KEEP_FIRST) * (slope[half] - *first);
                *second += (1.0 - KEEP_SECOND) * (slope[half] * slope[half] - *second);
                let mean = *first / first_part;
                let spread = (*second / second_part).sqrt();
                value[half] -= rate * mean / (spread + 1e-10);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_a_minimum() {
        let mut values = vec![[50.0, -80.0]];
        let mut adam = Adam::new(1);
        for step in 0..2000 {
            let gradient = [[2.0 * (values[0][0] - 3.0), 0.01 * (values[0][1] - 4.0)]];
            adam.step(&mut values, &gradient, 1.0 - step as f32 / 2000.0);
        }
        assert!((values[0][0] - 3.0).abs() < 0.1 && (values[0][1] - 4.0).abs() < 0.1, "{values:?}");
    }
}
