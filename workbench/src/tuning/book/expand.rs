//! A book by search: the tree of openings, grown best first.
//!
//! This is drop-out expansion (T. Lincke 2001). Each step searches the position that costs least to
//! reach: every ply costs something, and a move that is worse than the best one costs the difference,
//! too. So good lines become long, and moves of an opponent that are not the best still have answers.
//! At the end the scores go back from the leaves to the root, as in negamax.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Mutex;

use crate::parallel::{ThreadError, on_threads};
use trebuchet::board::Position;
use trebuchet::book::{Entry, code, key};
use trebuchet::search::{Bound, Limits, Observer, PositionSearch, Progress, RootStatus, StopToken};
use trebuchet::threads::lock;
use trebuchet::types::{Depth, Move};
use trebuchet::variants::Variant;

/// How the tree grows and which moves become entries. Scores are in centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// The number of positions to search.
    pub positions: usize,
    /// Nodes of search for each position.
    pub nodes: u64,
    /// How many moves of each position get a score.
    pub lines: usize,
    /// The tree follows moves that are at most this much worse than the best.
    pub width: i32,
    /// The book has moves that are at most this much worse than the best.
    pub margin: i32,
    /// The tree follows no move with a greater score for either side.
    pub limit: i32,
    pub threads: u16,
    /// The size of each thread's transposition table in MiB.
    pub hash: usize,
}

/// What each ply costs, in centipawns.
const PLY_COST: i32 = 20;
/// How many positions are searched before the next ones are chosen. The number of threads does not
/// change the book, because it does not change this.
const BATCH: usize = 16;
/// The weight of the best move of a position.
const BEST_WEIGHT: f64 = 1000.0;

/// A position to search. The least is the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    /// In centipawns.
    cost: i32,
    /// Breaks ties: earlier positions come first.
    number: usize,
    /// The number of the start position.
    start: usize,
    key: u64,
    line: Vec<u16>,
}

/// A position that has been searched.
struct Node {
    key: u64,
    candidates: Vec<Candidate>,
}

/// A move that has got a score.
#[derive(Clone, Copy)]
struct Candidate {
    code: u16,
    /// The position after the move.
    key: u64,
    /// In centipawns, from the side that makes the move.
    score: i32,
}

/// What a tree has become.
pub struct Grown {
    pub entries: Vec<Entry>,
    /// How many positions were left out because their search ended before its first iteration.
    pub left_out: usize,
}

/// Grows the tree from all start positions of the game. `progress` learns how many positions have been
/// searched.
///
/// # Errors
/// If a thread cannot be started or panics.
pub fn expand<V: Variant>(
    expansion: &Expansion,
    progress: impl Fn(usize) + Sync,
) -> Result<Grown, ThreadError> {
    let mut tree = Tree::new::<V>();
    let searched = Mutex::new(0);
    loop {
        let batch = tree.next_batch(expansion.positions);
        if batch.is_empty() {
            let left_out = tree.known.len() - tree.nodes.len();
            return Ok(Grown { entries: tree.entries(expansion), left_out });
        }
        let work = Mutex::new(batch.iter().enumerate().collect::<Vec<_>>());
        let results: Mutex<Vec<Option<Vec<Scored>>>> = Mutex::new(vec![None; batch.len()]);
        on_threads(expansion.threads, &|| -> Result<(), ThreadError> {
            let mut search = V::new_search();
            search.set_threads(1);
            search.set_hash(expansion.hash);
            loop {
                // Not `while let`, which would hold the lock during the search.
                let next = lock(&work).pop();
                let Some((index, open)) = next else { return Ok(()) };
                let scored = score_moves(&mut *search, &open.position::<V>(), expansion);
                lock(&results)[index] = Some(scored);
                let mut searched = lock(&searched);
                *searched += 1;
                progress(*searched);
            }
        })?;
        let results = std::mem::take(&mut *lock(&results));
        for (open, scored) in batch.into_iter().zip(results) {
            tree.add::<V>(&open, scored.unwrap_or_default(), expansion);
        }
    }
}

/// A move with its score in centipawns.
type Scored = (Move, i32);

/// The best moves of a position with their scores, the best first; none if the search ends before its first
/// iteration.
fn score_moves<V: Variant>(
    search: &mut dyn PositionSearch<V>,
    pos: &Position<V>,
    expansion: &Expansion,
) -> Vec<Scored> {
    search.clear();
    let lines = expansion.lines.min(pos.legal_moves().len());
    let limits = Limits { nodes: Some(expansion.nodes), lines, ..Limits::default() };
    let mut collector = LineCollector { lines, ..LineCollector::default() };
    search.run(pos, &limits, &StopToken::new(), &mut collector);
    collector.complete
}

/// Keeps the lines of the last iteration that has finished all of them.
#[derive(Default)]
struct LineCollector {
    lines: usize,
    depth: Depth,
    present: Vec<Scored>,
    complete: Vec<Scored>,
}

impl Observer for LineCollector {
    fn line(&mut self, progress: Progress) {
        let Some(&mv) = progress.pv.first().filter(|_| progress.bound == Bound::Exact) else {
            return;
        };
        if progress.depth != self.depth || progress.line == 0 {
            self.depth = progress.depth;
            self.present.clear();
        }
        self.present.push((mv, progress.score.value()));
        if self.present.len() == self.lines {
            self.complete = std::mem::take(&mut self.present);
        }
    }

    fn root(&mut self, _: RootStatus) {}
}

impl Open {
    fn position<V: Variant>(&self) -> Position<V> {
        let mut pos = Position::<V>::numbered_start(self.start);
        for mv in self.line.iter().filter_map(|&bits| Move::from_bits(bits)) {
            pos.make_move(mv);
        }
        pos
    }
}

#[derive(Default)]
struct Tree {
    open: BinaryHeap<Reverse<Open>>,
    nodes: Vec<Node>,
    /// By key: the index of the node; `None` if the search of the position ended before its first iteration.
    known: HashMap<u64, Option<usize>>,
    /// The number of positions pushed so far.
    pushed: usize,
}

impl Tree {
    fn new<V: Variant>() -> Tree {
        let mut tree = Tree::default();
        for start in 0..V::START_POSITIONS {
            let key = key(&Position::<V>::numbered_start(start)).bits();
            tree.push(Open { cost: 0, number: 0, start, key, line: Vec::new() });
        }
        tree
    }

    fn push(&mut self, open: Open) {
        self.pushed += 1;
        self.open.push(Reverse(Open { number: self.pushed, ..open }));
    }

    /// The next positions to search, if there are fewer nodes than `limit`.
    fn next_batch(&mut self, limit: usize) -> Vec<Open> {
        let mut batch: Vec<Open> = Vec::new();
        while batch.len() < BATCH.min(limit.saturating_sub(self.nodes.len()))
            && let Some(Reverse(open)) = self.open.pop()
        {
            let is_new = !self.known.contains_key(&open.key);
            if is_new && batch.iter().all(|other| other.key != open.key) {
                batch.push(open);
            }
        }
        batch
    }

    /// Adds a position that has been searched, and opens those after its moves. Without any move with a score
    /// it has no value, and is left out.
    fn add<V: Variant>(&mut self, open: &Open, scored: Vec<Scored>, expansion: &Expansion) {
        let Some(best) = scored.iter().map(|&(_, score)| score).max() else {
            self.known.insert(open.key, None);
            return;
        };
        let mut pos = open.position::<V>();
        let mut candidates = Vec::new();
        for (mv, score) in scored {
            let code = code(&pos, mv);
            pos.make_move(mv);
            let key = key(&pos).bits();
            let is_over = pos.outcome().is_some();
            pos.unmake_move();
            candidates.push(Candidate { code, key, score });
            let is_followed = best - score <= expansion.width && score.abs() <= expansion.limit;
            if is_followed && !is_over && !self.known.contains_key(&key) {
                let line = open.line.iter().copied().chain([mv.bits()]).collect();
                let cost = open.cost + PLY_COST + best - score;
                self.push(Open { cost, number: 0, start: open.start, key, line });
            }
        }
        self.known.insert(open.key, Some(self.nodes.len()));
        self.nodes.push(Node { key: open.key, candidates });
    }

    /// The entries of the book: in each position the moves within the margin, by the scores of the
    /// leaves.
    fn entries(&self, expansion: &Expansion) -> Vec<Entry> {
        let mut values = Values { tree: self, known: HashMap::new(), path: HashSet::new() };
        let mut entries = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let best = values.of_node(index);
            for &candidate in &node.candidates {
                let loss = best - values.of_candidate(candidate);
                if loss <= expansion.margin {
                    let weight = weight(loss, expansion.margin);
                    let Candidate { code, .. } = candidate;
                    entries.push(Entry { key: node.key, code, weight, learn: 0 });
                }
            }
        }
        entries
    }
}

/// The weight of a move that is `loss` centipawns worse than the best one. At the margin it is about
/// an eighth of the best move's.
fn weight(loss: i32, margin: i32) -> u16 {
    let loss = f64::from(loss.max(0)) / f64::from(margin.max(1));
    (BEST_WEIGHT * (-2.0 * loss).exp()).round().max(1.0) as u16
}

/// The values of positions for the side to move, by the scores of the leaves.
struct Values<'a> {
    tree: &'a Tree,
    known: HashMap<usize, i32>,
    /// The nodes between the root and the present one.
    path: HashSet<usize>,
}

impl Values<'_> {
    fn of_node(&mut self, index: usize) -> i32 {
        if let Some(&value) = self.known.get(&index) {
            return value;
        }
        self.path.insert(index);
        let candidates = &self.tree.nodes[index].candidates;
        let value = candidates.iter().map(|&candidate| self.of_candidate(candidate)).max();
        self.path.remove(&index);
        let value = value.expect("a node has a move with a score");
        self.known.insert(index, value);
        value
    }

    /// The value of a move: that of the position after it if this has been searched, else its score.
    /// A move back to a position on the way to this one has its score, too.
    fn of_candidate(&mut self, candidate: Candidate) -> i32 {
        match self.tree.known.get(&candidate.key) {
            Some(&Some(next)) if !self.path.contains(&next) => -self.of_node(next),
            _ => candidate.score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::book::Book;
    use trebuchet::notation::parse_move;
    use trebuchet::variants::{Standard, ThreeCheck};

    fn expansion(threads: u16) -> Expansion {
        Expansion {
            positions: 20,
            nodes: 300,
            lines: 3,
            width: 60,
            margin: 20,
            limit: 250,
            threads,
            hash: 1,
        }
    }

    fn grow<V: Variant>(threads: u16) -> Book {
        Book::of_entries(expand::<V>(&expansion(threads), |_| {}).unwrap().entries)
    }

    #[test]
    fn threads_do_not_change_the_book() {
        let book = grow::<ThreeCheck>(1);
        assert_eq!(book, grow::<ThreeCheck>(2));
        let mut positions: Vec<u64> = book.entries().map(|entry| entry.key).collect();
        positions.dedup();
        assert_eq!(positions.len(), 20);
        let moves = book.moves(&Position::<ThreeCheck>::start());
        assert!(!moves.is_empty() && moves[0].weight == 1000, "{moves:?}");
    }

    #[test]
    fn the_best_move_has_the_greatest_weight() {
        assert_eq!([0, 10, 20].map(|loss| weight(loss, 20)), [1000, 368, 135]);
        assert_eq!([0, 1].map(|loss| weight(loss, 0)), [1000, 135]);
        assert_eq!(weight(500, 20), 1);
        let book = grow::<Standard>(1);
        let start = key(&Position::<Standard>::start()).bits();
        assert!(book.entries().any(|entry| entry.key == start && entry.weight == 1000));
    }

    /// With its value 0 the first move would be worse than the second.
    #[test]
    fn a_position_without_a_finished_search_has_no_value() {
        let mut tree = Tree::new::<Standard>();
        let pos = Position::<Standard>::start();
        let [e4, d4] = ["e4", "d4"].map(|text| parse_move(&pos, text).unwrap());
        let start = tree.next_batch(2).remove(0);
        tree.add::<Standard>(&start, vec![(e4, 30), (d4, 20)], &expansion(1));
        let after_e4 = tree.next_batch(2).remove(0);
        assert_eq!(after_e4.line, [e4.bits()]);
        tree.add::<Standard>(&after_e4, Vec::new(), &expansion(1));
        let weights: Vec<u16> =
            tree.entries(&expansion(1)).iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [1000, 368]);
        // It is not searched again.
        let lines: Vec<_> = tree.next_batch(9).into_iter().map(|open| open.line).collect();
        assert_eq!(lines, [vec![d4.bits()]]);

        let few = Expansion { nodes: 1, ..expansion(1) };
        let Grown { entries, left_out } = expand::<Standard>(&few, |_| {}).unwrap();
        assert_eq!((entries.len(), left_out), (0, 1));
    }

    /// Two moves: one to a position that is better than it looked, one back to the root.
    #[test]
    fn scores_go_back_from_the_leaves() {
        let candidate = |code, key, score| Candidate { code, key, score };
        let mut tree = Tree::default();
        for (key, candidates) in [
            (1, vec![candidate(10, 2, 30), candidate(11, 3, 20)]),
            (3, vec![candidate(12, 4, -40), candidate(13, 1, -90)]),
        ] {
            tree.known.insert(key, Some(tree.nodes.len()));
            tree.nodes.push(Node { key, candidates });
        }
        let entries = tree.entries(&expansion(1));
        let found: Vec<_> =
            entries.iter().map(|entry| (entry.key, entry.code, entry.weight)).collect();
        assert_eq!(found, [(1, 10, 368), (1, 11, 1000), (3, 12, 1000), (3, 13, 1000)]);
    }
}
