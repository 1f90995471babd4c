//! How a network of real numbers becomes one of whole numbers, and back.

use super::model::Model;
use gradient::Layout;
use trebuchet::eval::MAX_RACE_LEVELS;
use trebuchet::eval::network::Network;
use trebuchet::eval::network::architecture::{ACTIVE, Block, INPUTS, OUTPUTS, WEIGHT_ONE};

impl Model {
    /// The weights of a network as real numbers. [`Model::round`] gives the network back, but the rows of
    /// biases may differ by two units, because each is a sum of two rounded parts.
    pub fn of_network(network: &Network) -> Model {
        let hidden = network.hidden();
        let layout = Layout::of(hidden);
        let mut weights = vec![0.0; layout.weights()];
        let mut fill = |start: usize, row: Vec<f32>, unit: i32| {
            for (weight, value) in weights[start..].iter_mut().zip(row) {
                *weight = value / unit as f32;
            }
        };
        for input in 0..INPUTS {
            fill(layout.input(input), numbers(network.input(input)), ACTIVE);
        }
        fill(layout.bias(), numbers(network.bias()), ACTIVE);
        // A row of biases is the sum of a part for the own level and one for the other side's. Only the sum
        // counts, so each has half of what both share: a part has half of the sum's range.
        let corner = numbers(network.level_biases(0, 0));
        let without_half = |row: Vec<f32>| -> Vec<f32> {
            row.iter().zip(&corner).map(|(value, corner)| value - corner / 2.0).collect()
        };
        for level in 0..MAX_RACE_LEVELS {
            let own = without_half(numbers(network.level_biases(level, 0)));
            fill(layout.own_level(level), own, ACTIVE);
            let other = without_half(numbers(network.level_biases(0, level)));
            fill(layout.other_level(level), other, ACTIVE);
        }
        for output in 0..OUTPUTS {
            for (side, row) in network.output(output).into_iter().enumerate() {
                fill(layout.output(output, side), numbers(row), WEIGHT_ONE);
            }
        }
        for (weight, &bias) in weights[layout.output_bias()..].iter_mut().zip(&network.output_bias)
        {
            *weight = bias as f32 / (ACTIVE * WEIGHT_ONE) as f32;
        }
        Model { hidden, weights }
    }

    /// The network of whole numbers.
    pub fn round(&self) -> Network {
        let layout = self.layout();
        let row = |start: usize| &self.weights[start..][..layout.width];
        let mut numbers = Vec::new();
        let mut add = |weights: &[f32], unit: i32| {
            numbers.extend(weights.iter().map(|weight| (weight * unit as f32).round() as i16));
        };
        add(&self.weights[..layout.own_level(0)], ACTIVE);
        for own in 0..MAX_RACE_LEVELS {
            for other in 0..MAX_RACE_LEVELS {
                let parts = row(layout.own_level(own)).iter().zip(row(layout.other_level(other)));
                let sums: Vec<f32> = parts.map(|(own, other)| own + other).collect();
                add(&sums, ACTIVE);
            }
        }
        add(&self.weights[layout.output(0, 0)..layout.output_bias()], WEIGHT_ONE);
        let mut network = Network::zero(self.hidden);
        network.set_numbers(true, numbers);
        let biases = &self.weights[layout.output_bias()..];
        for (bias, weight) in network.output_bias.iter_mut().zip(biases) {
            *bias = (weight * (ACTIVE * WEIGHT_ONE) as f32).round() as i32;
        }
        network
    }
}

/// The numbers of a row.
fn numbers(row: &[Block]) -> Vec<f32> {
    row.iter().flat_map(|block| block.0).map(f32::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::train::model::tests::positions;
    use trebuchet::board::Position;
    use trebuchet::eval::EvalRules;
    use trebuchet::eval::network;
    use trebuchet::eval::network::architecture::{Hidden, ROWS, SCALE};
    use trebuchet::variants::{Names, ThreeCheck};

    #[test]
    fn a_network_becomes_a_model_and_the_same_network_again() {
        for hidden in Hidden::ALL {
            let mut model = Model::random(hidden, 4);
            for (index, weight) in levels(&mut model).iter_mut().enumerate() {
                *weight = (index % 13) as f32 / ACTIVE as f32;
            }
            let network = model.round();
            assert!(Model::of_network(&network).round() == network);
        }
        let shipped = network::read(ThreeCheck::NETWORK.unwrap(), ThreeCheck::NAME).unwrap();
        let mut again = Model::of_network(&shipped);
        again.clip();
        let again = again.round();
        let width = shipped.hidden().neurons();
        let rows = |network: &Network| -> Vec<i16> { network.numbers(true).collect() };
        let (again, shipped) = (rows(&again), rows(&shipped));
        let levels = (INPUTS + 1) * width..(INPUTS + 1 + ROWS) * width;
        for (index, (again, shipped)) in again.iter().zip(&shipped).enumerate() {
            // A new row is made of three rounded rows, so it is two units off at most.
            let most = if levels.contains(&index) { 2 } else { 0 };
            assert!(again.abs_diff(*shipped) <= most, "{index}");
        }
    }

    /// The weights of the race levels.
    fn levels(model: &mut Model) -> &mut [f32] {
        let layout = model.layout();
        &mut model.weights[layout.own_level(0)..layout.output(0, 0)]
    }

    #[test]
    fn the_rounded_network_agrees_within_twenty_centipawns() {
        let (positions, fens) = positions(300);
        // The errors of more neurons add up to more.
        let mut model = Model::random(Hidden::H128, 3);
        for (index, weight) in levels(&mut model).iter_mut().enumerate() {
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
