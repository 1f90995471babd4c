//! The search: which move is best, and how good it is.
//!
//! Imports `eval` and what is below it. It never prints, never reads stdin, never logs per node and
//! allocates nothing per node. It reports to an `Observer` and ends when its `StopToken` or its
//! `Limits` say so.
//!
//! Start with `negamax`, which numbers the steps of the search; `deepening` calls it, `pool` runs
//! the threads. Files import one another in one direction: the steps import `worker`, and `worker`
//! imports the data it owns (`history`, `stack`, `tt`, `root`, `order`, `reductions`).

mod available_memory;
pub mod clock;
mod correction;
mod deepening;
mod extensions;
mod history;
mod limits;
mod memory;
mod negamax;
mod node;
mod node_entry;
mod order;
mod params;
mod pool;
mod position_search;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod rules;
pub mod see;
mod stack;
mod static_eval;
mod stop;
mod tables;
mod tt;
mod window;
mod worker;

pub use limits::Limits;
pub use params::{Param, Params};
pub use pool::{Search, SearchResult};
pub use position_search::PositionSearch;
pub use report::{LineFilter, Observer, Progress, RootStatus, Silent};
pub use rules::SearchRules;
pub use stop::StopToken;
pub use window::Bound;
