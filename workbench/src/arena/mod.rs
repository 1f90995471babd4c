//! A tournament operator's and a grader's commands: matches between engines, the examination of how
//! well an engine speaks CECP, and the check of recorded games.
//!
//! `engines` drives engines, `judging` judges games; the other modules are the commands.

pub mod check;
pub mod comply;
pub mod engines;
pub mod judging;
pub mod matches;
mod misread;
