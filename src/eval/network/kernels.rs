//! The arithmetic of the networks, on whole numbers, so that every processor finds the same results.
//!
//! Each function is compiled twice: for any processor, and for those with AVX2. [`Kernels::best`]
//! chooses when the program runs. The compiler makes the vector code from plain loops.

use super::architecture::{ACTIVE, HIDDEN, Neurons};

/// The functions for this processor.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    change: Change,
    output: Output,
}

type Change = fn(&mut Neurons, &Neurons, &[&Neurons], &[&Neurons]);
type Output = fn([&Neurons; 2], [&Neurons; 2], &[Neurons; 2]) -> i32;

impl Kernels {
    /// Those that every processor can run.
    pub const PLAIN: Kernels = Kernels { change, output };

    /// The fastest ones that this processor can run.
    pub fn best() -> Kernels {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return avx2::KERNELS;
        }
        Kernels::PLAIN
    }

    /// `target = source + added - removed`, for at most two of each.
    #[inline(always)]
    pub fn change(
        self,
        target: &mut Neurons,
        source: &Neurons,
        added: &[&Neurons],
        removed: &[&Neurons],
    ) {
        (self.change)(target, source, added, removed);
    }

    /// The weighted sum of the active neurons of the side to move and of the other side, in units of
    /// 1 / ([`ACTIVE`]² · [`super::architecture::WEIGHT_ONE`]). A row of biases is added to each side
    /// first.
    #[inline(always)]
    pub fn output(self, sides: [&Neurons; 2], rows: [&Neurons; 2], weights: &[Neurons; 2]) -> i32 {
        (self.output)(sides, rows, weights)
    }
}

#[inline(always)]
fn change(target: &mut Neurons, source: &Neurons, added: &[&Neurons], removed: &[&Neurons]) {
    match (added, removed) {
        ([a], [r]) => {
            for i in 0..HIDDEN {
                target.0[i] = source.0[i].wrapping_add(a.0[i]).wrapping_sub(r.0[i]);
            }
        }
        ([a], [r, s]) => {
            for i in 0..HIDDEN {
                target.0[i] =
                    source.0[i].wrapping_add(a.0[i]).wrapping_sub(r.0[i]).wrapping_sub(s.0[i]);
            }
        }
        _ => {
            *target = *source;
            for neurons in added {
                for i in 0..HIDDEN {
                    target.0[i] = target.0[i].wrapping_add(neurons.0[i]);
                }
            }
            for neurons in removed {
                for i in 0..HIDDEN {
                    target.0[i] = target.0[i].wrapping_sub(neurons.0[i]);
                }
            }
        }
    }
}

#[inline(always)]
fn output(sides: [&Neurons; 2], rows: [&Neurons; 2], weights: &[Neurons; 2]) -> i32 {
    let mut sum = 0;
    for side in 0..2 {
        let (neurons, row, weights) = (sides[side], rows[side], &weights[side]);
        for i in 0..HIDDEN {
            let active = neurons.0[i].wrapping_add(row.0[i]).clamp(0, ACTIVE as i16);
            // An output weight is at most 127, so this fits.
            let weighted = active.wrapping_mul(weights.0[i]);
            sum += i32::from(weighted) * i32::from(active);
        }
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Kernels, Neurons};

    pub const KERNELS: Kernels = Kernels { change, output };

    #[target_feature(enable = "avx2")]
    fn change_avx2(
        target: &mut Neurons,
        source: &Neurons,
        added: &[&Neurons],
        removed: &[&Neurons],
    ) {
        super::change(target, source, added, removed);
    }

    #[target_feature(enable = "avx2")]
    fn output_avx2(sides: [&Neurons; 2], rows: [&Neurons; 2], weights: &[Neurons; 2]) -> i32 {
        super::output(sides, rows, weights)
    }

    fn change(target: &mut Neurons, source: &Neurons, added: &[&Neurons], removed: &[&Neurons]) {
        // SAFETY: `Kernels::best` hands this out only where the processor has AVX2.
        unsafe { change_avx2(target, source, added, removed) }
    }

    fn output(sides: [&Neurons; 2], rows: [&Neurons; 2], weights: &[Neurons; 2]) -> i32 {
        // SAFETY: as above.
        unsafe { output_avx2(sides, rows, weights) }
    }
}
