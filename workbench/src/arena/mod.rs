//! A tournament operator's and a grader's commands: matches between engines, the examination of how
//! well an engine speaks CECP, and the check of recorded games.

pub mod check;
pub mod comply;
pub mod engines;
pub mod matches;
mod misread;
