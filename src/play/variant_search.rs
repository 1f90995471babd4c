//! The search of one variant as its searcher uses it, on whatever thread.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::variant_game::VariantGame;
use super::{Choice, EngineSettings, Game, Job, Message};
use crate::board::Position;
use crate::search::Search;
use crate::skill::think;
use crate::threads::panic_message;
use crate::types::Score;
use crate::variants::Variant;

/// A search that runs jobs.
pub(super) struct VariantSearch<V: Variant> {
    search: Search<V>,
}

impl<V: Variant> VariantSearch<V> {
    /// A search with one thread and a small table until it is configured.
    pub(super) fn new() -> VariantSearch<V> {
        VariantSearch { search: Search::new() }
    }

    /// Runs a search to its end. A panic ends this search alone: its best move so far is played, and
    /// the next search starts with cleared tables.
    pub(super) fn run(&mut self, job: Job) {
        let Job { position, limits, person, stop, mut reporter } = job;
        let search = &mut self.search;
        let found = catch_unwind(AssertUnwindSafe(|| {
            let position = VariantGame::<V>::position_of(&*position);
            match person {
                Some((skill, seed)) => {
                    let evaluate = |pos: &Position<V>| search.evaluate(pos);
                    think(position, &skill, seed, evaluate, &limits, &stop, &mut reporter)
                }
                None => search.run(position, &limits, &stop, &mut reporter),
            }
        }));
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
        let search = &mut self.search;
        search.set_hash(settings.hash);
        search.set_threads(settings.threads);
        search.set_tables(&settings.tables, settings.probe_depth);
        search.set_contempt(Score::cp(settings.contempt));
        for (name, &value) in &settings.parameters {
            search.set_parameter(name, value);
        }
        let network = search.set_evaluation(settings.eval, &settings.network_file);
        let notices = search.take_notices().into_iter().map(Message::notice);
        let problem = network.err().map(|error| {
            let file = &settings.network_file;
            Message::problem(format!("The network cannot be used: {file}: {error}"))
        });
        notices.chain(problem).collect()
    }

    /// Forgets what earlier searches have left in tables and histories.
    pub(super) fn clear(&mut self) {
        self.search.clear();
    }

    /// Frees half of the transposition table. Returns false if it cannot be smaller.
    pub(super) fn halve_hash(&mut self) -> bool {
        self.search.halve_hash()
    }
}
