//! The searcher for places without threads, such as a web page: it searches on the caller's thread.

use std::time::Duration;

use super::variant_search::VariantSearch;
use super::{EngineSettings, Game, Job, Message, Searcher};
use crate::types::Score;
use crate::variants::{Variant, VariantId};

/// A searcher that runs each search inside [`Searcher::start`], with one thread. All events of the
/// search come before the engine's method returns that started it. The thread needs the stack of a search:
/// [`SEARCH_STACK`](crate::threads::SEARCH_STACK) is plenty.
///
/// A search that may not end by itself, such as an analysis, ends after `most_nodes`: nobody could stop it
/// on this thread. Its end is reported when its owner stops it, as always.
pub fn inline_searcher(variant: VariantId, most_nodes: u64) -> Box<dyn Searcher> {
    for_variant!(variant, V => Box::new(InlineSearcher::<V> {
        search: VariantSearch::new(),
        most_nodes,
    }))
}

struct InlineSearcher<V: Variant> {
    search: VariantSearch<V>,
    most_nodes: u64,
}

impl<V: Variant> Searcher for InlineSearcher<V> {
    fn start(&mut self, mut job: Job) {
        // Nobody could stop a wait on this thread.
        job.pause = Duration::ZERO;
        if job.limits.infinite || job.limits.mate.is_some() {
            let nodes =
                job.limits.nodes.map_or(self.most_nodes, |nodes| nodes.min(self.most_nodes));
            job.limits.nodes = Some(nodes);
        }
        self.search.run(job);
    }

    fn evaluate(&mut self, game: &dyn Game) -> Score {
        self.search.evaluate(game)
    }

    fn configure(&mut self, settings: &EngineSettings) -> Vec<Message> {
        self.search.configure(&EngineSettings { threads: 1, ..settings.clone() })
    }

    fn clear(&mut self) {
        self.search.clear();
    }
}
