//! What the engine asks of the search of one variant.

use std::time::Duration;

use super::{EngineSettings, Game, Message, Reporter};
use crate::search::{Limits, StopToken};
use crate::skill::Skill;
use crate::types::Score;
use crate::variants::VariantId;

/// A search to run.
pub struct Job {
    /// The position with its history, a copy for this search alone.
    pub position: Box<dyn Game>,
    pub limits: Limits,
    pub thinker: Thinker,
    /// The move takes at least this time: the end of the search waits for the rest of it, unless the search is
    /// stopped.
    pub pause: Duration,
    /// Ends the search, and carries its clock.
    pub stop: StopToken,
    /// Takes what the search reports; dropping it ends the search.
    pub reporter: Reporter,
}

/// Who looks for the move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thinker {
    /// The full search.
    Engine,
    /// A person of limited skill, with the seed of what they overlook.
    Person(Skill, u64),
    /// Nobody: the reporter knows the move.
    Nobody,
}

/// The search of one variant, with what it keeps between moves.
pub trait Searcher: Send {
    /// Runs a search: on another thread, or before it returns. A search that still waits for its turn
    /// gives way to this one and is reported as ended.
    fn start(&mut self, job: Job);
    /// The static evaluation in centipawns, from the side to move. Waits for a running search.
    fn evaluate(&mut self, game: &dyn Game) -> Score;
    /// Takes over table size, threads, endgame tables, evaluation, contempt and constants. Waits for a
    /// running search. Returns what the user should know: the search does with less memory, or without
    /// files that cannot be used.
    fn configure(&mut self, settings: &EngineSettings) -> Vec<Message>;
    /// Forgets what earlier searches have left in tables and histories. Waits for a running search.
    fn clear(&mut self);
    /// Takes the memory of the transposition table now, so that the next search does not on its clock. Waits for a
    /// running search. A searcher need not do this.
    fn populate_table(&mut self) {}
}

/// Makes the searcher of a variant.
pub type NewSearcher = Box<dyn Fn(VariantId) -> Box<dyn Searcher> + Send>;
