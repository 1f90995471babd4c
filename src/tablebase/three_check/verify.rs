//! The verification of a finished table: the value of every position must follow from the values of the
//! positions after its moves.

use crate::types::Color;

use super::ThreeCheckTables;
use super::ending::Ending;
use super::solver::{SubTables, value_by_moves};

/// Why a table is wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    #[error("{0}: the table or one that it needs is missing or damaged")]
    Missing(Ending),
    #[error("{ending}: position {number} of layer {layer}, {side} to move, contradicts its moves")]
    Contradiction { ending: Ending, layer: usize, side: Color, number: usize },
    #[error("{0}: the counts or the longest win in the header are wrong")]
    Header(Ending),
}

/// Verifies every position of an ending. Returns the number of legal positions. `progress` is called
/// with the number of layers done.
///
/// # Errors
/// At the first position whose value does not follow from its moves, and if a table is missing.
pub fn verify(
    tables: &ThreeCheckTables,
    ending: &Ending,
    mut progress: impl FnMut(usize),
) -> Result<u64, VerifyError> {
    let missing = || VerifyError::Missing(ending.clone());
    let table = tables.table(ending).ok_or_else(missing)?;
    let index = table.index();
    let (mut counts, mut longest) = ([0; 3], 0);
    for layer in 0..index.layers() {
        let left = index.left(layer);
        for side in Color::ALL {
            for number in 0..index.size() {
                let men = index.men(number).filter(|men| !men.is_in_check(!side));
                let Some(men) = men else { continue };
                let found = table.code(men.squares, side, left).ok_or_else(missing)?;
                let expected =
                    value_by_moves(&men, side, left, |after, left| tables.code(after, !side, left));
                if expected.ok_or_else(missing)? != found {
                    let ending = ending.clone();
                    return Err(VerifyError::Contradiction { ending, layer, side, number });
                }
                let kind = if found.is_win() { 0 } else { 1 + usize::from(found.is_loss()) };
                counts[kind] += 1;
                longest = longest.max(u16::from(found.0.saturating_sub(1)));
            }
        }
        progress(layer + 1);
    }
    if counts != table.counts() || longest != table.longest() {
        return Err(VerifyError::Header(ending.clone()));
    }
    Ok(counts.iter().sum())
}
