//! One game of the engine against itself, for training.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::store::Record;
use crate::board::Position;
use crate::search::{Bound, Limits, Observer, Progress, RootStatus, Search, StopToken};
use crate::types::{Color, Move, Outcome, Score};
use crate::variants::Variant;

/// How the games are played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A search that has searched as many nodes begins no new iteration.
    pub soft_nodes: u64,
    /// The share of games, 0 to 1, that begin with the variant's own stages set at random.
    pub random_stages: f64,
    pub hash_mebibytes: usize,
    pub seed: u64,
}

/// A search breaks off at this multiple of the soft limit.
const HARD_NODES: u64 = 20;
/// How many random moves a game begins with.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 5..=9;
/// The greatest score of an opening that is played on: with the usual stages, with random ones.
const OPENING_LIMITS: [Score; 2] = [Score::cp(400), Score::cp(1500)];
/// A side is said to win that stands so well for so many plies.
const WIN_SCORE: Score = Score::cp(2500);
const WIN_PLIES: usize = 4;
/// Where draws are common, one is said to have come with such scores for so many plies, …
const DRAW_SCORE: Score = Score::cp(8);
const DRAW_PLIES: usize = 12;
/// … but not earlier in the game than this.
const DRAW_FROM_PLY: usize = 80;
/// A game that is as long is a draw.
const LONGEST_GAME: usize = 600;

/// Plays games one by one. A game depends on the settings and its number alone.
pub struct Player<'a, V: Variant> {
    search: Search<V>,
    settings: &'a Settings,
}

/// What a search says of a position.
struct Verdict {
    mv: Move,
    score: Score,
}

impl<'a, V: Variant> Player<'a, V> {
    pub fn new(settings: &'a Settings) -> Player<'a, V> {
        let mut search = Search::new();
        search.set_threads(1);
        search.set_hash(settings.hash_mebibytes);
        Player { search, settings }
    }

    /// Plays the game with this number.
    pub fn play(&mut self, number: u32) -> Record {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.settings.seed);
        // Streams of different games do not meet: each begins where a hash of its number says.
        let stream = rng.random::<u64>() ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(stream);
        loop {
            if let Some((pos, first)) = self.open(&mut rng) {
                return self.play_out(number, pos, first);
            }
        }
    }

    /// A random opening that is worth playing, and the first search from it.
    fn open(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<(Position<V>, Verdict)> {
        let mut pos = Position::<V>::start();
        for _ in 0..rng.random_range(OPENING_PLIES) {
            let moves = pos.legal_moves();
            pos.make_move(*moves.choose(rng)?);
        }
        if pos.state() != &V::State::default() || pos.in_check() || pos.outcome().is_some() {
            return None;
        }
        let has_stages = V::STAGES > 1 && rng.random_bool(self.settings.random_stages);
        if has_stages {
            pos = with_random_stages(&pos, rng)?;
        }
        self.search.clear();
        let first = self.consider(&pos)?;
        let limit = OPENING_LIMITS[usize::from(has_stages)];
        (first.score.value().abs() <= limit.value()).then_some((pos, first))
    }

    fn play_out(&mut self, number: u32, mut pos: Position<V>, first: Verdict) -> Record {
        let fen = pos.fen();
        let mut plies = Vec::new();
        let mut judge = Judge::default();
        let mut next = Some(first);
        let winner = loop {
            if let Some(Outcome { winner, .. }) = pos.outcome() {
                break winner;
            }
            let Some(verdict) = next.take().or_else(|| self.consider(&pos)) else {
                break None;
            };
            plies.push((verdict.mv, verdict.score));
            let side = pos.side_to_move();
            pos.make_move(verdict.mv);
            if let Some(winner) = judge.hear::<V>(side, verdict.score) {
                break winner;
            }
        };
        Record { number, fen, winner, plies }
    }

    /// Searches a position; none if it has no legal move.
    fn consider(&mut self, pos: &Position<V>) -> Option<Verdict> {
        let nodes = self.settings.soft_nodes;
        let limits = Limits { nodes: Some(HARD_NODES * nodes), ..Limits::default() };
        let stop = StopToken::new();
        let mut observer = SoftLimit { nodes, stop: stop.clone() };
        let found = self.search.run(pos, &limits, &stop, &mut observer);
        Some(Verdict { mv: found.best?, score: found.score })
    }
}

/// Ends a search with the iteration that uses up its nodes.
struct SoftLimit {
    nodes: u64,
    stop: StopToken,
}

impl Observer for SoftLimit {
    fn line(&mut self, progress: Progress) {
        if progress.bound == Bound::Exact && progress.nodes >= self.nodes {
            self.stop.stop();
        }
    }

    fn root(&mut self, _: RootStatus) {}
}

/// The position with each side at a stage chosen at random, not both at the first.
fn with_random_stages<V: Variant>(
    pos: &Position<V>,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Position<V>> {
    let number = rng.random_range(1..V::STAGES * V::STAGES);
    let state = V::state_at([number / V::STAGES, number % V::STAGES]);
    let fen = pos.fen().replace(&V::write_state(pos.state())?, &V::write_state(&state)?);
    Position::from_fen(&fen).ok()
}

/// Ends games whose result is clear.
#[derive(Default)]
struct Judge {
    plies: usize,
    /// For how many plies in a row White, Black was winning.
    winning: [usize; 2],
    even: usize,
}

impl Judge {
    /// Hears the score of a move from the side that made it; the winner, if any, if the game is
    /// over.
    fn hear<V: Variant>(&mut self, side: Color, score: Score) -> Option<Option<Color>> {
        self.plies += 1;
        for (us, score) in [(side, score), (!side, -score)] {
            let winning = &mut self.winning[us.index()];
            *winning = if score >= WIN_SCORE { *winning + 1 } else { 0 };
            if *winning >= WIN_PLIES {
                return Some(Some(us));
            }
        }
        let is_even = score.value().abs() <= DRAW_SCORE.value();
        self.even = if is_even { self.even + 1 } else { 0 };
        let is_drawn =
            V::HAS_DRAWN_ENDGAMES && self.plies >= DRAW_FROM_PLY && self.even >= DRAW_PLIES;
        (is_drawn || self.plies >= LONGEST_GAME).then_some(None)
    }
}
