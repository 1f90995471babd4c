//! Statistics of a match: score, Elo difference with its interval, likelihood of superiority.
//!
//! Games come in pairs: the same opening with colours swapped. The two results of a pair are not
//! independent. So the interval and the tests of [`super::sprt`] count pairs (the pentanomial).

use std::fmt;

use trebuchet::types::Color;
use trebuchet::types::GameResult;

/// A count of games from one player's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, 0.0 to 1.0; one half when nothing was played.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / games as f64,
        }
    }

    /// Points: a win is 1, a draw 0.5.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The same games from the other side.
    pub fn reversed(&self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// These games and the others.
    pub fn plus(&self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// Counts a game in which the player scored this many half points.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

/// `+5 -2 =3, 65.0 % of 10 games`: wins, losses, draws, and the share of the points.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (games, percent) = (self.games(), 100.0 * self.score());
        if games == 0 {
            return f.write_str("no games");
        }
        let plural = if games == 1 { "" } else { "s" };
        write!(
            f,
            "+{} -{} ={}, {percent:.1} % of {games} game{plural}",
            self.wins, self.losses, self.draws
        )
    }
}

/// The half points of a result for the player of a colour, 0 to 2.
pub fn half_points(result: GameResult, color: Color) -> u8 {
    match result {
        GameResult::Win(winner) if winner == color => 2,
        GameResult::Win(_) => 0,
        GameResult::Draw | GameResult::Unfinished => 1,
    }
}

/// Pairs of games by the half points the player scored in both games together, 0 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a pair in which the player scored this many half points, 0 to 4.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points.min(4))] += 1;
    }

    /// Mean score per game, 0.0 to 1.0.
    pub fn mean(&self) -> f64 {
        mean(&self.shares(0.0))
    }

    /// Variance of one pair's score per game.
    pub fn variance(&self) -> f64 {
        variance(&self.shares(0.0))
    }

    /// Each outcome's share of the pairs. An outcome is counted at least `least` times.
    pub fn shares(&self, least: f64) -> [f64; 5] {
        let counts = self.0.map(|count| (count as f64).max(least));
        let total: f64 = counts.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        counts.map(|count| count / total)
    }

    /// Elo difference with its 95 % interval; `None` before the first pair.
    pub fn elo(&self) -> Option<Estimate> {
        let pairs = self.pairs();
        if pairs == 0 {
            return None;
        }
        let (mean, variance) = (self.mean(), self.variance());
        let (below, above) = if variance == 0.0 {
            // All pairs have the same score, so nothing is known about the variance. The rule of
            // three bounds the error: outcomes that have not occurred in `n` pairs have a
            // probability below `3 / n`, with 95 % confidence.
            let unseen = (3.0 / pairs as f64).min(1.0);
            (unseen * mean, unseen * (1.0 - mean))
        } else {
            let error = Z95 * (variance / pairs as f64).sqrt();
            (error, error)
        };
        Some(Estimate { elo: elo_of(mean), low: elo_of(mean - below), high: elo_of(mean + above) })
    }

    /// Normalized Elo: counts standard deviations of a game, so it hardly depends on the share of
    /// draws. `None` without variance.
    pub fn normalized_elo(&self) -> Option<f64> {
        let deviation = (2.0 * self.variance()).sqrt();
        (self.pairs() > 0 && deviation > 0.0)
            .then(|| (self.mean() - 0.5) / deviation * 800.0 / std::f64::consts::LN_10)
    }

    /// The likelihood of superiority (LOS): the probability that the player is the stronger one.
    /// `None` without variance.
    pub fn superiority(&self) -> Option<f64> {
        let error = (self.variance() / self.pairs().max(1) as f64).sqrt();
        (error > 0.0).then(|| normal_distribution((self.mean() - 0.5) / error))
    }
}

/// The pairs by their score, from the first player's point of view: `0-2: 1, 0.5-1.5: 0, 1-1: 7,
/// 1.5-0.5: 3, 2-0: 2`.
impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, count) in self.0.iter().enumerate() {
            let (first, second) = (index as f64 / 2.0, 2.0 - index as f64 / 2.0);
            write!(f, "{}{first}-{second}: {count}", if index > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// An Elo difference and the ends of its 95 % interval. Infinite where the games set no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub elo: f64,
    pub low: f64,
    pub high: f64,
}

/// `+26.1 [-8.5, +61.2]`, or in words what is known.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [elo, low, high] = [self.elo, self.low, self.high].map(tenths);
        match (low.is_finite(), high.is_finite()) {
            (true, true) => write!(f, "{elo:+.1} [{low:+.1}, {high:+.1}]"),
            (true, false) if elo.is_finite() => write!(f, "{elo:+.1}, at least {low:+.1}"),
            (true, false) if low > 0.0 => write!(f, "more than {low:+.1} (every game won)"),
            (false, true) if elo.is_finite() => write!(f, "{elo:+.1}, at most {high:+.1}"),
            (false, true) if high < 0.0 => write!(f, "less than {high:+.1} (every game lost)"),
            _ => f.write_str(TOO_FEW_GAMES),
        }
    }
}

/// Rounded to tenths, and never `-0.0`.
fn tenths(elo: f64) -> f64 {
    (10.0 * elo).round() / 10.0 + 0.0
}

/// In place of an estimate.
pub const TOO_FEW_GAMES: &str = "too few games to say";

/// The quantile of the normal distribution that leaves 2.5 % on either side.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// The score per game of each outcome of a pair.
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

pub(super) fn mean(shares: &[f64; 5]) -> f64 {
    shares.iter().zip(PAIR_SCORES).map(|(share, score)| share * score).sum()
}

fn variance(shares: &[f64; 5]) -> f64 {
    let mean = mean(shares);
    shares.iter().zip(PAIR_SCORES).map(|(share, score)| share * (score - mean).powi(2)).sum()
}

/// The Elo difference at which a player is expected to have this score per game.
pub fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score per game that is expected at this Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution function, to about 1e-7 (Abramowitz and Stegun 26.2.17).
fn normal_distribution(z: f64) -> f64 {
    const COEFFICIENTS: [f64; 5] =
        [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
    let t = 1.0 / (1.0 + 0.2316419 * z.abs());
    let polynomial =
        COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    let tail = polynomial * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert_near(elo_of(0.75), 190.848_5, 1e-3);
        assert_near(score_of(100.0), 0.640_065, 1e-6);
        assert_near(elo_of(score_of(-37.0)), -37.0, 1e-9);
        assert_eq!((elo_of(0.0), elo_of(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// 100 pairs, worked by hand: mean (20·0.25 + 40·0.5 + 25·0.75 + 10·1)/100 = 0.5375, variance
    /// (5·0.5375² + 20·0.2875² + 40·0.0375² + 25·0.2125² + 10·0.4625²)/100 = 0.06421875.
    #[test]
    fn pairs_give_mean_variance_and_interval() {
        let pairs = Pentanomial([5, 20, 40, 25, 10]);
        assert_eq!(pairs.pairs(), 100);
        assert_near(pairs.mean(), 0.5375, 1e-12);
        assert_near(pairs.variance(), 0.064_218_75, 1e-12);
        // The standard error is 0.0253414; the interval of the score 0.487832 to 0.587168.
        let estimate = pairs.elo().unwrap();
        assert_near(estimate.elo, 26.107, 1e-2);
        assert_near(estimate.low, elo_of(0.537_5 - 0.049_668), 1e-1);
        assert_near(estimate.high, elo_of(0.537_5 + 0.049_668), 1e-1);
        // 0.0375 / 0.0253414 = 1.479789 standard errors.
        assert_near(pairs.superiority().unwrap(), 0.930_533, 1e-4);
        // 0.0375 / sqrt(0.1284375) = 0.104637, times 347.4356.
        assert_near(pairs.normalized_elo().unwrap(), 36.354_6, 1e-3);
    }

    #[test]
    fn nothing_played_and_nothing_lost() {
        assert_eq!(Pentanomial::default().elo(), None);
        assert_eq!(Pentanomial::default().superiority(), None);
        assert_eq!(Tally::default().score(), 0.5);
        let all_won = Pentanomial([0, 0, 0, 0, 7]);
        let elo = all_won.elo().unwrap();
        assert_eq!((elo.elo, elo.high), (f64::INFINITY, f64::INFINITY));
        assert_near(elo.low, elo_of(4.0 / 7.0), 1e-9);
        assert_eq!(all_won.normalized_elo(), None);
    }

    /// Equal scores do not make an interval of no width.
    #[test]
    fn pairs_of_one_score_have_an_interval() {
        let elo = Pentanomial([0, 0, 10, 0, 0]).elo().unwrap();
        assert_eq!(elo.elo, 0.0);
        assert_near(elo.low, elo_of(0.35), 1e-9);
        assert_near(elo.high, elo_of(0.65), 1e-9);
        let elo = Pentanomial([0, 0, 0, 10, 0]).elo().unwrap();
        assert_near(elo.low, elo_of(0.525), 1e-9);
        assert_near(elo.high, elo_of(0.825), 1e-9);
    }

    #[test]
    fn estimates_are_written_as_far_as_they_go() {
        let write = |pairs| Pentanomial(pairs).elo().unwrap().to_string();
        for (pairs, text) in [
            ([5, 20, 40, 25, 10], "+26.1 [-8.5, +61.2]"),
            ([0, 0, 10, 0, 0], "+0.0 [-107.5, +107.5]"),
            ([0, 0, 1, 0, 0], TOO_FEW_GAMES),
            ([0, 0, 3, 0, 0], TOO_FEW_GAMES),
            ([0, 0, 0, 0, 1], TOO_FEW_GAMES),
            ([0, 0, 0, 0, 6], TOO_FEW_GAMES),
            ([0, 0, 0, 0, 10], "more than +147.2 (every game won)"),
            ([10, 0, 0, 0, 0], "less than -147.2 (every game lost)"),
            ([0, 0, 1, 0, 1], "+190.8, at least -67.9"),
            ([1, 0, 1, 0, 0], "-190.8, at most +67.9"),
        ] {
            assert_eq!(write(pairs), text, "{pairs:?}");
        }
        let nothing = Estimate { elo: -0.01, low: -1.0, high: 1.0 };
        assert_eq!(nothing.to_string(), "+0.0 [-1.0, +1.0]");
    }

    #[test]
    fn pairs_are_counted_by_their_score() {
        let pairs = Pentanomial([1, 0, 7, 3, 2]);
        assert_eq!(pairs.to_string(), "0-2: 1, 0.5-1.5: 0, 1-1: 7, 1.5-0.5: 3, 2-0: 2");
    }

    #[test]
    fn tallies_count_points() {
        let mut tally = Tally::default();
        assert_eq!(tally.to_string(), "no games");
        [2, 2, 1, 0].into_iter().for_each(|half_points| tally.add(half_points));
        assert_eq!(tally.to_string(), "+2 -1 =1, 62.5 % of 4 games");
        assert_eq!(tally.reversed().score(), 0.375);
        assert_eq!(tally.plus(tally.reversed()), Tally { wins: 3, draws: 2, losses: 3 });
    }
}
