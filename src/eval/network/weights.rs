//! The weights of a network, and the plain evaluation that everything else must agree with.

use std::ops::Range;

use super::architecture::{
    ACTIVE, BOARD_INPUTS, Block, Feature, Hidden, INPUTS, OUTPUTS, ROWS, SCALE, SideView,
    WEIGHT_ONE, output_for,
};
use super::kernels::Kernels;
use crate::board::{Hands, Position};
use crate::eval::rules::{EvalRules, MAX_RACE_LEVELS};
use crate::types::{Color, Piece, Score};

/// The weights of one network: rows of a number for each hidden neuron, and the biases of the outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    hidden: Hidden,
    /// The rows one after the other: the inputs, the bias, the biases by race levels (those of the own side,
    /// then of the other), and for each output the weights of the side to move and of the other side.
    blocks: Box<[Block]>,
    /// In units of 1 / ([`ACTIVE`] · [`WEIGHT_ONE`]).
    pub output_bias: [i32; OUTPUTS],
}

/// Where the kinds of rows begin.
const BIAS: usize = INPUTS;
const LEVELS: usize = BIAS + 1;
const OUTPUT: usize = LEVELS + ROWS;
/// How many rows there are.
pub const ALL_ROWS: usize = OUTPUT + 2 * OUTPUTS;
/// The rows for men in hand. They are zero in a network for a game without drops.
const HAND_ROWS: Range<usize> = BOARD_INPUTS..INPUTS;

/// The greatest output weight: times a fully active neuron it fits into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// The greatest sum of an output's positive weights, and of its negative ones without sign: times fully
/// active neurons it fits into 32 bits.
const MAX_OUTPUT_SUM: i32 = i32::MAX / (ACTIVE * ACTIVE);
/// The greatest weight of an input.
pub const MAX_INPUT_WEIGHT: i16 = 450;
/// The greatest weight of a bias. Two of them and the inputs of as many men as a game can have, 52, have a sum
/// that fits into 16 bits.
pub const MAX_BIAS: i16 = 2 * MAX_INPUT_WEIGHT;

impl Network {
    /// All weights are zero.
    pub fn zero(hidden: Hidden) -> Network {
        let blocks = vec![Block::ZERO; ALL_ROWS * hidden.blocks()].into_boxed_slice();
        Network { hidden, blocks, output_bias: [0; OUTPUTS] }
    }

    /// The size of the hidden layer.
    pub fn hidden(&self) -> Hidden {
        self.hidden
    }

    #[inline(always)]
    fn row_at(&self, index: usize) -> &[Block] {
        let width = self.hidden.blocks();
        &self.blocks[index * width..][..width]
    }

    /// The weights of an input.
    #[inline(always)]
    pub fn input(&self, input: usize) -> &[Block] {
        self.row_at(input)
    }

    pub fn bias(&self) -> &[Block] {
        self.row_at(BIAS)
    }

    /// The biases for the race levels of the own side and of the other.
    #[inline(always)]
    pub fn level_biases(&self, own: usize, other: usize) -> &[Block] {
        self.row_at(LEVELS + own * MAX_RACE_LEVELS + other)
    }

    /// The weights of an output for the side to move and for the other side.
    #[inline(always)]
    pub fn output(&self, output: usize) -> [&[Block]; 2] {
        [0, 1].map(|side| self.row_at(OUTPUT + 2 * output + side))
    }

    /// Does it see the men in hand?
    pub fn sees_hands(&self) -> bool {
        HAND_ROWS.flat_map(|row| self.row_at(row)).any(|&block| block != Block::ZERO)
    }

    /// The numbers of the rows in their order, with or without those for men in hand.
    pub fn numbers(&self, with_hands: bool) -> impl Iterator<Item = i16> {
        let rows = self.blocks.chunks(self.hidden.blocks()).enumerate();
        let rows = rows.filter(move |(row, _)| with_hands || !HAND_ROWS.contains(row));
        rows.flat_map(|(_, row)| row).flat_map(|block| block.0)
    }

    /// Replaces the numbers of the rows, with or without those for men in hand, as far as there are new ones.
    pub fn set_numbers(&mut self, with_hands: bool, numbers: impl IntoIterator<Item = i16>) {
        let rows = self.blocks.chunks_mut(self.hidden.blocks()).enumerate();
        let rows = rows.filter(move |(row, _)| with_hands || !HAND_ROWS.contains(row));
        let own = rows.flat_map(|(_, row)| row).flat_map(|block| &mut block.0);
        own.zip(numbers).for_each(|(own, number)| *own = number);
    }

    /// Do all sums fit into 16 and 32 bits?
    pub fn is_in_range(&self) -> bool {
        let numbers = |index: usize| self.row_at(index).iter().flat_map(|block| block.0);
        let is_small =
            |index: usize, most: i16| numbers(index).all(|number| (-most..=most).contains(&number));
        let is_sum_small = |output: usize, sign: i32| {
            let weights = [0, 1].into_iter().flat_map(|side| numbers(OUTPUT + 2 * output + side));
            weights.map(|weight| (sign * i32::from(weight)).max(0)).sum::<i32>() <= MAX_OUTPUT_SUM
        };
        (0..BIAS).all(|index| is_small(index, MAX_INPUT_WEIGHT))
            && (BIAS..OUTPUT).all(|index| is_small(index, MAX_BIAS))
            && (OUTPUT..ALL_ROWS).all(|index| is_small(index, MAX_OUTPUT_WEIGHT))
            && (0..OUTPUTS).all(|output| is_sum_small(output, 1) && is_sum_small(output, -1))
            && self.output_bias.iter().all(|bias| bias.unsigned_abs() <= 1 << 24)
    }

    /// The row of biases for a side.
    #[inline(always)]
    fn row<V: EvalRules>(&self, pos: &Position<V>, side: Color) -> &[Block] {
        if V::RACE_LEVELS == 1 {
            return self.level_biases(0, 0);
        }
        let [own, other] = [side, !side].map(|color| V::race_level(pos.state(), color));
        self.level_biases(own, other)
    }

    /// The hidden neurons of a side, computed anew.
    pub fn neurons<V: EvalRules>(&self, pos: &Position<V>, side: Color) -> Vec<Block> {
        let view = SideView::new(side, V::looks_from(side), pos.anchor(side));
        let mut neurons = self.bias().to_vec();
        let mut add = |feature: Feature| {
            for (block, weights) in neurons.iter_mut().zip(self.input(feature.input::<V>(view))) {
                for (sum, weight) in block.0.iter_mut().zip(weights.0) {
                    *sum += weight;
                }
            }
        };
        for color in Color::ALL {
            for (square, kind) in pos.all_pieces(color) {
                add(Feature::on_square(Piece::new(color, kind), square));
            }
            if let Some(hands) = V::hands(pos.state()).filter(|_| V::HAS_DROPS) {
                for kind in Hands::KINDS {
                    (0..hands.count(color, kind))
                        .for_each(|before| add(Feature::in_hand(color, kind, before)));
                }
            }
        }
        neurons
    }

    /// The score of a position from the side to move, by the neurons of White and Black.
    #[inline(always)]
    pub fn score<V: EvalRules>(
        &self,
        pos: &Position<V>,
        neurons: [&[Block]; 2],
        kernels: Kernels,
    ) -> Score {
        let us = pos.side_to_move();
        let output = output_for(pos.total_count());
        let sides = [neurons[us.index()], neurons[(!us).index()]];
        let rows = [self.row(pos, us), self.row(pos, !us)];
        let sum = kernels.output(sides, rows, self.output(output));
        // The sum and the bias fit into 32 bits, but not their product with the scale.
        let value = i64::from(sum / ACTIVE + self.output_bias[output]);
        let value = value * i64::from(SCALE) / i64::from(ACTIVE * WEIGHT_ONE);
        let limit = i64::from(Score::EVAL_LIMIT.value());
        Score::cp(value.clamp(-limit, limit) as i32)
    }

    /// The score of a position from the side to move, computed anew.
    pub fn evaluate<V: EvalRules>(&self, pos: &Position<V>) -> Score {
        let [white, black] = Color::ALL.map(|side| self.neurons(pos, side));
        self.score(pos, [&white, &black], Kernels::plain(self.hidden))
    }

    /// A network with small random weights, for tests.
    #[cfg(test)]
    pub fn random(hidden: Hidden, seed: u64) -> Network {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut network = Network::zero(hidden);
        let row = hidden.neurons();
        let numbers = (0..ALL_ROWS * row).map(|index| {
            let most = match index / row {
                0..BIAS => 60,
                BIAS..OUTPUT => 100,
                // The weights of many neurons must be smaller: see `MAX_OUTPUT_SUM`.
                _ => (MAX_OUTPUT_WEIGHT as usize * 128 / row) as i16,
            };
            random.random_range(-most..=most)
        });
        network.set_numbers(true, numbers);
        network.output_bias = [1000, -1000, 0, 5, 17, -300, 2000, 40];
        network
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::Standard;

    /// The greatest sums that a network may have are still right.
    #[test]
    fn sums_that_do_not_fit_are_out_of_range() {
        let pos = Position::<Standard>::start();
        for hidden in Hidden::ALL {
            let row = hidden.neurons();
            let of_weight = |weight: i16, bias: i32| {
                let mut network = Network::zero(hidden);
                let number = |index: usize| match index / row {
                    BIAS => 300,
                    OUTPUT.. => weight,
                    _ => 0,
                };
                network.set_numbers(true, (0..ALL_ROWS * row).map(number));
                network.output_bias = [bias; OUTPUTS];
                network
            };
            let most = (MAX_OUTPUT_SUM as usize / (2 * row)).min(127) as i16;
            for (sign, bias) in [(1, 1 << 24), (-1, -(1 << 24))] {
                let network = of_weight(sign * most, bias);
                assert!(network.is_in_range(), "{row}");
                let expected = Score::cp(i32::from(sign) * Score::EVAL_LIMIT.value());
                assert_eq!(network.evaluate(&pos), expected);
                assert!(!of_weight(sign * (most + 1), 0).is_in_range(), "{row}");
            }
        }
    }
}
