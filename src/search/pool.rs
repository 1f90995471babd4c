//! The search of one variant as the layers above use it: tables that last from move to move, and a
//! number of threads.
//!
//! Parallel search is Lazy SMP: all threads search the same root and share one transposition table.
//! The main thread decides the result. It never prints; it reports to an `Observer`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::board::Position;
use crate::threads::SEARCH_STACK;
use crate::types::{Depth, Move, Score};

use super::limits::Limits;
use super::params::Params;
use super::reductions::Reductions;
use super::report::Observer;
use super::root::RootMoves;
use super::rules::SearchRules;
use super::stop::StopToken;
use super::tt::TranspositionTable;
use super::worker::{Shared, ThreadData, Worker};

/// The default size of the transposition table, in MiB.
const DEFAULT_HASH: usize = 16;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// `None` if there is no legal move or all are excluded.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Zero if no move was searched.
    pub score: Score,
    /// The depth of the last finished iteration, in plies.
    pub depth: Depth,
    /// The nodes searched by all threads.
    pub nodes: u64,
    /// The best line.
    pub pv: Vec<Move>,
}

/// A search with everything that it keeps between moves.
pub struct Search<V: SearchRules> {
    table: TranspositionTable,
    mebibytes: usize,
    params: Params,
    reductions: Reductions,
    contempt: Score,
    /// One for each thread, the main one first.
    threads: Vec<ThreadData<V>>,
}

impl<V: SearchRules> Search<V> {
    /// A search with one thread and a small transposition table.
    pub fn new() -> Search<V> {
        let params = V::params();
        Search {
            table: TranspositionTable::new(DEFAULT_HASH),
            mebibytes: DEFAULT_HASH,
            reductions: Reductions::new(&params),
            params,
            contempt: Score::ZERO,
            threads: vec![ThreadData::new()],
        }
    }

    /// Sets the size of the transposition table in MiB. A change clears the table.
    pub fn set_hash(&mut self, mebibytes: usize) {
        if mebibytes != self.mebibytes {
            self.mebibytes = mebibytes;
            // Free the old table first: there may be no room for two.
            self.table = TranspositionTable::new(0);
            self.table = TranspositionTable::new(mebibytes);
        }
    }

    /// Sets the number of threads; 0 counts as 1.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.resize_with(threads.max(1), ThreadData::new);
    }

    /// Sets the cost of a draw for the side to move at the root, in centipawns.
    pub fn set_contempt(&mut self, contempt: Score) {
        self.contempt = contempt;
    }

    /// Sets a constant by its name. Returns false if the name is unknown.
    pub fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        let is_known = self.params.set(name, value);
        self.reductions = Reductions::new(&self.params);
        is_known
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Clears the tables and the histories.
    pub fn clear(&mut self) {
        self.table.clear();
        self.threads.fill_with(ThreadData::new);
    }

    /// The static evaluation, in centipawns from the side to move.
    pub fn evaluate(&mut self, pos: &Position<V>) -> Score {
        self.threads.first_mut().map_or(Score::ZERO, |data| data.evaluator.evaluate(pos))
    }

    /// Searches a position until a limit or the token ends the search. The calling thread is the
    /// main one; the observer is called on it.
    pub fn run(
        &mut self,
        pos: &Position<V>,
        limits: &Limits,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        self.table.start_search();
        let root = self.root_moves(pos, limits);
        let shared = Shared {
            table: &self.table,
            params: &self.params,
            reductions: &self.reductions,
            limits,
            stop,
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
            contempt: self.contempt,
        };
        let Some((data, others)) = self.threads.split_first_mut() else {
            unreachable!("`set_threads` keeps at least one thread");
        };
        let (depth, best) = thread::scope(|scope| {
            let _guard = EndsOthers(&shared.over);
            for data in others {
                let (shared, pos, root) = (&shared, pos.clone(), root.clone());
                let help = move || {
                    Worker::new(shared, data, pos, root, None).iterate();
                };
                let builder = thread::Builder::new().name("search helper".to_owned());
                // Best effort: search with fewer threads if one cannot be started.
                let _ = builder.stack_size(SEARCH_STACK).spawn_scoped(scope, help);
            }
            let mut main = Worker::new(&shared, data, pos.clone(), root.clone(), Some(observer));
            let depth = main.iterate();
            (depth, main.root.get(0).cloned())
        });
        let nodes = shared.nodes.load(Relaxed);
        let (score, pv) = best.map(|best| (best.score, best.pv)).unwrap_or_default();
        let is_searched = score != -Score::INFINITE;
        SearchResult {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            score: if is_searched { score } else { Score::ZERO },
            depth,
            nodes,
            pv,
        }
    }

    /// The legal moves that are not excluded, the table's best move first.
    fn root_moves(&self, pos: &Position<V>, limits: &Limits) -> RootMoves {
        let mut moves: Vec<Move> = pos.legal_moves().to_vec();
        moves.retain(|mv| !limits.excluded.contains(mv));
        let known = self.table.probe(pos.key(), 0).and_then(|entry| entry.mv);
        moves.sort_by_key(|&mv| Some(mv) != known);
        RootMoves::new(moves)
    }
}

impl<V: SearchRules> Default for Search<V> {
    fn default() -> Search<V> {
        Search::new()
    }
}

/// Ends the helper threads when the main one ends, even by a panic.
struct EndsOthers<'a>(&'a AtomicBool);

impl Drop for EndsOthers<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
