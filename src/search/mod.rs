//! The search: which move is best, and how good it is.
//!
//! Imports `eval` and what is below it. It never prints, never reads stdin, never logs per node and
//! allocates nothing per node. It reports to an `Observer` and ends when its `StopToken` or its
//! `Limits` say so.
//!
//! Its owner brings the networks and the endgame tables. The only files that it reads are the system's, for the
//! memory that is free (`available_memory`).
//!
//! Start with `negamax`, which numbers the steps of the search; `deepening` calls it, `run` starts
//! the threads. Files import one another in one direction: the steps import `worker`, and `worker`
//! imports the files of the data that it owns or shares, such as `history` and `tt`.

mod available_memory;
mod check_interval;
mod correction;
mod deepening;
mod extensions;
mod history;
mod learning;
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
mod run;
pub mod see;
mod stack;
mod static_eval;
mod stop;
mod tablebase_probe;
mod tablebase_use;
pub mod time_management;
mod tt;
mod win_rate;
mod window;
mod worker;

pub use limits::Limits;
pub use params::{Param, Params};
pub use position_search::{PositionSearch, SearchResult};
pub use report::{LONG_SEARCH, LineFilter, Observer, Progress, RootStatus, Silent};
pub use rules::SearchRules;
pub use run::Search;
pub use stop::StopToken;
pub use win_rate::WinRate;
pub use window::Bound;
pub use worker::FIRST_ITERATION_NODES;
