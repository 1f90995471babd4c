//! Perft: how many lines of legal moves of a given length there are.

use crate::board::{Position, Rules};
use crate::types::{Depth, Move};

/// Counts the leaves at `depth` plies. The last ply is counted without making its moves.
pub fn perft<R: Rules>(pos: &mut Position<R>, depth: Depth) -> u64 {
    match depth {
        ..=0 => 1,
        1 => pos.count_legal_moves(),
        _ => sum_over_moves(pos, |pos| perft(pos, depth - 1)),
    }
}

/// As [`perft`], but every leaf is made and taken back.
pub fn perft_without_bulk<R: Rules>(pos: &mut Position<R>, depth: Depth) -> u64 {
    if depth <= 0 { 1 } else { sum_over_moves(pos, |pos| perft_without_bulk(pos, depth - 1)) }
}

/// The perft of each move.
pub fn divide<R: Rules>(pos: &mut Position<R>, depth: Depth) -> Vec<(Move, u64)> {
    let mut counts = Vec::new();
    for &mv in pos.legal_moves().iter() {
        pos.make_move(mv);
        counts.push((mv, perft(pos, depth - 1)));
        pos.unmake_move();
    }
    counts
}

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
