//! A game as it is played: the position on the board, and the engine that plays it.
//!
//! `Game` is the board side: positions, moves, their texts. `Engine` plays, and starts all
//! searches: for a protocol, a terminal or a coach. This module hides the type of the variant. It
//! imports `variants` and what is below it, knows no protocol, and prints nothing.

mod adaptive_level;
mod coaching;
mod engine;
mod game;
mod game_clock;
mod hint_steps;
mod host;
mod human_play;
mod inline_searcher;
mod interruption;
mod opening_book;
mod puzzle;
mod rated_game;
mod rating;
mod report;
mod resign_draw;
mod resources;
mod running_search;
mod search_handle;
mod searcher;
mod settings;
mod skill_level;
mod stage;
mod threaded_searcher;
mod variant_game;
mod variant_search;

pub use coaching::{Findings, Study, clue, confirm, explain, findings, review, unconfirmed};
pub use engine::Engine;
pub use game::{Game, LONGEST_GAME, Pieces};
pub use game_clock::{GameClock, TimeControl};
pub use hint_steps::HintSteps;
pub use host::Host;
pub use inline_searcher::inline_searcher;
pub use interruption::IsWanted;
pub use opening_book::BookSettings;
pub use puzzle::{Answer, Attempt, Puzzle};
pub use rated_game::RatedGame;
pub use rating::{Rating, RatingFile};
pub use report::{Choice, Message, Reporter, SearchEvent, SearchId, SearchSink, Severity};
pub use resign_draw::{DrawPolicy, PolicyInput, ResignDrawPolicy};
pub use resources::Resources;
pub use running_search::{Ponder, RunningSearch};
pub use search_handle::SearchHandle;
pub use searcher::{Job, NewSearcher, Searcher, Thinker};
pub use settings::{EngineSettings, MAX_HASH, MAX_SEED, MAX_THREADS, ResourceLimits};
pub use skill_level::{GREATEST_LIMITED_ELO, Handicap, SkillLevel, UnknownLevel};
pub use stage::{Stage, UnknownStage};
pub use threaded_searcher::threaded_searcher;
pub use variant_game::new_game;
