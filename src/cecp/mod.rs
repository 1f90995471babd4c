//! CECP, the protocol that xboard and WinBoard speak: the language, the session that follows it,
//! and the threads that carry its lines.
//!
//! Imports `play` and what is below it. Only this module knows centiseconds.

#[cfg(feature = "native")]
pub mod io;
pub mod options;
#[cfg(feature = "native")]
pub mod run_log;
pub mod session;
pub mod wire;
