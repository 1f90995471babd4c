//! CECP, the protocol that xboard and WinBoard speak: the language, and the session that follows it.
//!
//! Imports `protocol` and what is below it.

pub mod options;
pub mod session;
pub mod wire;
