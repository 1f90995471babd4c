//! The transposition table (TT): results of earlier searches by position, shared by all threads
//! without a lock.
//!
//! A cluster is half a cache line: three entries of 64 bits, and one word with 21 verification bits
//! for each. The verification bits mix the key with the bits of the entry. If two threads write at
//! once and tear an entry, it no longer matches and counts as absent. A match may still belong to
//! another position (one in two million), so its move must be checked for legality before it is
//! made.
//!
//! Imports `types`, `window` and the two files on memory. It holds no positions and knows no variant.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::types::{Depth, Key, Move, Ply, Score};

use super::available_memory::available_memory;
use super::memory::Words;
use super::window::Bound;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub mv: Option<Move>,
    /// The score of a search and what it says about the true score; `None` if only the static
    /// evaluation is known.
    pub found: Option<(Score, Bound)>,
    /// The static evaluation as the evaluator gave it, uncorrected.
    pub eval: Option<Score>,
    /// The depth of the search in plies; 0 and below in quiescence.
    pub depth: Depth,
    /// Was it ever a PV node?
    pub pv: bool,
}

impl Entry {
    /// The entry's score, if it proves that the node's score is at least `beta` or that it is below.
    pub fn cutoff(&self, beta: Score) -> Option<Score> {
        let (score, bound) = self.found?;
        let holds = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
        };
        holds.then_some(score)
    }
}

/// The entries of a cluster.
const ENTRIES: usize = 3;
/// The verification bits of an entry: a lane of the cluster's first word.
const LANE_BITS: u32 = 21;
const LANE_MASK: u64 = (1 << LANE_BITS) - 1;
/// Searches are numbered modulo this.
const GENERATIONS: u8 = 32;
/// The depth of an entry that knows a static evaluation and no score; the least depth of an entry.
pub const EVAL_ONLY_DEPTH: Depth = -6;
/// Depths are stored as their distance from this one, at least 1: 0 bits are no entry.
const DEPTH_ORIGIN: Depth = EVAL_ONLY_DEPTH - 1;
/// For how long the memory is taken in advance: programs that start an engine wait a few seconds for it.
const POPULATING: Duration = Duration::from_secs(2);
/// Stands for "no static evaluation" in 16 bits.
const NO_EVAL: i16 = i16::MIN;
/// Replacement: one generation of age counts as much as this many plies of depth.
const AGE_WEIGHT: i32 = 4;

/// An entry is kept if a new one for the same position is shallower by this many plies.
const MUCH_DEEPER: Depth = 4;

/// The verification bits of its entries, then the entries.
type Cluster = [AtomicU64; 1 + ENTRIES];

const CLUSTER_WORDS: usize = 1 + ENTRIES;

/// Tables of at most this many MiB are cleared by writing zeros. For these it is faster than taking new
/// memory, because the system has to find its pages one by one: most of them are not huge.
const MEBIBYTES_TO_ZERO: usize = 4;

/// A table of a fixed size.
pub struct TranspositionTable {
    words: Words,
    /// The word at which the first cluster begins, so that none lies across two cache lines.
    first: usize,
    /// The number of clusters.
    count: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of this size in MiB, or as large as the available memory allows. If the system refuses that, it is halved,
    /// and halved again; the table always has room for some entries.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        let wanted = mebibytes.max(1).saturating_mul(1 << 20).min(available_memory());
        let count = (wanted / size_of::<Cluster>()).max(1);
        TranspositionTable::of_clusters(count)
    }

    fn of_clusters(count: usize) -> TranspositionTable {
        let wanted = count.saturating_add(1).saturating_mul(CLUSTER_WORDS);
        let words = Words::new(wanted, 2 * CLUSTER_WORDS);
        let misaligned = words.as_ptr().align_offset(size_of::<Cluster>());
        // `align_offset` may fail: its documentation allows `usize::MAX`.
        let first = if misaligned < CLUSTER_WORDS { misaligned } else { 0 };
        // The count must not depend on the address of the block, or searches would not repeat.
        let count = count.min((words.len() - first) / CLUSTER_WORDS);
        TranspositionTable { words, first, count, generation: AtomicU8::new(0) }
    }

    /// The size in MiB, rounded to the nearest.
    pub fn mebibytes(&self) -> usize {
        (self.count * size_of::<Cluster>() + (1 << 19)) >> 20
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.mebibytes() <= MEBIBYTES_TO_ZERO {
            self.words.iter().for_each(|word| word.store(0, Relaxed));
            self.generation = AtomicU8::new(0);
            return;
        }
        // Free the old table first: there may be no room for two.
        self.words = Words::default();
        *self = TranspositionTable::of_clusters(self.count);
    }

    /// Takes the memory now, for [`POPULATING`] at most. Otherwise the system finds it page by page while a search
    /// stores its entries.
    pub fn populate(&self) {
        self.words.populate(POPULATING);
    }

    /// A new search begins: the entries stored so far are older than the ones to come.
    pub fn start_search(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// How many of a thousand entries belong to the present search, by a look at a small part of the table.
    /// `nodes` are those that it has searched. If they are too few for one of a thousand, the table is not
    /// looked at: that would take as long as a search of some hundred nodes.
    pub fn hashfull(&self, nodes: u64) -> u32 {
        if nodes < (self.count * ENTRIES / 1000) as u64 {
            return 0;
        }
        let generation = self.generation.load(Relaxed);
        let clusters = self.count.min(1000);
        let used = (0..clusters)
            .flat_map(|index| &self.words[self.first + index * CLUSTER_WORDS..][1..CLUSTER_WORDS])
            .map(|word| word.load(Relaxed))
            .filter(|&word| word != 0 && Packed(word).generation() == generation)
            .count();
        (used * 1000 / (clusters * (CLUSTER_WORDS - 1)).max(1)) as u32
    }

    /// The entry with this key, if there is one. Decisive scores count from the root, for a node at
    /// `ply`.
    pub fn probe(&self, key: Key, ply: Ply) -> Option<Entry> {
        let (_, entry) = find(self.cluster(key), key)?;
        Some(entry.unpack(ply))
    }

    /// Stores an entry in place of the least valuable one of its cluster: shallow and old. If the
    /// cluster holds a much deeper entry of the same position and search, that one stays.
    pub fn store(&self, key: Key, ply: Ply, mut new: Entry) {
        let cluster = self.cluster(key);
        let generation = self.generation.load(Relaxed);
        let slot = match find(cluster, key) {
            None => least_valuable(cluster, generation),
            Some((slot, old)) => {
                new.mv = new.mv.or(old.mv());
                let is_exact = matches!(new.found, Some((_, Bound::Exact)));
                if !is_exact
                    && old.generation() == generation
                    && new.depth + MUCH_DEEPER <= old.depth()
                {
                    return;
                }
                slot
            }
        };
        put(cluster, key, slot, Packed::pack(new, ply, generation));
    }

    /// Stores the static evaluation of a position of which the table has just been found to know nothing.
    /// It takes the place of the least valuable entry of its cluster. If another thread has stored the position
    /// meanwhile, that entry may be lost; no wrong one comes of it.
    pub fn store_eval(&self, key: Key, eval: Score, pv: bool) {
        let cluster = self.cluster(key);
        let generation = self.generation.load(Relaxed);
        let entry = Entry { mv: None, found: None, eval: Some(eval), depth: EVAL_ONLY_DEPTH, pv };
        let slot = least_valuable(cluster, generation);
        put(cluster, key, slot, Packed::pack(entry, 0, generation));
    }

    /// Starts loading the cluster of the position into the processor's cache.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 processor has this instruction, and it changes no memory.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.cluster(key)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    fn cluster(&self, key: Key) -> &Cluster {
        let index = (u128::from(key.bits()) * self.count as u128) >> 64;
        self.words[self.first + index as usize * CLUSTER_WORDS..]
            .first_chunk()
            .expect("the index is below the number of clusters")
    }
}

/// The slot and the entry with this key, if there is one.
#[inline(always)]
fn find([lanes, entries @ ..]: &Cluster, key: Key) -> Option<(usize, Packed)> {
    let lanes = lanes.load(Relaxed);
    entries.iter().enumerate().find_map(|(slot, entry)| {
        let word = entry.load(Relaxed);
        let is_it = word != 0 && lane(lanes, slot) == verification(key, word);
        is_it.then_some((slot, Packed(word)))
    })
}

/// The slot of the entry to replace: the first of those that are worth the least.
#[inline(always)]
fn least_valuable([_, entries @ ..]: &Cluster, generation: u8) -> usize {
    let worth = |slot: &usize| Packed(entries[*slot].load(Relaxed)).worth(generation);
    (0..ENTRIES).min_by_key(worth).unwrap_or(0)
}

/// Writes an entry and its verification bits.
#[inline(always)]
fn put([lanes, entries @ ..]: &Cluster, key: Key, slot: usize, entry: Packed) {
    let shift = slot as u32 * LANE_BITS;
    let lane = verification(key, entry.0) << shift;
    entries[slot].store(entry.0, Relaxed);
    lanes.store(lanes.load(Relaxed) & !(LANE_MASK << shift) | lane, Relaxed);
}

/// The verification bits of one entry of a cluster.
fn lane(lanes: u64, index: usize) -> u64 {
    lanes >> (index as u32 * LANE_BITS) & LANE_MASK
}

/// The verification bits of an entry with these bits for this key.
fn verification(key: Key, word: u64) -> u64 {
    // The four lanes of the word, the last of one bit, folded into one.
    let folded = word ^ word >> (2 * LANE_BITS);
    (key.bits() ^ folded ^ folded >> LANE_BITS) & LANE_MASK
}

/// An entry in 64 bits; 0 is no entry.
///
/// Bits 0–15 move, 16–31 score, 32–47 static evaluation, 48–55 depth, 56–57 bound, 58 PV, 59–63
/// generation.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    /// What the entry is worth in a search of this generation: the least valuable one is replaced.
    fn worth(self, generation: u8) -> i32 {
        let age = (GENERATIONS + generation - self.generation()) % GENERATIONS;
        if self.0 == 0 { i32::MIN } else { self.depth() - AGE_WEIGHT * i32::from(age) }
    }

    fn pack(entry: Entry, ply: Ply, generation: u8) -> Packed {
        let mv = entry.mv.map_or(0, Move::bits);
        let (score, bound) = match entry.found {
            None => (0, 0),
            Some((score, bound)) => (
                from_node(score, ply).value() as i16,
                match bound {
                    Bound::Upper => 1,
                    Bound::Lower => 2,
                    Bound::Exact => 3,
                },
            ),
        };
        let eval = entry.eval.map_or(NO_EVAL, |eval| eval.value() as i16);
        let depth = (entry.depth - DEPTH_ORIGIN).clamp(1, 255) as u64;
        Packed(
            u64::from(mv)
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | depth << 48
                | bound << 56
                | u64::from(entry.pv) << 58
                | u64::from(generation) << 59,
        )
    }

    fn unpack(self, ply: Ply) -> Entry {
        let score = from_root(Score::cp(i32::from((self.0 >> 16) as i16)), ply);
        let found = match self.0 >> 56 & 3 {
            0 => None,
            1 => Some((score, Bound::Upper)),
            2 => Some((score, Bound::Lower)),
            _ => Some((score, Bound::Exact)),
        };
        let eval = (self.0 >> 32) as i16;
        Entry {
            mv: self.mv(),
            found,
            eval: (eval != NO_EVAL).then(|| Score::cp(i32::from(eval))),
            depth: self.depth(),
            pv: self.0 >> 58 & 1 != 0,
        }
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    fn depth(self) -> Depth {
        Depth::from((self.0 >> 48) as u8) + DEPTH_ORIGIN
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }
}

/// A decisive score counts plies from the root; this one counts from the node at `ply`. So it is
/// stored.
fn from_node(score: Score, ply: Ply) -> Score {
    let plies = Score::cp(ply as i32);
    match score {
        score if score.is_win() => score + plies,
        score if score.is_loss() => score - plies,
        score => score,
    }
}

/// The inverse of [`from_node`].
fn from_root(score: Score, ply: Ply) -> Score {
    let plies = Score::cp(ply as i32);
    match score {
        score if score.is_win() => score - plies,
        score if score.is_loss() => score + plies,
        score => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    const KEY: Key = Key::new(0x0123_4567_89ab_cdef);

    fn entry(depth: Depth) -> Entry {
        let mv = Move::new(Square::new(4, 0), Square::new(6, 0), MoveKind::CastleKingSide);
        let found = Some((Score::cp(-37), Bound::Lower));
        Entry { mv: Some(mv), found, eval: Some(Score::cp(120)), depth, pv: true }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.probe(KEY, 0), None);
        let bare = Entry { mv: None, found: None, eval: None, depth: 0, pv: false };
        for stored in [entry(12), entry(-1), entry(100), bare] {
            let table = TranspositionTable::new(1);
            table.store(KEY, 3, stored);
            assert_eq!(table.probe(KEY, 3), Some(stored));
            assert_eq!(table.probe(Key::new(KEY.bits() ^ 1), 3), None);
        }
    }

    #[test]
    fn the_entries_of_the_present_search_fill_the_table() {
        let table = TranspositionTable::new(1);
        table.start_search();
        assert_eq!(table.hashfull(1000), 0);
        let count = table.count as u128;
        // One entry in each of the first 1000 clusters.
        for cluster in 0..1000 {
            let key = Key::new(((cluster << 64) / count + 1) as u64);
            table.store(key, 0, entry(5));
        }
        assert_eq!(table.hashfull(1000), 333);
        assert_eq!(table.hashfull(90), 0, "so few nodes cannot fill a thousandth");
        table.start_search();
        assert_eq!(table.hashfull(1000), 0);
    }

    #[test]
    fn a_cleared_table_is_empty() {
        for mebibytes in [MEBIBYTES_TO_ZERO, MEBIBYTES_TO_ZERO + 1] {
            let mut table = TranspositionTable::new(mebibytes);
            table.start_search();
            table.store(KEY, 3, entry(12));
            table.clear();
            assert!(table.words.iter().all(|word| word.load(Relaxed) == 0));
            assert_eq!((table.mebibytes(), table.generation.load(Relaxed)), (mebibytes, 0));
            table.store(KEY, 3, entry(12));
            assert_eq!(table.probe(KEY, 3), Some(entry(12)));
        }
    }

    #[test]
    fn a_decisive_score_counts_from_the_node() {
        let table = TranspositionTable::new(1);
        let win = Entry { found: Some((Score::win_in(9), Bound::Exact)), ..entry(5) };
        table.store(KEY, 4, win);
        let found = |ply| table.probe(KEY, ply).and_then(|entry| entry.found);
        assert_eq!(found(4), Some((Score::win_in(9), Bound::Exact)));
        assert_eq!(found(0), Some((Score::win_in(5), Bound::Exact)));
        let loss = Entry { found: Some((Score::loss_in(8), Bound::Exact)), ..entry(5) };
        table.store(KEY, 2, loss);
        assert_eq!(found(10), Some((Score::loss_in(16), Bound::Exact)));
    }

    #[test]
    fn a_shallow_result_keeps_the_move_and_a_deep_one_stays() {
        let table = TranspositionTable::new(1);
        table.store(KEY, 0, entry(9));
        table.store(KEY, 0, Entry { mv: None, ..entry(2) });
        assert_eq!(table.probe(KEY, 0), Some(entry(9)));
        table.store(KEY, 0, Entry { mv: None, ..entry(8) });
        assert_eq!(table.probe(KEY, 0), Some(entry(8)));
        table.start_search();
        table.store(KEY, 0, entry(2));
        assert_eq!(table.probe(KEY, 0), Some(entry(2)));
    }

    #[test]
    fn the_oldest_and_shallowest_goes_first() {
        let table = TranspositionTable::new(1);
        // Keys that differ only in the lowest bits share a cluster.
        let key = |n| Key::new(n);
        for (n, depth) in [(1, 10), (2, 5), (3, 8)] {
            table.store(key(n), 0, entry(depth));
        }
        table.store(key(4), 0, entry(1));
        assert_eq!(table.probe(key(2), 0), None);
        assert_eq!(table.probe(key(4), 0), Some(entry(1)));
        (0..4).for_each(|_| table.start_search());
        table.store(key(1), 0, entry(10));
        table.store(key(5), 0, entry(1));
        table.store(key(6), 0, entry(2));
        assert!(table.probe(key(1), 0).is_some() && table.probe(key(6), 0).is_some());
        assert_eq!((table.probe(key(3), 0), table.probe(key(4), 0)), (None, None));
    }

    #[test]
    fn an_evaluation_alone_takes_the_place_that_any_entry_would() {
        for depths in [[10, 5, 8], [10, 5, 5], [3, 8, 5], [7, 7, 7]] {
            let tables = [TranspositionTable::new(1), TranspositionTable::new(1)];
            for table in &tables {
                for (n, depth) in (1..).zip(depths) {
                    table.store(Key::new(n), 0, entry(depth));
                }
                table.start_search();
            }
            let (eval, depth) = (Score::cp(-250), EVAL_ONLY_DEPTH);
            let alone = Entry { mv: None, found: None, eval: Some(eval), depth, pv: true };
            tables[0].store_eval(Key::new(4), eval, true);
            tables[1].store(Key::new(4), 0, alone);
            assert_eq!(tables[0].probe(Key::new(4), 0), Some(alone));
            let entries =
                |table: &TranspositionTable| [1, 2, 3].map(|n| table.probe(Key::new(n), 0));
            assert_eq!(entries(&tables[0]), entries(&tables[1]), "{depths:?}");
            assert_eq!(entries(&tables[0]).iter().flatten().count(), 2);
        }
    }

    #[test]
    fn a_table_has_as_many_clusters_wherever_it_lies() {
        let tables: Vec<_> = (0..4).map(|_| TranspositionTable::new(1)).collect();
        assert!(tables.iter().all(|table| table.count == (1 << 20) / size_of::<Cluster>()));
        let lies_within = |table: &TranspositionTable| {
            table.first + table.count * CLUSTER_WORDS <= table.words.len()
        };
        assert!(tables.iter().all(lies_within));
    }

    #[test]
    fn a_size_that_cannot_be_had_falls_back() {
        let table = TranspositionTable::new(1 << 42);
        table.store(KEY, 0, entry(3));
        assert_eq!(table.probe(KEY, 0), Some(entry(3)));
    }
}
