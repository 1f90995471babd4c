//! A Swiss tournament: in each round, players with about the same number of points meet, and nobody meets the
//! same player twice. With an odd number of players one is free in each round.

use std::collections::HashSet;

use super::game_spec::{GameId, GameSpec};
use super::pairing::Pairing;
use super::standings::Standings;
use crate::arena::engines::EngineLimits;
use crate::arena::games::openings::Openings;
use trebuchet::variants::VariantId;

/// The rounds more than the fewest that leave one player without a loss.
const MORE_ROUNDS: usize = 2;

/// The search for a pairing without a second meeting ends after this number of attempts.
const MOST_ATTEMPTS: usize = 100_000;

/// The pairs of one round.
type Round = Vec<(usize, usize)>;

/// A Swiss tournament. The next round is paired when all games of this one are over.
#[derive(Clone, Debug)]
pub struct Swiss {
    /// The limits of each player, the same in all its games.
    limits: Vec<EngineLimits>,
    /// The number of pairs of games for each meeting.
    pairs: usize,
    variant: VariantId,
    openings: Openings,
    /// The rounds so far; the last one is being played.
    rounds: Vec<Round>,
    /// The games of this round, and which one is the next.
    games: Vec<GameId>,
    next: usize,
    played: HashSet<GameId>,
    /// The number of games of all rounds so far.
    given: usize,
}

impl Swiss {
    /// `games` for each meeting, rounded up to whole pairs. There are as many players as `limits`, which
    /// has the limits of each.
    pub fn new(
        limits: Vec<EngineLimits>,
        games: usize,
        variant: VariantId,
        openings: Openings,
    ) -> Swiss {
        Swiss {
            limits,
            pairs: games.div_ceil(2),
            variant,
            openings,
            rounds: Vec::new(),
            games: Vec::new(),
            next: 0,
            played: HashSet::new(),
            given: 0,
        }
    }

    /// The number of rounds of a tournament with this number of players: two more than are needed to leave one
    /// player without a loss, but no more than there are opponents.
    pub fn rounds_of(players: usize) -> usize {
        let needed = players.next_power_of_two().ilog2() as usize + MORE_ROUNDS;
        needed.min(players.saturating_sub(1))
    }

    /// How many rounds each player was free.
    pub fn free_rounds(&self) -> Vec<usize> {
        let is_free = |round: &&Round, player: usize| {
            !round.iter().any(|&(first, second)| player == first || player == second)
        };
        let players = 0..self.limits.len();
        let count = |player| self.rounds.iter().filter(|round| is_free(round, player)).count();
        players.map(count).collect()
    }

    /// The points of each player, with those of its free rounds: all that could be won.
    pub fn points(&self, standings: &Standings) -> Vec<f64> {
        let free = self.free_rounds().into_iter().enumerate();
        let of = |(player, rounds): (usize, usize)| {
            standings.tally_of(player).points() + (rounds * 2 * self.pairs) as f64
        };
        free.map(of).collect()
    }

    /// Can the games that an earlier run has played be those of a tournament of these players with as many games
    /// for each meeting? In a round nobody may have had two opponents. In each but the last one, if that has only begun, all
    /// players but a free one must have met somebody, and nobody may have been free twice. The meetings of the second
    /// round must be new.
    pub fn fits_played(&self) -> bool {
        let mut rounds = Vec::new();
        for id in &self.played {
            let number = id.pair / self.pairs;
            rounds.resize_with(rounds.len().max(number + 1), HashSet::new);
            rounds[number].insert(id.meeting());
        }
        let of_round = |round: &HashSet<(usize, usize)>| -> HashSet<usize> {
            round.iter().flat_map(|&(first, second)| [first, second]).collect()
        };
        let players = self.limits.len();
        let mut free = HashSet::new();
        let mut is_whole = |round| {
            let met = of_round(round);
            let mut missing = (0..players).filter(|player| !met.contains(player));
            met.len() == players - players % 2 && missing.all(|player| free.insert(player))
        };
        let is_new = !matches!(&rounds[..], [first, second, ..] if !first.is_disjoint(second));
        let is_full = |round| of_round(round).len() == players - players % 2;
        // The last round may have begun only.
        let begun = rounds.iter().rposition(|round| !is_full(round)).unwrap_or(rounds.len());
        is_new
            && rounds.iter().all(|round| of_round(round).len() == 2 * round.len())
            && begun + 1 >= rounds.len()
            && rounds[..begun].iter().all(&mut is_whole)
    }

    /// Pairs the next round. Meetings of which an earlier run has played a game stay.
    fn pair(&mut self, standings: &Standings) {
        let number = self.rounds.len();
        let of_round = |id: &&GameId| id.pair / self.pairs == number;
        let mut round: Round = self.played.iter().filter(of_round).map(|id| id.meeting()).collect();
        round.sort_unstable();
        round.dedup();
        let (points, free) = (self.points(standings), self.free_rounds());
        let is_open = |player: &usize| {
            !round.iter().any(|&(first, second)| *player == first || *player == second)
        };
        let mut open: Vec<usize> = (0..self.limits.len()).filter(is_open).collect();
        open.sort_by(|&a, &b| points[b].total_cmp(&points[a]).then(a.cmp(&b)));
        if !open.len().is_multiple_of(2) {
            // The last one of those who were free least often.
            let least = open.iter().map(|&player| free[player]).min();
            let last = open.iter().rposition(|&player| Some(free[player]) == least);
            open.remove(last.unwrap_or(open.len() - 1));
        }
        let met: HashSet<(usize, usize)> = self.rounds.iter().flatten().copied().collect();
        let mut attempts = MOST_ATTEMPTS;
        let pairs = paired(&open, &met, &mut attempts)
            .unwrap_or_else(|| open.chunks(2).map(|two| meeting(two[0], two[1])).collect());
        round.extend(pairs);
        let ids = (0..self.pairs).flat_map(|pair| {
            let pair = number * self.pairs + pair;
            round.iter().flat_map(move |&(first, second)| {
                [[first, second], [second, first]].map(|players| GameId { pair, players })
            })
        });
        (self.games, self.next) = (ids.collect(), 0);
        self.given += self.games.len();
        self.rounds.push(round);
    }

    fn spec(&self, id: GameId) -> GameSpec {
        GameSpec {
            id,
            variant: self.variant,
            opening: self.openings.of(self.variant, id.pair),
            limits: id.players.map(|player| self.limits[player].clone()),
        }
    }
}

impl Pairing for Swiss {
    fn next(&mut self, standings: &Standings) -> Option<GameSpec> {
        loop {
            while let Some(&id) = self.games.get(self.next) {
                self.next += 1;
                if !self.played.contains(&id) {
                    return Some(self.spec(id));
                }
            }
            let is_over = standings.games() as usize >= self.given;
            if !is_over || self.rounds.len() == Swiss::rounds_of(self.limits.len()) {
                return None;
            }
            self.pair(standings);
        }
    }

    fn find(&self, id: GameId) -> Option<GameSpec> {
        let players = self.limits.len();
        let is_known = id.pair < self.pairs * Swiss::rounds_of(players)
            && id.players.iter().all(|&player| player < players)
            && id.players[0] != id.players[1];
        is_known.then(|| self.spec(id))
    }

    fn mark_played(&mut self, id: GameId) {
        self.played.insert(id);
    }

    /// Nobody is withdrawn: the games of a player that cannot play are forfeited, one by one.
    fn withdraw(&mut self, _: usize) {}

    fn total(&self) -> usize {
        let players = self.limits.len();
        Swiss::rounds_of(players) * (players / 2) * 2 * self.pairs
    }
}

fn meeting(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// Pairs the first player with the next one that it has not met, and so on; goes back where that leaves others
/// without an opponent. `None` if there is no way, or none was found in as many attempts as are left.
fn paired(open: &[usize], met: &HashSet<(usize, usize)>, attempts: &mut usize) -> Option<Round> {
    let Some((&first, others)) = open.split_first() else { return Some(Vec::new()) };
    for (index, &other) in others.iter().enumerate() {
        if met.contains(&meeting(first, other)) {
            continue;
        }
        *attempts = attempts.checked_sub(1)?;
        let rest: Vec<usize> = [&others[..index], &others[index + 1..]].concat();
        if let Some(mut round) = paired(&rest, met, attempts) {
            round.insert(0, meeting(first, other));
            return Some(round);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::games::GameEnding;
    use trebuchet::types::Color;

    fn swiss(players: usize) -> Swiss {
        let openings = Openings::Random { plies: 0, seed: 1 };
        let limits = vec![EngineLimits::default(); players];
        Swiss::new(limits, 2, VariantId::Standard, openings)
    }

    fn standings(players: usize) -> Standings {
        Standings::new((0..players).map(|player| player.to_string()).collect(), &[])
    }

    /// The player with the lower number wins. Plays this many games, and returns them.
    fn play(swiss: &mut Swiss, standings: &mut Standings, games: usize) -> Vec<GameId> {
        let mut ids = Vec::new();
        while ids.len() < games
            && let Some(spec) = swiss.next(standings)
        {
            let loser = if spec.id.is_swapped() { Color::White } else { Color::Black };
            standings.add(spec.id, &GameEnding::Resignation(loser));
            ids.push(spec.id);
        }
        ids
    }

    #[test]
    fn nobody_meets_twice_and_the_best_is_first() {
        let (mut swiss, mut standings) = (swiss(8), standings(8));
        let games = play(&mut swiss, &mut standings, usize::MAX);
        // Five rounds of four meetings with two games.
        assert_eq!((games.len(), swiss.total(), swiss.rounds.len()), (40, 40, 5));
        let meetings: HashSet<_> = games.iter().map(|id| id.meeting()).collect();
        assert_eq!(meetings.len(), 20);
        let points = swiss.points(&standings);
        assert_eq!(points[0], 10.0);
        assert!(points[1..7].iter().all(|&other| other < 10.0 && other > points[7]), "{points:?}");
        // In the second round those who have won meet.
        assert_eq!(swiss.rounds[0], [(0, 1), (2, 3), (4, 5), (6, 7)]);
        assert_eq!(swiss.rounds[1], [(0, 2), (4, 6), (1, 3), (5, 7)]);
    }

    #[test]
    fn a_round_waits_for_the_end_of_the_one_before() {
        let (mut swiss, standings) = (swiss(4), standings(4));
        let given = std::iter::from_fn(|| swiss.next(&standings)).count();
        assert_eq!((given, swiss.rounds.len()), (4, 1));
    }

    #[test]
    fn a_free_round_gives_full_points_and_comes_once() {
        let (mut swiss, mut standings) = (swiss(5), standings(5));
        play(&mut swiss, &mut standings, usize::MAX);
        assert_eq!(swiss.rounds.len(), 4);
        let free = swiss.free_rounds();
        assert!(
            free.iter().all(|&rounds| rounds <= 1) && free.iter().sum::<usize>() == 4,
            "{free:?}"
        );
        let points = swiss.points(&standings);
        assert_eq!(points[4], 2.0, "only for its free round");
        assert_eq!(points.iter().sum::<f64>(), 16.0 + 8.0);
    }

    /// After an interruption at any game, the games of both runs together are a whole tournament.
    #[test]
    fn a_tournament_goes_on_after_an_interruption() {
        for before in 0..40 {
            let (mut first, mut standings) = (swiss(8), standings(8));
            let mut games = play(&mut first, &mut standings, before);
            let mut second = swiss(8);
            for &id in &games {
                assert!(second.find(id).is_some());
                second.mark_played(id);
            }
            games.extend(play(&mut second, &mut standings, usize::MAX));
            let different: HashSet<GameId> = games.iter().copied().collect();
            assert_eq!((games.len(), different.len()), (40, 40), "after {before} games");
            let meetings: HashSet<_> = games.iter().map(|id| id.meeting()).collect();
            assert_eq!(meetings.len(), 20, "after {before} games");
        }
    }

    #[test]
    fn games_of_fewer_players_are_no_part_of_the_tournament() {
        // Those with 16 games are two whole rounds: a new one would have been free twice.
        for (players, games) in [(8, 40), (8, 16), (8, 9), (7, 30), (7, 7)] {
            let (mut first, mut standings) = (swiss(players), standings(players));
            let played = play(&mut first, &mut standings, games);
            for (now, fits) in [(players, true), (players + 1, false), (players + 2, false)] {
                let mut second = swiss(now);
                played.iter().for_each(|&id| second.mark_played(id));
                // After one round, a new one among an odd number may be the one that was free.
                let can_be_free = games == 9 && now == 9;
                assert_eq!(second.fits_played(), fits || can_be_free, "{players}, {games}, {now}");
            }
        }
    }

    #[test]
    fn games_with_more_or_fewer_games_a_meeting_are_no_part_of_the_tournament() {
        for (before, games, now, fits) in [
            (2, 40, 4, false),
            (2, 9, 4, false),
            (4, 20, 2, false),
            (4, 16, 4, true),
            (4, 80, 4, true),
        ] {
            let with = |games: usize| Swiss { pairs: games / 2, ..swiss(8) };
            let (mut first, mut standings) = (with(before), standings(8));
            let mut second = with(now);
            play(&mut first, &mut standings, games).iter().for_each(|&id| second.mark_played(id));
            assert_eq!(second.fits_played(), fits, "{games} games, {before} for each meeting");
        }
    }

    #[test]
    fn games_of_a_round_robin_are_no_part_of_the_tournament() {
        let mut swiss = swiss(4);
        for players in [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]] {
            swiss.mark_played(GameId { pair: 0, players });
        }
        assert!(!swiss.fits_played());
    }

    #[test]
    fn large_classes_have_few_rounds() {
        let rounds = [2, 3, 8, 12, 30, 64].map(Swiss::rounds_of);
        assert_eq!(rounds, [1, 2, 5, 6, 7, 8]);
        assert_eq!(swiss(30).total(), 210);
    }
}
