//! The arithmetic of the networks, on whole numbers, so that every processor finds the same results.
//!
//! Each function is compiled for each size of the hidden layer, and twice: for any processor, and for those
//! with AVX2. [`Kernels::best`] chooses when the program runs. The compiler makes the vector code from plain
//! loops. For WebAssembly with SIMD128 the choice is made at compile time, and the output is written by hand.

use super::architecture::{ACTIVE, BLOCK, Block, Hidden};

/// The functions for this processor and a size of the hidden layer.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    change: ChangeFn,
    output: OutputFn,
}

/// Takes a row to change, a source, rows to add, rows to remove.
type ChangeFn = fn(&mut [Block], &[Block], &[&[Block]], &[&[Block]]);
/// Takes the neurons of both sides, the rows of biases, and the weights.
type OutputFn = fn([&[Block]; 2], [&[Block]; 2], [&[Block]; 2]) -> i32;

impl Kernels {
    /// Those that every processor can run.
    pub const fn plain(hidden: Hidden) -> Kernels {
        const fn of<const N: usize>() -> Kernels {
            Kernels { change: change::<N>, output: output::<N> }
        }
        match hidden {
            Hidden::H128 => of::<128>(),
            Hidden::H256 => of::<256>(),
            Hidden::H384 => of::<384>(),
            Hidden::H512 => of::<512>(),
        }
    }

    /// The fastest ones that this processor can run.
    pub fn best(hidden: Hidden) -> Kernels {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return avx2::kernels(hidden);
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return simd128::kernels(hidden);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        Kernels::plain(hidden)
    }

    /// `target = source + added - removed`. One added and one or two removed are the fastest.
    #[inline(always)]
    pub fn change(
        self,
        target: &mut [Block],
        source: &[Block],
        added: &[&[Block]],
        removed: &[&[Block]],
    ) {
        (self.change)(target, source, added, removed);
    }

    /// The weighted sum of the active neurons of the side to move and of the other side, in units of
    /// 1 / ([`ACTIVE`]² · [`super::architecture::WEIGHT_ONE`]). A row of biases is added to each side
    /// first.
    #[inline(always)]
    pub fn output(self, sides: [&[Block]; 2], rows: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
        (self.output)(sides, rows, weights)
    }
}

/// A row as one array.
#[repr(C, align(64))]
struct Row<const N: usize>([i16; N]);

impl<const N: usize> Row<N> {
    #[inline(always)]
    fn of(blocks: &[Block]) -> &Row<N> {
        const { assert!(N.is_multiple_of(BLOCK)) }
        assert!(blocks.len() * BLOCK == N);
        // SAFETY: blocks are aligned as a row is, and they are its numbers without gaps.
        unsafe { &*blocks.as_ptr().cast() }
    }

    #[inline(always)]
    fn of_mut(blocks: &mut [Block]) -> &mut Row<N> {
        const { assert!(N.is_multiple_of(BLOCK)) }
        assert!(blocks.len() * BLOCK == N);
        // SAFETY: as above.
        unsafe { &mut *blocks.as_mut_ptr().cast() }
    }
}

#[inline(always)]
fn change<const N: usize>(
    target: &mut [Block],
    source: &[Block],
    added: &[&[Block]],
    removed: &[&[Block]],
) {
    let (target, source) = (Row::<N>::of_mut(target), Row::<N>::of(source));
    match (added, removed) {
        ([a], [r]) => {
            let (a, r) = (Row::<N>::of(a), Row::<N>::of(r));
            for i in 0..N {
                target.0[i] = source.0[i].wrapping_add(a.0[i]).wrapping_sub(r.0[i]);
            }
        }
        ([a], [r, s]) => {
            let (a, r, s) = (Row::<N>::of(a), Row::<N>::of(r), Row::<N>::of(s));
            for i in 0..N {
                target.0[i] =
                    source.0[i].wrapping_add(a.0[i]).wrapping_sub(r.0[i]).wrapping_sub(s.0[i]);
            }
        }
        _ => {
            target.0 = source.0;
            for row in added {
                let row = Row::<N>::of(row);
                for i in 0..N {
                    target.0[i] = target.0[i].wrapping_add(row.0[i]);
                }
            }
            for row in removed {
                let row = Row::<N>::of(row);
                for i in 0..N {
                    target.0[i] = target.0[i].wrapping_sub(row.0[i]);
                }
            }
        }
    }
}

#[inline(always)]
fn output<const N: usize>(
    sides: [&[Block]; 2],
    rows: [&[Block]; 2],
    weights: [&[Block]; 2],
) -> i32 {
    let mut sum = 0;
    for side in 0..2 {
        let (neurons, row) = (Row::<N>::of(sides[side]), Row::<N>::of(rows[side]));
        let weights = Row::<N>::of(weights[side]);
        for i in 0..N {
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
    use super::super::architecture::ACTIVE;
    use super::{Block, Hidden, Kernels, Row};

    pub const fn kernels(hidden: Hidden) -> Kernels {
        const fn of<const N: usize>() -> Kernels {
            Kernels { change: change::<N>, output: output::<N> }
        }
        match hidden {
            Hidden::H128 => of::<128>(),
            Hidden::H256 => of::<256>(),
            Hidden::H384 => of::<384>(),
            Hidden::H512 => of::<512>(),
        }
    }

    #[target_feature(enable = "avx2")]
    fn change_avx2<const N: usize>(
        target: &mut [Block],
        source: &[Block],
        added: &[&[Block]],
        removed: &[&[Block]],
    ) {
        super::change::<N>(target, source, added, removed);
    }

    /// As `super::output`, by the instruction that multiplies 16 pairs and adds neighbours. The compiler does not
    /// find it in a plain loop.
    #[target_feature(enable = "avx2")]
    fn output_avx2<const N: usize>(
        sides: [&[Block]; 2],
        rows: [&[Block]; 2],
        weights: [&[Block]; 2],
    ) -> i32 {
        use std::arch::x86_64::*;

        /// The numbers of a vector.
        const LANES: usize = 16;

        #[target_feature(enable = "avx2")]
        fn load<const N: usize>(row: &Row<N>, at: usize) -> __m256i {
            let lanes: &[i16] = &row.0[at..at + LANES];
            // SAFETY: a slice of 16 numbers has the size of a vector, and the load need not be aligned.
            unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
        }

        let (least, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(ACTIVE as i16));
        let mut sums = _mm256_setzero_si256();
        for side in 0..2 {
            let (neurons, row) = (Row::<N>::of(sides[side]), Row::<N>::of(rows[side]));
            let weights = Row::<N>::of(weights[side]);
            for at in (0..N).step_by(LANES) {
                let sum = _mm256_add_epi16(load(neurons, at), load(row, at));
                let active = _mm256_min_epi16(_mm256_max_epi16(sum, least), most);
                let weighted = _mm256_mullo_epi16(active, load(weights, at));
                sums = _mm256_add_epi32(sums, _mm256_madd_epi16(weighted, active));
            }
        }
        let halves =
            _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let pairs = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b01_00_11_10>(halves));
        _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32::<0b10_11_00_01>(pairs)))
    }

    fn change<const N: usize>(
        target: &mut [Block],
        source: &[Block],
        added: &[&[Block]],
        removed: &[&[Block]],
    ) {
        // SAFETY: `Kernels::best` hands this out only where the processor has AVX2.
        unsafe { change_avx2::<N>(target, source, added, removed) }
    }

    fn output<const N: usize>(
        sides: [&[Block]; 2],
        rows: [&[Block]; 2],
        weights: [&[Block]; 2],
    ) -> i32 {
        // SAFETY: as above.
        unsafe { output_avx2::<N>(sides, rows, weights) }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::*;

    use super::super::architecture::ACTIVE;
    use super::{Block, Hidden, Kernels, Row, change};

    /// The numbers of a vector.
    const LANES: usize = 8;

    pub const fn kernels(hidden: Hidden) -> Kernels {
        const fn of<const N: usize>() -> Kernels {
            Kernels { change: change::<N>, output: output::<N> }
        }
        match hidden {
            Hidden::H128 => of::<128>(),
            Hidden::H256 => of::<256>(),
            Hidden::H384 => of::<384>(),
            Hidden::H512 => of::<512>(),
        }
    }

    /// As `super::output`, by the instruction that multiplies 8 pairs and adds neighbours. The compiler does not
    /// find it in a plain loop.
    fn output<const N: usize>(
        sides: [&[Block]; 2],
        rows: [&[Block]; 2],
        weights: [&[Block]; 2],
    ) -> i32 {
        fn load<const N: usize>(row: &Row<N>, at: usize) -> v128 {
            let lanes: &[i16] = &row.0[at..at + LANES];
            // SAFETY: a slice of 8 numbers has the size of a vector, and the load need not be aligned.
            unsafe { v128_load(lanes.as_ptr().cast()) }
        }

        let (least, most) = (i16x8_splat(0), i16x8_splat(ACTIVE as i16));
        let mut sums = i32x4_splat(0);
        for side in 0..2 {
            let (neurons, row) = (Row::<N>::of(sides[side]), Row::<N>::of(rows[side]));
            let weights = Row::<N>::of(weights[side]);
            for at in (0..N).step_by(LANES) {
                let sum = i16x8_add(load(neurons, at), load(row, at));
                let active = i16x8_min(i16x8_max(sum, least), most);
                let weighted = i16x8_mul(active, load(weights, at));
                sums = i32x4_add(sums, i32x4_dot_i16x8(weighted, active));
            }
        }
        let lanes: [i32; 4] = [
            i32x4_extract_lane::<0>(sums),
            i32x4_extract_lane::<1>(sums),
            i32x4_extract_lane::<2>(sums),
            i32x4_extract_lane::<3>(sums),
        ];
        lanes.iter().sum()
    }
}
