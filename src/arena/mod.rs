//! A tournament operator's and a grader's commands: matches between engines, and the examination of
//! how well an engine speaks CECP.

pub mod comply;
pub mod engines;
pub mod matches;
