//! What an engine needs of the program around it.

use super::{NewSearcher, RatingFile, ResourceLimits, SearchSink};
use crate::types::TimeSource;

/// The surroundings of an engine. The engine takes time, randomness and threads from nowhere else.
pub struct Host {
    /// Tells the searches the time. What the caller of the engine passes as `now` is a moment on it.
    pub clock: TimeSource,
    /// Seeds what is random, unless the settings have a seed.
    pub seed: u64,
    pub limits: ResourceLimits,
    /// Makes the searchers: [`threaded_searcher`](super::threaded_searcher()) is the usual one,
    /// [`inline_searcher`](super::inline_searcher()) needs no threads.
    pub new_searcher: NewSearcher,
    /// May the engine play from the built-in books?
    pub built_in_books: bool,
    /// The ratings of the player, for an adaptive level. Without a file they last as long as the engine.
    pub ratings: Option<RatingFile>,
    /// Takes the events of the engine.
    pub sink: SearchSink,
}

impl Host {
    /// The usual surroundings on an operating system: searches on threads, the system's clock, and a
    /// seed that is different in every run.
    #[cfg(feature = "native")]
    pub fn native(limits: ResourceLimits, sink: SearchSink) -> Host {
        use rand::RngExt;

        Host {
            clock: TimeSource::system(),
            seed: rand::make_rng::<rand_xoshiro::Xoshiro256PlusPlus>().random(),
            limits,
            // A remote client is not the user.
            ratings: RatingFile::of_user(|name| std::env::var_os(name)).filter(|_| limits.files),
            new_searcher: Box::new(super::threaded_searcher),
            built_in_books: true,
            sink,
        }
    }
}
