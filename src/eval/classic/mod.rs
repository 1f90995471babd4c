//! The classic evaluation: a sum of hand-written terms.
//!
//! Each term (`terms`) has a weight for the middle game and one for the end game (`weights`, read
//! from `eval.params`). The two sums are blended by the phase of the game. All terms are linear in
//! their weights except king danger, which counts by its square (`danger`). Every weight that counts
//! passes through a `View`, so a `Trace` can record the evaluation as a function of the weights:
//! that is what `trebuchet tune` fits.
//!
//! Imports `board` and `types`, and asks the variant through `EvalRules`. Files import one another
//! in one direction: tapered, terms, weights, tables, view come first; then attacks and pawn_facts;
//! then king, danger, pawns, pieces; then trace; then breakdown.

mod attacks;
mod breakdown;
mod danger;
mod king;
mod pawn_facts;
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

use super::endgames::{self, FULL_SCALE};
use super::rules::{EvalRules, MAX_EXTRA_VALUES, MAX_RACE_LEVELS};
use attacks::AttackMap;
use pawn_facts::{PawnCache, PawnFacts};
use tables::Tables;
use tapered::FULL_PHASE;
use view::{Recorder, View};

pub use breakdown::{Aspect, Breakdown};
pub use danger::{DANGER_DIVISOR, DANGER_LIMIT};
pub use tapered::Tapered;
pub use trace::Trace;
pub use weights::{Weights, WeightsError};

/// The classic evaluation of one variant. It caches pawn structures, so each thread has its own.
pub struct Classic<V: EvalRules> {
    tables: Tables,
    pawns: PawnCache,
    variant: PhantomData<V>,
}

impl<V: EvalRules> Classic<V> {
    /// With the variant's built-in weights.
    pub fn new() -> Classic<V> {
        let weights = Weights::parse::<V>(V::WEIGHTS);
        Classic::with_weights(weights.expect("the tests parse the built-in weights"))
    }

    pub fn with_weights(weights: Weights) -> Classic<V> {
        const {
            assert!(V::RACE_LEVELS >= 1 && V::RACE_LEVELS <= MAX_RACE_LEVELS);
            assert!(terms::extra_offset(V::EXTRA_TERMS, V::EXTRA_TERMS.len()) <= MAX_EXTRA_VALUES);
        }
        Classic { tables: Tables::new(weights), pawns: PawnCache::new(), variant: PhantomData }
    }

    /// The score in centipawns from the side to move, within ± [`Score::EVAL_LIMIT`].
    pub fn evaluate(&mut self, pos: &Position<V>) -> Score {
        let mut view = View::new(pos, &self.tables, ());
        let facts = self.pawns.get(pawn_facts::key_of(pos), || pawns::analyse(&mut view));
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
        let facts = pawns::analyse(&mut view);
        sum_up(&mut view, &facts);
        let mut trace = view.recorder;
        trace.phase = phase(pos);
        trace.scale = [1, -1].map(|white| scale(pos, white));
        trace
    }
}

impl<V: EvalRules> Default for Classic<V> {
    fn default() -> Classic<V> {
        Classic::new()
    }
}

/// The sum of all terms, White's minus Black's.
fn sum_up<V: EvalRules, R: Recorder>(view: &mut View<V, R>, facts: &PawnFacts) -> Tapered {
    let pos = view.pos;
    let mut attacks = [AttackMap::new(), AttackMap::new()];
    for us in Color::ALL {
        king::mark_attacks(pos, us, &mut attacks[us.index()]);
        pawns::mark_attacks(pos, us, &mut attacks[us.index()]);
    }
    let mut sums = Color::ALL.map(|us| pieces::activity(view, us, facts, &mut attacks));
    // These terms need both attack maps to be complete.
    for us in Color::ALL {
        sums[us.index()] += pieces::threats(view, us, &attacks)
            + pieces::centre(view, us, &attacks)
            + pawns::push_threats(view, us, &attacks)
            + pawns::passed(view, us, facts, &attacks)
            - danger::king_danger(view, us, &attacks);
    }
    for us in Color::ALL {
        V::count_extra_terms(pos, us, &mut |term, index, count| {
            sums[us.index()] += view.add(us, terms::extra_index::<V>(term, index), count);
        });
    }
    let us = pos.side_to_move();
    let [own, other] = [us, !us].map(|color| V::race_level(pos.state(), color));
    sums[us.index()] += view.add(us, terms::TEMPO.at_levels(own, other), 1);
    let [white, black] = sums;
    white - black + facts.score()
}

/// How much material is left: [`FULL_PHASE`] with all pieces on the board, 0 with kings and pawns
/// alone. Minor pieces count 1, rooks 2, queens 4. With drops, all pieces stay in the game.
fn phase<V: Rules>(pos: &Position<V>) -> i32 {
    if V::HAS_DROPS {
        return FULL_PHASE;
    }
    let count = |kind| pos.count(Color::White, kind) + pos.count(Color::Black, kind);
    let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
    let sum = minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen);
    FULL_PHASE.min(sum as i32)
}

/// The scale of a score, in parts of [`FULL_SCALE`]. The sign of `white` says which side it favours.
fn scale<V: EvalRules>(pos: &Position<V>, white: i32) -> i32 {
    if !V::HAS_DRAWN_ENDGAMES {
        return FULL_SCALE;
    }
    endgames::scale(pos, if white < 0 { Color::Black } else { Color::White })
}
