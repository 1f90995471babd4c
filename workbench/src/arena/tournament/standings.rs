//! The state of a match: the results of every pairing so far, and the players' forfeits.

use std::collections::{BTreeMap, HashMap};

use super::bradley_terry;
use super::game_spec::GameId;
use super::idle_watch::IdleWatch;
use super::sprt::{Sprt, SprtDecision};
use super::statistics::{Estimate, Pentanomial, Tally, half_points};
use crate::arena::games::{ForfeitKind, GameEnding, GameRecord};
use trebuchet::types::Color;
use trebuchet::types::GameResult;

/// The results of two players against each other, seen from the first.
#[derive(Clone, Debug, Default)]
pub struct MeetingScore {
    pub tally: Tally,
    pub pairs: Pentanomial,
    /// By the number of the pair: the half points of its first game, while the second is still open.
    open: HashMap<usize, u8>,
}

impl MeetingScore {
    /// The number of games whose partner is missing. They are not in the pairs.
    pub fn unpaired(&self) -> u64 {
        self.tally.games() - 2 * self.pairs.pairs()
    }

    fn add(&mut self, id: GameId, result: GameResult) {
        let color = if id.is_swapped() { Color::Black } else { Color::White };
        let points = half_points(result, color);
        self.tally.add(points);
        match self.open.remove(&id.pair) {
            Some(other) => self.pairs.add(points + other),
            None => {
                self.open.insert(id.pair, points);
            }
        }
    }
}

/// All results of a match.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    pub names: Vec<String>,
    /// The players of each meeting, the first in the list of names first.
    pub meetings: Vec<(usize, usize)>,
    /// The results of each meeting.
    pub scores: Vec<MeetingScore>,
    /// How many games each player forfeited, by the kind of forfeit.
    pub forfeits: HashMap<(usize, ForfeitKind), u64>,
    /// The players that were taken out of the match, and why.
    pub withdrawn: BTreeMap<usize, String>,
    /// All games from White's point of view.
    pub white: Tally,
    /// Which players have never moved.
    pub idle_watch: IdleWatch,
}

impl Standings {
    /// `meetings` are those that are shown without games, too; others come with their first game.
    pub fn new(names: Vec<String>, meetings: &[(usize, usize)]) -> Standings {
        Standings {
            idle_watch: IdleWatch::new(names.len()),
            names,
            meetings: meetings.to_vec(),
            scores: vec![MeetingScore::default(); meetings.len()],
            ..Standings::default()
        }
    }

    /// Counts a game, and the moves of its players.
    pub fn add_record(&mut self, id: GameId, record: &GameRecord) {
        self.add(id, &record.ending);
        self.idle_watch.add(id.players, record.own_moves(), record.ending.forfeit());
    }

    /// Counts the result of a game.
    pub fn add(&mut self, id: GameId, ending: &GameEnding) {
        let result = ending.result();
        let known = self.meetings.iter().position(|&meeting| meeting == id.meeting());
        let index = known.unwrap_or_else(|| {
            self.meetings.push(id.meeting());
            self.scores.push(MeetingScore::default());
            self.scores.len() - 1
        });
        self.scores[index].add(id, result);
        self.white.add(half_points(result, Color::White));
        if let Some((color, kind)) = ending.forfeit() {
            *self.forfeits.entry((id.players[color.index()], kind)).or_default() += 1;
        }
    }

    /// The decision of a test of the first meeting, the only one in a match with a test.
    pub fn decision(&self, sprt: &Sprt) -> SprtDecision {
        self.scores.first().map_or(SprtDecision::Open, |score| sprt.decision(&score.pairs))
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.white.games()
    }

    /// All games of one player.
    pub fn tally_of(&self, player: usize) -> Tally {
        self.opponents_of(player).fold(Tally::default(), |sum, (_, tally)| sum.plus(tally))
    }

    /// The opponents of a player and the results against each, from the player's point of view.
    pub fn opponents_of(&self, player: usize) -> impl Iterator<Item = (usize, Tally)> + '_ {
        self.scores.iter().zip(&self.meetings).filter_map(move |(score, &(first, second))| {
            if player == first {
                Some((second, score.tally))
            } else if player == second {
                Some((first, score.tally.reversed()))
            } else {
                None
            }
        })
    }

    /// The rating of each player, in Elo above the mean of all; `None` before its first game.
    pub fn ratings(&self) -> Vec<Option<Estimate>> {
        let scores = self.scores.iter().map(|score| score.tally);
        let meetings: Vec<_> = self.meetings.iter().copied().zip(scores).collect();
        bradley_terry::ratings(self.names.len(), &meetings)
    }

    /// The players, the one with the best rating first, and those without a game last.
    pub fn ranking(&self) -> Vec<usize> {
        let ratings = self.ratings();
        let elo = |player: usize| ratings[player].map_or(f64::NEG_INFINITY, |rating| rating.elo);
        let mut players: Vec<usize> = (0..self.names.len()).collect();
        players.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        players
    }

    /// The kinds of forfeit of one player and how often each happened.
    pub fn forfeits_of(&self, player: usize) -> Vec<(ForfeitKind, u64)> {
        let count = |kind| self.forfeits.get(&(player, kind)).copied().unwrap_or(0);
        ForfeitKind::ALL
            .into_iter()
            .map(|kind| (kind, count(kind)))
            .filter(|&(_, count)| count > 0)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::games::Forfeit;

    #[test]
    fn games_of_a_pair_are_put_together() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut standings = Standings::new(names, &[(0, 1)]);
        let mut add = |pair, players, ending| standings.add(GameId { pair, players }, &ending);
        let win = |loser| GameEnding::Resignation(loser);
        let forfeit = |loser, kind| GameEnding::Forfeit(Forfeit::new(loser, kind, ""));
        add(0, [0, 1], win(Color::Black));
        add(1, [1, 0], forfeit(Color::White, ForfeitKind::TimeLoss));
        add(0, [1, 0], win(Color::White));
        add(1, [0, 1], GameEnding::Agreement);
        add(0, [0, 2], forfeit(Color::White, ForfeitKind::Crash));
        assert_eq!(standings.meetings, [(0, 1), (0, 2)]);
        assert_eq!(standings.scores[0].pairs, Pentanomial([0, 0, 0, 1, 1]));
        assert_eq!(standings.scores[0].tally, Tally { wins: 3, draws: 1, losses: 0 });
        assert_eq!(standings.tally_of(0), Tally { wins: 3, draws: 1, losses: 1 });
        assert_eq!([0, 1].map(|index| standings.scores[index].unpaired()), [0, 1]);
        assert_eq!(standings.ranking(), [2, 0, 1]);
        assert_eq!(standings.forfeits_of(1), [(ForfeitKind::TimeLoss, 1)]);
        assert_eq!(standings.forfeits_of(0), [(ForfeitKind::Crash, 1)]);
        assert_eq!(standings.white, Tally { wins: 1, draws: 1, losses: 3 });
    }
}
