//! The schedule of a match: who plays whom, in which order, and which games are already played.

use std::collections::HashSet;

/// How players are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Tournament {
    /// Every engine against every other
    #[default]
    RoundRobin,
    /// The first engine against all others
    Gauntlet,
}

/// One game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The number of the pair of games, counted from 0; it chooses the opening.
    pub pair: usize,
    /// The index of the pairing in [`Schedule::pairings`].
    pub pairing: usize,
    /// Does the pairing's second player have White?
    pub swapped: bool,
}

/// The games of a match in the order of their start: pair by pair, and in each pair all pairings.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    pairs: usize,
    next: usize,
    played: HashSet<Slot>,
}

impl Schedule {
    /// `games` for each pairing, rounded up to whole pairs.
    pub fn new(players: usize, tournament: Tournament, games: usize) -> Schedule {
        let firsts = match tournament {
            Tournament::RoundRobin => players.saturating_sub(1),
            Tournament::Gauntlet => 1,
        };
        let pairings =
            (0..firsts).flat_map(|first| (first + 1..players).map(move |second| (first, second)));
        Schedule {
            pairings: pairings.collect(),
            pairs: games.div_ceil(2),
            next: 0,
            played: HashSet::new(),
        }
    }

    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of games in all.
    pub fn total(&self) -> usize {
        self.pairs * self.pairings.len() * 2
    }

    /// White and Black of a game.
    pub fn players(&self, slot: Slot) -> (usize, usize) {
        let (first, second) = self.pairings[slot.pairing];
        if slot.swapped { (second, first) } else { (first, second) }
    }

    /// The game with these players in this pair, if it is in the schedule.
    pub fn find(&self, pair: usize, white: usize, black: usize) -> Option<Slot> {
        let slots = (0..self.pairings.len())
            .flat_map(|pairing| [false, true].map(|swapped| Slot { pair, pairing, swapped }));
        slots.into_iter().find(|&slot| pair < self.pairs && self.players(slot) == (white, black))
    }

    /// Removes a game from those still to be played.
    pub fn mark_played(&mut self, slot: Slot) {
        self.played.insert(slot);
    }

    fn slot(&self, index: usize) -> Slot {
        let per_pair = 2 * self.pairings.len();
        Slot { pair: index / per_pair, pairing: index % per_pair / 2, swapped: index % 2 == 1 }
    }
}

/// The games still to be played.
impl Iterator for Schedule {
    type Item = Slot;

    fn next(&mut self) -> Option<Slot> {
        while self.next < self.total() {
            let slot = self.slot(self.next);
            self.next += 1;
            if !self.played.contains(&slot) {
                return Some(slot);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_meets_everyone_with_both_colours() {
        let schedule = Schedule::new(3, Tournament::RoundRobin, 4);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (1, 2)]);
        let games: Vec<_> =
            schedule.clone().map(|slot| (slot.pair, schedule.players(slot))).collect();
        assert_eq!(games.len(), 12);
        assert_eq!(
            games[..6],
            [(0, (0, 1)), (0, (1, 0)), (0, (0, 2)), (0, (2, 0)), (0, (1, 2)), (0, (2, 1))]
        );
        assert_eq!(games[6], (1, (0, 1)));
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_rest() {
        let schedule = Schedule::new(4, Tournament::Gauntlet, 2);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(schedule.count(), 6);
    }

    #[test]
    fn played_games_are_not_played_again() {
        let mut schedule = Schedule::new(2, Tournament::RoundRobin, 6);
        let slot = schedule.find(1, 1, 0).unwrap();
        assert_eq!(slot, Slot { pair: 1, pairing: 0, swapped: true });
        schedule.mark_played(slot);
        assert!(schedule.clone().all(|other| other != slot));
        assert_eq!(schedule.count(), 5);
        assert_eq!(Schedule::new(2, Tournament::RoundRobin, 6).find(3, 0, 1), None);
    }
}
