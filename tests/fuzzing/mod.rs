//! What must hold of any input whatever. `tests/fuzz.rs` tries it on seeded inputs, the programs of
//! `fuzz/` on those that libFuzzer comes up with.

pub mod dialogues;
pub mod language;
pub mod positions;
