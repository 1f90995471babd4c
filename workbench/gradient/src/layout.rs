//! Where the weights of a network of real numbers stand.

use trebuchet::eval::MAX_RACE_LEVELS;
use trebuchet::eval::network::architecture::{Hidden, INPUTS, OUTPUTS};

/// The order of all weights: rows of one weight for each hidden neuron, and at the end the biases of the
/// outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The weights of a row.
    pub width: usize,
}

/// Where the kinds of rows begin.
const BIAS: usize = INPUTS;
const LEVELS: usize = BIAS + 1;
const OUTPUT: usize = LEVELS + 2 * MAX_RACE_LEVELS;
const ROWS: usize = OUTPUT + 2 * OUTPUTS;

/// Each function says where a row begins.
impl Layout {
    pub const fn of(hidden: Hidden) -> Layout {
        Layout { width: hidden.neurons() }
    }

    #[inline(always)]
    pub const fn input(self, input: usize) -> usize {
        input * self.width
    }

    #[inline(always)]
    pub const fn bias(self) -> usize {
        BIAS * self.width
    }

    /// The row of a race level of the own side.
    #[inline(always)]
    pub const fn own_level(self, level: usize) -> usize {
        (LEVELS + level) * self.width
    }

    /// The row of a race level of the other side.
    #[inline(always)]
    pub const fn other_level(self, level: usize) -> usize {
        (LEVELS + MAX_RACE_LEVELS + level) * self.width
    }

    /// The row of an output for the side to move, 0, or the other side, 1.
    #[inline(always)]
    pub const fn output(self, output: usize, side: usize) -> usize {
        (OUTPUT + 2 * output + side) * self.width
    }

    /// The biases of the outputs: no row, but one weight for each output.
    #[inline(always)]
    pub const fn output_bias(self) -> usize {
        ROWS * self.width
    }

    /// The number of all weights.
    pub const fn weights(self) -> usize {
        self.output_bias() + OUTPUTS
    }
}
