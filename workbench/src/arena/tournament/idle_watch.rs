//! Watches for engines that forfeit their games without a single move: games with such an engine measure
//! nothing.

use crate::arena::games::ForfeitKind;
use trebuchet::types::Color;

/// An engine that has forfeited this many games and made no move in any will not make one.
pub const MAX_IDLE_FORFEITS: u64 = 3;

/// The moves and forfeits of each engine in this match.
#[derive(Clone, Debug, Default)]
pub struct IdleWatch(Vec<Participation>);

#[derive(Clone, Copy, Debug, Default)]
struct Participation {
    moves: usize,
    forfeits: u64,
}

impl IdleWatch {
    pub fn new(players: usize) -> IdleWatch {
        IdleWatch(vec![Participation::default(); players])
    }

    /// Counts a game between White and Black. `moves` are the numbers of their own moves.
    pub fn add(
        &mut self,
        players: [usize; 2],
        moves: [usize; 2],
        forfeit: Option<(Color, ForfeitKind)>,
    ) {
        for color in Color::ALL {
            let player = &mut self.0[players[color.index()]];
            player.moves += moves[color.index()];
            player.forfeits += u64::from(forfeit.is_some_and(|(loser, _)| loser == color));
        }
    }

    /// The engines that have never moved and have forfeited `least` games or more, and how many games
    /// each has forfeited.
    pub fn idle(&self, least: u64) -> impl Iterator<Item = (usize, u64)> {
        let players = self.0.iter().enumerate();
        players
            .filter(move |(_, player)| player.moves == 0 && player.forfeits >= least)
            .map(|(index, player)| (index, player.forfeits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_without_a_move_is_noticed() {
        let stall = |loser| Some((loser, ForfeitKind::Stall));
        let mut watch = IdleWatch::new(3);
        let idle = |watch: &IdleWatch| watch.idle(1).collect::<Vec<_>>();
        watch.add([0, 1], [3, 3], None);
        watch.add([0, 1], [1, 0], stall(Color::Black));
        assert_eq!(idle(&watch), [], "it has moved in another game");
        watch.add([2, 0], [0, 0], None);
        assert_eq!(idle(&watch), [], "the game may be over with its opening");
        watch.add([2, 0], [0, 0], stall(Color::White));
        watch.add([1, 2], [1, 0], stall(Color::Black));
        assert_eq!((idle(&watch), watch.idle(3).count()), (vec![(2, 2)], 0));
        watch.add([2, 0], [0, 0], stall(Color::White));
        assert_eq!((idle(&watch), watch.idle(3).count()), (vec![(2, 3)], 1));
    }
}
