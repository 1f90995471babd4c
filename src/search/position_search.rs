//! A search without its type: what code outside the engine needs of it.
//!
//! `Search<V>` is generic: a crate that names it compiles the whole search again. This trait is called
//! through a table of functions instead, once a search and not once a node. A variant makes such a
//! search, see [`Variant::new_search`](crate::variants::Variant::new_search).

use std::sync::Arc;

use crate::board::Position;
use crate::eval::network::Network;
use crate::tablebase::Tablebases;
use crate::types::{Depth, Score};

use super::limits::Limits;
use super::report::Observer;
use super::rules::SearchRules;
use super::run::{Search, SearchResult};
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
    /// Clears the transposition table and the histories.
    fn clear(&mut self);
    /// Takes the memory of the transposition table now.
    fn populate_table(&self);
    /// The size of the transposition table, in MiB.
    fn hash(&self) -> usize;
    /// Makes a new transposition table of this size in MiB, or a smaller one.
    fn set_hash(&mut self, mebibytes: usize);
    /// The number of threads.
    fn threads(&self) -> usize;
    /// Sets the number of threads; 0 counts as 1. There may be fewer.
    fn set_threads(&mut self, threads: usize);
    /// Sets the cost of a draw for the side to move at the root, in centipawns.
    fn set_contempt(&mut self, contempt: Score);
    /// Gives the search its endgame tables.
    fn set_tables(&mut self, tables: Tablebases);
    /// Sets from which depth in plies on the greatest endgame tables are looked up.
    fn set_probe_depth(&mut self, depth: Depth);
    /// Sets the network that evaluates; `None` means the classic evaluation.
    fn set_network(&mut self, network: Option<Arc<Network>>);
    /// Sets a constant by its name. Returns false if the name is unknown.
    fn set_parameter(&mut self, name: &str, value: i32) -> bool;
    /// What is wrong with the files of the endgame tables: each sentence once.
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

    fn populate_table(&self) {
        Search::populate_table(self);
    }

    fn hash(&self) -> usize {
        Search::hash(self)
    }

    fn set_hash(&mut self, mebibytes: usize) {
        Search::set_hash(self, mebibytes);
    }

    fn threads(&self) -> usize {
        Search::threads(self)
    }

    fn set_threads(&mut self, threads: usize) {
        Search::set_threads(self, threads);
    }

    fn set_contempt(&mut self, contempt: Score) {
        Search::set_contempt(self, contempt);
    }

    fn set_tables(&mut self, tables: Tablebases) {
        Search::set_tables(self, tables);
    }

    fn set_probe_depth(&mut self, depth: Depth) {
        Search::set_probe_depth(self, depth);
    }

    fn set_network(&mut self, network: Option<Arc<Network>>) {
        Search::set_network(self, network);
    }

    fn set_parameter(&mut self, name: &str, value: i32) -> bool {
        Search::set_parameter(self, name, value)
    }

    fn take_notices(&mut self) -> Vec<String> {
        Search::take_notices(self)
    }
}
