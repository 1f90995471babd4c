//! A strength developer's commands: games of the engine against itself, networks and weights fitted to
//! them, tuning of the search's constants, balanced openings, opening books.

pub mod book;
pub mod data;
pub mod datagen;
mod inputs;
mod numbers;
pub mod openings;
mod positions;
mod provenance;
mod selection;
pub(crate) mod selfplay;
pub mod spsa;
pub mod train;
pub mod tune;
