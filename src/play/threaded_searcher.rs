//! The usual searcher: the search of one variant on a thread of its own.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread;

use super::variant_search::VariantSearch;
use super::{EngineSettings, Game, Job, Message, Searcher};
use crate::threads::{SEARCH_STACK, lock};
use crate::types::Score;
use crate::variants::{Variant, VariantId};

/// A searcher of a variant, with one thread and a small table until it is configured.
pub fn threaded_searcher(variant: VariantId) -> Box<dyn Searcher> {
    for_variant!(variant, V => Box::new(ThreadedSearcher::<V>::default()))
}

struct ThreadedSearcher<V: Variant>(Arc<SharedSearch<V>>);

/// What the owner of the searches shares with their thread.
struct SharedSearch<V: Variant> {
    /// Locked by the running search for as long as it runs.
    search: Mutex<VariantSearch<V>>,
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

impl<V: Variant> Default for ThreadedSearcher<V> {
    fn default() -> ThreadedSearcher<V> {
        let search = Mutex::new(VariantSearch::new());
        ThreadedSearcher(Arc::new(SharedSearch { search, queue: Mutex::default() }))
    }
}

impl<V: Variant> ThreadedSearcher<V> {
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

    /// Tells the user something for the job that waits.
    fn tell(&self, message: Message) {
        if let Some(job) = &lock(&self.queue).next {
            job.reporter.tell(message);
        }
    }

    fn work(&self) {
        while let Some(job) = self.take() {
            lock(&self.search).run(job);
        }
    }
}

impl<V: Variant> Searcher for ThreadedSearcher<V> {
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
            let halved = lock(&self.0.search).halve_hash();
            if let Some(message) = halved {
                self.0.tell(message);
                continue;
            }
            if let Some(job) = self.0.dismiss_thread() {
                job.reporter.tell(Message::notice(format!("no thread for the search: {error}")));
                // Dropping the job reports the end of its search.
            }
            return;
        }
    }

    fn evaluate(&mut self, game: &dyn Game) -> Score {
        lock(&self.0.search).evaluate(game)
    }

    fn configure(&mut self, settings: &EngineSettings) -> Vec<Message> {
        lock(&self.0.search).configure(settings)
    }

    fn clear(&mut self) {
        lock(&self.0.search).clear();
    }

    fn populate_table(&mut self) {
        lock(&self.0.search).populate_table();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use super::*;
    use crate::play::report::RootStatusCell;
    use crate::play::{Choice, Reporter, SearchEvent, SearchSink, Thinker, new_game};
    use crate::search::{Limits, StopToken};
    use crate::types::Depth;

    /// How long a test waits for an event.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn job(game: VariantId, id: u64, sink: SearchSink) -> Job {
        Job {
            position: new_game(game),
            limits: Limits { depth: Some(5), ..Limits::default() },
            thinker: Thinker::Engine,
            pause: Duration::ZERO,
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
        let mut searcher = threaded_searcher(VariantId::Standard);
        searcher.start(job(VariantId::Standard, 1, Arc::clone(&sink)));
        assert_eq!(end(&events, 1), (vec!["the search has failed: a bug".to_owned()], Some(3)));
        searcher.start(job(VariantId::Standard, 2, sink));
        assert_eq!(end(&events, 2), (vec![], Some(5)));
    }

    #[test]
    fn a_search_that_panics_at_once_ends() {
        let (sender, events) = mpsc::channel();
        let sink: SearchSink = Arc::new(move |event| sender.send(event).unwrap());
        let mut searcher = threaded_searcher(VariantId::Standard);
        // A bug: a position of another variant.
        searcher.start(job(VariantId::ThreeCheck, 1, Arc::clone(&sink)));
        let (messages, depth) = end(&events, 1);
        assert_eq!((messages.len(), depth), (1, None), "{messages:?}");
        assert!(messages[0].ends_with("a searcher gets games of its own variant"), "{messages:?}");
        searcher.start(job(VariantId::Standard, 2, sink));
        assert_eq!(end(&events, 2), (vec![], Some(5)));
    }
}
