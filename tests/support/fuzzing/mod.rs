//! Properties that hold for any input. `tests/library/fuzz.rs` checks them with seeded inputs, the programs of
//! `fuzz/` with inputs that libFuzzer makes.

pub mod dialogues;
pub mod games;
pub mod language;
pub mod positions;
