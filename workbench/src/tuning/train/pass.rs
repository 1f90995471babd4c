//! A position on its way through the network of real numbers, forwards and back.

use super::layout::Layout;
use crate::tuning::positions::{MEN, TrainingPosition, expected_points};

/// The slopes of the loss over some positions, and its sum.
#[derive(Clone, Debug)]
pub struct Slopes {
    pub weights: Vec<f32>,
    /// The sum of the squared errors.
    pub loss: f64,
}

impl Slopes {
    pub fn new(layout: Layout) -> Slopes {
        Slopes { weights: vec![0.0; layout.weights()], loss: 0.0 }
    }

    pub fn clear(&mut self) {
        self.weights.fill(0.0);
        self.loss = 0.0;
    }
}

/// So many sums are kept side by side, for the vector instructions.
const LANES: usize = 16;
/// So many neurons are summed at a time that they fit into the registers.
const BLOCK: usize = 64;

/// The numbers of one position on its way through the network.
pub struct Pass {
    layout: Layout,
    /// The sums of the side to move and of the other side, before they are clipped and squared.
    sums: [Vec<f32>; 2],
    /// The slopes of the sums of one side.
    down: Vec<f32>,
    /// Where the rows begin that are added to each side.
    rows: [[usize; MEN + 2]; 2],
    row_count: usize,
    output: usize,
}

impl Pass {
    pub fn new(layout: Layout) -> Pass {
        let row = || vec![0.0; layout.width];
        let sums = [row(), row()];
        Pass { layout, sums, down: row(), rows: [[0; MEN + 2]; 2], row_count: 0, output: 0 }
    }

    /// The output for a position.
    #[inline(always)]
    pub fn forward(&mut self, weights: &[f32], position: &TrainingPosition) -> f32 {
        let layout = self.layout;
        let inputs = position.inputs();
        let levels = position.levels();
        self.output = inputs.output;
        self.row_count = inputs.count + 2;
        let mut out = weights[layout.output_bias() + inputs.output];
        for side in 0..2 {
            let rows = &mut self.rows[side];
            for (row, &input) in rows.iter_mut().zip(&inputs.sides[side][..inputs.count]) {
                *row = layout.input(input.into());
            }
            rows[inputs.count] = layout.own_level(levels[side]);
            rows[inputs.count + 1] = layout.other_level(levels[1 - side]);
            let sums = &mut self.sums[side];
            for part in (0..layout.width).step_by(BLOCK) {
                let block = |start: usize| -> &[f32; BLOCK] {
                    weights[start + part..].first_chunk().expect("rows are whole blocks")
                };
                let mut total = *block(layout.bias());
                // Four rows at a time: the compiler stores the total after each step.
                let (fours, rest) = rows[..self.row_count].as_chunks::<4>();
                for &[a, b, c, d] in fours {
                    let (a, b, c, d) = (block(a), block(b), block(c), block(d));
                    for i in 0..BLOCK {
                        total[i] += (a[i] + b[i]) + (c[i] + d[i]);
                    }
                }
                for &row in rest {
                    let row = block(row);
                    for i in 0..BLOCK {
                        total[i] += row[i];
                    }
                }
                sums[part..part + BLOCK].copy_from_slice(&total);
            }
            let row = &weights[layout.output(inputs.output, side)..][..layout.width];
            let mut parts = [0.0; LANES];
            let lanes = sums.as_chunks::<LANES>().0.iter().zip(row.as_chunks::<LANES>().0);
            for (sums, row) in lanes {
                for i in 0..LANES {
                    let active = sums[i].clamp(0.0, 1.0);
                    parts[i] += active * active * row[i];
                }
            }
            out += parts.iter().sum::<f32>();
        }
        out
    }

    /// Adds the slopes of this position; `slope` is that of the loss by the output.
    #[inline(always)]
    fn backward(&mut self, weights: &[f32], slope: f32, slopes: &mut [f32]) {
        let layout = self.layout;
        slopes[layout.output_bias() + self.output] += slope;
        for side in 0..2 {
            let start = layout.output(self.output, side);
            let row = &weights[start..][..layout.width];
            let own = slopes[start..][..layout.width].iter_mut().zip(&mut self.down);
            for ((own, down), (&sum, weight)) in own.zip(self.sums[side].iter().zip(row)) {
                let active = sum.clamp(0.0, 1.0);
                *own += slope * active * active;
                let is_open = sum > 0.0 && sum < 1.0;
                *down = if is_open { slope * weight * 2.0 * active } else { 0.0 };
            }
            for &start in self.rows[side][..self.row_count].iter().chain([&layout.bias()]) {
                for (slope, down) in slopes[start..][..layout.width].iter_mut().zip(&self.down) {
                    *slope += down;
                }
            }
        }
    }
}

#[inline(always)]
fn add_slopes_plain(
    weights: &[f32],
    pass: &mut Pass,
    positions: &[TrainingPosition],
    result_share: f32,
    slopes: &mut Slopes,
) {
    for position in positions {
        let found = expected_points(pass.forward(weights, position));
        let error = found - position.target(result_share);
        slopes.loss += f64::from(error * error);
        let slope = 2.0 * error * found * (1.0 - found);
        pass.backward(weights, slope, &mut slopes.weights);
    }
}

/// Adds the slopes of the loss over these positions, with the vector instructions that the processor has.
pub fn add_slopes(
    weights: &[f32],
    pass: &mut Pass,
    positions: &[TrainingPosition],
    result_share: f32,
    slopes: &mut Slopes,
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn with_avx2(
            weights: &[f32],
            pass: &mut Pass,
            positions: &[TrainingPosition],
            result_share: f32,
            slopes: &mut Slopes,
        ) {
            add_slopes_plain(weights, pass, positions, result_share, slopes);
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has both.
            return unsafe { with_avx2(weights, pass, positions, result_share, slopes) };
        }
    }
    add_slopes_plain(weights, pass, positions, result_share, slopes);
}
