//! The search of one variant as the layers above use it: tables that last from move to move, and a
//! number of threads.
//!
//! Parallel search is Lazy SMP: all threads search the same root and share one transposition table.
//! The main thread decides the result. It never prints; it reports to an `Observer`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::board::Position;
use crate::eval::network::{Network, NetworkError};
use crate::eval::{EvalKind, built_in_network, load_network};
use crate::tablebase::{TablePaths, Tablebases};
use crate::threads::SEARCH_STACK;
use crate::types::{Depth, Move, Score};

use super::available_memory::available_memory;
use super::limits::Limits;
use super::memory::has_room;
use super::params::Params;
use super::reductions::Reductions;
use super::report::Observer;
use super::root::{RootMove, RootMoves};
use super::rules::SearchRules;
use super::stop::StopToken;
use super::tables::{TableUse, root_score};
use super::tt::TranspositionTable;
use super::worker::{Shared, ThreadData, Worker};

/// The default size of the transposition table, in MiB.
const DEFAULT_HASH: usize = 16;

/// What the data of one thread takes, in bytes, rounded up.
const THREAD_DATA: usize = 4 << 20;
/// What must be left when all threads have their data and stacks, in bytes: for the threads that read
/// and write, for lines and moves.
const SPARE: usize = 16 << 20;

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
    /// The number of threads that was asked for.
    wanted_threads: usize,
    tables: Tablebases,
    table_paths: TablePaths,
    /// See [`TableUse::depth`].
    probe_depth: Depth,
    /// The network that evaluates; `None` for the classic evaluation.
    network: Option<Arc<Network>>,
    eval: EvalKind,
    /// The file of the network; empty for the built-in one.
    network_file: String,
    /// Sentences for people that have not been taken yet.
    notices: Vec<String>,
}

impl<V: SearchRules> Search<V> {
    /// A search with one thread and a small transposition table.
    pub fn new() -> Search<V> {
        let params = V::params();
        let network = built_in_network::<V>();
        Search {
            table: TranspositionTable::new(DEFAULT_HASH),
            mebibytes: DEFAULT_HASH,
            reductions: Reductions::new(&params),
            params,
            contempt: Score::ZERO,
            threads: vec![ThreadData::new(network.clone())],
            wanted_threads: 1,
            tables: Tablebases::default(),
            table_paths: TablePaths::default(),
            probe_depth: 1,
            network,
            eval: EvalKind::default(),
            network_file: String::new(),
            notices: Vec::new(),
        }
    }

    /// Sets the size of the transposition table in MiB. A change clears the table. If there is not
    /// enough memory, the table is smaller, and a notice says so.
    pub fn set_hash(&mut self, mebibytes: usize) {
        if mebibytes != self.mebibytes {
            self.mebibytes = mebibytes;
            // Free the old table first: there may be no room for two.
            self.table = TranspositionTable::new(0);
            self.table = TranspositionTable::new(mebibytes);
            let granted = self.table.mebibytes();
            if granted < mebibytes {
                self.notices.push(format!(
                    "hash of {granted} MiB instead of {mebibytes}: too little memory"
                ));
            }
        }
    }

    /// Makes the transposition table half as large, and a notice says so: the memory is needed for
    /// something else. Clears the table. Returns false if the table cannot be smaller.
    pub fn halve_hash(&mut self) -> bool {
        let half = self.table.mebibytes() / 2;
        if half == 0 {
            return false;
        }
        self.table = TranspositionTable::new(0);
        self.table = TranspositionTable::new(half);
        self.notices.push(format!("hash of {} MiB: the rest is needed", self.table.mebibytes()));
        true
    }

    /// Sets the number of threads; 0 counts as 1. If there is not enough memory, there are fewer, and
    /// a notice says so.
    pub fn set_threads(&mut self, threads: usize) {
        let wanted = threads.max(1);
        self.threads.truncate(wanted);
        let missing = wanted - self.threads.len();
        let affordable = (available_memory() / (THREAD_DATA + SEARCH_STACK)).min(missing);
        for _ in 0..affordable {
            // The stacks are not allocated before the search starts.
            let stacks = (self.threads.len() + 1) * SEARCH_STACK;
            if !has_room(THREAD_DATA + stacks + SPARE) {
                break;
            }
            self.threads.push(ThreadData::new(self.network.clone()));
        }
        let granted = self.threads.len();
        if granted < wanted && wanted != self.wanted_threads {
            self.notices
                .push(format!("{granted} search threads instead of {wanted}: too little memory"));
        }
        self.wanted_threads = wanted;
    }

    /// What people should know about the settings: each sentence once.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Sets the cost of a draw for the side to move at the root, in centipawns.
    pub fn set_contempt(&mut self, contempt: Score) {
        self.contempt = contempt;
    }

    /// Sets the folders of the endgame tables. If something is wrong with them, a notice says so.
    /// Nodes with as many men as the greatest table has are looked up from `probe_depth` on, in
    /// plies; nodes with fewer men always.
    pub fn set_tables(&mut self, paths: &TablePaths, probe_depth: Depth) {
        self.probe_depth = probe_depth;
        if *paths != self.table_paths {
            self.table_paths = paths.clone();
            let (tables, notices) = Tablebases::open::<V>(paths);
            self.tables = tables;
            self.notices.extend(notices);
        }
    }

    /// Chooses the evaluation, and the file of the network; an empty name means the built-in network.
    /// A change clears the tables and the histories.
    ///
    /// # Errors
    /// If the file is new and not a network for this variant. Then the built-in network is used.
    pub fn set_evaluation(&mut self, eval: EvalKind, file: &str) -> Result<(), NetworkError> {
        if eval == self.eval && file == self.network_file {
            return Ok(());
        }
        self.eval = eval;
        file.clone_into(&mut self.network_file);
        let mut loaded = Ok(());
        self.network = match eval {
            EvalKind::Classic => None,
            EvalKind::Network if file.is_empty() => built_in_network::<V>(),
            EvalKind::Network => load_network::<V>(file).map(Some).unwrap_or_else(|error| {
                loaded = Err(error);
                built_in_network::<V>()
            }),
        };
        self.clear();
        loaded
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
        let threads = self.threads.len();
        // Free the old data first: there may be no room for both.
        self.threads.clear();
        self.threads.resize_with(threads, || ThreadData::new(self.network.clone()));
    }

    /// The static evaluation, in centipawns from the side to move.
    pub fn evaluate(&mut self, pos: &Position<V>) -> Score {
        self.threads.first_mut().map_or(Score::ZERO, |data| data.evaluator.evaluate_alone(pos))
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
        let mut root = self.root_moves(pos, limits);
        let mut table_use = TableUse {
            tables: Some(&self.tables),
            most_men: self.tables.most_men::<V>(),
            depth: self.probe_depth,
        };
        let mut hits = 0;
        if let Some(advice) = self.tables.root_advice(pos) {
            hits = advice.hits;
            root.follow(&advice.moves, root_score(&advice));
            // The search need not keep the result any more, and DTZ makes progress.
            if advice.makes_progress {
                table_use.most_men = 0;
            }
        }
        let shared = Shared {
            table: &self.table,
            params: &self.params,
            reductions: &self.reductions,
            limits,
            stop,
            nodes: AtomicU64::new(0),
            tables: table_use,
            table_hits: AtomicU64::new(hits),
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
                    let search = || Worker::new(shared, data, pos, root, None).iterate();
                    // A panic must not take away the main thread's result. The panic hook logs it.
                    let _ = catch_unwind(AssertUnwindSafe(search));
                };
                let builder = thread::Builder::new().name("search helper".to_owned());
                // Best effort: search with fewer threads if one cannot be started.
                let _ = builder.stack_size(SEARCH_STACK).spawn_scoped(scope, help);
            }
            let mut main = Worker::new(&shared, data, pos.clone(), root.clone(), Some(observer));
            let depth = main.iterate();
            let best = main.root.get(0).cloned().map(|best| {
                let score = main.root.shown_score(best.score);
                RootMove { score, ..best }
            });
            (depth, best)
        });
        self.notices.extend(self.tables.take_notices());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;
    use crate::eval::EvalRules;
    use crate::search::Silent;
    use crate::variants::Standard;

    /// Standard chess with a bug: each helper thread panics.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct BadHelpers;

    impl Rules for BadHelpers {
        type State = ();
        const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    }

    impl EvalRules for BadHelpers {
        const WEIGHTS: &'static str = include_str!("../../variants/standard/eval.params");
        const NETWORK_GAME: &'static str = "";
    }

    static PANICS: AtomicU64 = AtomicU64::new(0);

    impl SearchRules for BadHelpers {
        fn null_move_ok(_: &Position<BadHelpers>) -> bool {
            if thread::current().name() == Some("search helper") {
                PANICS.fetch_add(1, Relaxed);
                panic!("this is a test");
            }
            true
        }
    }

    #[test]
    fn a_helper_that_panics_leaves_the_result_alone() {
        let mut search = Search::<BadHelpers>::new();
        search.set_threads(3);
        // The helpers may come too late for a short search.
        for depth in 6..30 {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let found = search.run(&Position::start(), &limits, &StopToken::new(), &mut Silent);
            assert_eq!((found.depth, found.best.is_some()), (depth, true));
            if PANICS.load(Relaxed) > 0 {
                return;
            }
        }
        panic!("no helper has searched");
    }

    #[test]
    fn enough_memory_needs_no_notice() {
        let mut search = Search::<Standard>::new();
        search.set_hash(2);
        search.set_threads(2);
        assert_eq!((search.table.mebibytes(), search.threads.len()), (2, 2));
        assert_eq!(search.take_notices(), [""; 0]);
    }

    /// Runs itself again in a process with 300 MB of address space.
    #[test]
    #[cfg(target_os = "linux")]
    fn little_memory_makes_hash_and_threads_fewer() {
        use std::process::Command;

        const MARK: &str = "TREBUCHET_TEST_LITTLE_MEMORY";
        const NAME: &str = "search::pool::tests::little_memory_makes_hash_and_threads_fewer";
        if std::env::var_os(MARK).is_some() {
            return search_with_little_memory();
        }
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 300000 && exec \"$0\" --exact \"$1\""])
            .arg(std::env::current_exe().unwrap())
            .arg(NAME)
            .env(MARK, "1")
            // Printing a backtrace takes more memory than the process has.
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
    }

    #[cfg(target_os = "linux")]
    fn search_with_little_memory() {
        let mut search = Search::<Standard>::new();
        search.set_hash(1000);
        search.set_threads(200);
        let (hash, threads) = (search.table.mebibytes(), search.threads.len());
        assert!(hash < 300 && threads < 30);
        // Settings are applied again with every change of one of them.
        search.set_hash(1000);
        search.set_threads(200);
        assert_eq!(
            search.take_notices(),
            [
                format!("hash of {hash} MiB instead of 1000: too little memory"),
                format!("{threads} search threads instead of 200: too little memory"),
            ]
        );
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let found = search.run(&Position::start(), &limits, &StopToken::new(), &mut Silent);
        assert_eq!(found.depth, 6);
        search.clear();
    }

    #[test]
    fn the_hash_can_be_halved_down_to_a_mebibyte() {
        let mut search = Search::<Standard>::new();
        search.set_hash(4);
        assert!(search.halve_hash() && search.halve_hash());
        assert!(!search.halve_hash());
        let notices = ["hash of 2 MiB: the rest is needed", "hash of 1 MiB: the rest is needed"];
        assert_eq!(search.take_notices(), notices);
        // The size that was asked for is tried again only when it changes.
        search.set_hash(4);
        assert_eq!(search.table.mebibytes(), 1);
    }
}
