//! The state of a match: the results of every pairing so far, and the players' forfeits.

use std::collections::HashMap;

use super::ending::Forfeit;
use super::schedule::Slot;
use super::statistics::{Pentanomial, Tally, half_points};
use trebuchet::types::Color;
use trebuchet::types::GameResult;

/// The results of two players against each other, seen from the first.
#[derive(Clone, Debug, Default)]
pub struct PairingScore {
    pub tally: Tally,
    pub pairs: Pentanomial,
    /// By the number of the pair: the half points of its first game, while the second is still open.
    open: HashMap<usize, u8>,
}

impl PairingScore {
    /// The number of games whose partner is missing. They are not in the pairs.
    pub fn unpaired(&self) -> u64 {
        self.tally.games() - 2 * self.pairs.pairs()
    }

    fn add(&mut self, slot: Slot, result: GameResult) {
        let color = if slot.swapped { Color::Black } else { Color::White };
        let points = half_points(result, color);
        self.tally.add(points);
        match self.open.remove(&slot.pair) {
            Some(other) => self.pairs.add(points + other),
            None => {
                self.open.insert(slot.pair, points);
            }
        }
    }
}

/// All results of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    pub names: Vec<String>,
    pub pairings: Vec<(usize, usize)>,
    pub scores: Vec<PairingScore>,
    /// How many games each player forfeited, by the kind of forfeit.
    pub forfeits: HashMap<(usize, Forfeit), u64>,
    /// All games from White's point of view.
    pub white: Tally,
}

impl Standings {
    pub fn new(names: Vec<String>, pairings: &[(usize, usize)]) -> Standings {
        Standings {
            names,
            pairings: pairings.to_vec(),
            scores: vec![PairingScore::default(); pairings.len()],
            forfeits: HashMap::new(),
            white: Tally::default(),
        }
    }

    pub fn add(&mut self, slot: Slot, result: GameResult, forfeit: Option<(Color, Forfeit)>) {
        self.scores[slot.pairing].add(slot, result);
        self.white.add(half_points(result, Color::White));
        if let Some((color, kind)) = forfeit {
            let (first, second) = self.pairings[slot.pairing];
            let player = if (color == Color::White) == slot.swapped { second } else { first };
            *self.forfeits.entry((player, kind)).or_default() += 1;
        }
    }

    pub fn games(&self) -> u64 {
        self.white.games()
    }

    /// All games of one player.
    pub fn tally_of(&self, player: usize) -> Tally {
        self.opponents_of(player).fold(Tally::default(), |sum, (_, tally, _)| sum.plus(tally))
    }

    /// All pairs of games of one player.
    pub fn pairs_of(&self, player: usize) -> Pentanomial {
        let pairs = self.opponents_of(player).map(|(.., pairs)| pairs);
        pairs.fold(Pentanomial::default(), |sum, pairs| sum.plus(pairs))
    }

    /// The opponents of a player and the results against each, from the player's point of view.
    pub fn opponents_of(
        &self,
        player: usize,
    ) -> impl Iterator<Item = (usize, Tally, Pentanomial)> + '_ {
        self.scores.iter().zip(&self.pairings).filter_map(move |(score, &(first, second))| {
            if player == first {
                Some((second, score.tally, score.pairs))
            } else if player == second {
                Some((first, score.tally.reversed(), score.pairs.reversed()))
            } else {
                None
            }
        })
    }

    /// The players, the best first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut players: Vec<usize> = (0..self.names.len()).collect();
        players.sort_by(|&a, &b| self.tally_of(b).score().total_cmp(&self.tally_of(a).score()));
        players
    }

    /// The kinds of forfeit of one player and how often each happened.
    pub fn forfeits_of(&self, player: usize) -> Vec<(Forfeit, u64)> {
        let count = |kind| self.forfeits.get(&(player, kind)).copied().unwrap_or(0);
        Forfeit::ALL
            .into_iter()
            .map(|kind| (kind, count(kind)))
            .filter(|&(_, count)| count > 0)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(pair: usize, pairing: usize, swapped: bool) -> Slot {
        Slot { pair, pairing, swapped }
    }

    #[test]
    fn games_of_a_pair_are_put_together() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut standings = Standings::new(names, &[(0, 1), (0, 2)]);
        let (white, black) = (GameResult::Win(Color::White), GameResult::Win(Color::Black));
        standings.add(slot(0, 0, false), white, None);
        standings.add(slot(1, 0, true), black, Some((Color::White, Forfeit::TimeLoss)));
        assert_eq!(standings.scores[0].pairs.pairs(), 0);
        standings.add(slot(0, 0, true), black, None);
        standings.add(slot(1, 0, false), GameResult::Draw, None);
        assert_eq!(standings.scores[0].pairs, Pentanomial([0, 0, 0, 1, 1]));
        assert_eq!(standings.scores[0].tally, Tally { wins: 3, draws: 1, losses: 0 });
        standings.add(slot(0, 1, false), black, Some((Color::White, Forfeit::Crash)));
        assert_eq!(standings.tally_of(0), Tally { wins: 3, draws: 1, losses: 1 });
        assert_eq!(standings.pairs_of(1), Pentanomial([1, 1, 0, 0, 0]));
        assert_eq!([0, 1].map(|index| standings.scores[index].unpaired()), [0, 1]);
        assert_eq!(standings.ranking(), [2, 0, 1]);
        assert_eq!(standings.forfeits_of(1), [(Forfeit::TimeLoss, 1)]);
        assert_eq!(standings.forfeits_of(0), [(Forfeit::Crash, 1)]);
        assert_eq!(standings.white, Tally { wins: 1, draws: 1, losses: 3 });
    }
}
