//! The search finds forced ends, gives the same result each time, keeps its limits, and plays legal
//! moves.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::notation::Epd;
use trebuchet::search::{
    Bound, Limits, Observer, PositionSearch, Progress, RootStatus, Search, SearchResult, StopToken,
};
use trebuchet::types::{Depth, MAX_PLY, Moment, Move, Score, TimeSource};
use trebuchet::variants::{
    Antichess, Atomic, Horde, Standard, Suicide, ThreeCheck, Variant, VariantId,
};

/// Keeps what a search reports.
#[derive(Default)]
struct Reports {
    lines: Vec<Progress>,
    statuses: Vec<RootStatus>,
}

impl Observer for Reports {
    fn line(&mut self, progress: Progress) {
        self.lines.push(progress);
    }
    fn root(&mut self, status: RootStatus) {
        self.statuses.push(status);
    }
}

fn depth(depth: Depth) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn search<V: Variant>(fen: &str, limits: &Limits) -> (SearchResult, Reports) {
    let pos = Position::<V>::from_fen(fen).unwrap();
    let mut reports = Reports::default();
    let found = Search::<V>::new().run(&pos, limits, &StopToken::new(), &mut reports);
    assert_lines_are_legal(&pos, &reports.lines);
    (found, reports)
}

fn assert_lines_are_legal<V: Variant>(pos: &Position<V>, lines: &[Progress]) {
    for progress in lines {
        let mut pos = pos.clone();
        for (ply, mv) in progress.pv.iter().enumerate() {
            assert!(pos.legal_moves().contains(mv), "{:?} at ply {ply}: {}", progress, pos.fen());
            pos.make_move(*mv);
        }
    }
}

/// Ends a search as soon as it reports the expected score. A better score would be wrong.
struct Examiner {
    stop: StopToken,
    /// The distance of the win in moves.
    moves: i32,
    line: Vec<Move>,
}

impl Examiner {
    /// Give up after this number of nodes.
    const MOST_NODES: u64 = 2_000_000;
}

impl Observer for Examiner {
    fn line(&mut self, progress: Progress) {
        let moves = progress.score.moves_to_end();
        assert!(moves.is_none_or(|moves| moves < 0 || moves >= self.moves), "{progress:?}");
        if moves == Some(self.moves) {
            self.line = progress.pv;
            self.stop.stop();
        }
    }
    fn root(&mut self, status: RootStatus) {
        if status.nodes > Examiner::MOST_NODES {
            self.stop.stop();
        }
    }
}

/// The search wins all positions of `variants/*/mates.epd`, and no score claims a shorter end. Scores
/// of up to three moves are exact. Of all scores, nine in ten are exact: the search may prune the
/// shortest mate if it finds a longer one.
#[test]
fn forced_ends_are_found_with_their_distance() {
    fn solve<V: Variant>() -> usize {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("variants");
        let text = fs::read_to_string(folder.join(V::ID.folder()).join("mates.epd")).unwrap();
        let (mut solved, mut exact) = (0, 0);
        for epd in Epd::parse_file(&text) {
            let epd = epd.unwrap();
            let moves: i32 = epd.operands("dm").unwrap()[0].parse().unwrap();
            let mut pos = Position::<V>::from_fen(&epd.fen).unwrap();
            let stop = StopToken::new();
            let mut examiner = Examiner { stop: stop.clone(), moves, line: Vec::new() };
            // Infinite, so that the search goes on when it has found a longer mate.
            let limits = Limits { infinite: true, ..Limits::default() };
            let found = Search::<V>::new().run(&pos, &limits, &stop, &mut examiner);
            let is_exact = found.score.moves_to_end() == Some(moves);
            assert!(is_exact || moves > 3, "{epd}: {:?}", found.score);
            exact += usize::from(is_exact);
            assert!(found.score > Score::cp(1000), "{epd}");
            // A table cutoff may shorten the line. A whole line ends the game.
            let us = pos.side_to_move();
            examiner.line.iter().for_each(|&mv| pos.make_move(mv));
            if found.score == Score::win_in(examiner.line.len()) {
                let winner = pos.outcome().and_then(|outcome| outcome.winner);
                assert_eq!(winner, Some(us), "{epd}");
            }
            solved += 1;
        }
        assert!(exact * 10 >= solved * 9, "{exact} of {solved}");
        solved
    }
    for &id in VariantId::ALL {
        assert!(for_variant!(id, V => solve::<V>()) >= 30, "{}", id.name());
    }
}

#[test]
fn a_loss_has_its_distance_too() {
    // Black's only move allows mate in one.
    let (found, _) = search::<Standard>("7k/8/6K1/8/8/8/8/R7 b - - 0 1", &depth(8));
    assert_eq!(found.score, Score::loss_in(2));
    // One check is left and every move allows it.
    let fen = "k7/8/8/8/8/8/1R6/K6R b - - 1+1 0 1";
    let (found, _) = search::<ThreeCheck>(fen, &depth(6));
    assert_eq!(found.score, Score::loss_in(2));
}

#[test]
fn the_third_check_comes_before_every_draw() {
    // The move that completes the fifty-move rule gives the third check.
    let (found, _) = search::<ThreeCheck>("4k3/8/8/8/8/8/3R4/4K3 w - - 1+3 99 80", &depth(4));
    assert_eq!(found.score, Score::win_in(1));
    // With a bare king the game goes on while the other side can give check.
    let (found, _) = search::<ThreeCheck>("4k3/8/8/8/8/8/8/N3K3 w - - 1+3 0 1", &depth(10));
    assert!(found.score.value() > 0, "{found:?}");
    let (found, _) = search::<Standard>("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", &depth(10));
    assert_eq!(found.score, Score::ZERO);
}

/// Every move completes the fifty-move rule and leaves White without a move. White wins so in Antichess; in
/// Suicide Black does, who has fewer men.
#[test]
fn a_stalemate_that_decides_comes_before_the_fifty_moves() {
    let (found, _) = search::<Antichess>("7r/8/8/8/p7/P7/8/8 b - - 99 80", &depth(4));
    assert_eq!(found.score, Score::loss_in(1));
    let fen = "1k6/8/8/8/p3p3/P3P3/P3P3/8 b - - 99 80";
    let (found, _) = search::<Suicide>(fen, &depth(4));
    assert_eq!(found.score, Score::win_in(1));
}

/// The mates need a move that Black would rather not make. Null-move pruning lets Black pass, so it
/// must not be used where a side has pawns alone.
#[test]
fn zugzwang_is_seen() {
    // Black has to push the pawn: 1. Nc1 a2 2. Nb3 mate. Then the same with colours reversed.
    for fen in ["8/8/8/7p/7P/p7/2K1N3/k7 w - - 0 1", "K7/2k1n3/P7/7p/7P/8/8/8 b - - 0 1"] {
        let (found, _) = search::<Standard>(fen, &depth(14));
        assert_eq!(found.score, Score::win_in(3), "{fen}");
    }
    // The knight first gains a move.
    let (found, _) = search::<Standard>("8/8/8/8/4N3/p7/2K5/k7 w - - 0 1", &depth(20));
    assert!(found.score.is_win(), "{found:?}");
}

/// Black is far ahead, but White gives check for ever, with either check on the g-file first.
#[test]
fn perpetual_check_is_a_draw() {
    let pos = Position::<Standard>::from_fen("5rk1/5p2/8/7Q/8/8/qr3PPP/6K1 w - - 0 1").unwrap();
    let mut search = Search::<Standard>::new();
    for contempt in [0, 25, -25] {
        search.set_contempt(Score::cp(contempt));
        search.clear();
        let found = search.run(&pos, &depth(14), &StopToken::new(), &mut Reports::default());
        let best = found.best.map(|mv| mv.to_string());
        assert!(matches!(best.as_deref(), Some("h5g4" | "h5g5")), "{best:?}");
        assert_eq!(found.score, -Score::cp(contempt));
    }
}

/// A single earlier occurrence in the game is no draw yet; a second one is.
#[test]
fn the_game_before_the_root_counts_for_repetitions() {
    let mut pos = Position::<Standard>::from_fen("4k3/8/8/8/8/8/8/3QK3 b - - 0 1").unwrap();
    for is_drawn in [false, true] {
        for text in ["e8f8", "d1d2", "f8e8"] {
            let mv = pos.legal_moves().iter().copied().find(|mv| mv.to_string() == text);
            pos.make_move(mv.unwrap());
        }
        // The only move that is left goes back to the first position.
        let mut excluded = pos.legal_moves().to_vec();
        excluded.retain(|mv| mv.to_string() != "d2d1");
        let limits = Limits { excluded_root_moves: excluded, ..depth(4) };
        let mut reports = Reports::default();
        let found = Search::new().run(&pos, &limits, &StopToken::new(), &mut reports);
        let best = found.best.unwrap();
        assert_eq!(best.to_string(), "d2d1");
        assert_eq!(found.score == Score::ZERO, is_drawn, "{found:?}");
        pos.make_move(best);
    }
}

#[test]
fn contempt_is_the_cost_of_a_draw() {
    let pos = Position::<Standard>::from_fen("k7/8/8/8/8/8/8/N3K3 w - - 0 1").unwrap();
    let mut search = Search::<Standard>::new();
    search.set_contempt(Score::cp(25));
    let found = search.run(&pos, &depth(6), &StopToken::new(), &mut Reports::default());
    assert_eq!(found.score, Score::cp(-25));
}

#[test]
fn one_thread_searches_the_same_tree_twice() {
    fn twice<V: Variant>() {
        let run = |search: &mut Search<V>| {
            let pos = Position::start();
            let found = search.run(&pos, &depth(9), &StopToken::new(), &mut Reports::default());
            (found.nodes, found.score, found.pv)
        };
        let mut one = Search::<V>::new();
        let first = run(&mut one);
        assert_eq!(run(&mut Search::new()), first);
        // Tables and histories change the second search; after clearing them it equals the first.
        assert_ne!(run(&mut one).0, first.0);
        one.clear();
        assert_eq!(run(&mut one), first);
    }
    twice::<Standard>();
    twice::<ThreeCheck>();
}

#[test]
fn limits_of_depth_and_nodes_are_kept() {
    let start = Position::<Standard>::start().fen();
    let (found, reports) = search::<Standard>(&start, &depth(7));
    assert_eq!(found.depth, 7);
    let depths: Vec<Depth> = reports.lines.iter().map(|line| line.depth).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7]);
    assert!(reports.lines.iter().all(|line| line.bound == Bound::Exact && line.line == 0));
    for limit in [1, 20, 500, 1024, 10_000] {
        let (found, _) = search::<Standard>(&start, &nodes(limit));
        assert!(found.nodes <= limit, "{} nodes of {limit}", found.nodes);
        assert!(found.best.is_some());
    }
}

/// If a search is stopped, its last reported line begins with the move that it plays.
#[test]
fn the_last_line_is_the_one_that_is_played() {
    fn check<V: Variant>(fen: &str) {
        for limit in (1..60).map(|part| 500 * part) {
            let (result, reports) = search::<V>(fen, &nodes(limit));
            let reported = reports.lines.last().map(|line| line.pv[0]);
            assert_eq!(reported, result.best, "{fen} {limit}");
        }
    }
    check::<Standard>("r1b1kb1r/p4npp/4p3/1p1p4/2pP4/P1P1B3/1P3PPP/R3KBNR b KQkq - 0 15");
    check::<ThreeCheck>("r1b1kb1r/p4npp/4p3/1p1p4/2pP4/P1P1B3/1P3PPP/R3KBNR b KQkq - 2+3 0 15");
    check::<ThreeCheck>("3r2k1/1bp1nqrp/1p1p1ppQ/p2Pp3/P1P4N/1R6/2P1BPPP/4R2K b - - 3+3 4 22");
}

thread_local! {
    /// How often the fake clock has been read.
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// A clock on which each reading takes a millisecond. The search reads its clock at fixed numbers of
/// nodes, so the time is the same in every run.
fn fake_clock() -> TimeSource {
    TimeSource::new(|| {
        READINGS.set(READINGS.get() + 1);
        Moment::START + Duration::from_millis(READINGS.get())
    })
}

/// Searches on the fake clock with a soft and a hard limit in milliseconds; gives the time used.
fn search_on_fake_clock(fen: &str, soft: u64, hard: u64, limits: &Limits) -> (SearchResult, u64) {
    READINGS.set(0);
    let stop = StopToken::with_clock(fake_clock(), Moment::START);
    stop.set_time_limits(Moment::START, Duration::from_millis(soft), Duration::from_millis(hard));
    let pos = Position::<Standard>::from_fen(fen).unwrap();
    let found = Search::new().run(&pos, limits, &stop, &mut Reports::default());
    (found, READINGS.get())
}

/// Quiet middle game.
const MIDDLE_GAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP1B2/2N1PN2/PP2BPPP/R2Q1RK1 w - - 0 9";

#[test]
fn the_soft_limit_decides_how_long_a_search_is() {
    let limits = depth(60);
    let mut last = 0;
    for soft in [100, 400, 1600] {
        let (found, used) = search_on_fake_clock(MIDDLE_GAME, soft, 20 * soft, &limits);
        // The difficulty of the position scales the limit, and the last iteration takes longer.
        assert!(used > soft / 8 && used < soft * 16, "{used} ms used of {soft}");
        assert!(used > last && found.depth < 60, "{used} ms, depth {}", found.depth);
        last = used;
    }
}

#[test]
fn the_hard_limit_breaks_a_search_off() {
    for hard in [300, 1200] {
        let (found, used) = search_on_fake_clock(MIDDLE_GAME, 1_000_000, hard, &depth(60));
        // The clock is also read at each root move, where the limit is not checked.
        assert!(used >= hard && used <= hard + 100, "{used} ms used of {hard}");
        assert!(found.depth > 0 && found.depth < 60 && found.best.is_some());
    }
}

#[test]
fn a_depth_limit_ends_a_search_before_its_time() {
    let (found, used) = search_on_fake_clock(MIDDLE_GAME, 1_000_000, 1_000_000, &depth(9));
    assert_eq!(found.depth, 9, "{used} ms used");
}

/// The opponent makes the expected move while this iteration runs. The clock counts from the start of pondering.
struct PonderHit {
    stop: StopToken,
    depth: Depth,
    soft: u64,
}

impl Observer for PonderHit {
    fn line(&mut self, _: Progress) {}

    fn root(&mut self, status: RootStatus) {
        if status.depth == self.depth && status.moves_left == 0 {
            let [soft, hard] = [self.soft, 1_000_000].map(Duration::from_millis);
            self.stop.set_time_limits(Moment::START, soft, hard);
        }
    }
}

#[test]
fn a_ponder_hit_ends_an_iteration_that_would_not_have_begun() {
    let only_move = "k7/8/8/8/p7/P7/1r6/7K w - - 0 1";
    for (fen, soft, last) in
        [(MIDDLE_GAME, 1, 9), (MIDDLE_GAME, 1_000_000, 12), (only_move, 1_000_000, 9)]
    {
        READINGS.set(0);
        let stop = StopToken::with_clock(fake_clock(), Moment::START);
        let mut observer = PonderHit { stop: stop.clone(), depth: 10, soft };
        let pos = Position::<Standard>::from_fen(fen).unwrap();
        let found = Search::new().run(&pos, &depth(12), &stop, &mut observer);
        assert_eq!(found.depth, last, "{fen} {soft}");
    }
}

/// A move that has no alternative needs no thought where time is short.
#[test]
fn an_only_move_is_played_early_on_a_clock() {
    let fen = "k7/8/8/8/p7/P7/1r6/7K w - - 0 1";
    let limits = depth(14);
    let (found, _) = search_on_fake_clock(fen, 1_000_000, 1_000_000, &limits);
    assert!(found.depth < 14, "depth {}", found.depth);
    let (found, _) = search::<Standard>(fen, &limits);
    assert_eq!(found.depth, 14, "without a clock");
    let (found, _) = search_on_fake_clock(fen, 16_000_000, 1_000_000, &limits);
    assert_eq!(found.depth, 14, "the time is for this move alone");
    let two_moves = "k7/8/8/8/8/P7/1r6/7K w - - 0 1";
    let (found, _) = search_on_fake_clock(two_moves, 1_000_000, 1_000_000, &limits);
    assert_eq!(found.depth, 14, "there is a choice");
}

#[test]
fn an_infinite_search_goes_on_to_its_depth_limit() {
    // Mate in one: a search that is not infinite ends at once.
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    for (infinite, depth) in [(false, 2), (true, 9)] {
        let limits = Limits { infinite, depth: Some(9), ..Limits::default() };
        let (found, _) = search::<Standard>(fen, &limits);
        assert_eq!((found.score, found.depth), (Score::win_in(1), depth));
    }
}

/// In both positions the search finds a mate in three first, and holds it for the shortest one.
#[test]
fn a_longer_mate_does_not_end_the_search_for_a_mate() {
    fn check<V: Variant>(fen: &str) {
        let (found, _) = search::<V>(fen, &Limits { mate: Some(2), ..depth(40) });
        assert_eq!(found.score, Score::win_in(3), "{fen}");
        assert!(found.depth < 40, "{fen}: the mate in two ends the search");
        let (found, _) = search::<V>(fen, &Limits { mate: Some(3), ..depth(40) });
        assert!(found.score >= Score::win_in(5) && found.depth < 40, "{fen}: {found:?}");
    }
    check::<Horde>("1Q6/7k/2p1P3/2P2PP1/4P1P1/PPPP3P/P1PPPP1P/PPP1P2P w - - 0 34");
    check::<Atomic>("r2q1rk1/p1p3pp/1pB5/3P4/3bP3/P1N5/6PP/R3K2R b KQ - 1 19");
    // There is none, and the limit of depth holds.
    let start = Position::<Standard>::start().fen();
    assert_eq!(search::<Standard>(&start, &Limits { mate: Some(2), ..depth(5) }).0.depth, 5);
}

#[test]
fn several_lines_are_distinct_and_in_order() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let (found, reports) = search::<Standard>(fen, &Limits { lines: 3, ..depth(7) });
    let last: Vec<&Progress> = reports.lines.iter().filter(|line| line.depth == 7).collect();
    assert_eq!(last.iter().map(|line| line.line).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(last.is_sorted_by_key(|line| -line.score));
    let mut firsts: Vec<Move> = last.iter().map(|line| line.pv[0]).collect();
    assert_eq!(found.best, firsts.first().copied());
    firsts.sort_by_key(|mv| mv.bits());
    firsts.dedup();
    assert_eq!(firsts.len(), 3);
}

/// A queen hangs, and the first moves of the list leave it alone.
#[test]
fn a_search_that_is_stopped_at_once_has_looked_one_ply_ahead() {
    let pos = Position::<Standard>::from_fen("6k1/5ppp/8/8/8/8/q4PPP/R5K1 w - - 0 1").unwrap();
    let (stopped, out_of_time) = (StopToken::new(), StopToken::new());
    stopped.stop();
    out_of_time.set_time_limits(Moment::START, Duration::ZERO, Duration::ZERO);
    for stop in [stopped, out_of_time] {
        let found = Search::new().run(&pos, &depth(60), &stop, &mut Reports::default());
        assert_eq!(found.best.map(|mv| mv.to_string()).as_deref(), Some("a1a2"));
        assert_eq!(found.depth, 1);
    }
}

/// Where captures are compulsory, they once went on for seven million nodes below the first iteration, and
/// neither a clock nor a stop ended them.
#[test]
fn a_first_iteration_of_many_compulsory_captures_ends_in_time() {
    let fen = "rnb1kbnr/pppp1ppp/4pq2/7Q/4P3/1P6/P1PP1PPP/RNB1KBNR b - - 2 3";
    let pos = Position::<Antichess>::from_fen(fen).unwrap();
    let stop = StopToken::new();
    stop.stop();
    let found = Search::new().run(&pos, &depth(60), &stop, &mut Reports::default());
    assert!(found.best.is_some_and(|mv| pos.legal_moves().contains(&mv)));
    assert!(found.nodes < 60_000, "{}", found.nodes);
    let (found, _) = search::<Antichess>(fen, &nodes(1_000_000));
    assert!(found.depth >= 3, "{}", found.depth);
}

/// The helpers may use up the nodes before the main thread has begun.
#[test]
fn with_two_threads_the_first_iteration_is_searched_all_the_same() {
    let pos = Position::<Standard>::from_fen("6k1/5ppp/8/8/8/8/q4PPP/R5K1 w - - 0 1").unwrap();
    for _ in 0..20 {
        let mut search = Search::new();
        search.set_threads(2);
        let found = search.run(&pos, &nodes(300), &StopToken::new(), &mut Reports::default());
        assert_eq!(found.best.map(|mv| mv.to_string()).as_deref(), Some("a1a2"));
    }
}

#[test]
fn excluded_moves_are_not_searched() {
    // The only mate is excluded, then all moves are.
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let pos = Position::<Standard>::from_fen(fen).unwrap();
    let (found, _) = search::<Standard>(fen, &depth(4));
    let mate = found.best.unwrap();
    let (found, _) =
        search::<Standard>(fen, &Limits { excluded_root_moves: vec![mate], ..depth(6) });
    assert!(found.best.is_some_and(|best| best != mate));
    assert_ne!(found.score, Score::win_in(1));
    let excluded = pos.legal_moves().to_vec();
    let (found, _) = search::<Standard>(fen, &Limits { excluded_root_moves: excluded, ..depth(4) });
    assert_eq!((found.best, found.ponder, found.nodes), (None, None, 0));
}

#[test]
fn the_observer_gets_the_root_status() {
    let (_, reports) = search::<Standard>(&Position::<Standard>::start().fen(), &depth(6));
    let last = reports.statuses.last().unwrap();
    assert_eq!((last.depth, last.moves_total, last.moves_left), (6, 20, 0));
    assert!(last.current.is_some());
}

#[test]
fn two_threads_find_a_legal_move() {
    fn play<V: Variant>() {
        let mut pos = Position::<V>::start();
        let mut search = Search::<V>::new();
        search.set_threads(2);
        for _ in 0..10 {
            let mut reports = Reports::default();
            let found = search.run(&pos, &nodes(20_000), &StopToken::new(), &mut reports);
            assert_lines_are_legal(&pos, &reports.lines);
            let best = found.best.unwrap();
            assert!(pos.legal_moves().contains(&best));
            pos.make_move(best);
        }
    }
    play::<Standard>();
    play::<ThreeCheck>();
}

/// Whole games: every line that is reported is legal, and every game ends.
#[test]
fn games_against_itself_are_legal() {
    fn play<V: Variant>() {
        let mut pos = Position::<V>::start();
        let mut search = Search::<V>::new();
        search.set_hash(1);
        while pos.outcome().is_none() && pos.ply_count() < 400 {
            let mut reports = Reports::default();
            let found = search.run(&pos, &nodes(2_000), &StopToken::new(), &mut reports);
            assert_lines_are_legal(&pos, &reports.lines);
            pos.make_move(found.best.unwrap());
        }
        assert!(pos.outcome().is_some(), "{}", pos.fen());
    }
    play::<Standard>();
    play::<ThreeCheck>();
}

#[test]
fn constants_have_names() {
    let mut search = Search::<Standard>::new();
    assert!(search.set_parameter("rfp_margin", 90));
    assert_eq!(search.params().rfp_margin, 90);
    assert!(!search.set_parameter("nonsense", 1));
}

/// A search thread has 8 MiB of stack, and no line is longer than [`MAX_PLY`]. So a line of a quarter
/// of that length must fit into a quarter of the stack.
#[test]
fn the_longest_line_fits_the_stack() {
    const PART: usize = 4;
    const STACK: usize = 8 << 20;
    let fen = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";
    let seldepth = |plies| {
        let (_, reports) = search::<Standard>(fen, &depth(plies));
        reports.lines.iter().map(|line| line.seldepth as usize).max()
    };
    // How deep the search must be for such a line depends on its constants and its evaluation.
    let search = move || (20..40).any(|plies| seldepth(plies) >= Some(MAX_PLY / PART));
    let thread = thread::Builder::new().stack_size(STACK / PART).spawn(search).unwrap();
    assert!(thread.join().unwrap(), "no line has a quarter of the greatest length");
}
