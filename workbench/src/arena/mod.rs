//! A tournament operator's and a grader's commands: matches between engines, the examination of how
//! well an engine speaks CECP or UCI, the examination of bots in scenes, and the check of recorded games.
//!
//! Libraries: `engines` drives engines, `games` has the record of a game, `tournament` plays games,
//! `judging` judges them. The other modules are the commands.

pub mod check;
pub mod comply;
pub mod engine_slot;
pub mod engines;
pub mod exam;
pub mod games;
pub mod judging;
pub mod matches;
mod misread;
pub mod queue;
pub mod tournament;
