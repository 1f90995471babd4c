#![no_main]

#[path = "../../tests/support/fuzzing/dialogues.rs"]
mod dialogues;
#[path = "../../tests/support/scripted.rs"]
mod scripted;

libfuzzer_sys::fuzz_target!(|dialogue: &[u8]| dialogues::check(dialogue));
