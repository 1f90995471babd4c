//! The search stack: notes of the nodes on the line being searched, by ply, and the best lines.
//!
//! Allocated once per thread. It holds data only and knows no search.

use crate::types::{MAX_PLY, Move, Ply, Score};

use super::history::{PieceTo, PreviousMoves};

/// What a node notes for its children and for other nodes at its ply.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The corrected static evaluation; `None` where the answer is forced.
    pub eval: Option<Score>,
    /// The move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// The same move as piece and target.
    pub piece_to: Option<PieceTo>,
    /// The history of the move being searched; 0 for a null move.
    pub history: i32,
    /// By how much the move being searched is reduced, in 1/1024 of a ply.
    pub reduction: i32,
    /// By how many centipawns the correction history changes the evaluation.
    pub correction: i32,
    /// The last quiet move that caused a cutoff at this ply.
    pub killer: Option<Move>,
    /// The move that a singular search at this ply leaves out.
    pub excluded_move: Option<Move>,
    /// The number of nodes at this ply that have failed high since their parent was entered.
    pub cutoffs: u32,
    /// Was the position ever on the principal variation?
    pub was_pv: bool,
    /// The number of moves before this ply that were extended by two plies or more.
    pub double_extensions: u32,
}

/// A frame for each ply, and the best line found from each ply on.
pub struct Stack {
    frames: Vec<Frame>,
    lines: Vec<PvLine>,
}

/// The best line from a ply on.
#[derive(Clone, Copy)]
struct PvLine {
    len: usize,
    moves: [Option<Move>; MAX_PLY],
}

/// Frames before the root: a node reads frames up to seven plies before its own.
const ABOVE: usize = 7;
/// Frames beyond the longest line: a node writes to frames up to two plies after its own.
const BELOW: usize = 4;

impl Stack {
    pub fn new() -> Stack {
        Stack {
            frames: vec![Frame::default(); MAX_PLY + ABOVE + BELOW],
            lines: vec![PvLine { len: 0, moves: [None; MAX_PLY] }; MAX_PLY + 2],
        }
    }

    /// A new search begins. Lines need no clearing: each node with an open window clears its own.
    pub fn clear(&mut self) {
        self.frames.fill(Frame::default());
    }

    #[inline(always)]
    pub fn frame(&self, ply: Ply) -> &Frame {
        &self.frames[ply + ABOVE]
    }

    #[inline(always)]
    pub fn frame_mut(&mut self, ply: Ply) -> &mut Frame {
        &mut self.frames[ply + ABOVE]
    }

    /// The next ply has as many double extensions before it as this one.
    pub fn inherit_extensions(&mut self, ply: Ply) {
        self.frame_mut(ply + 1).double_extensions = self.frame(ply).double_extensions;
    }

    /// The frame `plies` plies before this ply; at most 7.
    #[inline(always)]
    pub fn above(&self, ply: Ply, plies: usize) -> &Frame {
        &self.frames[ply + ABOVE - plies]
    }

    /// The moves one, two, four and six plies before this ply.
    #[inline(always)]
    pub fn previous_moves(&self, ply: Ply) -> PreviousMoves {
        [1, 2, 4, 6].map(|plies| self.above(ply, plies).piece_to)
    }

    /// The best line from this ply on.
    pub fn line(&self, ply: Ply) -> impl Iterator<Item = Move> {
        let line = &self.lines[ply];
        line.moves[..line.len].iter().flatten().copied()
    }

    #[inline(always)]
    pub fn clear_line(&mut self, ply: Ply) {
        self.lines[ply].len = 0;
    }

    /// The best line from this ply on is now `mv` and the best line of the next ply.
    pub fn set_line(&mut self, ply: Ply, mv: Move) {
        let [line, next] = &mut self.lines[ply..ply + 2] else { return };
        let len = next.len.min(MAX_PLY - 1);
        line.moves[0] = Some(mv);
        line.moves[1..=len].copy_from_slice(&next.moves[..len]);
        line.len = len + 1;
    }
}
