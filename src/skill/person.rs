//! The search of a person: plain alpha-beta, some plies deep, over the moves that the person sees.
//!
//! It knows no transposition table, no pruning and no reductions. Exchanges are followed to their end
//! by a search of captures.

use std::cmp::Reverse;
use std::f64::consts::TAU;

use super::Skill;
use super::attention::{Attention, mix, unit};
use crate::board::{Checks, Position};
use crate::search::{Bound, Limits, Observer, Progress, SearchResult, SearchRules, StopToken, see};
use crate::types::{Depth, MAX_PLY, Move, Outcome, Ply, Score, bring_to_front};

/// How many positions the search looks at between two looks at the clock.
const NODES_BETWEEN_LOOKS: u64 = 64;

/// The search has run out of nodes or time.
struct Stopped;

/// Looks for a move as a person of this skill does. The same seed gives the same oversights and
/// misjudgements. `evaluate` gives the score of a position from the side to move.
pub fn think<V: SearchRules>(
    pos: &Position<V>,
    skill: &Skill,
    seed: u64,
    evaluate: impl FnMut(&Position<V>) -> Score,
    limits: &Limits,
    stop: &StopToken,
    observer: &mut dyn Observer,
) -> SearchResult {
    let nodes = limits.nodes.map_or(skill.nodes, |nodes| nodes.min(skill.nodes));
    let wanted = depth_of_move(skill.depth, seed);
    let depth = limits.depth.map_or(wanted, |depth| depth.min(wanted)).max(1);
    let mut person = PersonSearch {
        pos: pos.clone(),
        root_ply_count: pos.ply_count(),
        evaluate,
        attention: Attention::new(skill.oversight, seed),
        misjudgement: skill.misjudgement,
        seed: mix(seed),
        stop,
        nodes: 0,
        most_nodes: nodes.max(1),
    };
    person.iterate(depth, limits, observer)
}

/// How many plies the person looks ahead for the move of this seed.
fn depth_of_move(depth: f64, seed: u64) -> Depth {
    let looks_further = unit(mix(!seed)) < depth.fract();
    depth as Depth + Depth::from(looks_further)
}

struct PersonSearch<'a, V: SearchRules, E> {
    pos: Position<V>,
    root_ply_count: usize,
    evaluate: E,
    attention: Attention,
    misjudgement: f64,
    seed: u64,
    stop: &'a StopToken,
    nodes: u64,
    most_nodes: u64,
}

impl<V: SearchRules, E: FnMut(&Position<V>) -> Score> PersonSearch<'_, V, E> {
    /// Searches one ply deeper at a time. The last iteration may be unfinished: the moves searched
    /// in it still count, because the best move of the iteration before comes first.
    fn iterate(
        &mut self,
        depth: Depth,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let mut moves = self.root_moves(&limits.excluded_root_moves);
        let mut result = SearchResult {
            best: moves.first().copied(),
            ponder: None,
            score: Score::ZERO,
            depth: 0,
            nodes: 0,
            pv: moves.first().copied().into_iter().collect(),
        };
        for depth in 1..=depth {
            let mut best = None;
            let mut alpha = -Score::INFINITE;
            let mut is_finished = true;
            for &mv in &moves {
                let mut pv = Vec::new();
                match self.try_move(mv, depth - 1, 0, alpha, Score::INFINITE, &mut pv) {
                    Ok(score) if score > alpha => {
                        alpha = score;
                        pv.insert(0, mv);
                        best = Some((mv, score, pv));
                    }
                    Ok(_) => {}
                    Err(Stopped) => {
                        is_finished = false;
                        break;
                    }
                }
            }
            result.nodes = self.nodes;
            if let Some((mv, score, pv)) = best {
                result = SearchResult {
                    best: Some(mv),
                    score,
                    depth: if is_finished { depth } else { result.depth },
                    pv,
                    ..result
                };
                observer.line(Progress {
                    depth,
                    seldepth: depth,
                    score,
                    bound: Bound::Exact,
                    time: self.stop.elapsed(),
                    nodes: self.nodes,
                    tablebase_hits: 0,
                    hashfull: 0,
                    line: 0,
                    pv: result.pv.clone(),
                });
                bring_to_front(&mut moves, Some(mv));
            }
            if !is_finished || result.score.is_decisive() || self.stop.soft_share() >= 1.0 {
                break;
            }
        }
        result
    }

    /// The legal moves that the person sees, the likely ones first. If they see none, they look
    /// again.
    fn root_moves(&mut self, excluded: &[Move]) -> Vec<Move> {
        let mut legal: Vec<Move> = self.pos.legal_moves().to_vec();
        legal.retain(|mv| !excluded.contains(mv));
        let checks = Checks::default();
        let seen: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&mv| !self.attention.overlooks(&self.pos, &checks, mv, 0))
            .collect();
        self.most_promising_first(if seen.is_empty() { legal } else { seen })
    }

    /// Makes a move, searches its position and takes the move back.
    fn try_move(
        &mut self,
        mv: Move,
        depth: Depth,
        ply: Ply,
        alpha: Score,
        beta: Score,
        pv: &mut Vec<Move>,
    ) -> Result<Score, Stopped> {
        self.pos.make_move(mv);
        let score = self.search(depth, ply + 1, -beta, -alpha, pv);
        self.pos.unmake_move();
        Ok(-score?)
    }

    fn search(
        &mut self,
        depth: Depth,
        ply: Ply,
        mut alpha: Score,
        beta: Score,
        pv: &mut Vec<Move>,
    ) -> Result<Score, Stopped> {
        self.count_node()?;
        if let Some(score) = self.score_of_end(ply) {
            return Ok(score);
        }
        let legal = self.pos.legal_moves();
        if legal.is_empty() {
            return Ok(match self.pos.in_check() {
                true => Score::loss_in(ply),
                false => self.score_of(V::stalemate(&self.pos), ply),
            });
        }
        // Who must capture follows the captures to their end, too.
        let must_capture = V::MUST_CAPTURE && legal[0].is_capture();
        let is_quiescence = depth <= 0 && !must_capture;
        let mut best = -Score::INFINITE;
        if is_quiescence || ply >= MAX_PLY - 1 {
            best = self.judge();
            if best >= beta || ply >= MAX_PLY - 1 {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let checks = Checks::default();
        let moves: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&mv| {
                let is_wanted =
                    !is_quiescence || mv.is_noisy() && V::gains_at_least(&self.pos, mv, 0);
                is_wanted && !self.attention.overlooks(&self.pos, &checks, mv, ply)
            })
            .collect();
        if moves.is_empty() && !is_quiescence {
            // All moves are overlooked: the person takes the position as it is.
            return Ok(self.judge());
        }
        let mut line = Vec::new();
        for mv in self.most_promising_first(moves) {
            line.clear();
            let score = self.try_move(mv, depth - 1, ply, alpha, beta, &mut line)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    pv.clear();
                    pv.push(mv);
                    pv.append(&mut line);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        Ok(best)
    }

    fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let is_over = self.nodes > self.most_nodes
            || self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS)
                && (self.stop.is_stopped() || self.stop.is_past_hard_limit());
        if is_over { Err(Stopped) } else { Ok(()) }
    }

    /// The score of a finished game but for mate and stalemate, where there are no moves.
    fn score_of_end(&self, ply: Ply) -> Option<Score> {
        if let Some(outcome) = self.pos.variant_outcome() {
            return Some(self.score_of(outcome, ply));
        }
        self.pos.is_draw_for_search(self.root_ply_count).then_some(Score::ZERO)
    }

    /// The score of the end of the game, for the side to move.
    fn score_of(&self, outcome: Outcome, ply: Ply) -> Score {
        match outcome.winner {
            Some(winner) if winner == self.pos.side_to_move() => Score::win_in(ply),
            Some(_) => Score::loss_in(ply),
            None => Score::ZERO,
        }
    }

    /// The evaluation as the person sees it: with an error that belongs to this position.
    fn judge(&mut self) -> Score {
        let score = (self.evaluate)(&self.pos);
        let bits = mix(self.seed ^ self.pos.key().bits());
        // The Box–Muller transform makes a normal distribution of two uniform ones.
        let (first, second) = (1.0 - unit(bits), unit(mix(bits)));
        let error = self.misjudgement * (-2.0 * first.ln()).sqrt() * (TAU * second).cos();
        (score + Score::cp(error.round() as i32)).clamp(-Score::EVAL_LIMIT, Score::EVAL_LIMIT)
    }

    /// The moves in another order: captures of great pieces by small ones first.
    fn most_promising_first(&self, moves: Vec<Move>) -> Vec<Move> {
        sorted(moves.into_iter().map(|mv| (self.promise(mv), mv)).collect())
    }

    fn promise(&self, mv: Move) -> i32 {
        let value = |sq| self.pos.piece_at(sq).map_or(0, |piece| see::VALUES[piece.kind().index()]);
        let promoted = mv.promotion().map_or(0, |kind| see::VALUES[kind.index()]);
        let victim = if mv.is_capture() { value(mv.to()).max(see::VALUES[1]) } else { 0 };
        if mv.is_noisy() { 16 * (victim + promoted) - value(mv.from()) + 20_000 } else { 0 }
    }
}

/// The moves with the greatest numbers first. Outside the search, so that all games share one sort.
fn sorted(mut rated: Vec<(i32, Move)>) -> Vec<Move> {
    rated.sort_by_key(|&(promise, _)| Reverse(promise));
    rated.into_iter().map(|(_, mv)| mv).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Rules;
    use crate::search::{PositionSearch, Search, Silent};
    use crate::types::Moment;
    use crate::variants::{Antichess, KingOfTheHill, Standard, ThreeCheck, Variant};

    /// Sees all and judges as the evaluation does.
    const CAREFUL: Skill = Skill { depth: 3.0, nodes: 100_000, oversight: 0.0, misjudgement: 0.0 };

    fn result<V: Variant>(fen: &str, skill: &Skill, seed: u64, limits: &Limits) -> SearchResult {
        let pos: Position<V> = Position::from_fen(fen).unwrap();
        let mut search = Search::<V>::new();
        let evaluate = |pos: &Position<V>| search.evaluate(pos);
        think(&pos, skill, seed, evaluate, limits, &StopToken::new(), &mut Silent)
    }

    fn best<V: Variant>(fen: &str) -> (String, Score) {
        let result = result::<V>(fen, &CAREFUL, 1, &Limits::default());
        (result.best.unwrap().to_string(), result.score)
    }

    #[test]
    fn a_careful_person_finds_short_wins() {
        let mate = best::<Standard>("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(mate, ("a1a8".to_owned(), Score::win_in(1)));
        let mate_in_two = best::<Standard>("6k1/R7/8/8/8/8/8/1R2K3 w - - 0 1");
        assert_eq!(mate_in_two, ("b1b8".to_owned(), Score::win_in(1)));
        let check = best::<ThreeCheck>("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1").1;
        assert_eq!(check, Score::win_in(1));
        let hill = best::<KingOfTheHill>("7k/8/8/8/8/2K5/8/8 w - - 0 1").1;
        assert_eq!(hill, Score::win_in(1));
        let loses_nothing = best::<Standard>("3rk3/8/8/3p4/8/8/8/3QK3 w - - 0 1").0;
        assert_ne!(loses_nothing, "d1d5", "the pawn is guarded");
    }

    /// However good the position of the side that is mated looks.
    #[test]
    fn a_mate_at_the_end_of_an_exchange_is_seen() {
        let skill = Skill { depth: 1.0, ..CAREFUL };
        let fen = "3N2k1/5ppp/8/b7/8/2q5/1P6/3R2K1 b - - 0 1";
        let found = result::<Standard>(fen, &skill, 1, &Limits::default());
        assert_ne!(found.best.unwrap().to_string(), "a5d8", "the rook takes and mates");
    }

    /// Nobody stands pat who must capture.
    #[test]
    fn compulsory_captures_are_followed() {
        let skill = Skill { depth: 1.0, ..CAREFUL };
        let fen = "8/8/8/8/8/1p6/8/R7 w - - 0 1";
        let found = result::<Antichess>(fen, &skill, 1, &Limits::default());
        assert_eq!(found.best.unwrap().to_string(), "a1a2", "the pawn must take the last man");
        assert_eq!(found.score, Score::win_in(2));
    }

    #[test]
    fn a_mate_on_the_hundredth_ply_is_a_mate() {
        let mate = best::<Standard>("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80");
        assert_eq!(mate, ("a1a8".to_owned(), Score::win_in(1)));
    }

    #[test]
    fn a_person_who_overlooks_much_sees_the_recapture() {
        let fen = "3rk3/8/8/3p4/8/8/8/3QK3 w - - 0 1";
        let skill = Skill { depth: 2.0, oversight: 0.6, ..CAREFUL };
        let blunders = (0..100)
            .filter(|&seed| {
                let best = result::<Standard>(fen, &skill, seed, &Limits::default()).best;
                best.unwrap().to_string() == "d1d5"
            })
            .count();
        assert_eq!(blunders, 0);
    }

    #[test]
    fn a_person_repeats_for_a_seed_and_varies_without() {
        let start = Standard::START_FEN;
        let skill = Skill::of_elo(1000);
        let play = |seed| result::<Standard>(start, &skill, seed, &Limits::default()).best.unwrap();
        assert_eq!(play(5), play(5));
        let mut moves: Vec<String> = (0..40).map(|seed| play(seed).to_string()).collect();
        moves.sort();
        moves.dedup();
        assert!(moves.len() >= 4, "{moves:?}");
    }

    #[test]
    fn limits_hold() {
        let start = Standard::START_FEN;
        let limits = Limits { depth: Some(2), ..Limits::default() };
        assert_eq!(result::<Standard>(start, &CAREFUL, 1, &limits).depth, 2);
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let found = result::<Standard>(start, &CAREFUL, 1, &limits);
        assert!(found.nodes <= 301 && found.best.is_some(), "{found:?}");
        let only: Vec<Move> = Position::<Standard>::start().legal_moves()[1..].to_vec();
        let limits = Limits { excluded_root_moves: only, ..Limits::default() };
        let left = Position::<Standard>::start().legal_moves()[0];
        assert_eq!(result::<Standard>(start, &CAREFUL, 1, &limits).best, Some(left));
    }

    #[test]
    fn a_stopped_person_has_a_move() {
        let pos = Position::<Standard>::start();
        let stop = StopToken::new();
        stop.set_time_limits(Moment::START, Duration::ZERO, Duration::ZERO);
        let skill = Skill { depth: 20.0, nodes: u64::MAX, ..CAREFUL };
        let evaluate = |_: &Position<Standard>| Score::ZERO;
        let found = think(&pos, &skill, 1, evaluate, &Limits::default(), &stop, &mut Silent);
        assert!(found.best.is_some() && found.nodes <= NODES_BETWEEN_LOOKS);
    }

    #[test]
    fn a_fraction_of_the_depth_is_a_chance() {
        let depths: Vec<Depth> = (0..1000).map(|seed| depth_of_move(2.25, seed)).collect();
        let deep = depths.iter().filter(|&&depth| depth == 3).count();
        assert!((200..300).contains(&deep), "{deep}");
        assert_eq!(deep + depths.iter().filter(|&&depth| depth == 2).count(), depths.len());
        assert!((0..1000).all(|seed| depth_of_move(3.0, seed) == 3));
    }

    #[test]
    fn a_mated_person_has_no_move() {
        let mated = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
        assert_eq!(result::<Standard>(mated, &CAREFUL, 1, &Limits::default()).best, None);
    }
}
