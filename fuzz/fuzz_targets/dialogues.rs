#![no_main]

#[path = "../../tests/fuzzing/dialogues.rs"]
mod dialogues;
#[path = "../../tests/scripted/mod.rs"]
mod scripted;

libfuzzer_sys::fuzz_target!(|dialogue: &[u8]| dialogues::check(dialogue));
