//! A game of one variant: the position on the table and the search that plays it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Choice, Game, Reporter, SearchEvent, SearchId, Stage};
use crate::board::{FenError, Position};
use crate::notation::{self, MoveError};
use crate::search::{Limits, Observer, Progress, RootStatus, Search, StopToken};
use crate::threads::{SEARCH_STACK, lock};
use crate::types::{Color, Move, Outcome, Piece, Ply, Score, Square};
use crate::variants::{Variant, VariantId};

/// A new game of a variant, at its start position.
pub fn new_game(variant: VariantId) -> Box<dyn Game> {
    for_variant!(variant, V => Box::new(Table::<V>::new()))
}

struct Table<V: Variant> {
    pos: Position<V>,
    start_fen: String,
    stage: Stage,
    random: Xoshiro256PlusPlus,
    desk: Arc<Desk<V>>,
}

/// What a game shares with the thread of its searches.
struct Desk<V: Variant> {
    /// Locked by the running search for as long as it runs.
    search: Mutex<Search<V>>,
    root_status: Mutex<Option<RootStatus>>,
    orders: Mutex<Orders<V>>,
}

/// The work for the thread: there is one at most, however fast searches are begun and stopped.
struct Orders<V: Variant> {
    /// The search to run next.
    next: Option<Order<V>>,
    /// Is there a thread? It leaves when there is nothing more to do.
    is_manned: bool,
}

/// A search to be run.
struct Order<V: Variant> {
    pos: Position<V>,
    limits: Limits,
    stop: StopToken,
    guard: FinishGuard,
}

impl<V: Variant> Table<V> {
    fn new() -> Table<V> {
        let pos = Position::start();
        Table {
            start_fen: pos.fen(),
            pos,
            stage: Stage::default(),
            random: rand::make_rng(),
            desk: Arc::default(),
        }
    }
}

impl<V: Variant> Default for Desk<V> {
    fn default() -> Desk<V> {
        Desk {
            search: Mutex::default(),
            root_status: Mutex::default(),
            orders: Mutex::new(Orders { next: None, is_manned: false }),
        }
    }
}

impl<V: Variant> Desk<V> {
    fn search(&self) -> MutexGuard<'_, Search<V>> {
        lock(&self.search)
    }

    /// Takes an order in the place of one that still waits, which is reported as ended.
    fn put(self: &Arc<Desk<V>>, order: Order<V>) {
        let (replaced, has_thread) = {
            let mut orders = lock(&self.orders);
            (orders.next.replace(order), std::mem::replace(&mut orders.is_manned, true))
        };
        drop(replaced);
        if has_thread {
            return;
        }
        let desk = Arc::clone(self);
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(SEARCH_STACK);
        if let Err(error) = thread.spawn(move || desk.work()) {
            log::error!("no thread for the search: {error}");
            // The order is dropped, and its guard reports the move at hand.
            drop(self.take());
        }
    }

    /// The next order; without one the thread is to leave.
    fn take(&self) -> Option<Order<V>> {
        let mut orders = lock(&self.orders);
        orders.is_manned = orders.next.is_some();
        orders.next.take()
    }

    fn work(&self) {
        while let Some(order) = self.take() {
            // The hook has told of a panic, and the guard has reported the move at hand.
            let _ = catch_unwind(AssertUnwindSafe(|| self.run(order)));
        }
    }

    fn run(&self, order: Order<V>) {
        let Order { pos, limits, stop, guard } = order;
        let mut search = self.search();
        let mut relay =
            Relay { id: guard.id, report: &guard.report, root_status: &self.root_status };
        relay.set_root_status(None);
        let found = search.run(&pos, &limits, &stop, &mut relay);
        relay.set_root_status(None);
        drop(search);
        guard.finish(Choice {
            best: found.best,
            ponder: found.ponder,
            score: Some(found.score),
            depth: found.depth,
        });
    }
}

impl<V: Variant> Game for Table<V> {
    fn variant(&self) -> VariantId {
        V::ID
    }

    fn side_to_move(&self) -> Color {
        self.pos.side_to_move()
    }

    fn fen(&self) -> String {
        self.pos.fen()
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pos.piece_at(square)
    }

    fn describe_state(&self) -> Option<String> {
        V::describe_state(self.pos.state())
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.pos.legal_moves().to_vec()
    }

    fn is_in_check(&self) -> bool {
        self.pos.in_check()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.pos.outcome()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse_move(&self.pos, text)
    }

    fn san(&self, mv: Move) -> String {
        notation::san(&self.pos, mv)
    }

    fn play(&mut self, mv: Move) {
        self.pos.make_move(mv);
    }

    fn undo(&mut self) -> Option<Move> {
        let last = self.pos.last_move()?;
        self.pos.unmake_move();
        Some(last)
    }

    fn moves(&self) -> Vec<Move> {
        self.pos.moves().collect()
    }

    fn ply_count(&self) -> Ply {
        self.pos.ply_count()
    }

    fn start_fen(&self) -> String {
        self.start_fen.clone()
    }

    fn reset(&mut self) {
        self.pos = Position::start();
        self.start_fen = self.pos.fen();
    }

    fn set_board(&mut self, fen: &str) -> Result<(), FenError> {
        self.pos = Position::from_fen(fen)?;
        self.start_fen = self.pos.fen();
        Ok(())
    }

    fn think(&mut self, id: SearchId, limits: Limits, stop: StopToken, report: Reporter) {
        let chosen = self.stage.choose(&self.pos, &limits.excluded, &mut self.random);
        // Whatever happens to a search, its first move can be played.
        let best = chosen.unwrap_or_else(|| {
            self.pos.legal_moves().iter().copied().find(|mv| !limits.excluded.contains(mv))
        });
        let at_hand = Choice { best, ponder: None, score: None, depth: 0 };
        let guard = FinishGuard { id, report, choice: Some(at_hand) };
        if chosen.is_none() {
            self.desk.put(Order { pos: self.pos.clone(), limits, stop, guard });
        }
    }

    fn root_status(&self) -> Option<RootStatus> {
        lock(&self.desk.root_status).clone()
    }

    fn evaluate(&self) -> Score {
        self.desk.search().evaluate(&self.pos)
    }

    fn set_stage(&mut self, stage: Stage) {
        self.stage = stage;
    }

    fn set_seed(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    fn set_hash(&mut self, mebibytes: usize) {
        self.desk.search().set_hash(mebibytes);
    }

    fn set_threads(&mut self, threads: usize) {
        self.desk.search().set_threads(threads);
    }

    fn set_contempt(&mut self, contempt: Score) {
        self.desk.search().set_contempt(contempt);
    }

    fn clear(&mut self) {
        self.desk.search().clear();
    }

    fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        self.desk.search().set_parameter(name, value)
    }
}

/// Passes on what a search reports.
struct Relay<'a> {
    id: SearchId,
    report: &'a Reporter,
    root_status: &'a Mutex<Option<RootStatus>>,
}

impl Relay<'_> {
    fn set_root_status(&self, status: Option<RootStatus>) {
        *lock(self.root_status) = status;
    }
}

impl Observer for Relay<'_> {
    fn line(&mut self, progress: Progress) {
        (self.report)(SearchEvent::Progress(self.id, progress));
    }

    fn root(&mut self, status: RootStatus) {
        self.set_root_status(Some(status));
    }
}

/// Reports the end of a search exactly once, also when its thread panics or cannot start.
struct FinishGuard {
    id: SearchId,
    report: Reporter,
    /// What to report if nobody says better.
    choice: Option<Choice>,
}

impl FinishGuard {
    fn finish(mut self, choice: Choice) {
        self.choice = Some(choice);
    }
}

impl Drop for FinishGuard {
    fn drop(&mut self) {
        if let Some(choice) = self.choice.take() {
            (self.report)(SearchEvent::Finished(self.id, choice));
        }
    }
}
