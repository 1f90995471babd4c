//! The language of CECP: what a GUI says ([`Command`]) and what an engine says ([`Reply`]).
//!
//! Both read and print their lines, so that the session, the match runner and the tests share one
//! grammar. Imports `types`, what `search` and `book` report, and the endings of all variants. It knows no
//! position, no clock and no state: the session decides whether a command is allowed now.

mod command;
mod command_grammar;
mod echo;
mod feature;
mod grammar;
mod level;
mod misread;
mod reply;
mod reply_grammar;
mod thinking;
pub mod traps;

pub use command::{Command, CommandError, Exclusion};
pub use echo::{echo, message};
pub use feature::{Declaration, Feature, FeatureValue, Widget};
pub use grammar::Fault;
pub use level::Level;
pub use reply::Reply;
pub use thinking::{RootReport, Thinking};
