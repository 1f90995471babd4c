//! Trebuchet, a chess and three-check engine that speaks CECP.
//!
//! The modules stand in the order in which they may import one another: each uses those above it,
//! none uses those below.

pub mod types;

pub mod board;

pub mod movegen;

pub mod variants;

pub mod search;

pub mod protocol;
