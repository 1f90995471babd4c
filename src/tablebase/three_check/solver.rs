//! Retrograde analysis of one ending: the value of every position with every number of checks.
//!
//! The checks left to give split an ending into layers. A check leads to a layer with fewer checks
//! left, a capture or a promotion to another ending, so both have known values when a layer is
//! solved. The other moves stay in the layer. Each position starts with the values of its moves out
//! of the layer and with the number of its moves within it. Then the positions are settled in order
//! of their distance to the end, and each takes back the moves that lead to it: a lost position makes
//! all positions before it won, and a position whose moves have all turned out to lose is lost.

use crate::types::Color;

use super::ending::Ending;
use super::index::Index;
use super::men::{Men, MoveEffect};
use super::value::{Choices, Code};

/// The values of positions with fewer men, or after a promotion.
pub trait SubTables {
    /// The value for the side to move; `None` if there is no table.
    fn code(&self, men: &Men, side: Color, left: [u8; 2]) -> Option<Code>;
}

/// The values of an ending: by layer, side to move and index.
pub struct Solved {
    pub index: Index,
    pub layers: Vec<Layer>,
}

/// The values of one layer by side to move, White first.
pub type Layer = [Vec<u8>; 2];

/// Why an ending could not be solved.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error("a table that this ending needs is missing or damaged")]
    MissingTable,
    #[error("a win takes more than 253 plies: the format cannot hold it")]
    TooLong,
}

/// No number of moves within the layer: the position cannot be lost.
const NEVER_LOST: u8 = u8::MAX;

/// The greatest memory that [`solve`] takes, in bytes, without the tables that it reads.
pub fn memory_needed(ending: &Ending) -> usize {
    let index = Index::new(ending);
    // The values of all layers, and two bytes more for each position of one layer.
    2 * index.size() * (index.layers() + 2)
}

/// Solves an ending. `progress` is called with the number of layers done, out of
/// [`Index::layers`].
///
/// # Errors
/// If a table for the position after a capture or a promotion is missing, or if a win takes longer
/// than the format can hold.
pub fn solve(
    ending: &Ending,
    tables: &impl SubTables,
    mut progress: impl FnMut(usize),
) -> Result<Solved, SolveError> {
    let index = Index::new(ending);
    let mut solved = Solved { layers: Vec::with_capacity(index.layers()), index };
    for layer in 0..solved.index.layers() {
        let mut solver = LayerSolver::new(&solved, layer);
        solver.start(tables)?;
        solver.propagate()?;
        let values = solver.values;
        solved.layers.push(values);
        progress(layer + 1);
    }
    Ok(solved)
}

impl Solved {
    /// The longest win, in plies.
    pub fn longest(&self) -> u16 {
        let codes = self.layers.iter().flatten().flatten();
        codes
            .filter(|&&code| code != Code::ILLEGAL.0)
            .max()
            .map_or(0, |&code| u16::from(code).saturating_sub(1))
    }

    /// The number of wins, draws and losses of the side to move among the legal positions.
    pub fn counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for &code in self.layers.iter().flatten().flatten() {
            let code = Code(code);
            if code.is_win() {
                counts[0] += 1;
            } else if code.is_loss() {
                counts[2] += 1;
            } else if code == Code::DRAW {
                counts[1] += 1;
            }
        }
        counts
    }
}

/// Solves one layer.
struct LayerSolver<'a> {
    index: &'a Index,
    done: &'a [Layer],
    left: [u8; 2],
    values: Layer,
    /// By side to move and index: the moves within the layer that are not known to lose.
    open: Layer,
    /// By side to move and index: [`Choices::longest`] of the moves out of the layer.
    longest: Layer,
}

impl<'a> LayerSolver<'a> {
    fn new(solved: &'a Solved, layer: usize) -> LayerSolver<'a> {
        let zeros = || [vec![0; solved.index.size()], vec![0; solved.index.size()]];
        LayerSolver {
            index: &solved.index,
            done: &solved.layers,
            left: solved.index.left(layer),
            values: zeros(),
            open: zeros(),
            longest: zeros(),
        }
    }

    /// Gives every position the values of its moves out of the layer.
    fn start(&mut self, tables: &impl SubTables) -> Result<(), SolveError> {
        for us in Color::ALL {
            for number in 0..self.index.size() {
                self.start_position(us, number, tables)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn start_position(
        &mut self,
        us: Color,
        number: usize,
        tables: &impl SubTables,
    ) -> Result<(), SolveError> {
        let men = self.index.men(number).filter(|men| !men.is_in_check(!us));
        let Some(men) = men else {
            self.values[us.index()][number] = Code::ILLEGAL.0;
            self.open[us.index()][number] = NEVER_LOST;
            return Ok(());
        };
        let (choices, open) = out_of_layer(&men, us, self.left, |after, effect, left| {
            if effect == MoveEffect::OtherEnding {
                return tables.code(after, !us, left);
            }
            let values = &self.done[self.index.layer(left)][(!us).index()];
            Some(Code(values[self.index.of(after.squares)]))
        })
        .ok_or(SolveError::MissingTable)?;
        let (values, opens) = (&mut self.values[us.index()], &mut self.open[us.index()]);
        if open == 0 {
            let in_check = choices.is_empty() && men.is_in_check(us);
            values[number] = choices.value(in_check).0;
            opens[number] = NEVER_LOST;
        } else if choices.saves() {
            values[number] = choices.win().unwrap_or(Code::DRAW).0;
            opens[number] = NEVER_LOST;
        } else {
            opens[number] = open;
            self.longest[us.index()][number] = choices.longest();
        }
        Ok(())
    }

    /// Settles all positions in order of their distance to the end.
    fn propagate(&mut self) -> Result<(), SolveError> {
        let values = self.values.iter().flatten();
        let mut last = values.copied().filter(|&code| code != Code::ILLEGAL.0).max().unwrap_or(0);
        let mut code = 1;
        while code <= last {
            if code >= Code::GREATEST {
                return Err(SolveError::TooLong);
            }
            for side in Color::ALL {
                last = last.max(self.settle(side, code));
            }
            code += 1;
        }
        Ok(())
    }

    /// Takes back the moves that lead to the positions with this value. Returns the greatest code
    /// that a position has received.
    fn settle(&mut self, side: Color, code: u8) -> u8 {
        const CHUNK: usize = 64;
        let mut last = 0;
        for first in (0..self.index.size()).step_by(CHUNK) {
            // Most chunks hold no such value.
            if !self.values[side.index()][first..first + CHUNK].contains(&code) {
                continue;
            }
            for number in first..first + CHUNK {
                if self.values[side.index()][number] == code {
                    last = last.max(self.settle_position(side, number, Code(code)));
                }
            }
        }
        last
    }

    #[inline]
    fn settle_position(&mut self, side: Color, number: usize, code: Code) -> u8 {
        let Some(men) = self.index.men(number) else { return 0 };
        if men.is_in_check(side) {
            // The move that led here was a check, from another layer.
            return 0;
        }
        let mut last = 0;
        let values = &mut self.values[(!side).index()];
        let opens = &mut self.open[(!side).index()];
        let longest = &self.longest[(!side).index()];
        men.visit_retractions(!side, |before| {
            let before = self.index.of(before.squares);
            let (value, open) = (&mut values[before], &mut opens[before]);
            if code.is_loss() {
                // An illegal position is not a win, so it stays as it is.
                let present = Code(*value);
                if present == Code::DRAW || present.is_win() && present.0 > code.0 + 1 {
                    *value = code.0 + 1;
                    last = last.max(*value);
                }
            } else if *open != NEVER_LOST {
                *open -= 1;
                if *open == 0 {
                    *value = code.0.max(longest[before]) + 1;
                    last = last.max(*value);
                }
            }
        });
        last
    }
}

/// The values of the moves that leave a layer, and the number of the moves that stay in it. `code`
/// gives the value after a move: the men, what the move does, and the checks left. `None` if it is
/// not known.
#[inline(always)]
pub fn out_of_layer(
    men: &Men,
    us: Color,
    left: [u8; 2],
    mut code: impl FnMut(&Men, MoveEffect, [u8; 2]) -> Option<Code>,
) -> Option<(Choices, u8)> {
    let mut choices = Choices::default();
    let mut open = 0u8;
    let mut is_known = true;
    men.visit_moves(us, |after, effect, gives_check| {
        if !gives_check && effect == MoveEffect::None {
            open += 1;
            return;
        }
        let Some(left) = left_after(left, us, gives_check) else {
            return choices.add_third_check();
        };
        match code(after, effect, left) {
            Some(code) => choices.add(code),
            None => is_known = false,
        }
    });
    is_known.then_some((choices, open))
}

/// The checks left after a move of `us`; `None` after the third check.
#[inline(always)]
fn left_after(mut left: [u8; 2], us: Color, gives_check: bool) -> Option<[u8; 2]> {
    left[us.index()] -= u8::from(gives_check);
    (left[us.index()] > 0).then_some(left)
}

/// The value that a position must have by the values after its moves, from the same sources as
/// [`out_of_layer`]. `None` if one of them is not known.
pub fn value_by_moves(
    men: &Men,
    us: Color,
    left: [u8; 2],
    mut code: impl FnMut(&Men, [u8; 2]) -> Option<Code>,
) -> Option<Code> {
    let mut choices = Choices::default();
    let mut is_known = true;
    men.visit_moves(us, |after, _, gives_check| {
        let Some(left) = left_after(left, us, gives_check) else {
            return choices.add_third_check();
        };
        match code(after, left) {
            Some(code) => choices.add(code),
            None => is_known = false,
        }
    });
    is_known.then(|| choices.value(men.is_in_check(us)))
}
