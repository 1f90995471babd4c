//! The network with weights that are real numbers: its loss, the gradient of it, and how it grows.

use gradient::{Layout, Pass};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::parallel::in_parallel;
use crate::tuning::positions::{TrainingPosition, expected_points};
use trebuchet::eval::network::architecture::{ACTIVE, BOARD_INPUTS, Hidden, WEIGHT_ONE};
use trebuchet::eval::network::{MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT};

/// The gradient of the loss over some positions, and the loss.
#[derive(Clone, Debug)]
pub struct Gradient {
    pub weights: Vec<f32>,
    /// The sum of the squared errors.
    pub loss: f64,
}

impl Gradient {
    pub fn new(layout: Layout) -> Gradient {
        Gradient { weights: vec![0.0; layout.weights()], loss: 0.0 }
    }

    pub fn clear(&mut self) {
        self.weights.fill(0.0);
        self.loss = 0.0;
    }
}

/// A network of real numbers. A neuron that is fully active is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub hidden: Hidden,
    /// In the order of [`Layout`].
    pub weights: Vec<f32>,
}

impl Model {
    /// A model with small random weights; those of the men in hand are zero, because most games have none.
    pub fn random(hidden: Hidden, seed: u64) -> Model {
        let layout = Layout::of(hidden);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0.0; layout.weights()];
        // About 30 inputs are on, and all neurons feed the output.
        let mut fill = |weights: &mut [f32], most: f32| {
            weights.iter_mut().for_each(|weight| *weight = random.random_range(-most..most));
        };
        fill(&mut weights[..layout.input(BOARD_INPUTS)], 0.1);
        weights[layout.bias()..layout.own_level(0)].fill(0.2);
        fill(&mut weights[layout.output(0, 0)..layout.output_bias()], 0.1);
        Model { hidden, weights }
    }

    /// The same model with a larger hidden layer. The new neurons look at the inputs with small random
    /// weights, and count nothing in the outputs until they learn. `None` if it is not larger.
    pub fn grown(&self, hidden: Hidden, seed: u64) -> Option<Model> {
        if hidden <= self.hidden {
            return (hidden == self.hidden).then(|| self.clone());
        }
        let (old, new) = (Layout::of(self.hidden), Layout::of(hidden));
        let mut grown = Model::random(hidden, seed);
        grown.weights[new.output(0, 0)..].fill(0.0);
        // The last part is that of the outputs' biases, which is shorter than a row of both.
        let rows = grown.weights.chunks_mut(new.width).zip(self.weights.chunks(old.width));
        rows.for_each(|(new, old)| new[..old.len()].copy_from_slice(old));
        Some(grown)
    }

    pub fn layout(&self) -> Layout {
        Layout::of(self.hidden)
    }

    /// The output for a position, from the side to move.
    #[cfg(test)]
    pub fn output(&self, position: &TrainingPosition) -> f32 {
        Pass::new(self.layout()).forward(&self.weights, &position.inputs())
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
        let mut pass = Pass::new(self.layout());
        let mut sums = [0.0; N];
        for position in positions {
            let found = expected_points(pass.forward(&self.weights, &position.inputs()));
            for (sum, share) in sums.iter_mut().zip(result_shares) {
                *sum += f64::from(found - position.target(share)).powi(2);
            }
        }
        sums
    }

    /// Sets `gradients` to those of the loss over these positions, each thread to that of its own part.
    pub fn fill_gradients(
        &self,
        positions: &[TrainingPosition],
        result_share: f32,
        gradients: &mut [Gradient],
    ) {
        let part = positions.len().div_ceil(gradients.len()).max(1);
        // Fewer positions than threads: some have nothing to add.
        gradients.iter_mut().for_each(Gradient::clear);
        in_parallel(gradients.iter_mut().zip(positions.chunks(part)), |(gradient, positions)| {
            let mut pass = Pass::new(self.layout());
            for position in positions {
                let found = expected_points(pass.forward(&self.weights, &position.inputs()));
                let error = found - position.target(result_share);
                gradient.loss += f64::from(error * error);
                let slope = 2.0 * error * found * (1.0 - found);
                pass.backward(&self.weights, slope, &mut gradient.weights);
            }
        });
    }

    /// Are all weights numbers? With too great a step they grow beyond all limits.
    pub fn is_finite(&self) -> bool {
        self.weights.iter().all(|weight| weight.is_finite())
    }

    /// Draws every weight into the range that the network of whole numbers has.
    pub fn clip(&mut self) {
        let layout = self.layout();
        let input = f32::from(MAX_INPUT_WEIGHT) / ACTIVE as f32;
        let output = f32::from(MAX_OUTPUT_WEIGHT) / WEIGHT_ONE as f32;
        let (inputs, rest) = self.weights.split_at_mut(layout.output(0, 0));
        inputs.iter_mut().for_each(|weight| *weight = weight.clamp(-input, input));
        let outputs = &mut rest[..layout.output_bias() - layout.output(0, 0)];
        outputs.iter_mut().for_each(|weight| *weight = weight.clamp(-output, output));
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::tuning::datagen::store::StoredGame;
    use crate::tuning::positions::add_game;
    use crate::tuning::selection::Selection;
    use crate::tuning::selfplay::ScoredMove;
    use rand::seq::IndexedRandom;
    use trebuchet::board::Position;
    use trebuchet::types::Score;
    use trebuchet::variants::ThreeCheck;

    /// A share of the result in the targets.
    const SHARE: f32 = 0.3;

    /// Positions of random games, and their FENs.
    pub fn positions(count: usize) -> (Vec<TrainingPosition>, Vec<String>) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut positions, mut fens) = (Vec::new(), Vec::new());
        while positions.len() < count {
            let start = Position::<ThreeCheck>::start();
            let mut pos = start.clone();
            let mut moves = Vec::new();
            while pos.outcome().is_none() && moves.len() < 100 {
                let mv = *pos.legal_moves().sorted().choose(&mut random).unwrap();
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
    fn the_gradient_is_that_of_the_loss() {
        let (positions, _) = positions(300);
        for hidden in [Hidden::H128, Hidden::H384] {
            let mut model = Model::random(hidden, 9);
            let layout = model.layout();
            // Levels count, too.
            let levels = layout.own_level(0)..layout.output(0, 0);
            for (index, weight) in model.weights[levels].iter_mut().enumerate() {
                *weight = (index % 7) as f32 * 0.01;
            }
            let mut gradients = vec![Gradient::new(layout); 3];
            model.fill_gradients(&positions, SHARE, &mut gradients);
            let total = |index: usize| {
                gradients.iter().map(|part| f64::from(part.weights[index])).sum::<f64>()
            };
            let loss = |model: &Model| model.loss(&positions, [SHARE], 2)[0];
            let parts: f64 = gradients.iter().map(|part| part.loss).sum();
            assert!((parts - loss(&model)).abs() < 1e-3, "{parts}");
            let mut checked = 0;
            let inputs = (0..layout.bias()).step_by(layout.width * 39 + 7);
            let rest = layout.bias()..layout.weights();
            let biases = layout.output_bias()..layout.weights();
            for index in inputs.chain(rest.step_by(layout.width - 31)).chain(biases) {
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
    }

    #[test]
    fn a_grown_model_says_the_same_and_can_learn() {
        let (positions, _) = positions(100);
        let small = Model::random(Hidden::H128, 5);
        assert_eq!(small.grown(Hidden::H128, 1), Some(small.clone()));
        let large = small.grown(Hidden::H384, 1).unwrap();
        assert_eq!(large.grown(Hidden::H256, 1), None);
        for position in &positions {
            assert!((small.output(position) - large.output(position)).abs() < 1e-5);
        }
        // Many of the new neurons are active, so their output weights have a gradient.
        let mut gradients = [Gradient::new(large.layout())];
        large.fill_gradients(&positions, SHARE, &mut gradients);
        let new = &gradients[0].weights[large.layout().output(7, 0)..][128..384];
        assert!(new.iter().filter(|slope| slope.abs() > 1e-4).count() > 100);
    }
}
