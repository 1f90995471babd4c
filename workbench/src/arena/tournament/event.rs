//! What a tournament tells while it runs, and why it may have to end.

use std::path::PathBuf;

use super::game_spec::GameId;
use crate::arena::games::GameRecord;
use crate::counts;

/// What happens in a tournament.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    Finished(&'a FinishedGame),
    /// Something that the operator should know about an engine.
    Remark {
        player: usize,
        text: String,
    },
    /// Something that is wrong with the tablebases.
    Tablebases(String),
    /// An engine plays no more games. `why` follows its name.
    Withdrawn {
        player: usize,
        why: String,
    },
}

/// A game that has ended.
#[derive(Debug)]
pub struct FinishedGame {
    pub id: GameId,
    pub record: GameRecord,
    /// The number of games of the tournament, as far as it is known.
    pub total: usize,
}

/// Why a tournament cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error("{name}: {why}")]
    Engine { name: String, why: String },
    #[error(
        "{name} has made no move in this match, and forfeits in {games}; the option --logs writes what \
         it says", games = counts::count(*forfeits as usize, "game")
    )]
    NeverMoved { name: String, forfeits: u64 },
    #[error("cannot write the log {0}: {1}")]
    Log(PathBuf, std::io::Error),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_is_not_several() {
        for (forfeits, games) in [(1, "in 1 game;"), (3, "in 3 games;")] {
            let error = MatchError::NeverMoved { name: "a".to_owned(), forfeits };
            assert!(error.to_string().contains(games), "{error}");
        }
    }
}
