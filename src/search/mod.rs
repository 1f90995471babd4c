//! The search.

pub mod clock;
mod limits;

pub use limits::{Bound, Limits, Progress, RootStatus, StopToken};
