//! What one thread of the search owns and changes, and what all threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::board::Position;
use crate::eval::Evaluator;
use crate::types::{Color, Depth, MAX_PLY, Move, Ply, Score};

use super::history::{Before, Histories, PieceTo};
use super::limits::{Limits, StopToken};
use super::params::Params;
use super::reductions::Reductions;
use super::report::{Observer, Standing};
use super::root::RootMoves;
use super::rules::SearchRules;
use super::tt::TranspositionTable;

/// The search has been told to end: the only error it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The nodes a thread may search between two looks at the stop token and the clock.
const CHECK_INTERVAL: u64 = 1024;
/// The observer hears where the search stands at every root move, and after so many looks.
const CHECKS_PER_REPORT: u32 = 64;

/// What all threads of one search look at.
pub struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub params: &'a Params,
    pub reductions: &'a Reductions,
    pub limits: &'a Limits,
    pub stop: &'a StopToken,
    /// The nodes searched by all threads, as far as they have told.
    pub nodes: AtomicU64,
    /// A thread has found that the search is to end.
    pub over: AtomicBool,
    /// What a draw costs the side to move at the root.
    pub contempt: Score,
}

/// What a thread keeps from one search to the next.
pub struct Memory<V: SearchRules> {
    pub histories: Histories,
    pub evaluator: Evaluator<V>,
    pub stack: Stack,
}

impl<V: SearchRules> Memory<V> {
    pub fn new() -> Memory<V> {
        Memory { histories: Histories::new(), evaluator: Evaluator::new(), stack: Stack::new() }
    }
}

impl<V: SearchRules> Default for Memory<V> {
    fn default() -> Memory<V> {
        Memory::new()
    }
}

/// What a node leaves for its children and its siblings to see.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The corrected static evaluation; none while in check.
    pub eval: Option<Score>,
    /// The move being searched; none for a null move.
    pub mv: Option<Move>,
    /// The same, as piece and target.
    pub piece_to: Option<PieceTo>,
    /// The last quiet move that caused a cutoff at this ply.
    pub killer: Option<Move>,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// How many nodes at this ply have failed high since their grandparent was entered.
    pub cutoffs: u32,
    /// The plies by which the line so far has been extended beyond one per move.
    pub double_extensions: u32,
}

/// A frame for every ply, and the lines found below each.
pub struct Stack {
    frames: Vec<Frame>,
    lines: Vec<Line>,
}

/// A line of moves.
#[derive(Clone, Copy)]
struct Line {
    len: usize,
    moves: [Option<Move>; MAX_PLY],
}

/// Frames before the root, so that every node has a great-great-grandparent.
const ABOVE: usize = 4;

impl Stack {
    fn new() -> Stack {
        Stack {
            frames: vec![Frame::default(); MAX_PLY + ABOVE + 4],
            lines: vec![Line { len: 0, moves: [None; MAX_PLY] }; MAX_PLY + 2],
        }
    }

    fn clear(&mut self) {
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

    /// The frame so many plies up the line.
    #[inline(always)]
    pub fn above(&self, ply: Ply, plies: usize) -> &Frame {
        &self.frames[ply + ABOVE - plies]
    }

    /// The moves one, two and four plies before the node.
    #[inline(always)]
    pub fn before(&self, ply: Ply) -> Before {
        [1, 2, 4].map(|plies| self.above(ply, plies).piece_to)
    }

    /// The line found below the node.
    pub fn line(&self, ply: Ply) -> impl Iterator<Item = Move> {
        let line = &self.lines[ply];
        line.moves[..line.len].iter().flatten().copied()
    }

    #[inline(always)]
    pub fn clear_line(&mut self, ply: Ply) {
        self.lines[ply].len = 0;
    }

    /// The line below the node is now this move and what follows it.
    pub fn set_line(&mut self, ply: Ply, mv: Move) {
        let [line, next] = &mut self.lines[ply..ply + 2] else { return };
        let len = next.len.min(MAX_PLY - 1);
        line.moves[0] = Some(mv);
        line.moves[1..=len].copy_from_slice(&next.moves[..len]);
        line.len = len + 1;
    }
}

/// One thread's search.
pub struct Worker<'a, V: SearchRules> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory<V>,
    pub(super) pos: Position<V>,
    pub(super) root: RootMoves,
    /// The main worker has an observer, and decides when the search ends.
    pub(super) observer: Option<&'a mut dyn Observer>,
    pub(super) standing: Standing,
    /// The best move that the observer has heard of last.
    pub(super) told: Option<Move>,
    /// The iteration, in plies.
    pub(super) root_depth: Depth,
    pub(super) root_side: Color,
    /// The moves made in the game before the root.
    pub(super) root_ply_count: usize,
    /// The deepest line looked at, in plies.
    pub(super) seldepth: Depth,
    nodes: u64,
    /// How many of the nodes the other threads know of.
    shared_nodes: u64,
    next_check: u64,
    checks: u32,
}

impl<'a, V: SearchRules> Worker<'a, V> {
    pub fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<V>,
        pos: Position<V>,
        root: RootMoves,
        observer: Option<&'a mut dyn Observer>,
    ) -> Worker<'a, V> {
        memory.stack.clear();
        Worker {
            root_side: pos.side_to_move(),
            root_ply_count: pos.ply_count(),
            shared,
            memory,
            pos,
            root,
            observer,
            standing: Standing::default(),
            told: None,
            root_depth: 0,
            seldepth: 0,
            nodes: 0,
            shared_nodes: 0,
            next_check: 0,
            checks: 0,
        }
    }

    /// The nodes this thread has searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The nodes searched by all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + self.nodes - self.shared_nodes
    }

    /// Is this the thread that decides when the search ends?
    pub(super) fn is_main(&self) -> bool {
        self.observer.is_some()
    }

    /// Counts a node, and now and then looks whether to stop.
    #[inline(always)]
    pub(super) fn count_node(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply as Depth);
        if self.nodes >= self.next_check { self.check_limits() } else { Ok(()) }
    }

    /// Tells the other threads of the nodes and looks at the stop token, the clock and the node
    /// limit.
    #[cold]
    pub(super) fn check_limits(&mut self) -> Result<(), Stopped> {
        self.share_nodes();
        let shared = self.shared;
        self.next_check = self.nodes + CHECK_INTERVAL;
        let mut is_over = shared.stop.is_stopped() || shared.stop.is_past_hard_limit();
        if let Some(limit) = shared.limits.nodes {
            let left = limit.saturating_sub(self.all_nodes());
            self.next_check = self.next_check.min(self.nodes + left.max(1));
            is_over |= left == 0;
        }
        if is_over {
            shared.over.store(true, Relaxed);
        }
        self.checks += 1;
        if self.checks.is_multiple_of(CHECKS_PER_REPORT) {
            self.report_root();
        }
        if shared.over.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Tells the other threads of the nodes searched since the last time.
    pub(super) fn share_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.shared_nodes, Relaxed);
        self.shared_nodes = self.nodes;
    }

    /// Makes a move and notes it for the nodes below. Where checks are counted, `gives_check` says
    /// whether it gives check.
    #[inline(always)]
    pub(super) fn make_move(&mut self, mv: Move, gives_check: bool, ply: Ply) {
        let piece_to = self.pos.piece_at(mv.from()).map(|piece| PieceTo::of(piece, mv));
        let frame = self.memory.stack.frame_mut(ply);
        frame.mv = Some(mv);
        frame.piece_to = piece_to;
        self.pos.make_move_known(mv, gives_check);
        self.shared.table.prefetch(self.pos.key());
    }

    /// Passes and notes it for the nodes below.
    pub(super) fn make_null_move(&mut self, ply: Ply) {
        let frame = self.memory.stack.frame_mut(ply);
        frame.mv = None;
        frame.piece_to = None;
        self.pos.make_null_move();
    }

    /// Is it a draw by repetition or by the fifty-move rule, or can neither side win?
    pub(super) fn is_draw(&self) -> bool {
        self.pos.is_repetition_for_search(self.root_ply_count)
            || self.pos.is_insufficient_material()
            || self.pos.is_fifty_moves()
                && (!self.pos.in_check() || self.pos.count_legal_moves() > 0)
    }

    /// What a draw is worth to the side to move.
    pub(super) fn draw_score(&self) -> Score {
        if self.pos.side_to_move() == self.root_side {
            -self.shared.contempt
        } else {
            self.shared.contempt
        }
    }

    /// The static evaluation with what experience adds; never a decisive score.
    pub(super) fn corrected(&self, raw: Score, ply: Ply) -> Score {
        let before = self.memory.stack.before(ply);
        let corrected =
            raw + self.memory.histories.correction(&self.pos, &before, self.shared.params);
        corrected.clamp(-Score::EVAL_LIMIT, Score::EVAL_LIMIT)
    }
}
