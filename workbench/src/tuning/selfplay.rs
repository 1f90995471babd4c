//! Games of the search against itself, without a protocol: the data of `train` and `tune`, the games by
//! which `spsa` compares constants, and the searches that tell `data pack` what positions near games are worth.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::arena::games::openings::random_start;
use trebuchet::board::{Position, Setup};
use trebuchet::search::{
    Bound, FIRST_ITERATION_NODES, Limits, Observer, PositionSearch, Progress, RootStatus,
    SearchResult, StopToken,
};
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

/// How games begin.
#[derive(Clone, Copy, Debug)]
pub struct Openings {
    /// After each random ply a search of this many nodes looks for a blunder.
    pub nodes: u64,
    /// The greatest score of either side that it may find, and that the first move of the game may have.
    pub most: Score,
    /// The share of games, 0 to 1, whose race levels are set at random, in a variant that has some.
    pub random_race_levels: f64,
}

impl Default for Openings {
    fn default() -> Openings {
        Openings { nodes: 100, most: Score::cp(300), random_race_levels: 0.0 }
    }
}

/// How many random plies a game begins with.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 5..=9;
/// How many random moves are tried for a ply.
const OPENING_TRIES: usize = 8;
/// After this many openings in a row that are refused, no more are tried.
const MAX_REFUSALS: usize = 10_000;
/// The greatest score of the first move if the race levels are random.
const MOST_WITH_LEVELS: Score = Score::cp(1500);

/// When games end whose result is clear by the scores.
#[derive(Clone, Copy, Debug)]
pub struct Adjudication {
    /// A side has won that has had at least this score for `win_plies` plies, by the moves of both sides.
    pub win_score: Score,
    pub win_plies: u32,
    /// Where endgames are often drawn, the game is drawn if neither side has had a greater score than this
    /// for `draw_plies` plies. That counts late in the game, or with few pieces.
    pub draw_score: Score,
    pub draw_plies: u32,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            win_score: Score::cp(1500),
            win_plies: 4,
            draw_score: Score::cp(8),
            draw_plies: 12,
        }
    }
}

/// Draws by the scores are adjudicated from this ply of the game on, or …
const DRAW_FROM_PLY: u32 = 80;
/// … with at most this many pieces, kings and pawns included.
const DRAW_PIECES: usize = 8;
/// Adjudicate a draw at this ply.
const LONGEST_GAME: u32 = 600;

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

/// No opening was found.
#[derive(Debug, thiserror::Error)]
#[error(
    "{MAX_REFUSALS} random openings in a row give a side more than {} centipawns", .0.value()
)]
pub struct NoOpening(Score);

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
    /// See [`Limits::impartial`].
    impartial: bool,
}

impl<V: Variant> SelfPlayer<V> {
    pub fn new(limits: NodeLimits, hash_mebibytes: usize) -> SelfPlayer<V> {
        let mut search = V::new_search();
        search.set_threads(1);
        search.set_hash(hash_mebibytes);
        SelfPlayer { search, limits, impartial: false }
    }

    /// A player whose scores are to be learnt. In endgames, too, all of the evaluation counts for it: the search
    /// will scale there what has been learnt.
    pub fn teacher(limits: NodeLimits, hash_mebibytes: usize) -> SelfPlayer<V> {
        SelfPlayer { impartial: true, ..SelfPlayer::new(limits, hash_mebibytes) }
    }

    pub fn search_mut(&mut self) -> &mut dyn PositionSearch<V> {
        &mut *self.search
    }

    /// A random opening without blunders, and the first move from it. Clears the search before each try.
    ///
    /// # Errors
    /// If hardly any opening is within the greatest score.
    pub fn open(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        openings: &Openings,
    ) -> Result<(Position<V>, ScoredMove), NoOpening> {
        let found = (0..MAX_REFUSALS).find_map(|_| self.try_opening(rng, openings));
        found.ok_or(NoOpening(openings.most))
    }

    fn try_opening(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        openings: &Openings,
    ) -> Option<(Position<V>, ScoredMove)> {
        // With what earlier tries left in the table, the search of the first moves would become deeper and deeper.
        // In Horde it then refuses them all.
        self.search.clear();
        let mut pos = random_start::<V>(rng);
        for _ in 0..rng.random_range(OPENING_PLIES) {
            pos = self.random_ply(&pos, rng, openings)?;
        }
        // The race levels are drawn below. Men in hand may stay.
        let has_begun_race = V::RACE_LEVELS > 1 && pos.state() != &V::State::default();
        if has_begun_race || pos.in_check() {
            return None;
        }
        let has_race_levels = V::RACE_LEVELS > 1 && rng.random_bool(openings.random_race_levels);
        if has_race_levels {
            pos = with_random_race_levels(&pos, rng)?;
        }
        let first = self.choose(&pos)?;
        let most = if has_race_levels { MOST_WITH_LEVELS } else { openings.most };
        (first.score.value().abs() <= most.value()).then_some((pos, first))
    }

    /// The position after a random move that is no blunder, and after which the game goes on. `None` if none
    /// was found.
    fn random_ply(
        &mut self,
        pos: &Position<V>,
        rng: &mut Xoshiro256PlusPlus,
        openings: &Openings,
    ) -> Option<Position<V>> {
        for _ in 0..OPENING_TRIES {
            let after = pos.after(*pos.legal_moves().sorted().choose(rng)?);
            if after.outcome().is_some() {
                continue;
            }
            let found = self.search(&after, NodeLimits::from_soft(openings.nodes));
            if found.is_some_and(|found| found.score.value().abs() <= openings.most.value()) {
                return Some(after);
            }
        }
        None
    }

    /// Searches a position; `None` if it has no legal move.
    pub fn choose(&mut self, pos: &Position<V>) -> Option<ScoredMove> {
        self.search(pos, self.limits)
    }

    fn search(&mut self, pos: &Position<V>, limits: NodeLimits) -> Option<ScoredMove> {
        let mut found = self.run(pos, limits);
        if found.depth == 0 {
            // No iteration was finished within the hard limit, so the score says nothing.
            let hard = limits.hard.max(FIRST_ITERATION_NODES);
            found = self.run(pos, NodeLimits { hard, ..limits });
        }
        let score = if found.depth == 0 { self.search.evaluate(pos) } else { found.score };
        Some(ScoredMove { mv: found.best?, score })
    }

    fn run(&mut self, pos: &Position<V>, limits: NodeLimits) -> SearchResult {
        let NodeLimits { soft, hard } = limits;
        let impartial = self.impartial;
        let limits = Limits { nodes: Some(hard), impartial, ..Limits::default() };
        let stop = StopToken::new();
        let mut observer = SoftLimit { nodes: soft, stop: stop.clone() };
        self.search.run(pos, &limits, &stop, &mut observer)
    }
}

/// Plays a game to its end. `choose` chooses each move; `None` if there is no legal one.
pub fn play_out<V: Variant>(
    mut pos: Position<V>,
    adjudication: Adjudication,
    mut choose: impl FnMut(&Position<V>) -> Option<ScoredMove>,
) -> GameRecord {
    let mut moves = Vec::new();
    let mut adjudicator = ScoreAdjudicator::new(adjudication);
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
        // The rules come first.
        if pos.outcome().is_none()
            && let Some(winner) = adjudicator.judge(&pos, side, chosen.score)
        {
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
struct ScoreAdjudicator {
    adjudication: Adjudication,
    plies: u32,
    /// By colour: for how many plies in a row the side has been winning.
    winning: [u32; 2],
    /// For how many plies in a row the score has been even.
    even: u32,
}

impl ScoreAdjudicator {
    fn new(adjudication: Adjudication) -> ScoreAdjudicator {
        ScoreAdjudicator { adjudication, plies: 0, winning: [0; 2], even: 0 }
    }

    /// Takes the position after a move, and the move's score, seen from the side that made it. `Some` ends
    /// the game, with the winner or `None` for a draw.
    fn judge<V: Variant>(
        &mut self,
        pos: &Position<V>,
        side: Color,
        score: Score,
    ) -> Option<Option<Color>> {
        let Adjudication { win_score, win_plies, draw_score, draw_plies } = self.adjudication;
        self.plies += 1;
        for (us, score) in [(side, score), (!side, -score)] {
            let winning = &mut self.winning[us.index()];
            *winning = if score >= win_score { *winning + 1 } else { 0 };
            if *winning >= win_plies {
                return Some(Some(us));
            }
        }
        let is_even = score.value().abs() <= draw_score.value();
        self.even = if is_even { self.even + 1 } else { 0 };
        let may_be_drawn = self.plies >= DRAW_FROM_PLY || pos.total_count() <= DRAW_PIECES;
        let is_drawn = V::HAS_DRAWN_ENDGAMES && may_be_drawn && self.even >= draw_plies;
        (is_drawn || self.plies >= LONGEST_GAME).then_some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::board::Rules;
    use trebuchet::variants::{Horde, Standard, ThreeCheck};

    #[test]
    fn random_moves_do_not_blunder() {
        let fen = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1";
        let pos = Position::<Standard>::from_fen(fen).unwrap();
        let openings = Openings::default();
        let mut player = SelfPlayer::<Standard>::new(NodeLimits::from_soft(100), 1);
        let mut rng = rng_of_game(1, 1);
        let (mut found, mut blunders) = (0, 0);
        for _ in 0..30 {
            player.search_mut().clear();
            let Some(after) = player.random_ply(&pos, &mut rng, &openings) else { continue };
            // A longer search seldom sees a won queen. Most moves would lose it.
            let reply = player.search(&after, NodeLimits::from_soft(2000)).unwrap();
            found += 1;
            blunders += usize::from(reply.score.value().abs() >= 500);
        }
        assert!(found > 10 && blunders * 5 <= found, "{blunders} of {found}");
    }

    #[test]
    fn the_scores_that_are_learnt_are_not_scaled() {
        let pos = Position::<Standard>::from_fen("4k3/4p3/8/8/8/8/3RP3/4K3 w - - 0 1").unwrap();
        let limits = NodeLimits::from_soft(1);
        let players = [SelfPlayer::<Standard>::new(limits, 1), SelfPlayer::teacher(limits, 1)];
        let [scaled, learnt] = players.map(|mut player| {
            player.search(&pos, NodeLimits::from_soft(200)).unwrap().score.value()
        });
        assert!(scaled > 100 && scaled * 4 < learnt * 3, "{scaled}, {learnt}");
    }

    #[test]
    fn a_search_without_a_finished_iteration_gets_one() {
        let pos = Position::<Standard>::from_fen("4k3/4p3/8/8/8/8/3QP3/4K3 w - - 0 1").unwrap();
        let mut player = SelfPlayer::<Standard>::teacher(NodeLimits { soft: 1, hard: 1 }, 1);
        assert_eq!(player.run(&pos, NodeLimits { soft: 1, hard: 1 }).depth, 0);
        assert!(player.choose(&pos).unwrap().score > Score::cp(500));
    }

    #[test]
    fn what_an_earlier_try_found_does_not_change_an_opening() {
        let mut player = SelfPlayer::<Horde>::new(NodeLimits::from_soft(100), 1);
        let openings = Openings::default();
        let mut open = |number| {
            let found = player.try_opening(&mut rng_of_game(1, number), &openings);
            found.map(|(pos, first)| (pos.fen(), first))
        };
        let mut all = || (1..=24).map(&mut open).collect::<Vec<_>>();
        let first = all();
        assert!(first.iter().flatten().count() >= 2, "{first:?}");
        assert_eq!([all(), all()], [first.clone(), first]);
    }

    #[test]
    fn where_every_opening_is_refused_the_search_for_one_ends() {
        let mut player = SelfPlayer::<ThreeCheck>::new(NodeLimits::from_soft(1), 1);
        let openings = Openings { nodes: 1, most: Score::cp(-1), ..Openings::default() };
        let error = player.open(&mut rng_of_game(1, 1), &openings).unwrap_err().to_string();
        assert_eq!(error, "10000 random openings in a row give a side more than -1 centipawns");
    }

    /// Judges these scores of White's and Black's moves in turn, in this position. Returns the ply that ends
    /// the game, and the winner.
    fn judged<V: Variant>(
        fen: &str,
        adjudication: Adjudication,
        scores: impl IntoIterator<Item = i32>,
    ) -> Option<(usize, Option<Color>)> {
        let pos = Position::<V>::from_fen(fen).unwrap();
        let mut adjudicator = ScoreAdjudicator::new(adjudication);
        let sides = [Color::White, Color::Black].into_iter().cycle();
        sides.zip(scores).enumerate().find_map(|(ply, (side, score))| {
            Some((ply + 1, adjudicator.judge(&pos, side, Score::cp(score))?))
        })
    }

    #[test]
    fn clear_games_are_adjudicated() {
        const MANY: &str = Standard::START_FEN;
        const FEW: &str = "4k3/pppp4/8/8/8/8/PP6/4K3 w - - 0 1";
        let usual = Adjudication::default();
        let white = Some((4, Some(Color::White)));
        assert_eq!(judged::<Standard>(MANY, usual, [1500, -1500, 1500, -1500]), white);
        assert_eq!(judged::<Standard>(MANY, usual, [1500, -1499, 1500, -1500, 1600]), None);
        assert_eq!(
            judged::<Standard>(MANY, usual, [-1500, 1500, -1500, 1500]),
            Some((4, Some(Color::Black)))
        );
        let later = Adjudication { win_score: Score::cp(2500), win_plies: 6, ..usual };
        assert_eq!(judged::<Standard>(MANY, later, [2000, -2000].repeat(9)), None);
        assert_eq!(
            judged::<Standard>(MANY, later, [2500, -2500].repeat(9)),
            Some((6, Some(Color::White)))
        );
        // Even scores are a draw late in the game, or with few pieces.
        assert_eq!(judged::<Standard>(MANY, usual, [8; 100]), Some((80, None)));
        assert_eq!(judged::<Standard>(FEW, usual, [-8; 100]), Some((12, None)));
        assert_eq!(judged::<Standard>(FEW, usual, [9; 100]), None);
        let longer = Adjudication { draw_plies: 20, draw_score: Score::cp(20), ..usual };
        assert_eq!(judged::<Standard>(FEW, longer, [20; 100]), Some((20, None)));
        // Not where endgames are rarely drawn.
        assert_eq!(judged::<ThreeCheck>(ThreeCheck::START_FEN, usual, [0; 599]), None);
        assert_eq!(judged::<ThreeCheck>(ThreeCheck::START_FEN, usual, [0; 600]), Some((600, None)));
    }
}
