//! When to give a game up, when to offer a draw, when to take one.
//!
//! Only rules: what is said, and when it may be said, is the session's business.

use std::time::Duration;

use crate::cecp::options::DrawManners;
use crate::types::{Ply, Score};

/// Moves in a row for which a game must look lost before it is given up.
const HOPELESS_MOVES: u32 = 4;
/// Who has less than this left, with 20 increments counted in, may yet lose on the clock.
const ENOUGH_TIME: Duration = Duration::from_secs(3);

/// Moves in a row for which a game must look even before a draw is offered, and how even.
const LEVEL_MOVES: u32 = 10;
const LEVEL_SCORE: Score = Score::cp(10);
/// No draw is offered before this ply, none taken before that one unless we are worse.
const FIRST_OFFER: Ply = 80;
const FIRST_ACCEPTANCE: Ply = 40;
/// Between two offers lie at least this many plies.
const OFFER_INTERVAL: Ply = 40;
/// Who is this much worse takes a draw at any time.
const WORSE: Score = Score::cp(-100);

/// What the rules remember of a game.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    hopeless_moves: u32,
    level_moves: u32,
    last_score: Option<Score>,
    last_offer: Option<Ply>,
    /// The opponent has offered a draw that has not been answered.
    is_offered: bool,
}

/// What the rules look at.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// Centipawns behind at which a game is lost; 0 if none ever is.
    pub resign: i32,
    pub draws: DrawManners,
    /// What a draw is worth avoiding, in centipawns.
    pub contempt: i32,
    pub ply: Ply,
    /// What is left to the opponent; none when it does not matter or is not known.
    pub opponent_time: Option<Duration>,
}

impl Situation {
    fn opponent_has_time(&self) -> bool {
        self.opponent_time.is_none_or(|time| time >= ENOUGH_TIME)
    }
}

impl Manners {
    /// Notes the score with which a move of ours has been chosen.
    pub fn note(&mut self, score: Option<Score>, situation: &Situation) {
        let is_hopeless = score.is_some_and(|score| score.value() <= -situation.resign);
        let is_level = score.is_some_and(|score| score <= LEVEL_SCORE && score >= -LEVEL_SCORE);
        self.hopeless_moves = if is_hopeless { self.hopeless_moves + 1 } else { 0 };
        self.level_moves = if is_level { self.level_moves + 1 } else { 0 };
        self.last_score = score;
    }

    /// Notes that the opponent offers a draw.
    pub fn note_offer(&mut self) {
        self.is_offered = true;
    }

    /// Is the game to be given up?
    pub fn resigns(&self, situation: &Situation) -> bool {
        situation.resign > 0
            && self.hopeless_moves >= HOPELESS_MOVES
            && situation.opponent_has_time()
    }

    /// Is the opponent's offer, if there is one, to be taken? An offer taken is an offer answered.
    pub fn accepts_draw(&mut self, situation: &Situation) -> bool {
        let Some(score) = self.last_score.filter(|_| self.is_offered) else { return false };
        let draw = Score::cp(-situation.contempt);
        let is_fair =
            score <= draw && situation.ply >= FIRST_ACCEPTANCE && situation.opponent_has_time();
        let accepts = situation.draws >= DrawManners::Accept && (is_fair || score <= draw + WORSE);
        self.is_offered &= !accepts;
        accepts
    }

    /// Is a draw to be offered with the move that has just been chosen?
    pub fn offers_draw(&mut self, situation: &Situation) -> bool {
        let offers = situation.draws == DrawManners::Offer
            && situation.contempt <= LEVEL_SCORE.value()
            && self.level_moves >= LEVEL_MOVES
            && situation.ply >= FIRST_OFFER
            && self.last_offer.is_none_or(|last| situation.ply >= last + OFFER_INTERVAL)
            && situation.opponent_has_time();
        if offers {
            self.last_offer = Some(situation.ply);
        }
        offers
    }

    /// Our move is made: the opponent's offer has lapsed.
    pub fn note_move(&mut self) {
        self.is_offered = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Situation = Situation {
        resign: 1000,
        draws: DrawManners::Offer,
        contempt: 0,
        ply: 60,
        opponent_time: None,
    };

    fn after_scores(scores: &[i32]) -> Manners {
        let mut manners = Manners::default();
        scores.iter().for_each(|&score| manners.note(Some(Score::cp(score)), &USUAL));
        manners
    }

    fn at(ply: Ply, opponent_seconds: u64) -> Situation {
        Situation { ply, opponent_time: Some(Duration::from_secs(opponent_seconds)), ..USUAL }
    }

    #[test]
    fn a_lost_game_is_given_up_in_the_end() {
        assert!(!after_scores(&[-1500; 3]).resigns(&USUAL));
        assert!(after_scores(&[-1500; 4]).resigns(&USUAL));
        assert!(!after_scores(&[-1500, -1500, -999, -1500]).resigns(&USUAL));
        assert!(!after_scores(&[-1500; 9]).resigns(&at(60, 2)), "the opponent's flag may fall");
        assert!(!after_scores(&[-1500; 9]).resigns(&Situation { resign: 0, ..USUAL }));
    }

    #[test]
    fn fair_offers_are_taken() {
        let accepts = |score, situation: Situation| {
            let mut manners = after_scores(&[score]);
            manners.note_offer();
            manners.accepts_draw(&situation)
        };
        assert!(accepts(0, at(60, 60)));
        assert!(!accepts(20, at(60, 60)), "we are better");
        assert!(!accepts(0, at(20, 60)), "too early");
        assert!(!accepts(0, at(60, 1)), "the opponent's flag is about to fall");
        assert!(accepts(-150, at(20, 1)), "we are worse");
        assert!(accepts(20, Situation { contempt: -30, ..USUAL }));
        assert!(!accepts(-500, Situation { draws: DrawManners::Never, ..USUAL }));
    }

    #[test]
    fn an_offer_is_answered_once_and_lapses() {
        let mut manners = after_scores(&[0]);
        assert!(!manners.accepts_draw(&USUAL), "there is none");
        manners.note_offer();
        assert!(manners.accepts_draw(&USUAL));
        assert!(!manners.accepts_draw(&USUAL));
        manners.note_offer();
        manners.note_move();
        assert!(!manners.accepts_draw(&USUAL));
    }

    #[test]
    fn draws_are_offered_in_long_level_games_and_not_too_often() {
        assert!(!after_scores(&[3; 10]).offers_draw(&at(60, 60)));
        assert!(!after_scores(&[3; 9]).offers_draw(&at(90, 60)));
        let accept = Situation { draws: DrawManners::Accept, ..at(90, 60) };
        assert!(!after_scores(&[3; 10]).offers_draw(&accept));
        let mut manners = after_scores(&[3; 10]);
        assert!(manners.offers_draw(&at(90, 60)));
        assert!(!manners.offers_draw(&at(92, 60)));
        assert!(manners.offers_draw(&at(130, 60)));
    }
}
