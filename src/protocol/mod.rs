//! What the protocols share: names, moves and positions as text, the options, the session, and the
//! threads that carry its lines.
//!
//! Imports `play` and what is below it.

pub mod dialect;
pub mod options;
#[cfg(feature = "native")]
pub mod run_log;
pub mod session;
#[cfg(feature = "native")]
pub mod session_loop;
#[cfg(feature = "native")]
pub mod stdout;
