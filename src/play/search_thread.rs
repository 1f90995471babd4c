//! The searcher that plays: the search of one variant on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use super::variant_game::VariantGame;
use super::{Choice, EngineSettings, Game, Job, Searcher};
use crate::search::{Params, Search};
use crate::threads::{SEARCH_STACK, lock};
use crate::types::Score;
use crate::variants::{Variant, VariantId};

/// A searcher of a variant, with one thread and a small table until it is configured.
pub fn new_searcher(variant: VariantId) -> Box<dyn Searcher> {
    for_variant!(variant, V => Box::new(SearchThread::<V>::default()))
}

struct SearchThread<V: Variant>(Arc<SharedSearch<V>>);

/// What the owner of the searches shares with their thread.
struct SharedSearch<V: Variant> {
    /// Locked by the running search for as long as it runs.
    search: Mutex<Search<V>>,
    queue: Mutex<Queue>,
}

/// The work for the thread. There is at most one thread and one waiting job, even if searches are
/// started and stopped quickly.
#[derive(Default)]
struct Queue {
    next: Option<Job>,
    /// Is there a thread? It ends when it finds no job.
    has_thread: bool,
}

impl<V: Variant> Default for SearchThread<V> {
    fn default() -> SearchThread<V> {
        let shared = SharedSearch { search: Mutex::default(), queue: Mutex::default() };
        SearchThread(Arc::new(shared))
    }
}

impl<V: Variant> SharedSearch<V> {
    /// The next job. `None` tells the thread to end.
    fn take(&self) -> Option<Job> {
        let mut queue = lock(&self.queue);
        queue.has_thread = queue.next.is_some();
        queue.next.take()
    }

    fn work(&self) {
        while let Some(job) = self.take() {
            // The panic hook logs a panic, and the reporter reports the end of the search.
            let _ = catch_unwind(AssertUnwindSafe(|| self.run(job)));
        }
    }

    fn run(&self, job: Job) {
        let Job { position, limits, stop, mut reporter } = job;
        let pos = VariantGame::<V>::position_of(&*position);
        let found = lock(&self.search).run(pos, &limits, &stop, &mut reporter);
        reporter.finish(Choice {
            best: found.best,
            ponder: found.ponder,
            score: Some(found.score),
            depth: found.depth,
        });
    }
}

impl<V: Variant> Searcher for SearchThread<V> {
    fn start(&mut self, job: Job) {
        let (replaced, has_thread) = {
            let mut queue = lock(&self.0.queue);
            (queue.next.replace(job), std::mem::replace(&mut queue.has_thread, true))
        };
        drop(replaced);
        if has_thread {
            return;
        }
        let shared = Arc::clone(&self.0);
        let builder = thread::Builder::new().name("search".to_owned()).stack_size(SEARCH_STACK);
        if let Err(error) = builder.spawn(move || shared.work()) {
            log::error!("no thread for the search: {error}");
            // Dropping the job reports the end of its search.
            drop(self.0.take());
        }
    }

    fn evaluate(&self, game: &dyn Game) -> Score {
        lock(&self.0.search).evaluate(VariantGame::<V>::position_of(game))
    }

    fn has_parameter(&self, name: &str) -> bool {
        Params::LIST.iter().any(|param| param.name == name)
    }

    fn configure(&mut self, settings: &EngineSettings) {
        let mut search = lock(&self.0.search);
        search.set_hash(settings.hash);
        search.set_threads(settings.threads);
        search.set_contempt(Score::cp(settings.contempt));
        for (name, &value) in &settings.parameters {
            search.set_parameter(name, value);
        }
    }

    fn clear(&mut self) {
        lock(&self.0.search).clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::play::report::RootStatusCell;
    use crate::play::{Reporter, SearchEvent, new_game};
    use crate::search::{Limits, StopToken};

    /// Ends the test if a search is never reported.
    const PATIENCE: Duration = Duration::from_secs(300);

    #[test]
    fn a_search_that_panics_ends_and_the_next_one_runs() {
        let (sender, choices) = mpsc::channel();
        let sink = Arc::new(move |event| {
            if let SearchEvent::Finished(id, choice) = event {
                sender.send((id, choice.depth)).expect("the test waits");
            }
        });
        let mut searcher = new_searcher(VariantId::Standard);
        // A game of another variant makes the search panic.
        for (id, variant) in [(1, VariantId::ThreeCheck), (2, VariantId::Standard)] {
            let (status, choice) = (RootStatusCell::default(), Choice::unsearched(None));
            searcher.start(Job {
                position: new_game(variant),
                limits: Limits { depth: Some(2), ..Limits::default() },
                stop: StopToken::new(),
                reporter: Reporter::new(id, sink.clone(), status, choice),
            });
            let depth = if variant == VariantId::Standard { 2 } else { 0 };
            assert_eq!(choices.recv_timeout(PATIENCE), Ok((id, depth)));
        }
    }
}
