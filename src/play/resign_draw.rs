//! When to resign, when to offer a draw, when to accept one.
//!
//! This file only decides. The engine's owner says it, and knows when it may be said.

use std::time::Duration;

use crate::types::{Ply, Score};

/// The engine resigns after this many hopeless moves in a row.
const HOPELESS_MOVES: u32 = 4;
/// An opponent with less time than this may still lose on the clock. The time counts 20 increments.
const ENOUGH_TIME: Duration = Duration::from_secs(3);

/// The engine offers a draw after this many level moves in a row.
const LEVEL_MOVES: u32 = 10;
/// A score up to this, for either side, is level.
const LEVEL_SCORE: Score = Score::cp(10);
/// The engine offers no draw before this ply.
const FIRST_OFFER: Ply = 80;
/// The engine accepts no draw before this ply, unless it is worse.
const FIRST_ACCEPTANCE: Ply = 40;
/// Plies between two offers, at least.
const OFFER_INTERVAL: Ply = 40;
/// With a score this bad the engine accepts a draw at any time.
const WORSE: Score = Score::cp(-100);

/// What the engine does about draws by agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DrawPolicy {
    Never,
    /// Accepts fair offers.
    Accept,
    /// Accepts fair offers and makes them.
    Offer,
}

impl DrawPolicy {
    pub const ALL: [DrawPolicy; 3] = [DrawPolicy::Never, DrawPolicy::Accept, DrawPolicy::Offer];

    /// The word for it in options.
    pub const fn name(self) -> &'static str {
        match self {
            DrawPolicy::Never => "never",
            DrawPolicy::Accept => "accept",
            DrawPolicy::Offer => "offer",
        }
    }
}

/// Decides about resigning and draws in one game, by the scores of the engine's moves.
#[derive(Clone, Debug, Default)]
pub struct ResignDrawPolicy {
    hopeless_moves: u32,
    level_moves: u32,
    last_score: Option<Score>,
    last_offer: Option<Ply>,
    /// The opponent has offered a draw, and the engine has not answered yet.
    is_offered: bool,
}

/// What a decision depends on besides the scores.
#[derive(Clone, Copy, Debug)]
pub struct PolicyInput {
    /// Resign this many centipawns behind; 0 never resigns.
    pub resign: i32,
    pub draws: DrawPolicy,
    /// How many centipawns the engine gives up to avoid a draw.
    pub contempt: i32,
    pub ply: Ply,
    /// The opponent's time; `None` if the opponent has no clock or it is not known.
    pub opponent_time: Option<Duration>,
}

impl PolicyInput {
    fn opponent_has_time(&self) -> bool {
        self.opponent_time.is_none_or(|time| time >= ENOUGH_TIME)
    }
}

impl ResignDrawPolicy {
    /// Notes the score of the move that the engine has chosen.
    pub fn note_score(&mut self, score: Option<Score>, input: &PolicyInput) {
        let is_hopeless = score.is_some_and(|score| score.value() <= -input.resign);
        let is_level = score.is_some_and(|score| score <= LEVEL_SCORE && score >= -LEVEL_SCORE);
        self.hopeless_moves = if is_hopeless { self.hopeless_moves + 1 } else { 0 };
        self.level_moves = if is_level { self.level_moves + 1 } else { 0 };
        self.last_score = score;
    }

    /// Notes that the opponent offers a draw.
    pub fn note_offer(&mut self) {
        self.is_offered = true;
    }

    /// Should the engine resign?
    pub fn resigns(&self, input: &PolicyInput) -> bool {
        input.resign > 0 && self.hopeless_moves >= HOPELESS_MOVES && input.opponent_has_time()
    }

    /// Should the engine accept the opponent's offer, if there is one? An accepted offer is
    /// answered and counts no longer.
    pub fn accepts_draw(&mut self, input: &PolicyInput) -> bool {
        let Some(score) = self.last_score.filter(|_| self.is_offered) else { return false };
        let draw = Score::cp(-input.contempt);
        let is_fair = score <= draw && input.ply >= FIRST_ACCEPTANCE && input.opponent_has_time();
        let accepts = input.draws >= DrawPolicy::Accept && (is_fair || score <= draw + WORSE);
        self.is_offered &= !accepts;
        accepts
    }

    /// Should the engine offer a draw with the move it has chosen?
    pub fn offers_draw(&mut self, input: &PolicyInput) -> bool {
        let offers = input.draws == DrawPolicy::Offer
            && input.contempt <= LEVEL_SCORE.value()
            && self.level_moves >= LEVEL_MOVES
            && input.ply >= FIRST_OFFER
            && self.last_offer.is_none_or(|last| input.ply >= last + OFFER_INTERVAL)
            && input.opponent_has_time();
        if offers {
            self.last_offer = Some(input.ply);
        }
        offers
    }

    /// Notes a move after which the opponent's offer has lapsed.
    pub fn note_move(&mut self) {
        self.is_offered = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: PolicyInput = PolicyInput {
        resign: 1000,
        draws: DrawPolicy::Offer,
        contempt: 0,
        ply: 60,
        opponent_time: None,
    };

    fn after_scores(scores: &[i32]) -> ResignDrawPolicy {
        let mut policy = ResignDrawPolicy::default();
        scores.iter().for_each(|&score| policy.note_score(Some(Score::cp(score)), &USUAL));
        policy
    }

    fn at(ply: Ply, opponent_seconds: u64) -> PolicyInput {
        PolicyInput { ply, opponent_time: Some(Duration::from_secs(opponent_seconds)), ..USUAL }
    }

    #[test]
    fn the_engine_resigns_a_lost_game() {
        assert!(!after_scores(&[-1500; 3]).resigns(&USUAL));
        assert!(after_scores(&[-1500; 4]).resigns(&USUAL));
        assert!(!after_scores(&[-1500, -1500, -999, -1500]).resigns(&USUAL));
        assert!(!after_scores(&[-1500; 9]).resigns(&at(60, 2)), "the opponent's flag may fall");
        assert!(!after_scores(&[-1500; 9]).resigns(&PolicyInput { resign: 0, ..USUAL }));
    }

    #[test]
    fn fair_offers_are_accepted() {
        let accepts = |score, input: PolicyInput| {
            let mut policy = after_scores(&[score]);
            policy.note_offer();
            policy.accepts_draw(&input)
        };
        assert!(accepts(0, at(60, 60)));
        assert!(!accepts(20, at(60, 60)), "we are better");
        assert!(!accepts(0, at(20, 60)), "too early");
        assert!(!accepts(0, at(60, 1)), "the opponent's flag is about to fall");
        assert!(accepts(-150, at(20, 1)), "we are worse");
        assert!(accepts(20, PolicyInput { contempt: -30, ..USUAL }));
        assert!(!accepts(-500, PolicyInput { draws: DrawPolicy::Never, ..USUAL }));
    }

    #[test]
    fn an_offer_is_answered_once_and_lapses() {
        let mut policy = after_scores(&[0]);
        assert!(!policy.accepts_draw(&USUAL), "there is no offer");
        policy.note_offer();
        assert!(policy.accepts_draw(&USUAL));
        assert!(!policy.accepts_draw(&USUAL));
        policy.note_offer();
        policy.note_move();
        assert!(!policy.accepts_draw(&USUAL));
    }

    #[test]
    fn draws_are_offered_in_long_level_games_and_not_too_often() {
        assert!(!after_scores(&[3; 10]).offers_draw(&at(60, 60)));
        assert!(!after_scores(&[3; 9]).offers_draw(&at(90, 60)));
        let accept = PolicyInput { draws: DrawPolicy::Accept, ..at(90, 60) };
        assert!(!after_scores(&[3; 10]).offers_draw(&accept));
        let mut policy = after_scores(&[3; 10]);
        assert!(policy.offers_draw(&at(90, 60)));
        assert!(!policy.offers_draw(&at(92, 60)));
        assert!(policy.offers_draw(&at(130, 60)));
    }
}
