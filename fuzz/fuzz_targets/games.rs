#![no_main]

#[path = "../../tests/support/fuzzing/games.rs"]
mod games;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| games::check(bytes));
