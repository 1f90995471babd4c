//! The network with weights that are real numbers: its scores, the slopes of its loss, how it is rounded,
//! and how it is made from a network of whole numbers again.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::tuning::parallel::in_parallel;
use crate::tuning::positions::{TrainingPosition, expected_points};
use trebuchet::eval::MAX_RACE_LEVELS;
use trebuchet::eval::network::architecture::{
    ACTIVE, HIDDEN, INPUTS, Neurons, OUTPUTS, WEIGHT_ONE,
};
use trebuchet::eval::network::{MAX_OUTPUT_WEIGHT, MAX_WEIGHT, Network};

/// Where the parts begin in the row of all weights. Each part has rows of [`HIDDEN`] weights, but for the
/// biases of the outputs at the end.
const BIAS: usize = INPUTS * HIDDEN;
/// For each race level of the own side, then of the other side.
const LEVELS: usize = BIAS + HIDDEN;
/// For each output: the weights of the side to move, then of the other side.
const OUTPUT: usize = LEVELS + 2 * MAX_RACE_LEVELS * HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + 2 * OUTPUTS * HIDDEN;
/// The number of all weights.
pub const WEIGHTS: usize = OUTPUT_BIAS + OUTPUTS;

/// A network of real numbers. A neuron that is fully active is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// In the order of the constants above.
    pub weights: Vec<f32>,
}

/// The slopes of the loss over some positions, and its sum.
#[derive(Clone, Debug)]
pub struct Slopes {
    pub weights: Vec<f32>,
    /// The sum of the squared errors.
    pub loss: f64,
}

impl Model {
    /// A model with small random weights.
    pub fn random(seed: u64) -> Model {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0.0; WEIGHTS];
        // About 30 inputs are on, and all neurons feed the output.
        let mut fill = |weights: &mut [f32], most: f32| {
            weights.iter_mut().for_each(|weight| *weight = random.random_range(-most..most));
        };
        fill(&mut weights[..BIAS], 0.1);
        weights[BIAS..LEVELS].fill(0.2);
        fill(&mut weights[OUTPUT..OUTPUT_BIAS], 0.1);
        Model { weights }
    }

    /// The weights of a network as real numbers. [`Model::round`] gives the network back, but the rows of
    /// biases may differ by two units, because each is a sum of two rounded parts.
    pub fn of_network(network: &Network) -> Model {
        let mut weights = vec![0.0; WEIGHTS];
        let mut fill = |start: usize, row: &[i16; HIDDEN], unit: i32| {
            for (weight, &value) in weights[start..].iter_mut().zip(row) {
                *weight = f32::from(value) / unit as f32;
            }
        };
        for (index, row) in network.inputs.iter().enumerate() {
            fill(index * HIDDEN, &row.0, ACTIVE);
        }
        fill(BIAS, &network.bias.0, ACTIVE);
        // A row of biases is the sum of a part for the own level and one for the other side's. Only the sum
        // counts, so the other side's first part is zero.
        let corner = &network.rows[0].0;
        for level in 0..MAX_RACE_LEVELS {
            let own = &network.rows[level * MAX_RACE_LEVELS].0;
            fill(LEVELS + level * HIDDEN, own, ACTIVE);
            let other = &network.rows[level].0;
            let other = std::array::from_fn(|index| other[index] - corner[index]);
            fill(LEVELS + (MAX_RACE_LEVELS + level) * HIDDEN, &other, ACTIVE);
        }
        for (index, row) in network.outputs.iter().flatten().enumerate() {
            fill(OUTPUT + index * HIDDEN, &row.0, WEIGHT_ONE);
        }
        for (weight, &bias) in weights[OUTPUT_BIAS..].iter_mut().zip(&network.output_bias) {
            *weight = bias as f32 / (ACTIVE * WEIGHT_ONE) as f32;
        }
        Model { weights }
    }

    /// The output for a position, from the side to move.
    #[cfg(test)]
    pub fn output(&self, position: &TrainingPosition) -> f32 {
        let mut pass = Pass::new();
        pass.forward(&self.weights, position)
    }

    /// The sums of the squared errors over these positions: one for each of these shares of the result in the
    /// targets.
    pub fn loss<const N: usize>(
        &self,
        positions: &[TrainingPosition],
        result_shares: [f32; N],
        threads: usize,
    ) -> [f64; N] {
        let part = positions.len().div_ceil(threads).max(1);
        let sums = in_parallel(positions.chunks(part), |chunk| self.loss_of(chunk, result_shares));
        std::array::from_fn(|index| sums.iter().map(|sums| sums[index]).sum())
    }

    fn loss_of<const N: usize>(
        &self,
        positions: &[TrainingPosition],
        result_shares: [f32; N],
    ) -> [f64; N] {
        let mut pass = Pass::new();
        let mut sums = [0.0; N];
        for position in positions {
            let found = expected_points(pass.forward(&self.weights, position));
            for (sum, share) in sums.iter_mut().zip(result_shares) {
                *sum += f64::from(found - position.target(share)).powi(2);
            }
        }
        sums
    }

    /// Sets `slopes` to the slopes of the loss over these positions, each thread its own part of them.
    pub fn add_slopes(
        &self,
        positions: &[TrainingPosition],
        result_share: f32,
        slopes: &mut [Slopes],
    ) {
        let part = positions.len().div_ceil(slopes.len()).max(1);
        in_parallel(slopes.iter_mut().zip(positions.chunks(part)), |(slopes, positions)| {
            slopes.weights.fill(0.0);
            slopes.loss = 0.0;
            add_slopes(&self.weights, positions, result_share, slopes);
        });
        // Fewer positions than threads: the others have nothing to add.
        for slopes in slopes.iter_mut().skip(positions.len().div_ceil(part)) {
            slopes.weights.fill(0.0);
            slopes.loss = 0.0;
        }
    }

    /// Draws every weight into the range that the network of whole numbers has.
    pub fn clip(&mut self) {
        let input = f32::from(MAX_WEIGHT) / ACTIVE as f32 / 2.0;
        let output = f32::from(MAX_OUTPUT_WEIGHT) / WEIGHT_ONE as f32;
        for weight in &mut self.weights[..OUTPUT] {
            *weight = weight.clamp(-input, input);
        }
        for weight in &mut self.weights[OUTPUT..OUTPUT_BIAS] {
            *weight = weight.clamp(-output, output);
        }
    }

    /// The network of whole numbers.
    pub fn round(&self) -> Box<Network> {
        let mut network = Network::zero();
        let row = |start: usize, unit: i32| {
            let mut neurons = Neurons::ZERO;
            for (value, weight) in neurons.0.iter_mut().zip(&self.weights[start..start + HIDDEN]) {
                *value = (weight * unit as f32).round() as i16;
            }
            neurons
        };
        for (index, neurons) in network.inputs.iter_mut().enumerate() {
            *neurons = row(index * HIDDEN, ACTIVE);
        }
        network.bias = row(BIAS, ACTIVE);
        for own in 0..MAX_RACE_LEVELS {
            for other in 0..MAX_RACE_LEVELS {
                let neurons = &mut network.rows[own * MAX_RACE_LEVELS + other];
                for (index, value) in neurons.0.iter_mut().enumerate() {
                    let weight = self.weights[LEVELS + own * HIDDEN + index]
                        + self.weights[LEVELS + (MAX_RACE_LEVELS + other) * HIDDEN + index];
                    *value = (weight * ACTIVE as f32).round() as i16;
                }
            }
        }
        for (output, sides) in network.outputs.iter_mut().enumerate() {
            for (side, neurons) in sides.iter_mut().enumerate() {
                *neurons = row(OUTPUT + (2 * output + side) * HIDDEN, WEIGHT_ONE);
            }
        }
        for (bias, weight) in network.output_bias.iter_mut().zip(&self.weights[OUTPUT_BIAS..]) {
            *bias = (weight * (ACTIVE * WEIGHT_ONE) as f32).round() as i32;
        }
        network
    }
}

impl Slopes {
    pub fn new() -> Slopes {
        Slopes { weights: vec![0.0; WEIGHTS], loss: 0.0 }
    }
}

/// So many sums are kept side by side, for the vector instructions.
const LANES: usize = 16;
/// So many neurons are summed at a time that they fit into the registers.
const BLOCK: usize = 64;

/// The numbers of one position on its way through the network.
struct Pass {
    /// The sums of the side to move and of the other side, before they are clipped and squared.
    sums: [[f32; HIDDEN]; 2],
    /// Where the rows begin that are added to each side.
    rows: [[usize; 34]; 2],
    row_count: usize,
    output: usize,
}

impl Pass {
    fn new() -> Pass {
        Pass { sums: [[0.0; HIDDEN]; 2], rows: [[0; 34]; 2], row_count: 0, output: 0 }
    }

    /// The output for a position.
    #[inline(always)]
    fn forward(&mut self, weights: &[f32], position: &TrainingPosition) -> f32 {
        let inputs = position.inputs();
        let levels = position.levels();
        self.output = inputs.output;
        self.row_count = inputs.count + 2;
        let mut out = weights[OUTPUT_BIAS + inputs.output];
        for side in 0..2 {
            let rows = &mut self.rows[side];
            for (row, &input) in rows.iter_mut().zip(&inputs.sides[side][..inputs.count]) {
                *row = usize::from(input) * HIDDEN;
            }
            rows[inputs.count] = LEVELS + levels[side] * HIDDEN;
            rows[inputs.count + 1] = LEVELS + (MAX_RACE_LEVELS + levels[1 - side]) * HIDDEN;
            let sums = &mut self.sums[side];
            for part in (0..HIDDEN).step_by(BLOCK) {
                let block = |start: usize| -> &[f32; BLOCK] {
                    weights[start + part..].first_chunk().expect("rows are whole blocks")
                };
                let mut total = *block(BIAS);
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
            let start = OUTPUT + (2 * inputs.output + side) * HIDDEN;
            let row = &weights[start..start + HIDDEN];
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
    fn backward(&self, weights: &[f32], slope: f32, slopes: &mut [f32]) {
        slopes[OUTPUT_BIAS + self.output] += slope;
        for side in 0..2 {
            let sums = &self.sums[side];
            let start = OUTPUT + (2 * self.output + side) * HIDDEN;
            let mut down = [0.0; HIDDEN];
            let row = &weights[start..start + HIDDEN];
            let own = &mut slopes[start..start + HIDDEN];
            for i in 0..HIDDEN {
                let active = sums[i].clamp(0.0, 1.0);
                own[i] += slope * active * active;
                let is_open = sums[i] > 0.0 && sums[i] < 1.0;
                down[i] = if is_open { slope * row[i] * 2.0 * active } else { 0.0 };
            }
            for start in self.rows[side][..self.row_count].iter().copied().chain([BIAS]) {
                let row = &mut slopes[start..start + HIDDEN];
                for i in 0..HIDDEN {
                    row[i] += down[i];
                }
            }
        }
    }
}

#[inline(always)]
fn add_slopes_plain(
    weights: &[f32],
    positions: &[TrainingPosition],
    result_share: f32,
    slopes: &mut Slopes,
) {
    let mut pass = Pass::new();
    for position in positions {
        let found = expected_points(pass.forward(weights, position));
        let error = found - position.target(result_share);
        slopes.loss += f64::from(error * error);
        let slope = 2.0 * error * found * (1.0 - found);
        pass.backward(weights, slope, &mut slopes.weights);
    }
}

/// Adds the slopes of the loss over these positions, with the vector instructions that the processor has.
fn add_slopes(
    weights: &[f32],
    positions: &[TrainingPosition],
    result_share: f32,
    slopes: &mut Slopes,
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn with_avx2(
            weights: &[f32],
            positions: &[TrainingPosition],
            result_share: f32,
            slopes: &mut Slopes,
        ) {
            add_slopes_plain(weights, positions, result_share, slopes);
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has both.
            return unsafe { with_avx2(weights, positions, result_share, slopes) };
        }
    }
    add_slopes_plain(weights, positions, result_share, slopes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::datagen::store::StoredGame;
    use crate::tuning::positions::add_game;
    use crate::tuning::selection::Selection;
    use crate::tuning::selfplay::ScoredMove;
    use rand::seq::IndexedRandom;
    use trebuchet::board::Position;
    use trebuchet::eval::EvalRules;
    use trebuchet::eval::network;
    use trebuchet::eval::network::architecture::SCALE;
    use trebuchet::types::Score;
    use trebuchet::variants::{Names, ThreeCheck};

    /// A share of the result in the targets.
    const SHARE: f32 = 0.3;

    /// Positions of random games, and their FENs.
    fn positions(count: usize) -> (Vec<TrainingPosition>, Vec<String>) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut positions, mut fens) = (Vec::new(), Vec::new());
        while positions.len() < count {
            let start = Position::<ThreeCheck>::start();
            let mut pos = start.clone();
            let mut moves = Vec::new();
            while pos.outcome().is_none() && moves.len() < 100 {
                let mv = *pos.legal_moves().choose(&mut random).unwrap();
                let score = Score::cp(random.random_range(-500..500));
                moves.push(ScoredMove { mv, score });
                let known = positions.len();
                let one = StoredGame {
                    number: 0,
                    fen: pos.fen(),
                    winner: None,
                    moves: vec![ScoredMove { mv, score }],
                };
                let selection = Selection::default();
                add_game::<ThreeCheck>(&mut positions, &one, selection, 0.5, |_, _| ()).unwrap();
                if positions.len() > known {
                    fens.push(pos.fen());
                }
                pos.make_move(mv);
            }
        }
        (positions, fens)
    }

    #[test]
    fn the_slopes_are_those_of_the_loss() {
        let (positions, _) = positions(300);
        let mut model = Model::random(9);
        // Levels count, too.
        for (index, weight) in model.weights[LEVELS..OUTPUT].iter_mut().enumerate() {
            *weight = (index % 7) as f32 * 0.01;
        }
        let mut slopes = vec![Slopes::new(); 3];
        model.add_slopes(&positions, SHARE, &mut slopes);
        let total =
            |index: usize| slopes.iter().map(|part| f64::from(part.weights[index])).sum::<f64>();
        let loss = |model: &Model| model.loss(&positions, [SHARE], 2)[0];
        let parts: f64 = slopes.iter().map(|part| part.loss).sum();
        assert!((parts - loss(&model)).abs() < 1e-3, "{parts}");
        let mut checked = 0;
        for index in (0..BIAS).step_by(4999).chain((BIAS..WEIGHTS).step_by(97)) {
            let moved = |by: f32| {
                let mut model = model.clone();
                model.weights[index] += by;
                loss(&model)
            };
            let expected = (moved(0.01) - moved(-0.01)) / 0.02;
            let found = total(index);
            assert!(
                (expected - found).abs() < 0.05 + 0.05 * expected.abs(),
                "{index}: {found} instead of {expected}"
            );
            checked += usize::from(expected.abs() > 0.1);
        }
        assert!(checked > 5, "{checked}");
    }

    #[test]
    fn a_network_becomes_a_model_and_the_same_network_again() {
        let mut model = Model::random(4);
        for (index, weight) in model.weights[LEVELS..OUTPUT].iter_mut().enumerate() {
            *weight = (index % 13) as f32 / ACTIVE as f32;
        }
        let network = model.round();
        assert!(Model::of_network(&network).round() == network);
        let shipped = network::read(ThreeCheck::NETWORK.unwrap(), ThreeCheck::NAME).unwrap();
        let again = Model::of_network(&shipped).round();
        assert!(again.inputs == shipped.inputs && again.outputs == shipped.outputs);
        // A new row is made of three rounded rows, so it is two units off at most.
        let rows = again.rows.iter().zip(&shipped.rows);
        let apart =
            |(a, b): (&Neurons, &Neurons)| a.0.iter().zip(&b.0).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(rows.map(apart).all(|most| most <= Some(2)));
    }

    #[test]
    fn the_rounded_network_agrees_within_twenty_centipawns() {
        let (positions, fens) = positions(300);
        let mut model = Model::random(3);
        for (index, weight) in model.weights[LEVELS..OUTPUT].iter_mut().enumerate() {
            *weight = (index % 11) as f32 * 0.02 - 0.1;
        }
        let network = model.round();
        assert!(network.is_in_range());
        let bytes = network::write(&network, ThreeCheck::NAME);
        let network = network::read(&bytes, ThreeCheck::NAME).unwrap();
        let mut sum = 0.0;
        for (position, fen) in positions.iter().zip(&fens) {
            let real = model.output(position) * SCALE as f32;
            let whole = network.evaluate(&Position::<ThreeCheck>::from_fen(fen).unwrap());
            let error = (real - whole.value() as f32).abs();
            assert!(error <= 20.0, "{fen}: {real} and {whole:?}");
            sum += error;
        }
        let mean = sum / positions.len() as f32;
        assert!(mean <= 6.0, "{mean}");
    }
}
