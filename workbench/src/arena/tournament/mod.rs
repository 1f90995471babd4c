//! Tournaments between engines: who meets whom, the referee of a game, the standings, and what follows
//! from them. Nothing here prints.

pub mod adjudication;
pub mod bradley_terry;
mod coordinator;
pub mod event;
pub mod final_table;
pub mod game;
pub mod game_spec;
pub mod idle_watch;
pub mod pairing;
pub mod pgn_file;
pub mod plan;
pub mod resume;
pub mod runner;
pub mod sprt;
pub mod standings;
pub mod statistics;
pub mod swiss;
