//! A position on its way through the network of real numbers, forwards and back.

use crate::layout::Layout;

/// The most men of a game, on the board and in hand.
pub const MEN: usize = 52;

/// The inputs of a network for one position.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// For the side to move and the other side, the inputs that are on.
    pub sides: [[u16; MEN]; 2],
    /// How many there are for each side.
    pub count: usize,
    /// The race levels of the side to move and of the other.
    pub levels: [usize; 2],
    /// Which output counts.
    pub output: usize,
}

/// How many sums are kept side by side, for the vector instructions.
const LANES: usize = 16;
/// How many neurons are summed at a time: they fit into the registers.
const BLOCK: usize = 64;

/// The numbers of one position on its way through the network.
pub struct Pass {
    layout: Layout,
    /// The sums of the side to move and of the other side, before they are clipped and squared.
    sums: [Vec<f32>; 2],
    /// The derivatives of the loss by the sums of one side.
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
    pub fn forward(&mut self, weights: &[f32], inputs: &Inputs) -> f32 {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,fma")]
            fn with_avx2(pass: &mut Pass, weights: &[f32], inputs: &Inputs) -> f32 {
                pass.forward_plain(weights, inputs)
            }
            if has_avx2() {
                // SAFETY: the processor has AVX2 and FMA.
                return unsafe { with_avx2(self, weights, inputs) };
            }
        }
        self.forward_plain(weights, inputs)
    }

    /// Adds the gradient of the position that has come last; `slope` is the derivative of the loss by the output.
    pub fn backward(&mut self, weights: &[f32], slope: f32, gradient: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,fma")]
            fn with_avx2(pass: &mut Pass, weights: &[f32], slope: f32, gradient: &mut [f32]) {
                pass.backward_plain(weights, slope, gradient);
            }
            if has_avx2() {
                // SAFETY: the processor has AVX2 and FMA.
                return unsafe { with_avx2(self, weights, slope, gradient) };
            }
        }
        self.backward_plain(weights, slope, gradient);
    }

    #[inline(always)]
    fn forward_plain(&mut self, weights: &[f32], inputs: &Inputs) -> f32 {
        let layout = self.layout;
        self.output = inputs.output;
        self.row_count = inputs.count + 2;
        let mut out = weights[layout.output_bias() + inputs.output];
        for side in 0..2 {
            let rows = &mut self.rows[side];
            for (row, &input) in rows.iter_mut().zip(&inputs.sides[side][..inputs.count]) {
                *row = layout.input(input.into());
            }
            rows[inputs.count] = layout.own_level(inputs.levels[side]);
            rows[inputs.count + 1] = layout.other_level(inputs.levels[1 - side]);
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

    #[inline(always)]
    fn backward_plain(&mut self, weights: &[f32], slope: f32, gradient: &mut [f32]) {
        let layout = self.layout;
        gradient[layout.output_bias() + self.output] += slope;
        for side in 0..2 {
            let start = layout.output(self.output, side);
            let row = &weights[start..][..layout.width];
            let own = gradient[start..][..layout.width].iter_mut().zip(&mut self.down);
            for ((own, down), (&sum, weight)) in own.zip(self.sums[side].iter().zip(row)) {
                let active = sum.clamp(0.0, 1.0);
                *own += slope * active * active;
                let is_open = sum > 0.0 && sum < 1.0;
                *down = if is_open { slope * weight * 2.0 * active } else { 0.0 };
            }
            for &start in self.rows[side][..self.row_count].iter().chain([&layout.bias()]) {
                for (slope, down) in gradient[start..][..layout.width].iter_mut().zip(&self.down) {
                    *slope += down;
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}
