//! The order in which a node tries its moves, generated in stages so that an early cutoff spares
//! the rest: the table's move, good captures, the killer, quiet moves by history, bad captures.

use crate::board::{Checks, Position};
use crate::movegen::Legality;
use crate::types::{Move, MoveList};

use super::history::{Before, Histories, victim};
use super::params::Params;
use super::rules::SearchRules;
use super::see;

/// What the picker looks at and does not own.
pub struct Sources<'a, V: SearchRules> {
    pub pos: &'a Position<V>,
    pub legality: &'a Legality,
    pub checks: &'a Checks,
    pub histories: &'a Histories,
    pub params: &'a Params,
}

/// Which moves a picker yields after the table's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All.
    All,
    /// Captures and promotions, the bad ones not.
    GoodNoisy,
    /// Captures and promotions, the bad ones not, then quiet moves that give check.
    GoodNoisyAndChecks,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Stage {
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

/// Which quiet moves are still wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quiets {
    All,
    Checks,
    None,
}

/// Yields the moves of one node, each once.
pub struct Picker {
    stage: Stage,
    scope: Scope,
    table_move: Option<Move>,
    killer: Option<Move>,
    quiets: Quiets,
    before: Before,
    /// What a capture must gain at least to be good, in centipawns, besides what its history
    /// forgives.
    threshold: i32,
    moves: MoveList,
    ranks: [i32; MoveList::CAPACITY],
    next: usize,
    /// The captures found bad stand at the front of the list, as many as this.
    bad: usize,
}

impl Picker {
    /// The moves must be legal in the position, if there are any.
    pub fn new(
        scope: Scope,
        table_move: Option<Move>,
        killer: Option<Move>,
        before: Before,
        threshold: i32,
    ) -> Picker {
        Picker {
            stage: if table_move.is_some() { Stage::TableMove } else { Stage::ScoreNoisy },
            scope,
            table_move,
            killer: killer.filter(|_| killer != table_move),
            quiets: if scope == Scope::GoodNoisyAndChecks { Quiets::Checks } else { Quiets::All },
            before,
            threshold,
            moves: MoveList::new(),
            ranks: [0; MoveList::CAPACITY],
            next: 0,
            bad: 0,
        }
    }

    /// From now on, no quiet moves but, perhaps, those that give check.
    pub fn skip_quiets(&mut self, keeps_checks: bool) {
        self.quiets = if keeps_checks { Quiets::Checks } else { Quiets::None };
    }

    /// The next move.
    pub fn next<V: SearchRules>(&mut self, from: &Sources<V>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::ScoreNoisy;
                    return self.table_move;
                }
                Stage::ScoreNoisy => {
                    self.moves = from.pos.noisy_moves(from.legality);
                    self.score_noisy(from);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.next_good_capture(from) {
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = match self.scope {
                            Scope::All => Stage::Killer,
                            Scope::GoodNoisy => Stage::Done,
                            Scope::GoodNoisyAndChecks => Stage::ScoreQuiet,
                        }
                    }
                },
                Stage::Killer | Stage::ScoreQuiet | Stage::Quiet | Stage::QuietCheck
                    if self.quiets == Quiets::None =>
                {
                    self.start_bad_captures();
                }
                Stage::Killer => {
                    self.stage = Stage::ScoreQuiet;
                    if self.killer.is_some() {
                        return self.killer;
                    }
                }
                Stage::ScoreQuiet => {
                    self.next = self.moves.len();
                    self.add_quiets(from);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet if self.quiets == Quiets::Checks => {
                    self.drop_quiets_without_check(from);
                    self.stage = Stage::QuietCheck;
                }
                Stage::Quiet | Stage::QuietCheck => match self.best_of_rest() {
                    Some((mv, _)) if self.was_yielded(mv) => {}
                    Some((mv, _)) => return Some(mv),
                    None => self.start_bad_captures(),
                },
                Stage::BadNoisy => {
                    if self.next >= self.bad {
                        self.stage = Stage::Done;
                        continue;
                    }
                    self.next += 1;
                    return Some(self.moves[self.next - 1]);
                }
                Stage::Done => return None,
            }
        }
    }

    fn was_yielded(&self, mv: Move) -> bool {
        Some(mv) == self.table_move || Some(mv) == self.killer
    }

    fn start_bad_captures(&mut self) {
        self.stage = if self.scope == Scope::All { Stage::BadNoisy } else { Stage::Done };
        self.next = 0;
    }

    fn next_good_capture<V: SearchRules>(&mut self, from: &Sources<V>) -> Option<Move> {
        while let Some((mv, score)) = self.best_of_rest() {
            if self.was_yielded(mv) {
                continue;
            }
            let least = self.threshold - score / from.params.order_see;
            let is_good = see::gains_at_least(from.pos, mv, least)
                || V::COUNTS_CHECKS && from.checks.gives_check(from.pos, mv);
            if is_good {
                return Some(mv);
            }
            self.moves[self.bad] = mv;
            self.bad += 1;
        }
        None
    }

    /// The best move not yet looked at, with its score.
    fn best_of_rest(&mut self) -> Option<(Move, i32)> {
        let len = self.moves.len().min(MoveList::CAPACITY);
        let rest = self.ranks[..len].get(self.next..)?;
        let (&first, others) = rest.split_first()?;
        let (mut best, mut highest) = (self.next, first);
        for (index, &rank) in others.iter().enumerate() {
            if rank > highest {
                (best, highest) = (self.next + 1 + index, rank);
            }
        }
        let found = (self.moves[best], score_of(highest));
        self.moves.swap(self.next, best);
        self.ranks.swap(self.next, best);
        self.next += 1;
        Some(found)
    }

    /// Most valuable victim first, by what experience adds.
    fn score_noisy<V: SearchRules>(&mut self, from: &Sources<V>) {
        for (index, (&mv, slot)) in self.moves.iter().zip(&mut self.ranks).enumerate() {
            let mut gain = see::VALUES[victim(from.pos, mv)];
            if let Some(kind) = mv.promotion() {
                gain += see::VALUES[kind.index()] - see::VALUES[1];
            }
            let score = gain * from.params.order_victim + from.histories.noisy(from.pos, mv);
            *slot = rank(score, index);
        }
    }

    fn add_quiets<V: SearchRules>(&mut self, from: &Sources<V>) {
        let prefers_checks = V::COUNTS_CHECKS && from.params.order_check != 0;
        let history = from.histories.of_quiets(from.pos.side_to_move(), &self.before);
        for &mv in from.pos.quiet_moves(from.legality).iter() {
            if self.quiets == Quiets::Checks && !from.checks.gives_check(from.pos, mv) {
                continue;
            }
            let mut score = history.get(from.pos, mv);
            if prefers_checks && from.checks.gives_check(from.pos, mv) {
                score += from.params.order_check;
            }
            let index = self.moves.len();
            self.ranks[index % MoveList::CAPACITY] = rank(score, index);
            self.moves.push(mv);
        }
    }

    /// Of the quiet moves not yet yielded, only those that give check are still wanted.
    fn drop_quiets_without_check<V: SearchRules>(&mut self, from: &Sources<V>) {
        let mut kept = self.next;
        for index in self.next..self.moves.len() {
            if from.checks.gives_check(from.pos, self.moves[index]) {
                self.moves[kept] = self.moves[index];
                self.ranks[kept] = self.ranks[index];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }
}

/// A number that orders moves by their score and, where that is equal, as they were generated.
#[inline(always)]
fn rank(score: i32, index: usize) -> i32 {
    score << 8 | (MoveList::CAPACITY - 1 - index) as i32 & 0xff
}

/// The score that went into a rank.
#[inline(always)]
fn score_of(rank: i32) -> i32 {
    rank >> 8
}
