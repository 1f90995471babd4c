//! The engine: one game, and the searches that play it.

use std::sync::Arc;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::interruption::Interruption;
use super::opening_book::OpeningBook;
use super::rating::Ratings;
use super::report::RootStatusCell;
use super::{
    Choice, EngineSettings, Game, Handicap, Host, Job, Message, NewSearcher, Reporter,
    ResourceLimits, SearchEvent, SearchHandle, SearchId, SearchSink, Searcher, Severity, Stage,
    Thinker, new_game,
};
use crate::book::{self, BookMove};
use crate::search::time_management::{ClockShares, TimeBudget};
use crate::search::{Limits, Params, StopToken};
use crate::types::{Moment, Move, Score, TimeSource};
use crate::variants::VariantId;

/// The depth, in plies, and the time of a search for a hint.
const HINT_DEPTH: i32 = 10;
const HINT_TIME: Duration = Duration::from_millis(200);

/// How a search is done: by whom, and how long it takes at least.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub thinker: Thinker,
    pub pause: Duration,
}

/// What keeps a search from full strength and from full speed.
#[derive(Clone, Copy, Default)]
struct Manner {
    handicap: Option<Handicap>,
    pause: Duration,
    /// For people who study a position: a search in every stage.
    studies: bool,
}

/// Plays games of every variant, one at a time.
///
/// It owns the board, the settings, the tables and the searches. Clock, randomness and threads come from
/// its [`Host`]; the caller that starts a search passes the moment from which its time counts.
pub struct Engine {
    new_searcher: NewSearcher,
    clock: TimeSource,
    pub(super) sink: SearchSink,
    limits: ResourceLimits,
    pub(super) settings: EngineSettings,
    pub(super) game: Box<dyn Game>,
    pub(super) book: OpeningBook,
    /// The ratings of the player, for an adaptive level.
    pub(super) ratings: Ratings,
    searcher: SearcherSlot,
    /// The searcher of the previous variant, kept until the next search. GUIs often send `new`,
    /// which means standard chess, and then at once the variant they mean: its table is then kept.
    spare_searcher: Option<SearcherSlot>,
    /// Games begun so far.
    games: u64,
    pub(super) random: Xoshiro256PlusPlus,
    /// `random` lacks the seed of this game.
    needs_seed: bool,
    searches: SearchId,
    pub(super) interruption: Interruption,
}

/// A searcher and its condition.
struct SearcherSlot {
    variant: VariantId,
    searcher: Box<dyn Searcher>,
    /// The searcher has taken over the present settings.
    is_configured: bool,
    /// Its tables hold what searches have found.
    is_used: bool,
    /// The handicap in nodes that all these searches had; `None` if one had another one, or none.
    handicap: Option<u64>,
    /// What the user should know of its configuration and has not been told.
    messages: Vec<Message>,
}

impl Engine {
    /// An engine at the start position of a variant.
    pub fn new(variant: VariantId, settings: EngineSettings, host: Host) -> Engine {
        let Host { clock, seed, limits, new_searcher, built_in_books, ratings, sink } = host;
        let settings = settings.within(&limits);
        let mut engine = Engine {
            searcher: SearcherSlot::new(&new_searcher, variant),
            new_searcher,
            clock,
            sink,
            limits,
            settings,
            book: OpeningBook::new(built_in_books),
            ratings: Ratings::new(ratings),
            game: new_game(variant),
            spare_searcher: None,
            games: 0,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            needs_seed: true,
            searches: 0,
            interruption: Interruption::default(),
        };
        engine.open_book();
        engine
    }

    /// What the engine's clock shows.
    pub fn now(&self) -> Moment {
        self.clock.now()
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
        self.check_ratings();
    }

    /// Where the variant has several start positions, goes to one of them at random. A GUI sets up
    /// the start position itself; a person at a terminal leaves that to the engine.
    pub fn draw_start_position(&mut self) {
        let variant = self.game.variant();
        if variant.start_positions() > 1 {
            self.prepare();
            let number = self.random.random_range(0..variant.start_positions());
            let drawn = self.game.set_board(&variant.start_fen(number));
            debug_assert!(drawn.is_ok(), "start position {number} is legal");
        }
    }

    // Settings.

    pub fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    pub fn resource_limits(&self) -> &ResourceLimits {
        &self.limits
    }

    /// Changes the settings, within the resource limits. Table, threads and network follow before the next
    /// search: changing them may take a while and waits for a running search.
    pub fn change_settings(&mut self, change: impl FnOnce(&mut EngineSettings)) {
        let mut settings = self.settings.clone();
        change(&mut settings);
        let settings = settings.within(&self.limits);
        self.needs_seed |= settings.seed != self.settings.seed;
        if settings != self.settings {
            self.settings = settings;
            self.check_ratings();
        }
        // Also if nothing has changed: a book or network that could not be used may be there now.
        self.open_book();
        for slot in self.spare_searcher.iter_mut().chain([&mut self.searcher]) {
            slot.is_configured = false;
        }
    }

    /// Sets a constant of the search by its name. Returns false if the name is unknown.
    pub fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        let is_known = Params::LIST.iter().any(|param| param.name == name);
        if is_known {
            self.change_settings(|settings| {
                settings.parameters.insert(name.to_owned(), value);
            });
        }
        is_known
    }

    /// How the engine shares out the time of a game of this variant.
    pub fn clock_shares(&self) -> ClockShares {
        let mut params = self.game.variant().search_params();
        for (name, &value) in &self.settings.parameters {
            params.set(name, value);
        }
        ClockShares::of(&params)
    }

    /// Applies the settings to table and threads. Every search does this first; calling it while the
    /// engine is idle saves the next search the time. Waits for a running search.
    pub fn prepare(&mut self) {
        if !self.searcher.is_configured {
            // Its table would leave less room for the new one.
            self.spare_searcher = None;
        }
        self.searcher.configure(&self.settings);
        if std::mem::take(&mut self.needs_seed) && self.settings.seed != 0 {
            let seed = self.settings.seed.wrapping_add(self.games);
            self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        }
    }

    /// Prepares while the engine is idle, and takes the memory of the transposition table, which otherwise the next
    /// search does page by page, on its clock. Tells the user of settings that cannot be met. Waits for a running search.
    pub fn prepare_fully(&mut self) {
        self.prepare();
        self.searcher.searcher.populate_table();
        self.tell_of_configuration();
    }

    /// Forgets what searches have found. Waits for a running search.
    pub fn clear(&mut self) {
        self.searcher.clear();
    }

    // The book.

    /// Is there a book for this game?
    pub fn has_book(&self) -> bool {
        self.book.is_open(self.game.variant())
    }

    /// Does the engine play from a book at its strength and in its stage? As a person it opens as people do.
    pub fn can_play_from_book(&self) -> bool {
        self.settings.stage.searches() && !matches!(self.handicap(), Some(Handicap::Person(_)))
    }

    /// The legal moves of the book in the present position, the heaviest first, whether the engine
    /// uses the book or not.
    pub fn book_moves(&self) -> Vec<BookMove> {
        self.book.moves(&*self.game)
    }

    /// Opens the book that the settings name. If that fails, the engine says so and plays without one.
    fn open_book(&mut self) {
        if let Err(error) = self.book.open(&self.settings.book.file) {
            self.tell(Message::problem(format!("The book cannot be used: {error}")));
        }
    }

    /// Does the engine play a move from the book in this position?
    fn plays_from_book(&self, position: &dyn Game) -> bool {
        self.settings.book.is_used
            && self.settings.stage.searches()
            && self.book.moves(position).iter().any(|found| found.weight > 0)
    }

    /// Chooses a move from the book and reports it like the move of a search. `None` if the engine
    /// plays no move from the book here.
    fn choose_from_book(&mut self, variety: u8) -> Option<SearchHandle> {
        if !self.plays_from_book(&*self.game) {
            return None;
        }
        self.prepare();
        let moves = self.book_moves();
        let best = book::choose(&moves, variety, &mut self.random)?;
        let mut position = self.game.fork();
        position.play(best);
        let reply = self.book.moves(&*position).into_iter().find(|found| found.weight > 0);
        // A search for an answer that the book has would leave the book.
        let ponder = reply.map(|found| found.mv).filter(|&mv| {
            position.play(mv);
            !self.plays_from_book(&*position)
        });
        self.searches += 1;
        let (stop, root_status) = (StopToken::new(), RootStatusCell::default());
        let choice = Choice { ponder, ..Choice::unsearched(Some(best)) };
        let sink = Arc::clone(&self.sink);
        Reporter::new(self.searches, sink, root_status.clone(), choice).book(moves);
        Some(SearchHandle::new(self.searches, stop, root_status))
    }

    // Searches.

    /// Looks for the best move in the present position: in the book, or else by a search. A search
    /// that is to go on or that leaves moves out does not look into the book. At a person's strength the
    /// engine opens as people do.
    pub fn think(
        &mut self,
        limits: Limits,
        budget: Option<TimeBudget>,
        now: Moment,
    ) -> SearchHandle {
        self.think_for(limits, budget, now, Duration::ZERO)
    }

    /// The same against a person: at a person's strength, the engine takes a human time, unless that is
    /// switched off or its time is short.
    pub fn think_against_person(
        &mut self,
        limits: Limits,
        budget: Option<TimeBudget>,
        now: Moment,
    ) -> SearchHandle {
        let pause = self.human_time(budget);
        self.think_for(limits, budget, now, pause)
    }

    fn think_for(
        &mut self,
        limits: Limits,
        budget: Option<TimeBudget>,
        now: Moment,
        pause: Duration,
    ) -> SearchHandle {
        let handicap = self.handicap();
        let is_person = matches!(handicap, Some(Handicap::Person(_)));
        let is_free =
            !limits.infinite && limits.mate.is_none() && limits.excluded_root_moves.is_empty();
        if is_free && is_person {
            if let Some(mv) = self.repertoire_move() {
                return self.play_known(mv, budget, now, pause);
            }
        } else if is_free && let Some(handle) = self.choose_from_book(self.settings.book.variety) {
            return handle;
        }
        self.search(limits, budget, now, Manner { handicap, pause, studies: false })
    }

    /// Why the stage can play no move in any position of this game, if it cannot.
    pub fn stage_problem(&self) -> Option<String> {
        self.settings.stage.problem(self.game.variant())
    }

    /// Looks for the best answer to `guess`, the move that the opponent is expected to make. The
    /// board stays as it is. `None` if this stage does not search, if a handicap makes that useless,
    /// if `guess` is not legal, if it ends the game or if the book has an answer.
    pub fn ponder(&mut self, guess: Move, limits: Limits, now: Moment) -> Option<SearchHandle> {
        let is_wanted = self.settings.stage.searches() && self.handicap().is_none();
        if !is_wanted || !self.game.legal_moves().contains(&guess) {
            return None;
        }
        let mut position = self.game.fork();
        position.play(guess);
        if position.outcome().is_some() || self.plays_from_book(&*position) {
            return None;
        }
        let limits = Limits { lines: self.settings.lines, ..limits };
        let sink = Arc::clone(&self.sink);
        Some(self.start(position, limits, None, now, sink, Manner::default()))
    }

    /// Searches the present position for people who study it: without the book, and in every stage and at
    /// every level with the engine's full strength.
    pub fn analyze(
        &mut self,
        limits: Limits,
        budget: Option<TimeBudget>,
        now: Moment,
    ) -> SearchHandle {
        self.search(limits, budget, now, Manner { studies: true, ..Manner::default() })
    }

    /// Looks for a good move for a short time, in every stage with the engine's full strength: the heaviest
    /// move of the book, or else by a search.
    pub fn hint(&mut self, now: Moment) -> SearchHandle {
        if let Some(handle) = self.choose_from_book(0) {
            return handle;
        }
        let limits = Limits { depth: Some(HINT_DEPTH), ..Limits::default() };
        let budget = TimeBudget { soft: HINT_TIME, hard: HINT_TIME };
        let (position, sink) = (self.game.fork(), Arc::clone(&self.sink));
        let manner = Manner { studies: true, ..Manner::default() };
        self.start(position, limits, Some(budget), now, sink, manner)
    }

    /// The static evaluation in centipawns, from the side to move. Waits for a running search.
    pub fn evaluate(&mut self) -> Score {
        self.searcher.searcher.evaluate(&*self.game)
    }

    /// Searches the present position for the sink.
    fn search(
        &mut self,
        limits: Limits,
        budget: Option<TimeBudget>,
        now: Moment,
        manner: Manner,
    ) -> SearchHandle {
        let limits = Limits { lines: self.settings.lines, ..limits };
        let (position, sink) = (self.game.fork(), Arc::clone(&self.sink));
        self.start(position, limits, budget, now, sink, manner)
    }

    /// Starts a search as the stage and a handicap want it.
    fn start(
        &mut self,
        position: Box<dyn Game>,
        mut limits: Limits,
        budget: Option<TimeBudget>,
        now: Moment,
        sink: SearchSink,
        manner: Manner,
    ) -> SearchHandle {
        self.prepare();
        let mut moves = position.legal_moves();
        moves.retain(|mv| !limits.excluded_root_moves.contains(mv));
        // A legal move to play if the search finds none.
        let stage = if manner.studies { Stage::Full } else { self.settings.stage };
        let choice = Choice::unsearched(stage.choose(&*position, &moves, &mut self.random));
        let (handle, reporter) = self.open_search(choice, sink, budget, now);
        if stage.searches() {
            let mut thinker = Thinker::Engine;
            match manner.handicap {
                Some(Handicap::Person(skill)) => {
                    thinker = Thinker::Person(skill, self.random.random());
                }
                Some(Handicap::Nodes(most)) => {
                    limits.nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
                    // It would play better than it is meant to with what other searches have found.
                    if self.searcher.is_used && self.searcher.handicap != Some(most) {
                        self.searcher.clear();
                    }
                }
                None => {}
            }
            let task = Task { thinker, pause: manner.pause };
            self.submit(&handle, reporter, position, limits, task);
            if let Some(Handicap::Nodes(most)) = manner.handicap {
                self.searcher.handicap = Some(most);
            }
        }
        handle
    }

    /// A new search and what it reports with. `choice` is reported unless the search finds a better
    /// one. The reporter reports the end when it is dropped.
    pub(super) fn open_search(
        &mut self,
        choice: Choice,
        sink: SearchSink,
        budget: Option<TimeBudget>,
        now: Moment,
    ) -> (SearchHandle, Reporter) {
        // The search began at `now`: what is done for it before it runs is part of its time.
        let stop = StopToken::with_clock(self.clock.clone(), now);
        self.prepare();
        self.spare_searcher = None;
        self.searches += 1;
        let root_status = RootStatusCell::default();
        let handle = SearchHandle::new(self.searches, stop, root_status.clone());
        if let Some(budget) = budget {
            handle.start_clock(now, budget);
        }
        (handle, Reporter::new(self.searches, sink, root_status, choice))
    }

    /// Gives a search to the searcher.
    pub(super) fn submit(
        &mut self,
        handle: &SearchHandle,
        mut reporter: Reporter,
        position: Box<dyn Game>,
        limits: Limits,
        task: Task,
    ) {
        self.searcher.is_used = true;
        self.tell_of_configuration();
        let stop = handle.stop_token();
        if limits.infinite {
            reporter.hold_end(handle.held_end(), stop.clone());
        }
        let Task { thinker, pause } = task;
        if matches!(thinker, Thinker::Engine) {
            self.searcher.handicap = None;
        }
        self.searcher.searcher.start(Job { position, limits, thinker, pause, stop, reporter });
    }

    /// Tells the user what the searcher's configuration has said.
    fn tell_of_configuration(&mut self) {
        std::mem::take(&mut self.searcher.messages).into_iter().for_each(|each| self.tell(each));
    }

    /// Tells the user something.
    pub(super) fn tell(&self, message: Message) {
        (self.sink)(SearchEvent::Message(message));
    }
}

impl SearcherSlot {
    fn new(new_searcher: &NewSearcher, variant: VariantId) -> SearcherSlot {
        SearcherSlot {
            variant,
            searcher: new_searcher(variant),
            is_configured: false,
            is_used: false,
            handicap: None,
            messages: Vec::new(),
        }
    }

    fn configure(&mut self, settings: &EngineSettings) {
        if !std::mem::replace(&mut self.is_configured, true) {
            // Other settings may have mended a problem of which nobody has heard yet.
            self.messages.retain(|message| message.severity == Severity::Notice);
            self.messages.extend(self.searcher.configure(settings));
        }
    }

    fn clear(&mut self) {
        self.handicap = None;
        if std::mem::take(&mut self.is_used) {
            self.searcher.clear();
        }
    }
}

#[cfg(test)]
mod tests;
