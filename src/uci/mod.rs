//! UCI, the Universal Chess Interface: the language, and the session that follows it.
//!
//! Stands beside `cecp`: neither imports the other.

pub mod options;
pub mod session;
pub mod wire;
