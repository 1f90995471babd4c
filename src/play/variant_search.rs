//! The search of one variant as its searcher uses it, on whatever thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use super::variant_game::VariantGame;
use super::{Choice, EngineSettings, Game, Job, Message, Resources, Thinker};
use crate::board::Position;
use crate::search::{PositionSearch, Search, StopToken};
use crate::skill::think;
use crate::threads::panic_message;
use crate::types::Score;
use crate::variants::Variant;

/// How often a wait looks whether its search has been stopped.
const LOOK: Duration = Duration::from_millis(10);

/// The time that a move takes at least.
struct Pause {
    /// `None` if there is nothing to wait for: where there are no threads, there may be no `Instant` either.
    end: Option<Instant>,
}

impl Pause {
    fn new(length: Duration) -> Pause {
        Pause { end: (!length.is_zero()).then(|| Instant::now() + length) }
    }

    /// Waits for the rest of the time, or until the search is stopped or has used up its time.
    fn wait(&self, stop: &StopToken) {
        let must_end = || stop.is_stopped() || stop.is_past_hard_limit();
        while self.is_going_on() && !must_end() {
            thread::sleep(LOOK);
        }
    }

    fn is_going_on(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() < end)
    }
}

/// A search that runs jobs.
pub(super) struct VariantSearch<V: Variant> {
    search: Search<V>,
    resources: Resources,
}

impl<V: Variant> VariantSearch<V> {
    /// A search with one thread and a small table until it is configured.
    pub(super) fn new() -> VariantSearch<V> {
        VariantSearch { search: Search::new(), resources: Resources::default() }
    }

    /// Runs a search to its end. A panic ends this search alone: its best move so far is played, and
    /// the next search starts with cleared tables.
    pub(super) fn run(&mut self, job: Job) {
        let Job { position, limits, thinker, pause, stop, mut reporter } = job;
        let pause = Pause::new(pause);
        if thinker == Thinker::Nobody {
            // Dropping the reporter reports the move that it knows.
            return pause.wait(&stop);
        }
        let search = &mut self.search;
        let found = catch_unwind(AssertUnwindSafe(|| {
            let position = VariantGame::<V>::position_of(&*position);
            match thinker {
                Thinker::Person(skill, seed) => {
                    let evaluate = |pos: &Position<V>| search.evaluate(pos);
                    think(position, &skill, seed, evaluate, &limits, &stop, &mut reporter)
                }
                Thinker::Engine | Thinker::Nobody => {
                    search.run(position, &limits, &stop, &mut reporter)
                }
            }
        }));
        pause.wait(&stop);
        search.take_notices().into_iter().for_each(|text| reporter.tell(Message::notice(text)));
        match found {
            Ok(found) => reporter.finish(Choice {
                best: found.best,
                ponder: found.ponder,
                score: Some(found.score),
                depth: found.depth,
            }),
            Err(panic) => {
                search.clear();
                let text = format!("the search has failed: {}", panic_message(&*panic));
                reporter.tell(Message::notice(text));
            }
        }
    }

    /// The static evaluation of a game's position, in centipawns from the side to move.
    pub(super) fn evaluate(&mut self, game: &dyn Game) -> Score {
        self.search.evaluate(VariantGame::<V>::position_of(game))
    }

    /// Takes over the settings. Returns what the user should know.
    pub(super) fn configure(&mut self, settings: &EngineSettings) -> Vec<Message> {
        self.resources.provide(&mut self.search, settings)
    }

    /// Forgets what earlier searches have left in tables and histories.
    pub(super) fn clear(&mut self) {
        self.search.clear();
    }

    /// Takes the memory of the transposition table now.
    pub(super) fn populate_table(&self) {
        self.search.populate_table();
    }

    /// Makes the transposition table half as large: the memory is needed for something else. `None`
    /// if it cannot be smaller.
    pub(super) fn halve_hash(&mut self) -> Option<Message> {
        let half = self.search.hash() / 2;
        if half == 0 {
            return None;
        }
        self.search.set_hash(half);
        let granted = self.search.hash();
        Some(Message::notice(format!("hash of {granted} MiB: threads need the rest of the memory")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Moment, TimeSource};
    use crate::variants::Standard;

    #[test]
    fn a_pause_ends_when_the_time_of_the_search_is_over() {
        let second = Duration::from_secs(1);
        let stop =
            StopToken::with_clock(TimeSource::new(move || Moment::START + second), Moment::START);
        stop.set_time_limits(Moment::START, second, second);
        let pause = Pause::new(60 * second);
        pause.wait(&stop);
        assert!(pause.is_going_on());
    }

    #[test]
    fn the_hash_can_be_halved_down_to_a_mebibyte() {
        let mut search = VariantSearch::<Standard>::new();
        let settings = EngineSettings { hash: 4, ..EngineSettings::default() };
        assert_eq!(search.configure(&settings), []);
        for mebibytes in [2, 1] {
            let text = format!("hash of {mebibytes} MiB: threads need the rest of the memory");
            assert_eq!(search.halve_hash(), Some(Message::notice(text)));
        }
        assert_eq!(search.halve_hash(), None);
        // The size that was asked for is tried again only when it changes.
        search.configure(&settings);
        assert_eq!(search.search.hash(), 1);
    }
}
