//! The strength of a bot in Elo, from its games against our playing levels.

use serde::{Deserialize, Serialize};

use super::games::Rung;
use crate::arena::tournament::statistics::score_of;
use trebuchet::play::SkillLevel;

/// No bot is weaker or stronger, in Elo.
const RANGE: (f64, f64) = (-4000.0, 8000.0);

/// Half the deviance that is exceeded in 5 % of all cases: a quantile of the chi-squared distribution with one
/// degree of freedom, halved.
const HALF_DEVIANCE: f64 = 3.841_459 / 2.0;

/// A bot without a point, or without a loss, is on the other side of the rating that gives this result with
/// this probability.
const UNLIKELY: f64 = 0.05;

/// A strength with its interval of 95 %, in Elo. Of a bot that has won or lost all games one end is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The strength of the greatest likelihood.
    pub elo: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// The points against an opponent of known strength.
struct LevelScore {
    elo: f64,
    points: f64,
    games: f64,
}

impl Strength {
    /// The strength that explains these games best. Levels without a number do not count; `None` if no other
    /// games were played.
    pub fn of(rungs: &[Rung]) -> Option<Strength> {
        let results: Vec<LevelScore> = rungs.iter().filter_map(LevelScore::of).collect();
        let games: f64 = results.iter().map(|result| result.games).sum();
        let points: f64 = results.iter().map(|result| result.points).sum();
        if games == 0.0 {
            return None;
        }
        let likelihood = |elo: f64| -> f64 { results.iter().map(|it| it.likelihood(elo)).sum() };
        if points == 0.0 {
            let high = crossing(RANGE, |elo| UNLIKELY.ln() - likelihood(elo));
            return Some(Strength { elo: None, low: None, high: Some(high) });
        }
        if points == games {
            let low = crossing(RANGE, |elo| likelihood(elo) - UNLIKELY.ln());
            return Some(Strength { elo: None, low: Some(low), high: None });
        }
        let expected = |elo: f64| -> f64 { results.iter().map(|it| it.expected(elo)).sum() };
        let elo = crossing(RANGE, |elo| expected(elo) - points);
        let least = likelihood(elo) - HALF_DEVIANCE;
        let low = crossing((RANGE.0, elo), |elo| likelihood(elo) - least);
        let high = crossing((elo, RANGE.1), |elo| least - likelihood(elo));
        Some(Strength { elo: Some(elo), low: Some(low), high: Some(high) })
    }

    /// In words, with the levels that the bot beats: `About 1340, between 1210 and 1470: it beats Beginner`.
    pub fn in_words(&self, rungs: &[Rung]) -> String {
        let down = |elo: f64| (elo / 10.0).floor() * 10.0;
        let up = |elo: f64| (elo / 10.0).ceil() * 10.0;
        let number = match (self.elo, self.low, self.high) {
            (Some(elo), Some(low), Some(high)) => {
                let elo = (elo / 10.0).round() * 10.0;
                format!("About {elo:.0}, between {:.0} and {:.0}", down(low), up(high))
            }
            (_, Some(low), _) => format!("Above {:.0}", down(low)),
            (_, _, Some(high)) => format!("Below {:.0}", up(high)),
            _ => "Unknown".to_owned(),
        };
        let levels = |holds: fn(&Rung) -> bool, verb: &str| {
            let names: Vec<&str> =
                rungs.iter().filter(|rung| holds(rung)).map(|rung| rung.level.as_str()).collect();
            (!names.is_empty()).then(|| format!("{verb} {}", listed(&names)))
        };
        let parts = [
            levels(|rung| rung.won > rung.lost, "beats"),
            levels(|rung| rung.won == rung.lost, "is even with"),
            levels(|rung| rung.won < rung.lost, "loses to"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        if parts.len() == 2 && parts.iter().any(|part| part.contains(" and ")) {
            return format!("{number}: it {}", parts.join(", and "));
        }
        format!("{number}: it {}", listed(&parts))
    }
}

impl LevelScore {
    fn of(rung: &Rung) -> Option<LevelScore> {
        let elo = rung.level.parse::<SkillLevel>().ok()?.strength()?;
        Some(LevelScore {
            elo: f64::from(elo),
            points: rung.won as f64 + rung.drawn as f64 / 2.0,
            games: (rung.won + rung.drawn + rung.lost) as f64,
        })
    }

    /// The points that a player of this strength gets on average.
    fn expected(&self, elo: f64) -> f64 {
        self.games * score_of(elo - self.elo)
    }

    /// The logarithm of the likelihood of a strength. A draw counts as half a win and half a loss.
    fn likelihood(&self, elo: f64) -> f64 {
        let of = |points: f64, score: f64| if points == 0.0 { 0.0 } else { points * score.ln() };
        of(self.points, score_of(elo - self.elo))
            + of(self.games - self.points, score_of(self.elo - elo))
    }
}

/// Where a function that rises becomes positive.
fn crossing((mut low, mut high): (f64, f64), rising: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if rising(middle) < 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rung(level: SkillLevel, won: u64, drawn: u64, lost: u64) -> Rung {
        Rung { level: level.name().to_owned(), won, drawn, lost }
    }

    fn near(value: Option<f64>, expected: f64) {
        let value = value.unwrap();
        assert!((value - expected).abs() < 0.5, "{value} is not {expected}");
    }

    /// Against one level of 1400 Elo, 15 of 20 points: 1400 + 400 log10(3) = 1590.8. The interval ends where
    /// 15 ln p + 5 ln(1 - p) is 1.9207 less than at p = 0.75: at p = 0.5374 and p = 0.9045.
    #[test]
    fn one_opponent_worked_by_hand() {
        let strength = Strength::of(&[rung(SkillLevel::Intermediate, 14, 2, 4)]).unwrap();
        near(strength.elo, 1590.85);
        let elo = |share: f64| 1400.0 + 400.0 * (share / (1.0 - share)).log10();
        assert!((elo(0.75) - 1590.85).abs() < 0.01);
        let loss = |share: f64| 15.0 * share.ln() + 5.0 * (1.0 - share).ln();
        for end in [strength.low, strength.high] {
            let share = score_of(end.unwrap() - 1400.0);
            assert!((loss(0.75) - loss(share) - HALF_DEVIANCE).abs() < 1e-6, "{share}");
        }
        assert!(strength.low < strength.elo && strength.elo < strength.high);
    }

    /// At the greatest likelihood the expected points are those that were made.
    #[test]
    fn several_opponents_count_by_their_strength() {
        let rungs = [
            rung(SkillLevel::Beginner, 10, 0, 0),
            rung(SkillLevel::Amateur, 9, 0, 1),
            rung(SkillLevel::Intermediate, 6, 1, 3),
            rung(SkillLevel::Hard, 1, 0, 9),
            rung(SkillLevel::Master, 0, 0, 10),
        ];
        let strength = Strength::of(&rungs).unwrap();
        let elo = strength.elo.unwrap();
        let expected: f64 =
            [500.0, 1000.0, 1400.0, 1800.0].map(|level| 10.0 * score_of(elo - level)).iter().sum();
        assert!((expected - 26.5).abs() < 1e-6, "{expected}");
        assert_eq!(
            strength.in_words(&rungs),
            "About 1460, between 1290 and 1640: it beats Beginner, Amateur and Intermediate, \
             and loses to Hard and Master"
        );
    }

    /// Ten wins against 1800 alone have the probability 5 % at p = 0.05^(1/10) = 0.7411: 1800 + 182.7.
    #[test]
    fn all_games_won_or_lost_give_only_a_bound() {
        let won = [rung(SkillLevel::Hard, 10, 0, 0)];
        let strength = Strength::of(&won).unwrap();
        assert_eq!((strength.elo, strength.high), (None, None));
        near(strength.low, 1982.7);
        assert_eq!(strength.in_words(&won), "Above 1980: it beats Hard");
        let lost = [rung(SkillLevel::Beginner, 0, 0, 10), rung(SkillLevel::Master, 0, 0, 10)];
        let strength = Strength::of(&lost).unwrap();
        near(strength.high, 500.0 - 182.7);
        assert_eq!(strength.in_words(&lost), "Below 320: it loses to Beginner and Master");
    }

    #[test]
    fn levels_without_a_number_or_games_give_no_strength() {
        assert_eq!(Strength::of(&[]), None);
        assert_eq!(Strength::of(&[rung(SkillLevel::Master, 3, 0, 1)]), None);
        assert_eq!(Strength::of(&[rung(SkillLevel::Hard, 0, 0, 0)]), None);
    }
}
