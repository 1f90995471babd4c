//! The engine's library from outside: rules, search, evaluation, and whole dialogues with the session.

#[path = "../support/debug_log.rs"]
mod debug_log;
#[path = "../support/fuzzing/mod.rs"]
mod fuzzing;
#[path = "../support/scripted.rs"]
mod scripted;

mod chaos;
mod chess960;
mod eval;
mod fuzz;
mod heat;
mod imports;
mod inline;
mod mistakes;
mod moments;
mod motifs;
mod move_bound;
mod notation;
mod perft;
mod reference;
mod replay;
mod rules;
mod search;
mod session;
