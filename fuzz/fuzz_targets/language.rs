#![no_main]

#[path = "../../tests/support/fuzzing/language.rs"]
mod language;

libfuzzer_sys::fuzz_target!(|line: &[u8]| language::check(line));
