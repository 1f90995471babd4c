//! The search of one position of a game: its best lines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use trebuchet::board::Position;
use trebuchet::coach::{BestLines, Line};
use trebuchet::for_variant;
use trebuchet::play::{EngineSettings, Resources};
use trebuchet::search::time_management::TimeBudget;
use trebuchet::search::{Limits, Observer, PositionSearch, Progress, RootStatus, StopToken};
use trebuchet::tablebase::TablePaths;
use trebuchet::types::{Depth, Move, TimeSource};
use trebuchet::variants::{Variant, VariantId};

/// How many best lines are looked for: the best one, and the second for comparison.
pub const LINES: usize = 2;

/// A try of an exercise gets this part of the time or the nodes of a position, or `TRY_PLIES` plies less; but
/// at least `TRY_NODES` nodes, if the position gets as many.
const TRY_SHARE: u32 = 10;
const TRY_NODES: u64 = 20_000;
const TRY_PLIES: Depth = 3;

/// How deep positions are searched, and with what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchSettings {
    /// For each position.
    pub time: Option<Duration>,
    /// In plies.
    pub depth: Option<Depth>,
    pub nodes: Option<u64>,
    /// The size of the transposition table, in MiB.
    pub hash: usize,
    /// The folders with endgame tables; empty for none.
    pub tables: String,
}

/// Searches positions of one variant, each without the knowledge of the searches before it, so that
/// their order does not matter.
pub trait Analyst {
    /// The best lines after these moves from this position, the best line first: at most `count`. Empty if
    /// there is no legal move, or if a position or a move is not legal. `None` if the search was interrupted.
    fn search(
        &mut self,
        start_fen: &str,
        moves: &[Move],
        count: usize,
        interrupted: &AtomicBool,
    ) -> Option<Vec<Line>>;
    /// What people should know about memory and tables: each sentence once.
    fn take_notices(&mut self) -> Vec<String>;
}

/// An analyst of one thread.
pub fn new_analyst(variant: VariantId, settings: &SearchSettings) -> Box<dyn Analyst> {
    for_variant!(variant, V => Box::new(VariantAnalyst::<V>::new(settings)))
}

impl SearchSettings {
    /// The limits for each move that might have been played instead: there are many.
    pub fn for_tries(&self) -> SearchSettings {
        SearchSettings {
            time: self.time.map(|time| time / TRY_SHARE),
            depth: self.depth.map(|depth| (depth - TRY_PLIES).max(1)),
            nodes: self.nodes.map(|nodes| (nodes / u64::from(TRY_SHARE)).max(nodes.min(TRY_NODES))),
            ..self.clone()
        }
    }

    /// In words: `1 s a move`, `depth 12`, `100000 nodes a move`.
    pub fn limits(&self) -> String {
        let time = self.time.map(|time| format!("{} s a move", time.as_secs_f64()));
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let nodes = self.nodes.map(|nodes| format!("{nodes} nodes a move"));
        [time, depth, nodes].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

struct VariantAnalyst<V: Variant> {
    search: Box<dyn PositionSearch<V>>,
    limits: Limits,
    budget: Option<TimeBudget>,
    clock: TimeSource,
    /// What people should know and have not been told.
    notices: Vec<String>,
}

impl<V: Variant> VariantAnalyst<V> {
    fn new(settings: &SearchSettings) -> VariantAnalyst<V> {
        let mut search = V::new_search();
        let (syzygy, three_check) = (settings.tables.clone(), settings.tables.clone());
        let engine_settings = EngineSettings {
            hash: settings.hash,
            threads: 1,
            tables: TablePaths { syzygy, three_check },
            ..EngineSettings::default()
        };
        let messages = Resources::default().provide(&mut *search, &engine_settings);
        let (depth, nodes) = (settings.depth, settings.nodes);
        VariantAnalyst {
            search,
            notices: messages.into_iter().map(|message| message.text).collect(),
            limits: Limits { depth, nodes, impartial: true, ..Limits::default() },
            budget: settings.time.map(|time| TimeBudget::exactly(time, Duration::ZERO)),
            clock: TimeSource::system(),
        }
    }
}

impl<V: Variant> Analyst for VariantAnalyst<V> {
    fn search(
        &mut self,
        start_fen: &str,
        moves: &[Move],
        count: usize,
        interrupted: &AtomicBool,
    ) -> Option<Vec<Line>> {
        let Ok(mut pos) = Position::<V>::from_fen(start_fen) else { return Some(Vec::new()) };
        moves.iter().for_each(|&mv| pos.make_move(mv));
        let wanted = count.min(pos.legal_moves().len());
        if wanted == 0 || interrupted.load(Ordering::Relaxed) {
            return (wanted == 0).then(Vec::new);
        }
        self.search.clear();
        let start = self.clock.now();
        let stop = StopToken::with_clock(self.clock.clone(), start);
        if let Some(budget) = self.budget {
            stop.set_time_limits(start, budget.soft, budget.hard);
        }
        let mut watch = Watch { lines: BestLines::new(wanted), stop: &stop, interrupted };
        let limits = Limits { lines: wanted, ..self.limits.clone() };
        let found = self.search.run(&pos, &limits, &stop, &mut watch);
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        let (score, depth, moves) = (found.score, found.depth, found.pv);
        Some(watch.lines.finish(Some(Line { score, depth, moves })))
    }

    fn take_notices(&mut self) -> Vec<String> {
        self.notices.extend(self.search.take_notices());
        std::mem::take(&mut self.notices)
    }
}

/// Collects the lines of a search, and ends the search when a deeper one would find the same lines or when
/// the user interrupts.
struct Watch<'a> {
    lines: BestLines,
    stop: &'a StopToken,
    interrupted: &'a AtomicBool,
}

impl Observer for Watch<'_> {
    fn line(&mut self, progress: Progress) {
        self.lines.line(progress);
        if self.lines.are_settled() {
            self.stop.stop();
        }
    }

    fn root(&mut self, _: RootStatus) {
        if self.interrupted.load(Ordering::Relaxed) {
            self.stop.stop();
        }
    }
}
