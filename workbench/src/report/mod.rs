//! Reports on games that were played: the analysis of each move, and its texts.
//!
//! Imports `play` and what is below it, and knows no protocol.

mod analysis;
pub mod annotate;
mod annotated_pgn;
mod annotation;
mod bar;
pub mod diagram;
mod exercises;
pub mod exercises_command;
mod games_page;
pub mod html;
mod judge;
mod marks;
mod moments;
mod opening_names;
pub(crate) mod outputs;
mod phases;
mod pieces;
mod pipeline;
mod progress;
mod search;
mod search_args;
mod source;
mod topics;

pub use annotation::{AnnotatedGame, AnnotatedPly, Exercise, Punishment};
pub(crate) use games_page::games_page;
pub(crate) use moments::{critical_moments, instructive_moments};
pub use phases::Phase;
pub(crate) use source::start_of;
