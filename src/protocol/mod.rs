//! What the protocols share.
//!
//! Imports `variants` and what is below it.

pub mod dialect;
