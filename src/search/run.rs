//! The search of one variant as the layers above use it: what lasts from move to move, and its run.
//!
//! Networks and endgame tables come from its owner. Parallel search is Lazy SMP: all
//! threads search the same root and share one transposition table. The main thread decides the result.
//! It never prints; it reports to an `Observer`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::board::Position;
use crate::eval::built_in_network;
use crate::eval::network::Network;
use crate::tablebase::Tablebases;
use crate::threads::SEARCH_STACK;
use crate::types::{Color, Depth, Move, Score, bring_to_front};

use super::limits::Limits;
use super::params::Params;
use super::pool::ThreadPool;
use super::position_search::{PositionSearch, SearchResult};
use super::reductions::Reductions;
use super::report::Observer;
use super::root::RootMoves;
use super::rules::SearchRules;
use super::static_eval::FULL_BOARD;
use super::stop::StopToken;
use super::tablebase_use::TablebaseUse;
use super::tt::TranspositionTable;
use super::worker::{Shared, Worker};

/// The size of the transposition table until another one is set, in MiB.
const DEFAULT_HASH: usize = 16;

/// A search with everything that it keeps between moves.
pub struct Search<V: SearchRules> {
    tt: TranspositionTable,
    params: Params,
    reductions: Reductions,
    contempt: Score,
    /// What a draw is worth for White in the scores of the table: the value of the last search.
    draw_for_white: Option<Score>,
    /// [`Limits::impartial`] of the last search; `None` after [`PositionSearch::clear`].
    was_impartial: Option<bool>,
    /// The table has scores of positions with few pieces from searches whose [`Limits::impartial`] was another one.
    has_other_scale: bool,
    threads: ThreadPool<V>,
    tablebases: Tablebases,
    /// See [`TablebaseUse::depth`].
    probe_depth: Depth,
}

impl<V: SearchRules> Search<V> {
    /// A search with one thread, a small transposition table, and the built-in network.
    pub fn new() -> Search<V> {
        let params = V::params();
        Search {
            tt: TranspositionTable::new(DEFAULT_HASH),
            reductions: Reductions::new(&params),
            params,
            contempt: Score::ZERO,
            draw_for_white: None,
            was_impartial: None,
            has_other_scale: false,
            threads: ThreadPool::new(built_in_network::<V>()),
            tablebases: Tablebases::default(),
            probe_depth: 1,
        }
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    /// What a draw costs the side to move at the root of a search.
    fn contempt_in(&self, limits: &Limits) -> Score {
        if limits.impartial { Score::ZERO } else { self.contempt }
    }

    /// Clears the transposition table if its scores mean something else: its draws are worth something else, or its
    /// evaluations count more or less with few pieces.
    fn enter_root(&mut self, pos: &Position<V>, limits: &Limits) {
        let contempt = self.contempt_in(limits);
        let draw = if pos.side_to_move() == Color::White { -contempt } else { contempt };
        let last_draw = self.draw_for_white.replace(draw);
        let other_draws = last_draw.is_some_and(|last| last != draw);
        let last = self.was_impartial.replace(limits.impartial);
        self.has_other_scale |= last.is_some_and(|last| last != limits.impartial);
        let is_scaled = self.params.endgame_scale < 100 && pos.total_count() < FULL_BOARD as usize;
        if other_draws || self.has_other_scale && is_scaled {
            self.tt.clear();
            self.has_other_scale = false;
        }
    }

    /// The best reply to a move, as far as the table knows: a search that ends early may leave a line of one move.
    fn reply_in_table(&self, pos: &Position<V>, mv: Move) -> Option<Move> {
        let mut pos = pos.clone();
        pos.make_move(mv);
        let reply = self.tt.probe(pos.key(), 0)?.mv?;
        (pos.outcome().is_none() && pos.legal_moves().contains(&reply)).then_some(reply)
    }

    /// The legal moves that are not excluded, the table's best move first.
    fn moves_to_search(&self, pos: &Position<V>, limits: &Limits) -> Vec<Move> {
        let mut moves: Vec<Move> = pos.legal_moves().to_vec();
        moves.retain(|mv| !limits.excluded_root_moves.contains(mv));
        let known = self.tt.probe(pos.key(), 0).and_then(|entry| entry.mv);
        bring_to_front(&mut moves, known);
        moves
    }
}

impl<V: SearchRules> PositionSearch<V> for Search<V> {
    fn run(
        &mut self,
        pos: &Position<V>,
        limits: &Limits,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        self.enter_root(pos, limits);
        let whole = Params { endgame_scale: 100, ..self.params.clone() };
        let params = if limits.impartial { &whole } else { &self.params };
        let contempt = self.contempt_in(limits);
        self.tt.start_search();
        let moves = self.moves_to_search(pos, limits);
        let mut root = RootMoves::new(moves.iter().copied());
        let mut tablebase_use = TablebaseUse {
            tables: Some(&self.tablebases),
            most_men: self.tablebases.most_men::<V>(),
            depth: self.probe_depth,
        };
        let mut hits = 0;
        if let Some(advice) = self.tablebases.root_advice(pos, &moves) {
            hits = advice.moves.len() as u64;
            root = RootMoves::ranked(&advice.moves, limits.lines, -contempt);
            // The search need not keep the result any more, and DTZ makes progress.
            if advice.makes_progress {
                tablebase_use.most_men = 0;
            }
        }
        let shared = Shared {
            tt: &self.tt,
            params,
            reductions: &self.reductions,
            limits,
            stop,
            nodes: AtomicU64::new(0),
            tablebases: tablebase_use,
            tablebase_hits: AtomicU64::new(hits),
            over: AtomicBool::new(false),
            contempt,
        };
        let (data, others) = self.threads.split();
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
            (depth, main.root.get(0).map(|best| (best.shown_score(), best.pv.clone())))
        });
        let nodes = shared.nodes.load(Relaxed);
        let (score, pv) = best.unwrap_or_default();
        let is_searched = score != -Score::INFINITE;
        let best = pv.first().copied();
        let ponder = pv.get(1).copied().or_else(|| self.reply_in_table(pos, best?));
        SearchResult {
            best,
            ponder,
            score: if is_searched { score } else { Score::ZERO },
            depth,
            nodes,
            pv,
        }
    }

    fn evaluate(&mut self, pos: &Position<V>) -> Score {
        self.threads.split().0.evaluator.evaluate_alone(pos)
    }

    fn clear(&mut self) {
        self.tt.clear();
        self.draw_for_white = None;
        self.was_impartial = None;
        self.has_other_scale = false;
        self.threads.clear();
    }

    fn populate_table(&self) {
        self.tt.populate();
    }

    fn hash(&self) -> usize {
        self.tt.mebibytes()
    }

    fn set_hash(&mut self, mebibytes: usize) {
        // Free the old table first: there may be no room for two.
        self.tt = TranspositionTable::new(0);
        self.tt = TranspositionTable::new(mebibytes);
    }

    fn threads(&self) -> usize {
        self.threads.len()
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads.resize(threads);
    }

    fn set_contempt(&mut self, contempt: Score) {
        self.contempt = contempt;
    }

    fn set_tables(&mut self, tables: Tablebases) {
        self.tt.clear();
        self.tablebases = tables;
    }

    fn set_probe_depth(&mut self, depth: Depth) {
        self.probe_depth = depth;
    }

    fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.tt.clear();
        self.threads.set_network(network);
    }

    fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        let is_known = self.params.set(name, value);
        if is_known {
            self.reductions = Reductions::new(&self.params);
        }
        is_known
    }

    fn take_notices(&mut self) -> Vec<String> {
        self.tablebases.take_notices()
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
    use crate::search::{Progress, RootStatus, Silent};
    use crate::tablebase::TablePaths;
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
    fn the_reductions_follow_every_constant() {
        let mut search = Search::<Standard>::new();
        for param in Params::LIST {
            let before = search.params.get(param.name);
            let other = if before == Some(param.max) { param.min } else { param.max };
            assert!(search.set_parameter(param.name, other));
            assert!(search.reductions == Reductions::new(&search.params), "{}", param.name);
        }
        assert!(search.reductions != Reductions::new(&Params::STANDARD));
    }

    #[test]
    fn the_table_keeps_the_best_of_several_lines() {
        // Only one move wins the queen.
        let pos = Position::from_fen("4k3/8/8/3q4/8/8/P7/3RK3 w - - 0 1").unwrap();
        for lines in [1, 3] {
            let mut search = Search::<Standard>::new();
            let limits = Limits { depth: Some(6), lines, ..Limits::default() };
            let found = search.run(&pos, &limits, &StopToken::new(), &mut Silent);
            let kept = search.tt.probe(pos.key(), 0).unwrap();
            assert_eq!((kept.mv, kept.found.unwrap().0), (found.best, found.score), "{lines}");
            assert!(found.score > Score::cp(300), "{lines}: {:?}", found.score);
        }
    }

    /// After each first move of these mates, the evaluation is far above beta, because beta is far below it.
    #[test]
    fn a_side_that_wins_anyway_finds_a_short_mate() {
        for (fen, moves) in [
            ("5r2/b5rk/1p1q4/p3pp1P/2N1P3/7K/4b3/3RR3 b - - 4 36", 2),
            ("5r2/pk1p4/3P4/1b6/PR3p1P/4nP2/2Q3P1/1K1R4 w - - 3 48", 3),
        ] {
            let pos = Position::from_fen(fen).unwrap();
            let mut search = Search::<Standard>::new();
            let limits = Limits { nodes: Some(25_000), ..Limits::default() };
            let found = search.run(&pos, &limits, &StopToken::new(), &mut Silent);
            assert_eq!(found.score.moves_to_end(), Some(moves), "{fen}");
        }
    }

    #[test]
    fn an_impartial_evaluation_is_not_mixed_with_scaled_ones() {
        let pos = Position::from_fen("8/8/8/8/2K5/4R3/5k2/8 w - - 8 5").unwrap();
        let mut searcher = Search::<Standard>::new();
        let mut search = |pos: &Position<Standard>, depth, impartial| {
            let limits = Limits { depth: Some(depth), impartial, ..Limits::default() };
            searcher.run(pos, &limits, &StopToken::new(), &mut Silent).score.value()
        };
        let mut score = |depth, impartial| search(&pos, depth, impartial);
        // The table has deeper results than the second and the third search need.
        let scaled = score(12, false);
        assert!(score(6, true) > 2 * scaled && score(4, false) < 2 * scaled, "{scaled}");
        // Between two searches of the position, one of a full board, where both evaluations are the same.
        search(&pos, 12, false);
        search(&Position::start(), 1, true);
        assert!(search(&pos, 6, true) > 2 * scaled, "{scaled}");
    }

    /// Keeps the best line of each report.
    #[derive(Default)]
    struct BestLines(Vec<(Move, Score)>);

    impl Observer for BestLines {
        fn line(&mut self, progress: Progress) {
            if progress.line == 0 {
                self.0.push((progress.pv[0], progress.score));
            }
        }

        fn root(&mut self, _: RootStatus) {}
    }

    #[test]
    fn the_move_that_is_played_is_the_last_one_reported() {
        let fen = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1 w - - 6 11";
        let pos = Position::from_fen(fen).unwrap();
        for (lines, most_nodes) in [1, 3].into_iter().flat_map(|n| (1..40).map(move |k| (n, k))) {
            let nodes = Some(most_nodes * most_nodes * 10 - 9);
            let mut search = Search::<Standard>::new();
            let mut seen = BestLines::default();
            let limits = Limits { nodes, lines, ..Limits::default() };
            let found = search.run(&pos, &limits, &StopToken::new(), &mut seen);
            let reported = seen.0.last().map(|&(mv, _)| mv);
            assert_eq!(reported.or(found.best), found.best, "{lines} lines, {nodes:?} nodes");
            assert!(seen.0.iter().all(|(_, score)| score.value().abs() < 3000), "{:?}", seen.0);
        }
    }

    #[test]
    fn another_contempt_forgets_the_scores_of_the_one_before() {
        let (pos, mut search) = (Position::<Standard>::start(), Search::<Standard>::new());
        let later = pos.after(pos.legal_moves()[0]);
        let later = later.after(later.legal_moves()[0]);
        let limits = Limits { depth: Some(4), ..Limits::default() };
        search.run(&pos, &limits, &StopToken::new(), &mut Silent);
        for (contempt, is_kept) in [(0, true), (20, false)] {
            search.set_contempt(Score::cp(contempt));
            search.run(&later, &limits, &StopToken::new(), &mut Silent);
            assert_eq!(search.tt.probe(pos.key(), 0).is_some(), is_kept, "{contempt}");
        }
    }

    /// The one legal move takes the last piece.
    #[test]
    fn a_draw_is_worth_nothing_to_an_impartial_search() {
        let pos = Position::from_fen("k7/1Q6/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let mut search = Search::<Standard>::new();
        search.set_contempt(Score::cp(20));
        for (impartial, draw) in [(false, -20), (true, 0), (false, -20)] {
            let limits = Limits { depth: Some(4), impartial, ..Limits::default() };
            let found = search.run(&pos, &limits, &StopToken::new(), &mut Silent);
            assert_eq!(found.score, Score::cp(draw));
        }
    }

    #[test]
    fn contempt_is_that_of_the_side_to_move_at_the_root() {
        let mut search = Search::<Standard>::new();
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let white = Position::start();
        let black = white.after(white.legal_moves()[0]);
        for (contempt, is_kept) in [(0, true), (20, false)] {
            search.set_contempt(Score::cp(contempt));
            search.run(&white, &limits, &StopToken::new(), &mut Silent);
            search.run(&white, &limits, &StopToken::new(), &mut Silent);
            assert!(search.tt.probe(white.key(), 0).is_some());
            search.run(&black, &limits, &StopToken::new(), &mut Silent);
            let is_known = search.tt.probe(white.key(), 0).is_some();
            assert_eq!(is_known, is_kept, "contempt {contempt}");
        }
    }

    #[test]
    fn a_root_without_all_its_moves_leaves_no_score() {
        let pos = Position::<Standard>::start();
        let legal = pos.legal_moves().to_vec();
        for (excluded, is_stored) in [(vec![], true), (vec![legal[0]], false)] {
            let mut search = Search::<Standard>::new();
            let limits =
                Limits { depth: Some(4), excluded_root_moves: excluded, ..Limits::default() };
            search.run(&pos, &limits, &StopToken::new(), &mut Silent);
            let found = search.tt.probe(pos.key(), 0).and_then(|entry| entry.found);
            assert_eq!(found.is_some(), is_stored);
        }
    }

    /// Keeps the lines of the last iteration: their first moves and their scores.
    #[derive(Default)]
    struct LastLines(Vec<(Move, Score)>);

    impl Observer for LastLines {
        fn line(&mut self, progress: Progress) {
            self.0.truncate(progress.line);
            self.0.push((progress.pv[0], progress.score));
        }

        fn root(&mut self, _: RootStatus) {}
    }

    /// The lines of a search with endgame tables, in which some moves win and some moves draw. It searches the
    /// moves that `is_searched` names.
    fn lines_with_tables(lines: usize, is_searched: impl Fn(&str) -> bool) -> Vec<(String, Score)> {
        lines_of(&mut search_with_tables(), lines, is_searched)
    }

    fn search_with_tables() -> Search<Standard> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
        let paths = TablePaths { syzygy: folder.to_owned(), ..TablePaths::default() };
        let mut search = Search::<Standard>::new();
        search.set_tables(Tablebases::open::<Standard>(&paths).0);
        search
    }

    fn lines_of(
        search: &mut Search<Standard>,
        lines: usize,
        is_searched: impl Fn(&str) -> bool,
    ) -> Vec<(String, Score)> {
        let pos = Position::from_fen("8/8/8/8/8/k3P3/8/4K3 w - - 0 1").unwrap();
        let mut excluded = pos.legal_moves().to_vec();
        excluded.retain(|mv| !is_searched(&mv.to_string()));
        let limits =
            Limits { depth: Some(8), lines, excluded_root_moves: excluded, ..Limits::default() };
        let mut seen = LastLines::default();
        let found = search.run(&pos, &limits, &StopToken::new(), &mut seen);
        assert_eq!(seen.0.first().copied(), found.best.map(|best| (best, found.score)));
        seen.0.into_iter().map(|(mv, score)| (mv.to_string(), score)).collect()
    }

    #[test]
    fn the_tables_judge_the_moves_that_may_be_searched() {
        let [(mv, score)] = &lines_with_tables(1, |_| true)[..] else { panic!("one line") };
        assert!(mv != "e3e4" && *score == Score::table_win(0), "{mv} {score:?}");
        let draw = vec![("e3e4".to_owned(), Score::ZERO)];
        assert_eq!(lines_with_tables(1, |mv| mv == "e3e4"), draw);
    }

    #[test]
    fn a_draw_by_the_tables_costs_the_contempt() {
        let moves = |lines: Vec<(String, Score)>| lines.into_iter().map(|(_, score)| score);
        for contempt in [0, 20] {
            let mut search = search_with_tables();
            search.set_contempt(Score::cp(contempt));
            let lines = lines_of(&mut search, 1, |mv| mv == "e3e4");
            assert!(moves(lines).eq([Score::cp(-contempt)]));
        }
    }

    #[test]
    fn other_tables_forget_the_scores_of_the_ones_before() {
        // The tables know the position after the capture.
        let pos = Position::from_fen("8/8/8/4k3/8/8/4n3/3RK3 w - - 0 1").unwrap();
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let mut search = search_with_tables();
        let found = search.run(&pos, &limits, &StopToken::new(), &mut Silent);
        assert_eq!(found.score, Score::table_win(1));
        let known = pos.after(found.best.unwrap());
        assert!(search.tt.probe(known.key(), 1).is_some());
        search.set_tables(Tablebases::default());
        assert!(search.tt.probe(known.key(), 1).is_none());
        let found = search.run(&pos, &limits, &StopToken::new(), &mut Silent);
        assert!(found.score < Score::cp(20_000), "{:?}", found.score);
    }

    #[test]
    fn each_of_several_lines_has_the_score_of_the_tables() {
        let lines = lines_with_tables(9, |_| true);
        let scores: Vec<Score> = lines.iter().map(|&(_, score)| score).collect();
        let wins = scores.iter().filter(|&&score| score == Score::table_win(0)).count();
        assert!(wins > 0 && wins < scores.len(), "{lines:?}");
        let draws = scores.len() - wins;
        assert_eq!(scores[wins..], vec![Score::ZERO; draws], "{lines:?}");
        assert_eq!(scores.len(), 6, "{lines:?}");
        // A win is the best line even if it alone may be searched among draws.
        let one_win = lines_with_tables(2, |mv| mv == lines[0].0 || mv == "e3e4");
        assert_eq!(one_win, [lines[0].clone(), ("e3e4".to_owned(), Score::ZERO)]);
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
}
