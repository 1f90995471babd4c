//! One game of a tournament, before it is played.

use crate::arena::engines::EngineLimits;
use crate::arena::games::openings::Opening;
use trebuchet::types::Color;
use trebuchet::variants::VariantId;

/// Which game of a tournament it is: the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameId {
    /// The number of the pair of games, counted from 0. The two games of a pair have the same opening
    /// and the same players with colours swapped.
    pub pair: usize,
    /// The indices of White and Black among the players.
    pub players: [usize; 2],
}

impl GameId {
    /// The two players, the first in the list of players first.
    pub fn meeting(self) -> (usize, usize) {
        let [white, black] = self.players;
        (white.min(black), white.max(black))
    }

    /// Has the second of the two players White? This is the second game of its pair.
    pub fn is_swapped(self) -> bool {
        self.players[0] > self.players[1]
    }

    /// The PGN tag `Round`: `PAIR.GAME`, both counted from 1.
    pub fn round(self) -> String {
        format!("{}.{}", self.pair + 1, 1 + u8::from(self.is_swapped()))
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSpec {
    pub id: GameId,
    pub variant: VariantId,
    pub opening: Opening,
    /// What limits the players' moves, by colour.
    pub limits: [EngineLimits; 2],
}

impl GameSpec {
    /// The limits of a side, as the PGN tag `TimeControl` has them. Where both sides have the same limits, a limit of
    /// nodes or depth is left out.
    pub fn time_control(&self, color: Color) -> String {
        let [white, black] = &self.limits;
        let limits = &self.limits[color.index()];
        if white == black { limits.time_control.to_string() } else { limits.to_string() }
    }

    /// The limits of nodes and depth, if both sides have the same limits: [`GameSpec::time_control`] leaves them
    /// out then.
    pub fn shared_limits(&self) -> EngineLimits {
        let [white, black] = &self.limits;
        let (nodes, depth) = if white == black { (white.nodes, white.depth) } else { (None, None) };
        EngineLimits { nodes, depth, ..EngineLimits::default() }
    }
}
