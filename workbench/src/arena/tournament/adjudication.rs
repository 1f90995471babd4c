//! Adjudicates games that both engines' scores call decided or drawn for some moves.

use std::str::FromStr;

use crate::arena::engines::Thought;
use crate::arena::games::{AdjudicatedBy, GameEnding};
use trebuchet::types::{Color, Score};

/// When to adjudicate a game.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct AdjudicationRules {
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    /// A game of this many full moves is a draw.
    pub max_moves: Option<u32>,
}

/// Adjudicates a win when for `moves` moves both sides' scores favour the same side by `score` or
/// more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResignRule {
    pub moves: u32,
    pub score: Score,
}

/// Adjudicates a draw from move `after` on when for `moves` moves neither side's score exceeds
/// `score`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawRule {
    pub after: u32,
    pub moves: u32,
    pub score: Score,
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule { moves: 4, score: Score::cp(900) }
    }
}

impl Default for DrawRule {
    fn default() -> DrawRule {
        DrawRule { after: 40, moves: 8, score: Score::cp(10) }
    }
}

/// What is wrong with a rule.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// A word is unknown or lacks its number.
    #[error("bad setting `{word}`; known: {known}, each with a number")]
    Word { word: String, known: &'static str },
    /// The rule would end games whatever the scores are.
    #[error(
        "bad setting `moves=0`: a rule needs a move; --no-adjudication plays every game to its end"
    )]
    NoMoves,
}

/// `moves=4 score=900`, in centipawns. These are the defaults of missing settings.
impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<ResignRule, RuleError> {
        let mut rule = ResignRule::default();
        for word in text.split_whitespace() {
            match read_setting(word) {
                Some(("moves", 0)) => return Err(RuleError::NoMoves),
                Some(("moves", number)) => rule.moves = number,
                Some(("score", number)) => rule.score = Score::cp(number as i32),
                _ => {
                    return Err(RuleError::Word { word: word.to_owned(), known: "moves=, score=" });
                }
            }
        }
        Ok(rule)
    }
}

/// `after=40 moves=8 score=10`. These are the defaults of missing settings.
impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<DrawRule, RuleError> {
        let mut rule = DrawRule::default();
        for word in text.split_whitespace() {
            match read_setting(word) {
                Some(("after", number)) => rule.after = number,
                Some(("moves", 0)) => return Err(RuleError::NoMoves),
                Some(("moves", number)) => rule.moves = number,
                Some(("score", number)) => rule.score = Score::cp(number as i32),
                _ => {
                    return Err(RuleError::Word {
                        word: word.to_owned(),
                        known: "after=, moves=, score=",
                    });
                }
            }
        }
        Ok(rule)
    }
}

fn read_setting(word: &str) -> Option<(&str, u32)> {
    let (name, value) = word.split_once('=')?;
    Some((name, value.parse().ok().filter(|&number| number <= 100_000)?))
}

/// Watches the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    /// The full-move number at the start of the game.
    first: u32,
    /// By colour: the number of moves in a row with a lost score, and with a won score.
    lost: [u32; 2],
    won: [u32; 2],
    /// The number of plies in a row with level scores.
    level: u32,
}

impl Adjudicator {
    /// `first` is the full-move number at the start of the game.
    pub fn new(rules: AdjudicationRules, first: u32) -> Adjudicator {
        Adjudicator { rules, first, lost: [0; 2], won: [0; 2], level: 0 }
    }

    /// Takes the score of a side's move, and the full-move number. Returns the end of the game if
    /// it is to be adjudicated.
    pub fn judge(
        &mut self,
        side: Color,
        thought: Option<Thought>,
        number: u32,
    ) -> Option<GameEnding> {
        // A game may begin from a position with any number.
        let number = number.saturating_sub(self.first) + 1;
        if self.rules.max_moves.is_some_and(|max| side == Color::Black && number >= max) {
            return Some(adjudicated(None, AdjudicatedBy::Length));
        }
        let score = thought.map(|thought| thought.score);
        self.judge_resignation(side, score).or_else(|| self.judge_draw(score, number))
    }

    fn judge_resignation(&mut self, side: Color, score: Option<Score>) -> Option<GameEnding> {
        let rule = self.rules.resign?;
        let count_if = |counter: u32, holds: bool| if holds { counter + 1 } else { 0 };
        let index = side.index();
        self.lost[index] =
            count_if(self.lost[index], score.is_some_and(|score| score <= -rule.score));
        self.won[index] = count_if(self.won[index], score.is_some_and(|score| score >= rule.score));
        let is_won = |winner: Color| {
            self.won[winner.index()] >= rule.moves && self.lost[(!winner).index()] >= rule.moves
        };
        let winner = Color::ALL.into_iter().find(|&color| is_won(color));
        winner.map(|winner| adjudicated(Some(winner), AdjudicatedBy::Scores))
    }

    fn judge_draw(&mut self, score: Option<Score>, number: u32) -> Option<GameEnding> {
        let rule = self.rules.draw?;
        let is_level = score.is_some_and(|score| score <= rule.score && score >= -rule.score);
        self.level = if is_level { self.level + 1 } else { 0 };
        (number >= rule.after && self.level >= 2 * rule.moves)
            .then_some(adjudicated(None, AdjudicatedBy::Scores))
    }
}

const fn adjudicated(winner: Option<Color>, by: AdjudicatedBy) -> GameEnding {
    GameEnding::Adjudication { winner, by }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(score: i32) -> Option<Thought> {
        Some(Thought { score: Score::cp(score), depth: 1, nodes: 1 })
    }

    /// Feeds the scores of alternate plies, White's first, and returns the ply and the end.
    fn judge(
        rules: AdjudicationRules,
        scores: &[i32],
        first_number: u32,
    ) -> Option<(usize, GameEnding)> {
        let mut adjudicator = Adjudicator::new(rules, 1);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let side = Color::ALL[ply % 2];
            let ending = adjudicator.judge(side, thought(score), first_number + ply as u32 / 2);
            ending.map(|ending| (ply, ending))
        })
    }

    #[test]
    fn both_sides_must_agree_on_a_win() {
        let rules = AdjudicationRules {
            resign: Some("moves=2 score=500".parse().unwrap()),
            ..AdjudicationRules::default()
        };
        assert_eq!(
            judge(rules, &[600, -600, 700, -500], 1),
            Some((3, adjudicated(Some(Color::White), AdjudicatedBy::Scores)))
        );
        assert_eq!(
            judge(rules, &[-600, 600, -700, 499, -800, 600, -800, 600], 1),
            Some((7, adjudicated(Some(Color::Black), AdjudicatedBy::Scores)))
        );
        assert_eq!(judge(rules, &[600, -400, 700, -400, 900, -400], 1), None);
        assert_eq!(judge(rules, &[600, -600, 100, -600, 700, -600], 1), None);
    }

    #[test]
    fn draws_need_level_scores_late_in_the_game() {
        let rules = AdjudicationRules {
            draw: Some("after=40 moves=2 score=10".parse().unwrap()),
            ..AdjudicationRules::default()
        };
        assert_eq!(
            judge(rules, &[5, -10, 10, 0], 40),
            Some((3, adjudicated(None, AdjudicatedBy::Scores)))
        );
        assert_eq!(judge(rules, &[5, -11, 10, 0, 0], 40), None);
        assert_eq!(judge(rules, &[0, 0, 0, 0], 30), None);
    }

    #[test]
    fn a_move_without_a_score_breaks_the_row() {
        let rules = AdjudicationRules {
            draw: Some("after=1 moves=1".parse().unwrap()),
            ..AdjudicationRules::default()
        };
        let mut adjudicator = Adjudicator::new(rules, 1);
        assert_eq!(adjudicator.judge(Color::White, thought(0), 1), None);
        assert_eq!(adjudicator.judge(Color::Black, None, 1), None);
        assert_eq!(adjudicator.judge(Color::White, thought(0), 2), None);
        assert_eq!(
            adjudicator.judge(Color::Black, thought(0), 2),
            Some(adjudicated(None, AdjudicatedBy::Scores))
        );
    }

    #[test]
    fn games_may_be_cut_off() {
        let rules = AdjudicationRules { max_moves: Some(3), ..AdjudicationRules::default() };
        assert_eq!(judge(rules, &[50; 10], 1), Some((5, adjudicated(None, AdjudicatedBy::Length))));
    }

    #[test]
    fn the_moves_of_a_game_are_counted_and_not_those_before_its_start() {
        let rules = AdjudicationRules {
            draw: Some("after=2 moves=1".parse().unwrap()),
            max_moves: Some(3),
            ..AdjudicationRules::default()
        };
        let mut adjudicator = Adjudicator::new(rules, 60);
        let mut judge = |side, score, number| adjudicator.judge(side, thought(score), number);
        assert_eq!(judge(Color::White, 0, 60), None);
        assert_eq!(judge(Color::Black, 0, 60), None);
        assert_eq!(judge(Color::White, 0, 61), Some(adjudicated(None, AdjudicatedBy::Scores)));
        assert_eq!(judge(Color::Black, 50, 61), None);
        assert_eq!(judge(Color::Black, 50, 62), Some(adjudicated(None, AdjudicatedBy::Length)));
    }

    #[test]
    fn mistakes_in_rules_are_named() {
        assert!("moves=x".parse::<ResignRule>().unwrap_err().to_string().contains("`moves=x`"));
        assert!("until=3".parse::<DrawRule>().is_err());
        let errors = [
            "score=500 moves=0".parse::<ResignRule>().unwrap_err(),
            "after=1 moves=0".parse::<DrawRule>().unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains("`moves=0`: a rule needs a move"), "{error}");
        }
        assert_eq!("".parse::<DrawRule>().unwrap(), DrawRule::default());
    }
}
