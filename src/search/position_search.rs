//! A search without its type: what code outside the engine needs of it.
//!
//! `Search<V>` is generic: a crate that names it compiles the whole search again. This trait is called
//! through a table of functions instead, once a search and not once a node. A variant makes such a
//! search, see [`Variant::new_search`](crate::variants::Variant::new_search).

use std::sync::Arc;

use crate::board::Position;
use crate::eval::network::Network;
use crate::tablebase::Tablebases;
use crate::types::{Depth, Move, Score};

use super::limits::Limits;
use super::report::Observer;
use super::rules::SearchRules;
use super::stop::StopToken;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// `None` if there is no legal move or all are excluded.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// In centipawns, from the side to move at the root; zero if no move was searched.
    pub score: Score,
    /// The depth of the last finished iteration, in plies.
    pub depth: Depth,
    /// The nodes searched by all threads.
    pub nodes: u64,
    /// The best line.
    pub pv: Vec<Move>,
}

/// The search of one variant.
pub trait PositionSearch<V: SearchRules>: Send {
    /// Searches a position until a limit or the token ends the search. The calling thread is the
    /// main one; the observer is called on it.
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
    /// Takes the memory of the transposition table now, so that the next search does not on its clock.
    fn populate_table(&self);
    /// The size of the transposition table, in MiB.
    fn hash(&self) -> usize;
    /// Makes a new transposition table of this size in MiB; it is smaller if there is not enough
    /// memory.
    fn set_hash(&mut self, mebibytes: usize);
    /// The number of threads.
    fn threads(&self) -> usize;
    /// Sets the number of threads; 0 counts as 1. There are fewer if there is not enough memory.
    fn set_threads(&mut self, threads: usize);
    /// Sets the cost of a draw for the side to move at the root, in centipawns. A search in which draws are worth
    /// something else for White than in the search before begins with a clear transposition table.
    fn set_contempt(&mut self, contempt: Score);
    /// Gives the search its endgame tables.
    fn set_tables(&mut self, tables: Tablebases);
    /// Nodes with as many men as the greatest endgame table has are looked up from this depth on, in
    /// plies; nodes with fewer men at every depth but in quiescence.
    fn set_probe_depth(&mut self, depth: Depth);
    /// Sets the network that evaluates; `None` means the classic evaluation. Clears the transposition table
    /// and the histories.
    fn set_network(&mut self, network: Option<Arc<Network>>);
    /// Sets a constant by its name. Returns false if the name is unknown.
    fn set_parameter(&mut self, name: &str, value: i32) -> bool;
    /// What the searches have found wrong with the files of the endgame tables, for people: each
    /// sentence once.
    fn take_notices(&mut self) -> Vec<String>;
}
