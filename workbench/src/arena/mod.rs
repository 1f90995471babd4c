//! A tournament operator's and a grader's commands: matches between engines, the examination of how
//! well an engine speaks CECP or UCI, the examination of bots in scenes, and the check of recorded games.
//!
//! Libraries: `engines` drives engines, `games` has the record of a game, `tournament` plays games,
//! `judging` judges them. The other modules are the commands.

pub mod check;
pub mod comply;
mod engine_slot;
pub(crate) mod engines;
pub mod exam;
pub(crate) mod games;
mod judging;
pub mod matches;
mod misread;
pub mod queue;
mod tournament;

pub use judging::criterion;
