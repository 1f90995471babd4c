//! The weights of a network, and the plain evaluation that everything else must agree with.

use super::architecture::{
    ACTIVE, HIDDEN, INPUTS, Neurons, OUTPUTS, PieceSquare, ROWS, SCALE, SideView, WEIGHT_ONE,
    output_for,
};
use super::kernels::Kernels;
use crate::board::Position;
use crate::eval::rules::{EvalRules, MAX_RACE_LEVELS};
use crate::types::{Color, Piece, Score};

/// The weights of one network.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Network {
    pub inputs: [Neurons; INPUTS],
    pub bias: Neurons,
    /// Biases by race levels: those of the own side, then of the other.
    pub rows: [Neurons; ROWS],
    /// The weights of the side to move and of the other side, for each output.
    pub outputs: [[Neurons; 2]; OUTPUTS],
    /// In units of 1 / ([`ACTIVE`] · [`WEIGHT_ONE`]).
    pub output_bias: [i32; OUTPUTS],
}

/// The greatest output weight: times a fully active neuron it fits into 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// The greatest weight of an input or a bias. The sum over 32 pieces, the bias and a row fits into 16
/// bits.
pub const MAX_WEIGHT: i16 = 900;

impl Network {
    /// All weights are zero.
    pub fn zero() -> Box<Network> {
        let mut network = Box::<Network>::new_uninit();
        // SAFETY: zero bytes are valid for every field.
        unsafe {
            network.as_mut_ptr().write_bytes(0, 1);
            network.assume_init()
        }
    }

    /// Do all sums fit into 16 and 32 bits?
    pub fn is_in_range(&self) -> bool {
        let is_small = |row: &Neurons, most: i16| row.0.iter().all(|value| value.abs() <= most);
        self.inputs
            .iter()
            .chain([&self.bias])
            .chain(&self.rows)
            .all(|row| is_small(row, MAX_WEIGHT))
            && self.outputs.iter().flatten().all(|row| is_small(row, MAX_OUTPUT_WEIGHT))
            && self.output_bias.iter().all(|bias| bias.abs() <= 1 << 24)
    }

    /// The row of biases for a side.
    #[inline(always)]
    pub fn row<V: EvalRules>(&self, pos: &Position<V>, side: Color) -> &Neurons {
        if V::RACE_LEVELS == 1 {
            return &self.rows[0];
        }
        let [own, other] = [side, !side].map(|color| V::race_level(pos.state(), color));
        &self.rows[own * MAX_RACE_LEVELS + other]
    }

    /// The hidden neurons of a side, computed anew.
    pub fn neurons<V: EvalRules>(&self, pos: &Position<V>, side: Color) -> Neurons {
        let view = SideView::new(side, pos.anchor(side));
        let mut neurons = self.bias;
        for color in Color::ALL {
            for (square, kind) in pos.all_pieces(color) {
                let input = PieceSquare::new(Piece::new(color, kind), square).input(view);
                for i in 0..HIDDEN {
                    neurons.0[i] += self.inputs[input].0[i];
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
        neurons: [&Neurons; 2],
        kernels: Kernels,
    ) -> Score {
        let us = pos.side_to_move();
        let output = output_for(pos.total_count());
        let sides = [neurons[us.index()], neurons[(!us).index()]];
        let rows = [self.row(pos, us), self.row(pos, !us)];
        let sum = kernels.output(sides, rows, &self.outputs[output]);
        let value = (sum / ACTIVE + self.output_bias[output]) * SCALE / (ACTIVE * WEIGHT_ONE);
        let limit = Score::EVAL_LIMIT.value();
        Score::cp(value.clamp(-limit, limit))
    }

    /// The score of a position from the side to move, computed anew.
    pub fn evaluate<V: EvalRules>(&self, pos: &Position<V>) -> Score {
        let [white, black] = Color::ALL.map(|side| self.neurons(pos, side));
        self.score(pos, [&white, &black], Kernels::PLAIN)
    }

    /// A network with small random weights, for tests.
    #[cfg(test)]
    pub fn random(seed: u64) -> Box<Network> {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut network = Network::zero();
        let mut fill = |row: &mut Neurons, most: i16| {
            row.0.iter_mut().for_each(|value| *value = random.random_range(-most..=most));
        };
        network.inputs.iter_mut().for_each(|row| fill(row, 60));
        fill(&mut network.bias, 100);
        network.rows.iter_mut().for_each(|row| fill(row, 100));
        network.outputs.iter_mut().flatten().for_each(|row| fill(row, MAX_OUTPUT_WEIGHT));
        network.output_bias = [1000, -1000, 0, 5, 17, -300, 2000, 40];
        network
    }
}
