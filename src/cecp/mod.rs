//! CECP, the protocol that xboard and WinBoard speak: the language, the session that follows it,
//! and the threads that carry its lines.
//!
//! Imports everything below `serve`; nothing below it knows a centisecond or prints a line.

pub mod io;
pub mod options;
pub mod run_log;
pub mod session;
pub mod wire;
