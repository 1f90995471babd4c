//! Games of the search against itself, without a protocol: the data of `train` and `tune`, the games by
//! which `spsa` compares constants, and the searches that tell `train` what positions near games are worth.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::arena::games::openings::random_start;
use trebuchet::board::{Position, Setup};
use trebuchet::search::{Bound, Limits, Observer, PositionSearch, Progress, RootStatus, StopToken};
use trebuchet::types::{Color, Move, Outcome, Score};
use trebuchet::variants::Variant;

/// The limits of nodes for a move.
#[derive(Clone, Copy, Debug)]
pub struct NodeLimits {
    /// After this many nodes no new iteration begins.
    pub soft: u64,
    /// At this many nodes the search stops.
    pub hard: u64,
}

impl NodeLimits {
    /// The usual limits with this soft one: an iteration that takes very long is stopped.
    pub const fn from_soft(soft: u64) -> NodeLimits {
        NodeLimits { soft, hard: 20 * soft }
    }
}

/// How many random plies a game begins with.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 5..=9;
/// Openings with a greater score are dropped: the limit for the usual race levels, and for random ones.
const OPENING_LIMITS: [Score; 2] = [Score::cp(400), Score::cp(1500)];
/// Adjudicate a win at `WIN_SCORE` for `WIN_PLIES` plies.
const WIN_SCORE: Score = Score::cp(2500);
const WIN_PLIES: usize = 4;
/// Where endgames are often drawn, adjudicate a draw at `DRAW_SCORE` for `DRAW_PLIES` plies, …
const DRAW_SCORE: Score = Score::cp(8);
const DRAW_PLIES: usize = 12;
/// … from this ply of the game on.
const DRAW_FROM_PLY: usize = 80;
/// Adjudicate a draw at this ply.
const LONGEST_GAME: usize = 600;

/// A move and its score, from the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    pub mv: Move,
    pub score: Score,
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct GameRecord {
    pub moves: Vec<ScoredMove>,
    /// `None` for a draw.
    pub winner: Option<Color>,
}

/// The random numbers of the game with this number. Different games get different streams, since the
/// number is hashed into the seed.
pub fn rng_of_game(seed: u64, number: u32) -> Xoshiro256PlusPlus {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let stream = rng.random::<u64>() ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Xoshiro256PlusPlus::seed_from_u64(stream)
}

/// A search of one thread with its limits, which plays games.
pub struct SelfPlayer<V: Variant> {
    search: Box<dyn PositionSearch<V>>,
    limits: NodeLimits,
}

impl<V: Variant> SelfPlayer<V> {
    pub fn new(limits: NodeLimits, hash_mebibytes: usize) -> SelfPlayer<V> {
        let mut search = V::new_search();
        search.set_threads(1);
        search.set_hash(hash_mebibytes);
        SelfPlayer { search, limits }
    }

    pub fn search_mut(&mut self) -> &mut dyn PositionSearch<V> {
        &mut *self.search
    }

    /// A random opening whose score is not too great, and the first move from it. In a share of the
    /// games, 0 to 1, the variant's race levels are set at random. Clears the search first.
    pub fn open(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        random_race_levels: f64,
    ) -> (Position<V>, ScoredMove) {
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
    ) -> Option<(Position<V>, ScoredMove)> {
        let mut pos = random_start::<V>(rng);
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
        let first = self.choose(&pos)?;
        let limit = OPENING_LIMITS[usize::from(has_race_levels)];
        (first.score.value().abs() <= limit.value()).then_some((pos, first))
    }

    /// Searches a position; `None` if it has no legal move.
    pub fn choose(&mut self, pos: &Position<V>) -> Option<ScoredMove> {
        let NodeLimits { soft, hard } = self.limits;
        let limits = Limits { nodes: Some(hard), ..Limits::default() };
        let stop = StopToken::new();
        let mut observer = SoftLimit { nodes: soft, stop: stop.clone() };
        let found = self.search.run(pos, &limits, &stop, &mut observer);
        Some(ScoredMove { mv: found.best?, score: found.score })
    }
}

/// Plays a game to its end. `choose` chooses each move; `None` if there is no legal one.
pub fn play_out<V: Variant>(
    mut pos: Position<V>,
    mut choose: impl FnMut(&Position<V>) -> Option<ScoredMove>,
) -> GameRecord {
    let mut moves = Vec::new();
    let mut adjudicator = ScoreAdjudicator::default();
    let winner = loop {
        if let Some(Outcome { winner, .. }) = pos.outcome() {
            break winner;
        }
        let Some(chosen) = choose(&pos) else {
            break None;
        };
        moves.push(chosen);
        let side = pos.side_to_move();
        pos.make_move(chosen.mv);
        if let Some(winner) = adjudicator.judge::<V>(side, chosen.score) {
            break winner;
        }
    };
    GameRecord { moves, winner }
}

/// Stops a search at the end of the iteration that reaches the soft limit.
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

/// Ends games whose result is clear by the scores.
#[derive(Default)]
struct ScoreAdjudicator {
    plies: usize,
    /// By colour: for how many plies in a row the side has been winning.
    winning: [usize; 2],
    /// For how many plies in a row the score has been even.
    even: usize,
}

impl ScoreAdjudicator {
    /// Takes the score of a move, seen from the side that made it. `Some` ends the game, with the
    /// winner or `None` for a draw.
    fn judge<V: Variant>(&mut self, side: Color, score: Score) -> Option<Option<Color>> {
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
