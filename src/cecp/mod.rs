//! CECP, the protocol that xboard and WinBoard speak: the language, the session that follows it,
//! and the threads that carry its lines.
//!
//! Imports `play` and what is below it. Only this module knows centiseconds.

pub mod io;
pub mod options;
pub mod run_log;
pub mod session;
pub mod wire;
