//! The language of UCI: what a GUI says ([`Command`]) and what an engine says ([`Reply`]).
//!
//! Both read and print their lines, so that a driver of engines and an engine share one grammar. Moves
//! and positions remain texts. Imports `types` and the kinds of scores of `search`. It knows no position,
//! no clock and no state.
//!
//! As the protocol asks, unknown words before a command and among arguments are skipped.

mod command;
mod command_grammar;
mod grammar;
mod info;
mod option;
mod reply;
mod reply_grammar;

pub use command::{Command, CommandError, Fault, Go, Start};
pub use info::{Info, InfoScore, Wdl};
pub use option::{Declaration, OptionKind};
pub use reply::Reply;
