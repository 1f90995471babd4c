//! A search without its type: what code outside the engine needs of it.
//!
//! `Search<V>` is generic: a crate that names it compiles the whole search again. This trait is called
//! through a table of functions instead, once a search and not once a node. A variant makes such a
//! search, see [`Variant::new_search`](crate::variants::Variant::new_search).

use crate::board::Position;
use crate::tablebase::TablePaths;
use crate::types::{Depth, Score};

use super::limits::Limits;
use super::pool::{Search, SearchResult};
use super::report::Observer;
use super::rules::SearchRules;
use super::stop::StopToken;

/// The search of one variant. Each method does what the one of the same name in [`Search`] does.
pub trait PositionSearch<V: SearchRules>: Send {
    /// Searches a position until a limit or the token ends the search. The observer is called on
    /// this thread.
    fn run(
        &mut self,
        pos: &Position<V>,
        limits: &Limits,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> SearchResult;
    /// The static evaluation, in centipawns from the side to move.
    fn evaluate(&mut self, pos: &Position<V>) -> Score;
    /// Clears the tables and the histories.
    fn clear(&mut self);
    /// Sets the size of the transposition table in MiB. A change clears the table.
    fn set_hash(&mut self, mebibytes: usize);
    /// Sets the number of threads; 0 counts as 1.
    fn set_threads(&mut self, threads: usize);
    /// Sets the folders of the endgame tables, and from which depth in plies on the greatest of them
    /// are looked up.
    fn set_tables(&mut self, paths: &TablePaths, probe_depth: Depth);
    /// Sets a constant by its name. Returns false if the name is unknown.
    fn set_parameter(&mut self, name: &str, value: i32) -> bool;
    /// What people should know about the settings: each sentence once.
    fn take_notices(&mut self) -> Vec<String>;
}

impl<V: SearchRules> PositionSearch<V> for Search<V> {
    fn run(
        &mut self,
        pos: &Position<V>,
        limits: &Limits,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        Search::run(self, pos, limits, stop, observer)
    }

    fn evaluate(&mut self, pos: &Position<V>) -> Score {
        Search::evaluate(self, pos)
    }

    fn clear(&mut self) {
        Search::clear(self);
    }

    fn set_hash(&mut self, mebibytes: usize) {
        Search::set_hash(self, mebibytes);
    }

    fn set_threads(&mut self, threads: usize) {
        Search::set_threads(self, threads);
    }

    fn set_tables(&mut self, paths: &TablePaths, probe_depth: Depth) {
        Search::set_tables(self, paths, probe_depth);
    }

    fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        Search::set_parameter(self, name, value)
    }

    fn take_notices(&mut self) -> Vec<String> {
        Search::take_notices(self)
    }
}
