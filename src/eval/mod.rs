//! The static evaluation: what a position is worth without looking ahead.
//!
//! Two scores, for middle game and end game, are sums of terms (`terms`) times weights
//! (`weights`) and are blended by the phase of the game; only king danger counts by its square.
//! Imports `movegen` and below. It never searches, and never learns which variant it serves: it
//! asks through `EvalRules`.

mod attacks;
mod endgames;
mod king;
mod pawns;
mod pieces;
mod tables;
mod tapered;
pub mod terms;
mod trace;
mod view;
mod weights;

use std::marker::PhantomData;

use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Score};

use attacks::AttackMap;
use pawns::PawnCache;
use tables::Tables;
use tapered::FULL_PHASE;
use view::View;

pub use king::{DANGER_DIVISOR, DANGER_LIMIT};
pub use tapered::Tapered;
pub use trace::{Sink, Trace};
pub use weights::{Weights, WeightsError};

/// What the evaluation asks a variant.
pub trait EvalRules: Rules {
    /// The text of the variant's `eval.params`.
    const WEIGHTS: &'static str;

    /// How many stages a side passes on the way to an end that the variant adds, at most
    /// [`terms::MAX_STAGES`]. King danger and the worth of the move have values for each.
    const STAGES: usize = 1;

    /// The stage that a side has reached, below [`EvalRules::STAGES`].
    #[inline(always)]
    fn stage(_state: &Self::State, _color: Color) -> usize {
        0
    }

    /// The state in which White and Black have reached these stages.
    fn state_at(_stages: [usize; 2]) -> Self::State {
        Self::State::default()
    }

    /// Are there endgames in which a lead in material does not win, as in standard chess?
    const HAS_DRAWN_ENDGAMES: bool = false;
}

/// The scale at which an advantage counts in full.
const FULL_SCALE: i32 = 64;

/// Evaluates positions of one variant. It remembers pawn structures, so each thread has its own.
pub struct Evaluator<V: EvalRules> {
    tables: Tables,
    pawns: PawnCache,
    variant: PhantomData<V>,
}

impl<V: EvalRules> Evaluator<V> {
    /// An evaluator with the variant's own weights.
    pub fn new() -> Evaluator<V> {
        let weights = Weights::parse(V::WEIGHTS, V::STAGES);
        Evaluator::with_weights(weights.expect("the tests parse the built-in weights"))
    }

    pub fn with_weights(weights: Weights) -> Evaluator<V> {
        const { assert!(V::STAGES <= terms::MAX_STAGES) };
        Evaluator { tables: Tables::new(weights), pawns: PawnCache::new(), variant: PhantomData }
    }

    /// The score in centipawns from the side to move, never beyond [`Score::EVAL_LIMIT`]. The side
    /// to move should not be in check: nothing is said about that.
    pub fn evaluate(&mut self, pos: &Position<V>) -> Score {
        let mut view = View::new(pos, &self.tables, ());
        let facts = self.pawns.probe(&mut view);
        let sum = sum_up(&mut view, &facts);
        let white = sum.blend(phase(pos));
        let white = white * scale(pos, white) / FULL_SCALE;
        let limit = Score::EVAL_LIMIT.value();
        Score::cp(match pos.side_to_move() {
            Color::White => white.clamp(-limit, limit),
            Color::Black => -white.clamp(-limit, limit),
        })
    }

    /// How the score of this position depends on the weights.
    pub fn trace(&self, pos: &Position<V>) -> Trace {
        let mut view = View::new(pos, &self.tables, Trace::new(pos.side_to_move()));
        let facts = pawns::study(&mut view);
        sum_up(&mut view, &facts);
        let mut trace = view.sink;
        trace.phase = phase(pos);
        trace.scale = [1, -1].map(|white| scale(pos, white));
        trace
    }
}

impl<V: EvalRules> Default for Evaluator<V> {
    fn default() -> Evaluator<V> {
        Evaluator::new()
    }
}

/// All terms, White's less Black's.
fn sum_up<V: EvalRules, S: Sink>(view: &mut View<V, S>, facts: &pawns::PawnFacts) -> Tapered {
    let pos = view.pos;
    let mut attacks = [AttackMap::new(), AttackMap::new()];
    for us in Color::ALL {
        king::mark_attacks(pos, us, &mut attacks[us.index()]);
        pawns::mark_attacks(pos, us, &mut attacks[us.index()]);
    }
    let mut sums = Color::ALL.map(|us| pieces::activity(view, us, facts, &mut attacks));
    // Now that both attack maps are complete.
    for us in Color::ALL {
        sums[us.index()] += pieces::threats(view, us, &attacks)
            + pieces::centre(view, us, &attacks)
            + pawns::push_threats(view, us, &attacks)
            + pawns::passed(view, us, facts, &attacks)
            - king::danger(view, us, &attacks);
    }
    let us = pos.side_to_move();
    let [own, other] = [us, !us].map(|color| V::stage(pos.state(), color));
    sums[us.index()] += view.worth(us, terms::TEMPO.at_stages(own, other), 1);
    let [white, black] = sums;
    white - black + facts.score()
}

/// How far the game is from its end: 24 with all pieces on the board, 0 with kings and pawns alone.
fn phase<V: Rules>(pos: &Position<V>) -> i32 {
    let count = |kind| pos.count(Color::White, kind) + pos.count(Color::Black, kind);
    let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
    let sum = minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen);
    FULL_PHASE.min(sum as i32)
}

/// What a score is worth, given whom it favours, in parts of [`FULL_SCALE`].
fn scale<V: EvalRules>(pos: &Position<V>, white: i32) -> i32 {
    if !V::HAS_DRAWN_ENDGAMES {
        return FULL_SCALE;
    }
    endgames::scale(pos, if white < 0 { Color::Black } else { Color::White })
}
