//! The engine: one game, and the searches that play it.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::report::RootStatusCell;
use super::{
    Choice, EngineSettings, Game, Job, NewSearcher, Reporter, ResourceLimits, SearchEvent,
    SearchHandle, SearchId, SearchSink, Searcher, new_game, new_searcher,
};
use crate::search::clock::Budget;
use crate::search::{Limits, StopToken};
use crate::types::{Move, Score};
use crate::variants::VariantId;

/// The depth, in plies, and the time of a search for a hint.
const HINT_DEPTH: i32 = 10;
const HINT_TIME: Duration = Duration::from_millis(200);

/// Plays games of every variant, one at a time.
///
/// It owns the board, the settings, the tables and the searches. It reads no clock: whoever starts a
/// search says what time it is. Searches run on other threads and send their events to the sink.
pub struct Engine {
    new_searcher: NewSearcher,
    sink: SearchSink,
    limits: ResourceLimits,
    settings: EngineSettings,
    game: Box<dyn Game>,
    searcher: SearcherSlot,
    /// The searcher of the variant played before, until the next search. GUIs often send `new`,
    /// which means standard chess, and at once the variant they mean: then its table is still here.
    spare_searcher: Option<SearcherSlot>,
    /// Games begun so far.
    games: u64,
    random: Xoshiro256PlusPlus,
    /// `random` lacks the seed of this game.
    needs_seed: bool,
    searches: SearchId,
}

/// A searcher, and what it lacks.
struct SearcherSlot {
    variant: VariantId,
    searcher: Box<dyn Searcher>,
    /// It has the present settings.
    is_configured: bool,
    /// Its tables hold what searches have found.
    is_used: bool,
}

impl Engine {
    /// An engine at the start position of a variant.
    pub fn new(
        variant: VariantId,
        settings: EngineSettings,
        limits: ResourceLimits,
        sink: SearchSink,
    ) -> Engine {
        Engine::with_searchers(Box::new(new_searcher), variant, settings, limits, sink)
    }

    /// An engine with other searchers than its own, for tests.
    pub fn with_searchers(
        new_searcher: NewSearcher,
        variant: VariantId,
        settings: EngineSettings,
        limits: ResourceLimits,
        sink: SearchSink,
    ) -> Engine {
        Engine {
            searcher: SearcherSlot::new(&new_searcher, variant),
            new_searcher,
            sink,
            limits,
            settings: settings.within(&limits),
            game: new_game(variant),
            spare_searcher: None,
            games: 0,
            random: rand::make_rng(),
            needs_seed: true,
            searches: 0,
        }
    }

    // The board.

    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    pub fn game_mut(&mut self) -> &mut dyn Game {
        &mut *self.game
    }

    /// Begins the next game, at the start position of a variant. Each game has a random sequence of
    /// its own.
    pub fn begin_game(&mut self, variant: VariantId) {
        self.games += 1;
        self.set_variant(variant);
    }

    /// Goes to the start position of a variant and forgets what searches have found. The random
    /// sequence of this game starts again.
    pub fn set_variant(&mut self, variant: VariantId) {
        if self.searcher.variant != variant {
            let spare = self.spare_searcher.take().filter(|spare| spare.variant == variant);
            let next = spare.unwrap_or_else(|| SearcherSlot::new(&self.new_searcher, variant));
            self.spare_searcher = Some(std::mem::replace(&mut self.searcher, next));
            self.game = new_game(variant);
        } else {
            self.game.reset();
        }
        self.clear();
        self.needs_seed = true;
    }

    // Settings.

    pub fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    pub fn resource_limits(&self) -> &ResourceLimits {
        &self.limits
    }

    /// Changes the settings, within the resource limits. Table and threads follow before the next
    /// search: changing them may take a while and waits for a running search.
    pub fn change_settings(&mut self, change: impl FnOnce(&mut EngineSettings)) {
        let mut settings = self.settings.clone();
        change(&mut settings);
        let settings = settings.within(&self.limits);
        self.needs_seed |= settings.seed != self.settings.seed;
        if settings != self.settings {
            self.settings = settings;
            for slot in self.spare_searcher.iter_mut().chain([&mut self.searcher]) {
                slot.is_configured = false;
            }
        }
    }

    /// Sets a constant of the search by its name; `false` if there is none of this name.
    pub fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        let is_known = self.searcher.searcher.has_parameter(name);
        if is_known {
            self.change_settings(|settings| {
                settings.parameters.insert(name.to_owned(), value);
            });
        }
        is_known
    }

    /// Applies the settings to table and threads. Every search does this first; calling it while the
    /// engine is idle saves the next search the time. Waits for a running search.
    pub fn prepare(&mut self) {
        self.searcher.configure(&self.settings);
        if std::mem::take(&mut self.needs_seed) && self.settings.seed != 0 {
            let seed = self.settings.seed.wrapping_add(self.games);
            self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        }
    }

    /// Forgets what searches have found. Waits for a running search.
    pub fn clear(&mut self) {
        self.searcher.clear();
    }

    // Searches.

    /// Looks for the best move in the present position.
    pub fn think(&mut self, limits: Limits, budget: Option<Budget>, now: Instant) -> SearchHandle {
        let limits = Limits { lines: self.settings.lines, ..limits };
        let (position, sink) = (self.game.fork(), Arc::clone(&self.sink));
        self.start(position, limits, budget, now, sink)
    }

    /// Looks for the best answer to `guess`, the move that the opponent is expected to make. The
    /// board stays as it is. `None` if this stage does not search, if `guess` is not legal or if it
    /// ends the game.
    pub fn ponder(&mut self, guess: Move, limits: Limits, now: Instant) -> Option<SearchHandle> {
        if !self.settings.stage.searches() || !self.game.legal_moves().contains(&guess) {
            return None;
        }
        let mut position = self.game.fork();
        position.play(guess);
        if position.outcome().is_some() {
            return None;
        }
        let limits = Limits { lines: self.settings.lines, ..limits };
        let sink = Arc::clone(&self.sink);
        Some(self.start(position, limits, None, now, sink))
    }

    /// Searches the present position, without the `excluded` moves, until it is stopped.
    pub fn analyze(&mut self, excluded: Vec<Move>, now: Instant) -> SearchHandle {
        self.think(Limits { excluded, infinite: true, ..Limits::default() }, None, now)
    }

    /// Looks for a good move for a short time.
    pub fn hint(&mut self, now: Instant) -> SearchHandle {
        let limits = Limits { depth: Some(HINT_DEPTH), ..Limits::default() };
        let budget = Budget { soft: HINT_TIME, hard: HINT_TIME };
        let (position, sink) = (self.game.fork(), Arc::clone(&self.sink));
        self.start(position, limits, Some(budget), now, sink)
    }

    /// Looks for the best move and waits for it; the sink hears nothing of this search.
    pub fn choose(&mut self, limits: Limits, budget: Option<Budget>, now: Instant) -> Choice {
        let (sender, choices) = mpsc::channel();
        let sink = Arc::new(move |event| {
            if let SearchEvent::Finished(_, choice) = event {
                // The receiver waits below.
                let _ = sender.send(choice);
            }
        });
        let position = self.game.fork();
        self.start(position, limits, budget, now, sink);
        choices.recv().unwrap_or(Choice::unsearched(None))
    }

    /// The static evaluation in centipawns, from the side to move. Waits for a running search.
    pub fn evaluate(&self) -> Score {
        self.searcher.searcher.evaluate(&*self.game)
    }

    fn start(
        &mut self,
        position: Box<dyn Game>,
        limits: Limits,
        budget: Option<Budget>,
        now: Instant,
        sink: SearchSink,
    ) -> SearchHandle {
        self.prepare();
        self.spare_searcher = None;
        self.searches += 1;
        let (stop, root_status) = (StopToken::new(), RootStatusCell::default());
        let handle = SearchHandle::new(self.searches, stop.clone(), root_status.clone());
        if let Some(budget) = budget {
            handle.start_clock(now, budget);
        }
        let mut moves = position.legal_moves();
        moves.retain(|mv| !limits.excluded.contains(mv));
        // Whatever happens to a search, this move can be played.
        let stage = self.settings.stage;
        let choice = Choice::unsearched(stage.choose(&*position, &moves, &mut self.random));
        let reporter = Reporter::new(self.searches, sink, root_status, choice);
        if stage.searches() {
            self.searcher.is_used = true;
            self.searcher.searcher.start(Job { position, limits, stop, reporter });
        }
        handle
    }
}

impl SearcherSlot {
    fn new(new_searcher: &NewSearcher, variant: VariantId) -> SearcherSlot {
        let searcher = new_searcher(variant);
        SearcherSlot { variant, searcher, is_configured: false, is_used: false }
    }

    fn configure(&mut self, settings: &EngineSettings) {
        if !std::mem::replace(&mut self.is_configured, true) {
            self.searcher.configure(settings);
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.is_used) {
            self.searcher.clear();
        }
    }
}
