//! One thread's search: what it owns, what it shares with the other threads, and the moves it makes.
//!
//! The search changes the board only here, through [`Worker::make_move`], [`Worker::unmake_move`]
//! and the same pair for null moves. The evaluator is told of the moves here, so that its network can
//! follow them. The steps of the search are in other files: `negamax` and `quiescence` name them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::board::{Checks, Position};
use crate::eval::Evaluator;
use crate::eval::network::Network;
use crate::movegen::Legality;
use crate::types::{Color, Depth, Move, Ply, Score};

use super::check_interval::CheckInterval;
use super::correction::CorrectionHistory;
use super::history::{Histories, PieceTo};
use super::limits::Limits;
use super::order::Sources;
use super::params::Params;
use super::reductions::Reductions;
use super::report::{Observer, RootStatus};
use super::root::{RootMoves, RootProgress};
use super::rules::SearchRules;
use super::stack::Stack;
use super::stop::StopToken;
use super::tablebase_use::TablebaseUse;
use super::tt::TranspositionTable;

/// The search must end: its only error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// How many nodes the main worker's first iteration may search although the search is to end, within the node limit.
/// It rarely needs so many, and only where captures are compulsory.
pub const FIRST_ITERATION_NODES: u64 = 50_000;
/// The observer gets the root status at each root move, and after this number of checks.
const CHECKS_PER_REPORT: u32 = 64;

/// What all threads of one search share.
pub struct Shared<'a> {
    pub tt: &'a TranspositionTable,
    pub params: &'a Params,
    pub reductions: &'a Reductions,
    pub limits: &'a Limits,
    pub stop: &'a StopToken,
    /// The nodes searched by all threads, without those that a thread has not added yet.
    pub nodes: AtomicU64,
    pub tablebases: TablebaseUse<'a>,
    /// The nodes that all threads have found in the endgame tables.
    pub tablebase_hits: AtomicU64,
    /// Set by the first thread that finds that the search must end.
    pub over: AtomicBool,
    /// The cost of a draw for the side to move at the root, in centipawns.
    pub contempt: Score,
}

/// What a thread keeps from one search to the next.
pub struct ThreadData<V: SearchRules> {
    pub histories: Histories,
    pub corrections: CorrectionHistory,
    pub evaluator: Evaluator<V>,
    pub stack: Stack,
}

impl<V: SearchRules> ThreadData<V> {
    /// The data of a thread that evaluates with this network, or with the classic evaluation alone.
    pub fn new(network: Option<Arc<Network>>) -> ThreadData<V> {
        ThreadData {
            histories: Histories::new(),
            corrections: CorrectionHistory::new(),
            evaluator: Evaluator::new(network),
            stack: Stack::new(),
        }
    }
}

/// One thread's search.
pub struct Worker<'a, V: SearchRules> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) data: &'a mut ThreadData<V>,
    pub(super) pos: Position<V>,
    pub(super) root: RootMoves,
    /// Only the main worker has an observer. It decides when the search ends.
    pub(super) observer: Option<&'a mut dyn Observer>,
    pub(super) root_progress: RootProgress,
    /// The best move of the last reported line.
    pub(super) last_reported: Option<Move>,
    /// The iteration, in plies.
    pub(super) root_depth: Depth,
    /// The last finished iteration, in plies.
    pub(super) finished_depth: Depth,
    pub(super) root_side: Color,
    /// The number of moves made in the game before the root.
    pub(super) root_ply_count: usize,
    /// The deepest line searched, in plies.
    pub(super) seldepth: Depth,
    /// The nodes that this thread has searched.
    nodes: u64,
    /// How many of them are already added to [`Shared::nodes`].
    shared_nodes: u64,
    /// The number of nodes at which the limits are checked next.
    next_check: u64,
    check_interval: CheckInterval,
    /// How often the limits have been checked.
    checks: u32,
    /// Of the main worker.
    pub(super) last_iteration: Option<FinishedIteration>,
}

/// What an iteration says of the time that the search needs.
#[derive(Clone, Copy, Debug)]
pub struct FinishedIteration {
    /// When it ended, counted from the start of the search.
    pub at: Duration,
    /// Has it found a forced end of the game, so that more time is of no use?
    pub is_end: bool,
    /// The share of the soft limit that was enough then.
    pub enough: f64,
}

impl<'a, V: SearchRules> Worker<'a, V> {
    pub fn new(
        shared: &'a Shared<'a>,
        data: &'a mut ThreadData<V>,
        pos: Position<V>,
        root: RootMoves,
        observer: Option<&'a mut dyn Observer>,
    ) -> Worker<'a, V> {
        data.stack.clear();
        data.evaluator.reset();
        Worker {
            root_side: pos.side_to_move(),
            root_ply_count: pos.ply_count(),
            shared,
            data,
            pos,
            root,
            observer,
            root_progress: RootProgress::default(),
            last_reported: None,
            root_depth: 0,
            finished_depth: 0,
            seldepth: 0,
            nodes: 0,
            shared_nodes: 0,
            next_check: 0,
            check_interval: CheckInterval::new(),
            checks: 0,
            last_iteration: None,
        }
    }

    /// The nodes that this thread has searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The nodes searched by all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + self.nodes - self.shared_nodes
    }

    /// Counts a node that an endgame table has. The counter is shared: looking up takes much longer.
    pub(super) fn count_tablebase_hit(&mut self) {
        self.shared.tablebase_hits.fetch_add(1, Relaxed);
    }

    /// Is this the main worker, which decides when the search ends?
    pub(super) fn is_main(&self) -> bool {
        self.observer.is_some()
    }

    /// Counts a node, and checks the limits after each [`CheckInterval`].
    #[inline(always)]
    pub(super) fn count_node(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply as Depth);
        if self.nodes >= self.next_check { self.check_limits() } else { Ok(()) }
    }

    /// Checks the stop token, the clock and the node limit. The first iteration of the main worker has some nodes
    /// of its own in any case, because it finds a sensible move.
    #[cold]
    pub(super) fn check_limits(&mut self) -> Result<(), Stopped> {
        self.share_nodes();
        let shared = self.shared;
        self.next_check = self.nodes + self.check_interval.next(shared.stop.elapsed());
        let has_nodes_left = match shared.limits.nodes {
            Some(limit) => {
                let left = limit.saturating_sub(self.all_nodes());
                self.next_check = self.next_check.min(self.nodes + left.max(1));
                left > 0
            }
            None => true,
        };
        let own_nodes = shared
            .limits
            .nodes
            .map_or(FIRST_ITERATION_NODES, |limit| limit.min(FIRST_ITERATION_NODES));
        let needs_move = self.is_main() && self.finished_depth == 0 && self.nodes < own_nodes;
        let is_stopped = shared.stop.is_stopped()
            || shared.stop.is_past_hard_limit()
            || self.has_thought_enough();
        if (!has_nodes_left || is_stopped) && !needs_move {
            shared.over.store(true, Relaxed);
        }
        self.checks += 1;
        if self.checks.is_multiple_of(CHECKS_PER_REPORT) {
            self.report_root();
        }
        if shared.over.load(Relaxed) && !needs_move { Err(Stopped) } else { Ok(()) }
    }

    /// Does the clock end the search after the last iteration of this worker? A ponder hit may start the clock later: then
    /// the search ends in the middle of an iteration that would not have begun.
    pub(super) fn has_thought_enough(&self) -> bool {
        let stop = &self.shared.stop;
        self.last_iteration.is_some_and(|FinishedIteration { at, is_end, enough }| {
            stop.has_time_limits() && is_end
                || stop.can_save_time() && stop.soft_share_at(at) >= enough
        })
    }

    /// Adds the nodes searched since the last time to the shared number.
    pub(super) fn share_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.shared_nodes, Relaxed);
        self.shared_nodes = self.nodes;
    }

    /// Reports the root status to the observer, if there is one.
    pub(super) fn report_root(&mut self) {
        let status = RootStatus {
            time: self.shared.stop.elapsed(),
            nodes: self.all_nodes(),
            depth: self.root_depth,
            moves_left: self.root_progress.moves_left,
            moves_total: self.root.len(),
            current: self.root_progress.current,
        };
        if let Some(observer) = &mut self.observer {
            observer.root(status);
        }
    }

    /// Makes a move and notes it in the frame of this ply. If the variant counts checks,
    /// `gives_check` must say whether the move gives check.
    ///
    /// This is where the evaluator learns of a move.
    #[inline(always)]
    pub(super) fn make_move(&mut self, mv: Move, gives_check: bool, ply: Ply) {
        self.data.evaluator.note_move(&self.pos, mv, ply);
        let piece_to = self.pos.mover(mv).map(|piece| PieceTo::of(piece, mv));
        let frame = self.data.stack.frame_mut(ply);
        frame.mv = Some(mv);
        frame.piece_to = piece_to;
        (frame.history, frame.reduction) = (0, 0);
        self.pos.make_move_known(mv, gives_check);
        self.shared.tt.prefetch(self.pos.key());
    }

    /// Starts loading the table's entry for the position after a move that is about to be tried.
    #[inline(always)]
    pub(super) fn prefetch_after(&self, mv: Move) {
        self.shared.tt.prefetch(self.pos.likely_key_after(mv));
    }

    /// Takes back what [`Worker::make_move`] made.
    #[inline(always)]
    pub(super) fn unmake_move(&mut self) {
        self.pos.unmake_move();
    }

    /// Makes a null move and notes it in the frame of this ply.
    pub(super) fn make_null_move(&mut self, ply: Ply) {
        let frame = self.data.stack.frame_mut(ply);
        frame.mv = None;
        frame.piece_to = None;
        (frame.history, frame.reduction) = (0, 0);
        self.data.evaluator.note_null_move(ply);
        self.pos.make_null_move();
        self.shared.tt.prefetch(self.pos.key());
    }

    /// Takes back what [`Worker::make_null_move`] made.
    pub(super) fn unmake_null_move(&mut self) {
        self.pos.unmake_null_move();
    }

    /// What a picker of moves reads in the present position.
    #[inline(always)]
    pub(super) fn sources<'b>(
        &'b self,
        legality: &'b Legality,
        checks: &'b Checks,
    ) -> Sources<'b, V> {
        let histories = &self.data.histories;
        Sources { pos: &self.pos, legality, checks, histories, params: self.shared.params }
    }

    /// The static evaluation of the position on the board, uncorrected. The search evaluates only
    /// here.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, ply: Ply) -> Score {
        self.data.evaluator.evaluate(&self.pos, ply)
    }
}

/// Runs `test` with a worker at a position, with constants of its own and a contempt of 25
/// centipawns.
#[cfg(test)]
pub fn with_worker<V: SearchRules, T>(
    fen: &str,
    params: &Params,
    test: impl FnOnce(&mut Worker<'_, V>) -> T,
) -> T {
    let shared = Shared {
        tt: &TranspositionTable::new(1),
        params,
        reductions: &Reductions::new(params),
        limits: &Limits::default(),
        stop: &StopToken::new(),
        nodes: AtomicU64::new(0),
        tablebases: TablebaseUse::default(),
        tablebase_hits: AtomicU64::new(0),
        over: AtomicBool::new(false),
        contempt: Score::cp(25),
    };
    let pos: Position<V> = Position::from_fen(fen).expect("a legal position");
    let root = RootMoves::new(pos.legal_moves().to_vec());
    test(&mut Worker::new(&shared, &mut ThreadData::new(None), pos, root, None))
}
