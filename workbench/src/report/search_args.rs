//! The options of commands that analyse games.

use std::time::Duration;

use super::search::SearchSettings;
use crate::seconds;
use trebuchet::args::{hash, threads};
use trebuchet::threads::processors;
use trebuchet::types::Depth;

// How deep positions are searched, and with what. A doc comment would replace the description of the command.
#[derive(Clone, Debug, clap::Args)]
pub struct SearchArgs {
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", value_parser = read_move_time)]
    time: Option<Duration>,
    /// Plies of search for each move
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..=100))]
    depth: Option<Depth>,
    /// Nodes for each move. Without --time, the result is the same on every run and with every number of
    /// cores
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many positions to search at the same time, each with one thread; by default as many as there
    /// are processors
    #[arg(long, value_name = "N", value_parser = threads())]
    cores: Option<u16>,
    /// The size of the transposition table of each thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = hash())]
    hash: u32,
    /// Folders with endgame tables, for chess and for three-check
    #[arg(long, value_name = "DIRS", default_value = "", hide_default_value = true)]
    tablebases: String,
}

impl SearchArgs {
    /// The settings of the analysis. The limits of `usual` hold if no other is given.
    pub fn settings(&self, usual: SearchSettings) -> SearchSettings {
        let has_limit = self.time.is_some() || self.depth.is_some() || self.nodes.is_some();
        let SearchArgs { time, depth, nodes, .. } = *self;
        let limits = match has_limit {
            true => SearchSettings { time, depth, nodes, ..usual },
            false => usual,
        };
        SearchSettings { hash: self.hash as usize, tables: self.tablebases.clone(), ..limits }
    }

    /// The number of searches at the same time.
    pub fn threads(&self) -> usize {
        self.cores.map_or_else(processors, usize::from)
    }
}

/// The least and the greatest time for a move. The greatest is a day.
const LEAST_TIME: Duration = Duration::from_millis(1);
const MOST_TIME: Duration = Duration::from_secs(86_400);

/// Reads the time for a move, in seconds.
fn read_move_time(text: &str) -> Result<Duration, String> {
    let time = seconds::read(text).filter(|time| (LEAST_TIME..=MOST_TIME).contains(time));
    time.ok_or_else(|| {
        let [least, most] = [LEAST_TIME, MOST_TIME].map(|time| time.as_secs_f64());
        format!("not a number of seconds from {least} to {most}")
    })
}
