//! The sequential probability ratio test (SPRT): ends a match as soon as one of two hypotheses about
//! the Elo difference can be accepted.
//!
//! The log-likelihood ratio (LLR) is the generalised one over the pentanomial: each hypothesis is
//! represented by the shares of the five outcomes that are likeliest among all shares whose mean is
//! the score that the hypothesis expects.

use std::fmt;
use std::str::FromStr;

use super::statistics::{PAIR_SCORES, Pentanomial, mean, score_of};

/// A test of `elo0` against `elo1`. `alpha` is the probability of accepting `elo1` wrongly, `beta`
/// that of accepting `elo0` wrongly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// `elo1` is accepted.
    Accepted,
    /// `elo0` is accepted.
    Rejected,
    Open,
}

impl fmt::Display for SprtDecision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            SprtDecision::Accepted => "H1 accepted",
            SprtDecision::Rejected => "H0 accepted",
            SprtDecision::Open => "no verdict",
        })
    }
}

/// The greatest difference. At much greater ones, the expected score is 1 in floating point, and the LLR no number.
const MOST_ELO: f64 = 1000.0;

/// What is wrong with the text of `--sprt`.
#[derive(Debug, thiserror::Error)]
pub enum SprtError {
    #[error("bad setting `{0}`; known: elo0=, elo1=, alpha=, beta=, each with a number")]
    Setting(String),
    #[error("elo0 must be less than elo1")]
    Order,
    #[error("elo0 and elo1 must lie between -{MOST_ELO} and {MOST_ELO}")]
    Extreme,
    #[error("alpha and beta must lie between 0 and 0.5")]
    Chances,
}

/// `elo0=0 elo1=10 alpha=0.05 beta=0.05`. These are the defaults of missing settings.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let mut sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        for word in text.split_whitespace() {
            let wrong = || SprtError::Setting(word.to_owned());
            let (name, value) = word.split_once('=').ok_or_else(wrong)?;
            let slot = match name {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                _ => return Err(wrong()),
            };
            *slot = value.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(wrong)?;
        }
        if sprt.elo0 >= sprt.elo1 {
            return Err(SprtError::Order);
        }
        if sprt.elo0 < -MOST_ELO || sprt.elo1 > MOST_ELO {
            return Err(SprtError::Extreme);
        }
        let is_chance = |value: f64| value > 0.0 && value < 0.5;
        if !is_chance(sprt.alpha) || !is_chance(sprt.beta) {
            return Err(SprtError::Chances);
        }
        Ok(sprt)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "elo0={} elo1={} alpha={} beta={}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl Sprt {
    /// The LLR below which `elo0` is accepted, and the LLR above which `elo1` is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of `elo1` over `elo0`.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        // An outcome that has not happened yet is not impossible.
        let seen = pairs.shares(1e-3);
        let at0 = most_likely(&seen, score_of(self.elo0));
        let at1 = most_likely(&seen, score_of(self.elo1));
        let per_pair: f64 = (0..5).map(|i| seen[i] * (at1[i] / at0[i]).ln()).sum();
        per_pair * pairs.pairs() as f64
    }

    pub fn decision(&self, pairs: &Pentanomial) -> SprtDecision {
        let (lower, upper) = self.bounds();
        match self.llr(pairs) {
            llr if llr >= upper => SprtDecision::Accepted,
            llr if llr <= lower => SprtDecision::Rejected,
            _ => SprtDecision::Open,
        }
    }
}

/// Among the distributions with mean `score`, the one under which `seen` is likeliest.
///
/// It is `seen[i] / (1 + t · (PAIR_SCORES[i] − score))`, where `t` is the Lagrange multiplier of the
/// condition on the mean. The left side of the condition falls in `t`, so bisection finds `t`.
fn most_likely(seen: &[f64; 5], score: f64) -> [f64; 5] {
    let shares_at =
        |t: f64| std::array::from_fn(|i| seen[i] / (1.0 + t * (PAIR_SCORES[i] - score)));
    // Where the first and the last share would change sign.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..100 {
        let t = (low + high) / 2.0;
        let shares: [f64; 5] = shares_at(t);
        if mean(&shares) - score * shares.iter().sum::<f64>() > 0.0 { low = t } else { high = t }
    }
    shares_at((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn bounds_of_five_per_cent() {
        let (lower, upper) = sprt(0.0, 10.0).bounds();
        assert!((upper - 2.944_439).abs() < 1e-6 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn constrained_shares_have_the_mean() {
        let seen = Pentanomial([5, 20, 40, 25, 10]).shares(1e-3);
        for score in [0.3, 0.5, score_of(10.0), 0.8] {
            let shares = most_likely(&seen, score);
            assert!((mean(&shares) - score).abs() < 1e-9);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(shares.iter().all(|&share| share > 0.0));
        }
    }

    /// The reference values were computed by an independent program that maximises the likelihood
    /// numerically under the constraint.
    #[test]
    fn ratios_agree_with_a_numerical_maximiser() {
        for (elo0, elo1, counts, expected) in REFERENCE {
            let llr = sprt(elo0, elo1).llr(&Pentanomial(counts));
            assert!((llr - expected).abs() < 1e-3, "{counts:?}: {llr} is not {expected}");
        }
    }

    const REFERENCE: [(f64, f64, [u64; 5], f64); 5] = [
        (0.0, 10.0, [5, 20, 40, 25, 10], 0.671_58),
        (0.0, 40.0, [1, 5, 20, 40, 30], 9.893_01),
        (-10.0, 5.0, [100, 500, 900, 480, 110], 2.981_58),
        (0.0, 5.0, [0, 3, 10, 4, 0], 0.052_858),
        (0.0, 20.0, [400, 1000, 700, 1100, 450], -0.770_764),
    ];

    #[test]
    fn verdicts() {
        assert_eq!(
            sprt(0.0, 40.0).decision(&Pentanomial([1, 5, 20, 40, 30])),
            SprtDecision::Accepted
        );
        assert_eq!(
            sprt(0.0, 40.0).decision(&Pentanomial([30, 40, 20, 5, 1])),
            SprtDecision::Rejected
        );
        assert_eq!(sprt(0.0, 40.0).decision(&Pentanomial([0, 0, 0, 0, 1])), SprtDecision::Open);
        assert_eq!(sprt(0.0, 40.0).decision(&Pentanomial::default()), SprtDecision::Open);
    }

    #[test]
    fn texts_of_tests() {
        let test: Sprt = "elo0=-5 elo1=0 alpha=0.1".parse().unwrap();
        assert_eq!(test, Sprt { elo0: -5.0, elo1: 0.0, alpha: 0.1, beta: 0.05 });
        assert_eq!(test.to_string().parse::<Sprt>().unwrap(), test);
        for wrong in ["elo0=5 elo1=5", "elo=3", "elo0", "elo0=x", "alpha=0", "beta=0.7", "elo1=inf"]
        {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
        for extreme in ["elo1=1001", "elo0=-1e9"] {
            let error = extreme.parse::<Sprt>().unwrap_err().to_string();
            assert_eq!(error, "elo0 and elo1 must lie between -1000 and 1000");
        }
        let widest: Sprt = "elo0=-1000 elo1=1000".parse().unwrap();
        assert!(widest.llr(&Pentanomial([0, 0, 0, 0, 3])) > 0.0);
    }
}
