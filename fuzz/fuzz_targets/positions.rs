#![no_main]

#[path = "../../tests/support/fuzzing/positions.rs"]
mod positions;

libfuzzer_sys::fuzz_target!(|text: &[u8]| positions::check(&String::from_utf8_lossy(text)));
