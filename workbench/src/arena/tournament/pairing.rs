//! Who plays whom, and in which order.

use std::collections::HashSet;

use super::game_spec::{GameId, GameSpec};
use super::standings::Standings;
use crate::arena::engines::EngineLimits;
use crate::arena::games::openings::Openings;
use trebuchet::variants::VariantId;

/// How players are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Tournament {
    /// Every engine against every other
    #[default]
    RoundRobin,
    /// The first engine against all others
    Gauntlet,
}

/// Chooses the games of a tournament, one after the other. A choice may depend on the results so far.
pub trait Pairing: Send {
    /// The next game to be played. `None`: no game before another one ends; if none is being played,
    /// the tournament is over.
    fn next(&mut self, standings: &Standings) -> Option<GameSpec>;

    /// The game with this id; `None` if the tournament has no such game.
    fn find(&self, id: GameId) -> Option<GameSpec>;

    /// Does not play this game, for an earlier run has played it.
    fn mark_played(&mut self, id: GameId);

    /// Plays no more games with this player.
    fn withdraw(&mut self, player: usize);

    /// The number of games in all, as far as it is known: played, being played and to be played.
    fn total(&self) -> usize;
}

/// A schedule that is known from the beginning: pair by pair, and in each pair all meetings.
#[derive(Clone, Debug)]
pub struct FixedSchedule {
    /// The players of each meeting.
    meetings: Vec<(usize, usize)>,
    /// The number of pairs of games for each meeting.
    pairs: usize,
    /// The limits of each player, the same in all its games.
    limits: Vec<EngineLimits>,
    variant: VariantId,
    openings: Openings,
    next: usize,
    played: HashSet<GameId>,
    withdrawn: HashSet<usize>,
    /// How many games will not be played for lack of a player.
    cancelled: usize,
}

impl FixedSchedule {
    /// `games` for each meeting, rounded up to whole pairs. There are as many players as `limits`, which
    /// has the limits of each.
    pub fn new(
        tournament: Tournament,
        limits: Vec<EngineLimits>,
        games: usize,
        variant: VariantId,
        openings: Openings,
    ) -> FixedSchedule {
        let players = limits.len();
        let firsts = match tournament {
            Tournament::RoundRobin => players.saturating_sub(1),
            Tournament::Gauntlet => 1,
        };
        let meetings =
            (0..firsts).flat_map(|first| (first + 1..players).map(move |second| (first, second)));
        FixedSchedule {
            meetings: meetings.collect(),
            pairs: games.div_ceil(2),
            limits,
            variant,
            openings,
            next: 0,
            played: HashSet::new(),
            withdrawn: HashSet::new(),
            cancelled: 0,
        }
    }

    /// The players of each meeting, the first in the list of players first.
    pub fn meetings(&self) -> &[(usize, usize)] {
        &self.meetings
    }

    /// The number of games in the schedule.
    fn len(&self) -> usize {
        self.pairs * self.meetings.len() * 2
    }

    fn id(&self, index: usize) -> GameId {
        let per_pair = 2 * self.meetings.len();
        let (first, second) = self.meetings[index % per_pair / 2];
        let players = if index.is_multiple_of(2) { [first, second] } else { [second, first] };
        GameId { pair: index / per_pair, players }
    }

    fn spec(&self, id: GameId) -> GameSpec {
        GameSpec {
            id,
            variant: self.variant,
            opening: self.openings.of(self.variant, id.pair),
            limits: id.players.map(|player| self.limits[player].clone()),
        }
    }

    fn is_open(&self, id: GameId) -> bool {
        !self.played.contains(&id) && id.players.iter().all(|it| !self.withdrawn.contains(it))
    }
}

impl Pairing for FixedSchedule {
    fn next(&mut self, _standings: &Standings) -> Option<GameSpec> {
        while self.next < self.len() {
            let id = self.id(self.next);
            self.next += 1;
            if self.is_open(id) {
                return Some(self.spec(id));
            }
        }
        None
    }

    fn find(&self, id: GameId) -> Option<GameSpec> {
        let is_known = id.pair < self.pairs && self.meetings.contains(&id.meeting());
        is_known.then(|| self.spec(id))
    }

    fn mark_played(&mut self, id: GameId) {
        self.played.insert(id);
    }

    fn withdraw(&mut self, player: usize) {
        let rest = (self.next..self.len()).map(|index| self.id(index));
        self.cancelled +=
            rest.filter(|&id| id.players.contains(&player) && self.is_open(id)).count();
        self.withdrawn.insert(player);
    }

    fn total(&self) -> usize {
        self.len() - self.cancelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(tournament: Tournament, players: usize, games: usize) -> FixedSchedule {
        let openings = Openings::Random { plies: 0, seed: 1 };
        let limits = vec![EngineLimits::default(); players];
        FixedSchedule::new(tournament, limits, games, VariantId::Standard, openings)
    }

    /// The games still to be played.
    fn rest(schedule: &FixedSchedule) -> Vec<GameId> {
        let (mut schedule, standings) = (schedule.clone(), Standings::default());
        std::iter::from_fn(|| schedule.next(&standings)).map(|spec| spec.id).collect()
    }

    #[test]
    fn everyone_meets_everyone_with_both_colours() {
        let schedule = schedule(Tournament::RoundRobin, 3, 4);
        assert_eq!(schedule.meetings(), [(0, 1), (0, 2), (1, 2)]);
        let games = rest(&schedule);
        assert_eq!(games.len(), 12);
        let players: Vec<_> = games[..6].iter().map(|id| id.players).collect();
        assert_eq!(players, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert!(games[..6].iter().all(|id| id.pair == 0));
        assert_eq!(games[6], GameId { pair: 1, players: [0, 1] });
        assert_eq!((games[6].round(), games[7].round()), ("2.1".to_owned(), "2.2".to_owned()));
    }

    #[test]
    fn games_have_the_limits_of_their_players() {
        let limits =
            [1, 2, 3].map(|depth| EngineLimits { depth: Some(depth), ..Default::default() });
        let openings = Openings::Random { plies: 0, seed: 1 };
        let variant = VariantId::Standard;
        let [first, _, third] = &limits;
        let schedule =
            FixedSchedule::new(Tournament::RoundRobin, limits.to_vec(), 2, variant, openings);
        let spec = schedule.find(GameId { pair: 0, players: [2, 0] }).unwrap();
        assert_eq!(spec.limits.each_ref(), [third, first]);
    }

    #[test]
    fn a_gauntlet_is_the_first_against_the_rest() {
        let schedule = schedule(Tournament::Gauntlet, 4, 2);
        assert_eq!(schedule.meetings(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(rest(&schedule).len(), 6);
    }

    #[test]
    fn played_games_are_not_played_again() {
        let mut schedule = schedule(Tournament::RoundRobin, 2, 6);
        let id = GameId { pair: 1, players: [1, 0] };
        assert_eq!(schedule.find(id).unwrap().id, id);
        schedule.mark_played(id);
        assert!(rest(&schedule).iter().all(|&other| other != id));
        assert_eq!((rest(&schedule).len(), schedule.total()), (5, 6));
        assert_eq!(schedule.find(GameId { pair: 3, players: [0, 1] }), None);
        assert_eq!(schedule.find(GameId { pair: 0, players: [0, 2] }), None);
    }

    #[test]
    fn a_player_that_is_withdrawn_plays_no_more() {
        let mut schedule = schedule(Tournament::RoundRobin, 3, 4);
        schedule.mark_played(GameId { pair: 1, players: [2, 0] });
        let standings = Standings::default();
        // 0-1, 1-0, and the first of the four games with the third player in this round.
        (0..3).for_each(|_| drop(schedule.next(&standings)));
        schedule.withdraw(2);
        let left = rest(&schedule);
        assert_eq!(left, [[0, 1], [1, 0]].map(|players| GameId { pair: 1, players }));
        // Two rounds of 0-1 and 1-0, the one that was begun, and the one of the earlier run.
        assert_eq!(schedule.total(), 6);
        schedule.withdraw(2);
        assert_eq!(schedule.total(), 6);
    }
}
