//! The search of one position of a game: its best lines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::source::SourceGame;
use trebuchet::board::Position;
use trebuchet::coach::{BestLines, Line};
use trebuchet::for_variant;
use trebuchet::search::clock::TimeBudget;
use trebuchet::search::{Limits, Observer, PositionSearch, Progress, RootStatus, StopToken};
use trebuchet::tablebase::TablePaths;
use trebuchet::types::{Clock, Depth, Ply};
use trebuchet::variants::{Variant, VariantId};

/// How many best lines are looked for: the best one, and the second for comparison.
const LINES: usize = 2;

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
    /// The best lines after the first `plies` moves of a game, the best line first. Empty if there is
    /// no legal move. `None` if the search was interrupted.
    fn search(
        &mut self,
        game: &SourceGame,
        plies: Ply,
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
    clock: Clock,
}

impl<V: Variant> VariantAnalyst<V> {
    fn new(settings: &SearchSettings) -> VariantAnalyst<V> {
        let mut search = V::new_search();
        search.set_threads(1);
        search.set_hash(settings.hash);
        let (syzygy, three_check) = (settings.tables.clone(), settings.tables.clone());
        search.set_tables(&TablePaths { syzygy, three_check }, 1);
        let (depth, nodes) = (settings.depth, settings.nodes);
        VariantAnalyst {
            search,
            limits: Limits { depth, nodes, lines: LINES, ..Limits::default() },
            budget: settings.time.map(|time| TimeBudget::exactly(time, Duration::ZERO)),
            clock: Clock::system(),
        }
    }
}

impl<V: Variant> Analyst for VariantAnalyst<V> {
    fn search(
        &mut self,
        game: &SourceGame,
        plies: Ply,
        interrupted: &AtomicBool,
    ) -> Option<Vec<Line>> {
        // The source game has checked its position and its moves.
        let mut pos = Position::<V>::from_fen(&game.start_fen).ok()?;
        game.moves.iter().take(plies).for_each(|&mv| pos.make_move(mv));
        let wanted = LINES.min(pos.legal_moves().len());
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
        let found = self.search.run(&pos, &self.limits, &stop, &mut watch);
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        let (score, depth, moves) = (found.score, found.depth, found.pv);
        Some(watch.lines.finish(Some(Line { score, depth, moves })))
    }

    fn take_notices(&mut self) -> Vec<String> {
        self.search.take_notices()
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
