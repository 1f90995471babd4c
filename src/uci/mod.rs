//! UCI, the Universal Chess Interface.
//!
//! Stands beside `cecp`: neither imports the other. Only the language is here; an engine's session would
//! stand beside it.

pub mod wire;
