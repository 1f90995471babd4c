//! Move ordering: the order in which a node tries its moves.
//!
//! The table's move, good captures, the killer, quiet moves by history, bad captures. Each group is
//! generated when the one before it is used up, so an early cutoff saves the work for the rest.
//! The picker yields legal moves only. It makes no moves and updates no history.

use arrayvec::ArrayVec;

use crate::board::{Checks, Position};
use crate::movegen::Legality;
use crate::types::Move;

use super::history::{Histories, PreviousMoves, attacked_squares};
use super::params::Params;
use super::rules::SearchRules;

/// What the picker reads.
pub struct Sources<'a, V: SearchRules> {
    pub pos: &'a Position<V>,
    pub legality: &'a Legality,
    pub checks: &'a Checks,
    pub histories: &'a Histories,
    pub params: &'a Params,
}

/// Which moves a picker yields after the table's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All moves.
    All,
    /// Good captures and promotions.
    GoodNoisy,
    /// Good captures and promotions, then quiet moves that give check.
    GoodNoisyAndChecks,
}

/// What a picker does next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PickerState {
    TableMove,
    ScoreNoisy,
    GoodNoisy,
    Killer,
    ScoreQuiet,
    Quiet,
    QuietCheck,
    BadNoisy,
    Done,
}

/// Which quiet moves the picker still yields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quiets {
    All,
    Checks,
    None,
}

/// Yields the moves of one node, each once.
pub struct Picker {
    state: PickerState,
    scope: Scope,
    table_move: Option<Move>,
    killer: Option<Move>,
    quiets: Quiets,
    previous: PreviousMoves,
    /// The least gain of a good capture in centipawns, before its order value lowers it.
    threshold: i32,
    /// The moves generated so far.
    moves: ArrayVec<RankedMove, MOST_MOVES>,
    /// The index in `moves` of the next move to look at.
    next: usize,
    /// The number of bad captures found so far. They stand at the front of `moves`.
    bad: usize,
}

/// A move and its place in the order.
#[derive(Clone, Copy)]
struct RankedMove {
    mv: Move,
    /// See [`rank`].
    rank: i32,
}

impl Picker {
    /// The table's move must be legal; the killer need not be. A capture is good if it gains at least
    /// `threshold` centipawns; its victim and history lower that.
    pub fn new(
        scope: Scope,
        table_move: Option<Move>,
        killer: Option<Move>,
        previous: PreviousMoves,
        threshold: i32,
    ) -> Picker {
        Picker {
            state: if table_move.is_some() {
                PickerState::TableMove
            } else {
                PickerState::ScoreNoisy
            },
            scope,
            table_move,
            killer: killer.filter(|_| killer != table_move),
            quiets: if scope == Scope::GoodNoisyAndChecks { Quiets::Checks } else { Quiets::All },
            previous,
            threshold,
            moves: ArrayVec::new(),
            next: 0,
            bad: 0,
        }
    }

    /// Yields no more quiet moves, except those that give check if `keeps_checks`.
    pub fn skip_quiets(&mut self, keeps_checks: bool) {
        self.quiets = if keeps_checks { Quiets::Checks } else { Quiets::None };
    }

    /// The next move.
    pub fn next<V: SearchRules>(&mut self, from: &Sources<V>) -> Option<Move> {
        loop {
            match self.state {
                PickerState::TableMove => {
                    self.state = PickerState::ScoreNoisy;
                    return self.table_move;
                }
                PickerState::ScoreNoisy => {
                    self.add_noisy(from);
                    self.state = PickerState::GoodNoisy;
                }
                PickerState::GoodNoisy => match self.next_good_capture(from) {
                    Some(mv) => return Some(mv),
                    None => {
                        self.state = match self.scope {
                            Scope::All => PickerState::Killer,
                            Scope::GoodNoisy => PickerState::Done,
                            Scope::GoodNoisyAndChecks => PickerState::ScoreQuiet,
                        }
                    }
                },
                PickerState::Killer
                | PickerState::ScoreQuiet
                | PickerState::Quiet
                | PickerState::QuietCheck
                    if self.quiets == Quiets::None =>
                {
                    self.start_bad_captures();
                }
                PickerState::Killer => {
                    self.state = PickerState::ScoreQuiet;
                    let is_legal = |&mv: &Move| from.pos.is_legal(mv, from.legality);
                    if let Some(killer) = self.killer.filter(is_legal) {
                        return Some(killer);
                    }
                }
                PickerState::ScoreQuiet => {
                    self.next = self.moves.len();
                    self.add_quiets(from);
                    self.state = PickerState::Quiet;
                }
                PickerState::Quiet if self.quiets == Quiets::Checks => {
                    self.drop_quiets_without_check(from);
                    self.state = PickerState::QuietCheck;
                }
                PickerState::Quiet | PickerState::QuietCheck => match self.best_of_rest() {
                    Some((mv, _)) if self.was_yielded(mv) => {}
                    Some((mv, _)) => return Some(mv),
                    None => self.start_bad_captures(),
                },
                PickerState::BadNoisy => {
                    if self.next >= self.bad {
                        self.state = PickerState::Done;
                        continue;
                    }
                    self.next += 1;
                    return Some(self.moves[self.next - 1].mv);
                }
                PickerState::Done => return None,
            }
        }
    }

    fn was_yielded(&self, mv: Move) -> bool {
        Some(mv) == self.table_move || Some(mv) == self.killer
    }

    fn start_bad_captures(&mut self) {
        self.state =
            if self.scope == Scope::All { PickerState::BadNoisy } else { PickerState::Done };
        self.next = 0;
    }

    fn next_good_capture<V: SearchRules>(&mut self, from: &Sources<V>) -> Option<Move> {
        while let Some((mv, score)) = self.best_of_rest() {
            if self.was_yielded(mv) {
                continue;
            }
            // ProbCut and quiescence need the full threshold.
            let allowance =
                if self.scope == Scope::All { score / from.params.order_see } else { 0 };
            let least = self.threshold - allowance;
            let is_good = V::gains_at_least(from.pos, mv, least)
                || V::CHECKS_ADVANCE
                    && from.checks.gives_check(from.pos, mv)
                    && V::check_advances(from.pos, mv);
            if is_good {
                return Some(mv);
            }
            self.moves[self.bad].mv = mv;
            self.bad += 1;
        }
        None
    }

    /// The best move not looked at yet, with its score.
    fn best_of_rest(&mut self) -> Option<(Move, i32)> {
        let rest = self.moves.get(self.next..)?;
        let (&first, others) = rest.split_first()?;
        let (mut best, mut highest) = (self.next, first.rank);
        for (index, ranked) in others.iter().enumerate() {
            if ranked.rank > highest {
                (best, highest) = (self.next + 1 + index, ranked.rank);
            }
        }
        let found = (self.moves[best].mv, score_of(highest));
        self.moves.swap(self.next, best);
        self.next += 1;
        Some(found)
    }

    /// Adds a move to those not looked at yet. A list that is full ignores it.
    #[inline(always)]
    fn add(&mut self, mv: Move, score: i32) {
        let rank = rank(score, self.moves.len());
        let _ = self.moves.try_push(RankedMove { mv, rank });
    }

    /// Adds the captures: most valuable victim first (MVV), adjusted by the capture history.
    fn add_noisy<V: SearchRules>(&mut self, from: &Sources<V>) {
        from.pos.visit_noisy_moves(from.legality, |mv| {
            let gain = V::gain(from.pos, mv);
            self.add(mv, gain * from.params.order_victim + from.histories.noisy(from.pos, mv));
        });
    }

    /// Adds the quiet moves, or those of them that give check.
    fn add_quiets<V: SearchRules>(&mut self, from: &Sources<V>) {
        let prefers_checks = V::CHECKS_ADVANCE && from.params.order_check != 0;
        let (us, attacked) = (from.pos.side_to_move(), attacked_squares(from.pos));
        let history = from.histories.of_quiets(us, attacked, &self.previous, from.params);
        from.pos.visit_quiet_moves(from.legality, |mv| {
            if self.quiets == Quiets::Checks && !from.checks.gives_check(from.pos, mv) {
                return;
            }
            let mut score = history.get(from.pos, mv);
            if prefers_checks && from.checks.gives_check(from.pos, mv) {
                score += from.params.order_check;
            }
            self.add(mv, score);
        });
    }

    /// Removes the quiet moves that give no check from the moves not looked at yet.
    fn drop_quiets_without_check<V: SearchRules>(&mut self, from: &Sources<V>) {
        let mut kept = self.next;
        for index in self.next..self.moves.len() {
            if from.checks.gives_check(from.pos, self.moves[index].mv) {
                self.moves[kept] = self.moves[index];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }
}

/// The most moves of a node. With drops, a search over positions that can be set up found none with more than 475:
/// sixteen queens, and a man of each kind in hand.
const MOST_MOVES: usize = 1 << INDEX_BITS;
/// The bits of an index into a list of moves.
const INDEX_BITS: u32 = 9;

/// A number that orders moves by score, and moves of equal score as they were generated.
#[inline(always)]
fn rank(score: i32, index: usize) -> i32 {
    score << INDEX_BITS | !index as i32 & ((1 << INDEX_BITS) - 1)
}

/// The score in a rank.
#[inline(always)]
fn score_of(rank: i32) -> i32 {
    rank >> INDEX_BITS
}

#[cfg(test)]
mod tests {
    use super::super::worker::with_worker;
    use super::*;
    use crate::types::PieceKind::{Knight, Pawn, Queen, Rook};
    use crate::types::{MoveKind, Square};
    use crate::variants::{Antichess, Crazyhouse, Standard, ThreeCheck};

    const PINS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const CHECKS: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";

    /// The moves that a picker yields. After `skip_after` of them it skips quiet moves but checks.
    fn pick<V: SearchRules>(
        fen: &str,
        scope: Scope,
        table_move: Option<Move>,
        killer: Option<Move>,
        skip_after: usize,
    ) -> Vec<Move> {
        with_worker::<V, _>(fen, &Params::STANDARD, |worker| {
            let (legality, checks) = (Legality::new(&worker.pos), Checks::default());
            let sources = worker.sources(&legality, &checks);
            let mut picker = Picker::new(scope, table_move, killer, [None; 4], 0);
            let mut moves = Vec::new();
            loop {
                if moves.len() == skip_after {
                    picker.skip_quiets(true);
                }
                match picker.next(&sources) {
                    Some(mv) => moves.push(mv),
                    None => return moves,
                }
            }
        })
    }

    fn sorted(mut moves: Vec<Move>) -> Vec<String> {
        moves.sort_by_key(Move::to_string);
        moves.iter().map(Move::to_string).collect()
    }

    fn each_move_comes_once<V: SearchRules>(fen: &str) {
        let legal = Position::<V>::from_fen(fen).unwrap().legal_moves().to_vec();
        let quiet = legal.iter().copied().find(|mv| !mv.is_noisy());
        let noisy = legal.iter().copied().find(|mv| mv.is_noisy());
        let from = legal[0].from();
        let mut any_quiet = Square::all().map(|to| Move::new(from, to, MoveKind::Quiet));
        let illegal = any_quiet.rfind(|mv| !legal.contains(mv));
        for (table_move, killer) in [
            (None, None),
            (None, quiet),
            (None, illegal),
            (quiet, quiet),
            (quiet, None),
            (quiet, illegal),
            (noisy, quiet),
        ] {
            let moves = pick::<V>(fen, Scope::All, table_move, killer, usize::MAX);
            assert_eq!(table_move.or(moves.first().copied()), moves.first().copied(), "{fen}");
            assert_eq!(sorted(moves), sorted(legal.clone()), "{fen}: {table_move:?} {killer:?}");
        }
    }

    #[test]
    fn each_legal_move_comes_once() {
        each_move_comes_once::<Standard>(PINS);
        each_move_comes_once::<Standard>(CHECKS);
        each_move_comes_once::<Standard>("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
        each_move_comes_once::<Standard>("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1");
        each_move_comes_once::<ThreeCheck>(
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 3+3 4 4",
        );
        each_move_comes_once::<Crazyhouse>("r3k3/8/8/8/8/8/8/4K2R[QRBNPqrbnp] w K - 0 1");
        each_move_comes_once::<Antichess>(
            "rnbqkbnr/1ppppppp/8/p7/1P6/8/P1PPPPPP/RNBQKBNR w - - 0 2",
        );
    }

    #[test]
    fn quiet_moves_without_check_can_be_left_out() {
        let legal = Position::<Standard>::from_fen(CHECKS).unwrap().legal_moves().to_vec();
        let (noisy, quiet): (Vec<Move>, Vec<Move>) = legal.iter().partition(|mv| mv.is_noisy());
        // Qxf7+, Bxf7+, Qxe5+, Qxh7 are the captures, and no quiet move gives check.
        assert_eq!(
            (sorted(noisy.clone()).join(" "), quiet.len()),
            ("c4f7 h5e5 h5f7 h5h7".into(), 39)
        );
        assert_eq!(sorted(pick::<Standard>(CHECKS, Scope::All, None, None, 0)), sorted(noisy));
        // With a killer among them, and when some have come already.
        let killer = quiet.first().copied();
        for skip_after in 3..8 {
            let moves = pick::<Standard>(CHECKS, Scope::All, None, killer, skip_after);
            assert_eq!(moves.len(), 4 + (skip_after - 2), "{skip_after}");
        }
    }

    #[test]
    fn the_most_valuable_victim_is_taken_first() {
        let fen = "4k3/8/8/n1q1p1r1/1P1P1P1P/8/8/4K3 w - - 0 1";
        with_worker::<Standard, _>(fen, &Params::STANDARD, |worker| {
            let (legality, checks) = (Legality::new(&worker.pos), Checks::default());
            let sources = worker.sources(&legality, &checks);
            let mut picker = Picker::new(Scope::GoodNoisy, None, None, [None; 4], 0);
            let victims = std::iter::from_fn(|| picker.next(&sources))
                .map(|mv| sources.pos.piece_at(mv.to()).unwrap().kind());
            assert!(victims.eq([Queen, Queen, Rook, Rook, Knight, Pawn, Pawn]));
        });
    }
}
