//! The searcher that plays: the search of one variant on a thread of its own.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use super::variant_game::VariantGame;
use super::{Choice, EngineSettings, Game, Job, Message, Searcher};
use crate::board::Position;
use crate::search::{Params, Search};
use crate::skill::think;
use crate::threads::{SEARCH_STACK, lock, panic_message};
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

impl<V: Variant> SearchThread<V> {
    /// Starts the thread.
    fn spawn(&self) -> io::Result<()> {
        let shared = Arc::clone(&self.0);
        let builder = thread::Builder::new().name("search".to_owned()).stack_size(SEARCH_STACK);
        builder.spawn(move || shared.work()).map(drop)
    }
}

impl<V: Variant> SharedSearch<V> {
    /// The next job. `None` tells the thread to end.
    fn take(&self) -> Option<Job> {
        let mut queue = lock(&self.queue);
        queue.has_thread = queue.next.is_some();
        queue.next.take()
    }

    /// There is no thread for the job that waits; returns this job.
    fn dismiss_thread(&self) -> Option<Job> {
        let mut queue = lock(&self.queue);
        queue.has_thread = false;
        queue.next.take()
    }

    fn work(&self) {
        while let Some(job) = self.take() {
            self.run(job);
        }
    }

    /// Runs a search. A panic ends this search alone: its best move so far is played, and the next
    /// search starts with cleared tables.
    fn run(&self, job: Job) {
        let Job { position, limits, person, stop, mut reporter } = job;
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut search = lock(&self.search);
            let position = VariantGame::<V>::position_of(&*position);
            let found = match person {
                Some((skill, seed)) => {
                    let evaluate = |pos: &Position<V>| search.evaluate(pos);
                    think(position, &skill, seed, evaluate, &limits, &stop, &mut reporter)
                }
                None => search.run(position, &limits, &stop, &mut reporter),
            };
            search.take_notices().into_iter().for_each(|text| reporter.tell(Message::notice(text)));
            found
        }));
        match found {
            Ok(found) => reporter.finish(Choice {
                best: found.best,
                ponder: found.ponder,
                score: Some(found.score),
                depth: found.depth,
            }),
            Err(panic) => {
                lock(&self.search).clear();
                let text = format!("the search has failed: {}", panic_message(&*panic));
                reporter.tell(Message::notice(text));
            }
        }
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
        while let Err(error) = self.spawn() {
            // The memory may have gone to the table. Nobody else holds the lock: there is no thread.
            if lock(&self.0.search).halve_hash() {
                continue;
            }
            if let Some(job) = self.0.dismiss_thread() {
                job.reporter.tell(Message::notice(format!("no thread for the search: {error}")));
                // Dropping the job reports the end of its search.
            }
            return;
        }
    }

    fn evaluate(&self, game: &dyn Game) -> Score {
        lock(&self.0.search).evaluate(VariantGame::<V>::position_of(game))
    }

    fn has_parameter(&self, name: &str) -> bool {
        Params::LIST.iter().any(|param| param.name == name)
    }

    fn configure(&mut self, settings: &EngineSettings) -> Vec<Message> {
        let mut search = lock(&self.0.search);
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

    fn clear(&mut self) {
        lock(&self.0.search).clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use super::*;
    use crate::play::report::RootStatusCell;
    use crate::play::{Reporter, SearchEvent, SearchSink, new_game};
    use crate::search::{Limits, StopToken};
    use crate::types::Depth;

    /// How long a test waits for an event.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn job(game: VariantId, id: u64, sink: SearchSink) -> Job {
        Job {
            position: new_game(game),
            limits: Limits { depth: Some(5), ..Limits::default() },
            person: None,
            stop: StopToken::new(),
            reporter: Reporter::new(id, sink, RootStatusCell::default(), Choice::unsearched(None)),
        }
    }

    /// The messages of a search and the depth of its choice.
    fn end(events: &Receiver<SearchEvent>, search: u64) -> (Vec<String>, Option<Depth>) {
        let mut messages = Vec::new();
        loop {
            match events.recv_timeout(PATIENCE).expect("the search reports its end") {
                SearchEvent::Message(message) => messages.push(message.text),
                SearchEvent::Finished(id, choice) if id == search => {
                    return (messages, choice.best.map(|_| choice.depth));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_search_that_panics_plays_its_best_move_and_the_next_one_works() {
        let (sender, events) = mpsc::channel();
        let sink: SearchSink = Arc::new(move |event| {
            let is_third =
                matches!(&event, SearchEvent::Progress(1, progress) if progress.depth == 3);
            sender.send(event).unwrap();
            if is_third {
                std::panic::resume_unwind(Box::new("a bug"));
            }
        });
        let mut searcher = new_searcher(VariantId::Standard);
        searcher.start(job(VariantId::Standard, 1, Arc::clone(&sink)));
        assert_eq!(end(&events, 1), (vec!["the search has failed: a bug".to_owned()], Some(3)));
        searcher.start(job(VariantId::Standard, 2, sink));
        assert_eq!(end(&events, 2), (vec![], Some(5)));
    }

    #[test]
    fn a_search_that_panics_at_once_ends() {
        let (sender, events) = mpsc::channel();
        let sink: SearchSink = Arc::new(move |event| sender.send(event).unwrap());
        let mut searcher = new_searcher(VariantId::Standard);
        // A bug: a position of another variant.
        searcher.start(job(VariantId::ThreeCheck, 1, Arc::clone(&sink)));
        let (messages, depth) = end(&events, 1);
        assert_eq!((messages.len(), depth), (1, None), "{messages:?}");
        assert!(messages[0].ends_with("a searcher gets games of its own variant"), "{messages:?}");
        searcher.start(job(VariantId::Standard, 2, sink));
        assert_eq!(end(&events, 2), (vec![], Some(5)));
    }
}
