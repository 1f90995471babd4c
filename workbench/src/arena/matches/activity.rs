//! Watches for engines that forfeit their games without a single move: a match with such an engine
//! measures nothing.

use super::ending::Forfeit;
use trebuchet::types::Color;

/// A match ends when an engine has forfeited this many games and made no move in any.
const MAX_IDLE_FORFEITS: u64 = 3;

/// The moves and forfeits of each engine in this run.
#[derive(Clone, Debug)]
pub struct Activity(Vec<Participation>);

#[derive(Clone, Copy, Debug, Default)]
struct Participation {
    moves: usize,
    forfeits: u64,
}

impl Activity {
    pub fn new(players: usize) -> Activity {
        Activity(vec![Participation::default(); players])
    }

    /// Counts a game. `seats` are the players with White and with Black, `moves` the numbers of
    /// their own moves.
    pub fn add(&mut self, seats: [usize; 2], moves: [usize; 2], forfeit: Option<(Color, Forfeit)>) {
        for color in Color::ALL {
            let player = &mut self.0[seats[color.index()]];
            player.moves += moves[color.index()];
            player.forfeits += u64::from(forfeit.is_some_and(|(loser, _)| loser == color));
        }
    }

    /// The engine that has never moved and has forfeited a game, and the number of games it has
    /// forfeited.
    pub fn never_moved(&self) -> Option<(usize, u64)> {
        let is_idle = |player: &Participation| player.moves == 0 && player.forfeits > 0;
        let index = self.0.iter().position(is_idle)?;
        Some((index, self.0[index].forfeits))
    }

    /// Is it time to end the match for the sake of such an engine?
    pub fn is_hopeless(&self) -> bool {
        self.never_moved().is_some_and(|(_, forfeits)| forfeits >= MAX_IDLE_FORFEITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_without_a_move_is_noticed() {
        let stall = |loser| Some((loser, Forfeit::Stall));
        let mut activity = Activity::new(3);
        activity.add([0, 1], [3, 3], None);
        activity.add([0, 1], [1, 0], stall(Color::Black));
        assert_eq!(activity.never_moved(), None, "it has moved in another game");
        activity.add([2, 0], [0, 0], None);
        assert_eq!(activity.never_moved(), None, "the game may be over with its opening");
        activity.add([2, 0], [0, 0], stall(Color::White));
        activity.add([1, 2], [1, 0], stall(Color::Black));
        assert_eq!((activity.never_moved(), activity.is_hopeless()), (Some((2, 2)), false));
        activity.add([2, 0], [0, 0], stall(Color::White));
        assert_eq!((activity.never_moved(), activity.is_hopeless()), (Some((2, 3)), true));
    }
}
