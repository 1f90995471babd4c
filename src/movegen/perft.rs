//! Perft: counts the leaves of the tree of legal moves.

use crate::board::{Position, Rules};
use crate::types::{Depth, Move};

/// The number of leaves at `depth` plies. The moves of the last ply are counted and not made (bulk
/// counting).
pub fn perft<R: Rules>(pos: &mut Position<R>, depth: Depth) -> u64 {
    match depth {
        ..=0 => 1,
        1 => pos.count_legal_moves(),
        _ => sum_over_moves(pos, |pos| perft(pos, depth - 1)),
    }
}

/// As [`perft`], but also makes and unmakes the moves of the last ply.
pub fn perft_without_bulk<R: Rules>(pos: &mut Position<R>, depth: Depth) -> u64 {
    if depth <= 0 { 1 } else { sum_over_moves(pos, |pos| perft_without_bulk(pos, depth - 1)) }
}

/// The perft of each legal move, for a tree of `depth` plies; `depth` is at least 1.
pub fn divide<R: Rules>(pos: &mut Position<R>, depth: Depth) -> Vec<(Move, u64)> {
    let mut counts = Vec::new();
    for &mv in pos.legal_moves().iter() {
        pos.make_move(mv);
        counts.push((mv, perft(pos, depth - 1)));
        pos.unmake_move();
    }
    counts
}

/// Makes each legal move, counts, and adds up.
#[inline(always)]
fn sum_over_moves<R: Rules>(
    pos: &mut Position<R>,
    mut count: impl FnMut(&mut Position<R>) -> u64,
) -> u64 {
    let mut nodes = 0;
    for &mv in pos.legal_moves().iter() {
        pos.make_move(mv);
        nodes += count(pos);
        pos.unmake_move();
    }
    nodes
}
