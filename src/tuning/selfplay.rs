//! Games of searches against each other inside the program: `datagen` learns from them what
//! positions are worth, `spsa` which constants of the search are better.

use std::{io, thread};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Position, Setup};
use crate::search::{Bound, Limits, Observer, Progress, RootStatus, Search, StopToken};
use crate::threads::SEARCH_STACK;
use crate::types::{Color, Move, Outcome, Score};
use crate::variants::Variant;

/// How many nodes a move may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// A search that has searched as many nodes begins no new iteration.
    pub soft: u64,
    /// A search breaks off at so many.
    pub hard: u64,
}

/// How many random moves a game begins with.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 5..=9;
/// The greatest score of an opening that is played on: with the usual race levels, with random ones.
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

/// No thread could be had.
#[derive(Debug, thiserror::Error)]
#[error("no thread to play in: {0}")]
pub struct NoThread(io::Error);

/// Does the same work on so many threads at a time, until all have done it.
///
/// # Errors
/// The first error of any of them, or that one could not be had.
pub fn on_threads<E: From<NoThread> + Send>(
    threads: u16,
    work: impl Fn() -> Result<(), E> + Sync,
) -> Result<(), E> {
    thread::scope(|scope| {
        let player = || thread::Builder::new().name("player".to_owned()).stack_size(SEARCH_STACK);
        let players: Vec<_> = (0..threads)
            .map(|_| player().spawn_scoped(scope, &work).map_err(NoThread))
            .collect::<Result<_, _>>()?;
        for player in players {
            // A player that panicked has said so on its way.
            player.join().unwrap_or(Ok(()))?;
        }
        Ok(())
    })
}

/// What a search says of a position.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    pub mv: Move,
    pub score: Score,
}

/// How a game went.
#[derive(Clone, Debug)]
pub struct Course {
    pub plies: Vec<Verdict>,
    /// None if it was drawn.
    pub winner: Option<Color>,
}

/// The random numbers of the game with this number: streams of different games do not meet, each
/// begins where a hash of its number says.
pub fn rng_of_game(seed: u64, number: u32) -> Xoshiro256PlusPlus {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let stream = rng.random::<u64>() ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(stream)
}

/// One who plays: a search of one thread, and what it may cost.
pub struct Player<V: Variant> {
    search: Search<V>,
    budget: Budget,
}

impl<V: Variant> Player<V> {
    pub fn new(budget: Budget, hash_mebibytes: usize) -> Player<V> {
        let mut search = Search::new();
        search.set_threads(1);
        search.set_hash(hash_mebibytes);
        Player { search, budget }
    }

    pub fn search_mut(&mut self) -> &mut Search<V> {
        &mut self.search
    }

    /// A random opening that is worth playing, and the player's first search from it. In a share
    /// of the games, 0 to 1, the race levels are set at random. The player forgets all
    /// that it had seen before.
    pub fn open(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        random_race_levels: f64,
    ) -> (Position<V>, Verdict) {
        loop {
            if let Some(opening) = self.try_opening(rng, random_race_levels) {
                return opening;
            }
        }
    }

    fn try_opening(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        random_race_levels: f64,
    ) -> Option<(Position<V>, Verdict)> {
        let mut pos = Position::<V>::start();
        for _ in 0..rng.random_range(OPENING_PLIES) {
            let moves = pos.legal_moves();
            pos.make_move(*moves.choose(rng)?);
        }
        if pos.state() != &V::State::default() || pos.in_check() || pos.outcome().is_some() {
            return None;
        }
        let has_race_levels = V::RACE_LEVELS > 1 && rng.random_bool(random_race_levels);
        if has_race_levels {
            pos = with_random_race_levels(&pos, rng)?;
        }
        self.search.clear();
        let first = self.consider(&pos)?;
        let limit = OPENING_LIMITS[usize::from(has_race_levels)];
        (first.score.value().abs() <= limit.value()).then_some((pos, first))
    }

    /// Searches a position; none if it has no legal move.
    pub fn consider(&mut self, pos: &Position<V>) -> Option<Verdict> {
        let Budget { soft, hard } = self.budget;
        let limits = Limits { nodes: Some(hard), ..Limits::default() };
        let stop = StopToken::new();
        let mut observer = SoftLimit { nodes: soft, stop: stop.clone() };
        let found = self.search.run(pos, &limits, &stop, &mut observer);
        Some(Verdict { mv: found.best?, score: found.score })
    }
}

/// Plays a game to its end. `consider` is asked for each move, none if there is no legal one.
pub fn play_out<V: Variant>(
    mut pos: Position<V>,
    mut consider: impl FnMut(&Position<V>) -> Option<Verdict>,
) -> Course {
    let mut plies = Vec::new();
    let mut judge = Judge::default();
    let winner = loop {
        if let Some(Outcome { winner, .. }) = pos.outcome() {
            break winner;
        }
        let Some(verdict) = consider(&pos) else {
            break None;
        };
        plies.push(verdict);
        let side = pos.side_to_move();
        pos.make_move(verdict.mv);
        if let Some(winner) = judge.hear::<V>(side, verdict.score) {
            break winner;
        }
    };
    Course { plies, winner }
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

/// The position with each side at a race level chosen at random, not both at the first.
fn with_random_race_levels<V: Variant>(
    pos: &Position<V>,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Position<V>> {
    let number = rng.random_range(1..V::RACE_LEVELS * V::RACE_LEVELS);
    let state = V::state_at([number / V::RACE_LEVELS, number % V::RACE_LEVELS]);
    Setup { state: Some(state), ..pos.setup() }.try_into().ok()
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
