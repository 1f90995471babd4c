//! The settings of a tournament.

use std::path::PathBuf;
use std::time::Duration;

use super::adjudication::AdjudicationRules;
#[cfg(doc)]
use super::game::GameConditions;
use super::sprt::Sprt;
use crate::arena::engines::{EngineSpec, Timeouts};
use trebuchet::tablebase::SyzygyTables;

/// The settings of a tournament.
#[derive(Debug)]
pub struct Plan {
    pub event: String,
    pub engines: Vec<EngineSpec>,
    /// The engines' names, all different.
    pub names: Vec<String>,
    pub adjudication: AdjudicationRules,
    pub tablebase: Option<SyzygyTables>,
    /// See [`GameConditions::margin`].
    pub margin: Duration,
    /// See [`GameConditions::stall`].
    pub stall: Duration,
    pub timeouts: Timeouts,
    /// The number of games that run at the same time.
    pub concurrency: usize,
    /// The folder for a debug log of each game.
    pub logs: Option<PathBuf>,
    pub on_failure: OnFailure,
    /// A test of the first meeting that ends the tournament.
    pub sprt: Option<Sprt>,
}

/// What follows if an engine cannot be started, cannot play the game, or forfeits its first games
/// without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OnFailure {
    /// The match ends
    #[value(name = "end")]
    EndMatch,
    /// It loses each of its games
    Forfeit,
    /// Its remaining games are not played, the others go on. A gauntlet without its first engine ends
    Withdraw,
}

impl OnFailure {
    /// What follows if nobody says otherwise: a match of two cannot go on, others can.
    pub const fn of_players(players: usize) -> OnFailure {
        if players > 2 { OnFailure::Withdraw } else { OnFailure::EndMatch }
    }
}
