//! The game as the protocol sees it, whatever the variant.

use crate::board::FenError;
use crate::notation::MoveError;
use crate::search::{Limits, Progress, RootStatus, StopToken};
use crate::types::{Color, Move, Outcome, Piece, Ply, Score, Square};
use crate::variants::VariantId;

use super::Stage;

/// Names one search for as long as the program runs.
pub type SearchId = u64;

/// What a search decided.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move to play; none when there is no legal move, or none that the stage allows.
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// The score of `best`, if it was searched.
    pub score: Option<Score>,
    /// The depth of the last finished iteration, in plies.
    pub depth: i32,
}

/// What a search sends while it runs. `Finished` comes exactly once and last, however the search
/// ends, even by a panic.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    Progress(SearchId, Progress),
    Finished(SearchId, Choice),
}

/// Takes the events of a search. Called on the search's thread; it must not block.
pub type Reporter = Box<dyn Fn(SearchEvent) + Send + Sync>;

/// One game of one variant: position, history, and the search that plays it. The type of the
/// variant is erased here, once.
pub trait Game: Send {
    fn variant(&self) -> VariantId;

    // The position and its history.

    fn side_to_move(&self) -> Color;
    fn fen(&self) -> String;
    fn piece_at(&self, square: Square) -> Option<Piece>;
    /// What the variant counts, in words for people.
    fn describe_state(&self) -> Option<String>;
    fn legal_moves(&self) -> Vec<Move>;
    /// Is the side to move in check?
    fn is_in_check(&self) -> bool;
    /// The end by the rules, if the game is over: mate, third check, stalemate, threefold
    /// repetition, fifty moves, insufficient material.
    fn outcome(&self) -> Option<Outcome>;
    /// The move that a text means: coordinate notation or SAN, legal in this position.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError>;
    /// The legal move in SAN.
    fn san(&self, mv: Move) -> String;
    /// Plays a legal move.
    fn play(&mut self, mv: Move);
    /// Takes back one ply; `None` at the start of the game or at the position last set up.
    fn undo(&mut self) -> Option<Move>;
    /// The moves played since the start or since the position was set up.
    fn moves(&self) -> Vec<Move>;
    /// How many moves those are.
    fn ply_count(&self) -> Ply;
    /// The FEN of the position that [`Game::moves`] starts from.
    fn start_fen(&self) -> String;
    /// The start position; the history is forgotten.
    fn reset(&mut self);
    fn set_board(&mut self, fen: &str) -> Result<(), FenError>;

    // The player.

    /// Chooses a move in the present position on a thread of its own. The stop token also carries
    /// the clock. While an earlier search winds down a later one waits for it there, never here;
    /// one that still waits gives way to the next and is reported as ended.
    fn think(&mut self, id: SearchId, limits: Limits, stop: StopToken, report: Reporter);
    /// Where the running search stands, if one runs and has begun an iteration.
    fn root_status(&self) -> Option<RootStatus>;
    /// The static evaluation, in centipawns from the side to move.
    fn evaluate(&self) -> Score;
    fn set_stage(&mut self, stage: Stage);
    /// Seeds the choices of the stages that play at random.
    fn set_seed(&mut self, seed: u64);
    /// Sets the size of the transposition table in MiB; one that cannot be had is not an error: the
    /// greatest that can be had is taken. Waits for a running search to end.
    fn set_hash(&mut self, mebibytes: usize);
    /// Sets the number of search threads, 1 or more, from the next search on.
    fn set_threads(&mut self, threads: usize);
    /// What a draw is worth to the engine, in centipawns it gives up: positive avoids draws.
    fn set_contempt(&mut self, contempt: Score);
    /// Forgets what earlier games have left in tables and histories.
    fn clear(&mut self);
    /// Sets a search or evaluation constant by its name (hidden options, for tuning); false if
    /// there is none of this name.
    fn set_parameter(&mut self, name: &str, value: i32) -> bool;
}
