//! The search: which move is best, and how good it is.
//!
//! Imports `eval` and what is below it. It never prints, never reads stdin, never logs per node and
//! allocates nothing per node; it tells an `Observer` how it goes and ends when its `StopToken`
//! says so.

pub mod clock;
mod deepening;
mod history;
mod learning;
mod limits;
mod negamax;
mod node;
mod order;
mod params;
mod pool;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod rules;
pub mod see;
mod selectivity;
mod tried;
mod tt;
mod window;
mod worker;

pub use limits::{Bound, Limits, Progress, RootStatus, StopToken};
pub use params::{Param, Params};
pub use pool::{Search, SearchResult};
pub use report::{Observer, Silent};
pub use rules::SearchRules;
