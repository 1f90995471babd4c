//! Ratings of all players of a tournament on one scale, from who scored what against whom.
//!
//! The model is that of Bradley and Terry: a player of strength `a` scores `a / (a + b)` against one of
//! strength `b`. It is the Elo scale with strengths in place of their logarithms. The strengths are those
//! of the greatest likelihood, found by minorization-maximization: D. R. Hunter, "MM algorithms for
//! generalized Bradley-Terry models", The Annals of Statistics 32 (2004), section 2. A draw counts as half
//! a win of each player.
//!
//! Each player also has one draw, which was not played, against an imaginary player of strength 1. So a
//! player who won all games has a finite rating, and players who are not connected by games can be
//! compared, if with wide intervals. After many games the draw hardly matters.

use super::statistics::{Estimate, Tally, Z95};

/// The games of two players against each other, from the point of view of the first.
pub type Meeting = ((usize, usize), Tally);

/// What a draw against the imaginary player is worth.
const PRIOR_POINTS: f64 = 0.5;
const PRIOR_GAMES: f64 = 1.0;

/// The iteration ends when no strength changes by more than this share of it.
const TOLERANCE: f64 = 1e-10;
const MAX_ITERATIONS: usize = 100_000;
/// The longest step of the logarithm of the common factor: where nearly all strengths are far from 1, a step
/// may be too long.
const LONGEST_STEP: f64 = 2.0;

/// Elo points for a factor of e in strength.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of the players 0 to `players - 1`, in Elo above the mean of all who have played; `None` for a
/// player without a game. The interval is one of 95 %, from the observed Fisher information.
///
/// The information is that of games that are won or lost and do not depend on one another. Draws and pairs
/// of games with the same opening vary less: with many of them the true interval is narrower.
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<Option<Estimate>> {
    let mut has_played = vec![false; players];
    for &((first, second), tally) in meetings {
        has_played[first] |= tally.games() > 0;
        has_played[second] |= tally.games() > 0;
    }
    let active: Vec<usize> = (0..players).filter(|&player| has_played[player]).collect();
    let results = Results::new(&active, meetings);
    let strengths = results.strengths();
    let covariance = invert(results.information(&strengths));
    let logs: Vec<f64> = strengths.iter().map(|strength| strength.ln()).collect();
    let (mean_log, row_means) = (mean(&logs), covariance.iter().map(|row| mean(row)));
    let row_means: Vec<f64> = row_means.collect();
    let mean_covariance = mean(&row_means);
    let mut ratings = vec![None; players];
    for (place, &player) in active.iter().enumerate() {
        let elo = ELO_PER_NAT * (logs[place] - mean_log);
        // The variance of the difference to the mean of all.
        let variance = covariance[place][place] - 2.0 * row_means[place] + mean_covariance;
        let error = ELO_PER_NAT * Z95 * variance.max(0.0).sqrt();
        ratings[player] = Some(Estimate { elo, low: elo - error, high: elo + error });
    }
    ratings
}

/// The results of the players that have played, by their places in the list of these.
struct Results {
    /// The points of each, without the draw against the imaginary player.
    points: Vec<f64>,
    /// The number of games of each against each.
    games: Vec<Vec<f64>>,
}

impl Results {
    fn new(active: &[usize], meetings: &[Meeting]) -> Results {
        let count = active.len();
        let mut results =
            Results { points: vec![0.0; count], games: vec![vec![0.0; count]; count] };
        for &((first, second), tally) in meetings {
            let place = |player| active.iter().position(|&other| other == player);
            if let (Some(first), Some(second)) = (place(first), place(second)) {
                results.points[first] += tally.points();
                results.points[second] += tally.reversed().points();
                results.games[first][second] += tally.games() as f64;
                results.games[second][first] += tally.games() as f64;
            }
        }
        results
    }

    /// The strengths of the greatest likelihood.
    fn strengths(&self) -> Vec<f64> {
        let mut strengths = vec![1.0; self.points.len()];
        for _ in 0..MAX_ITERATIONS {
            let mut change = 0.0_f64;
            for player in 0..strengths.len() {
                let old = strengths[player];
                let opponents = self.games[player].iter().zip(&strengths);
                let weight: f64 = opponents.map(|(games, other)| games / (old + other)).sum();
                let new =
                    (self.points[player] + PRIOR_POINTS) / (weight + PRIOR_GAMES / (old + 1.0));
                change = change.max((new / old - 1.0).abs());
                strengths[player] = new;
            }
            rescale(&mut strengths);
            if change <= TOLERANCE {
                break;
            }
        }
        strengths
    }

    /// The Fisher information about the logarithms of the strengths.
    fn information(&self, strengths: &[f64]) -> Vec<Vec<f64>> {
        // The variance of a game between players of these strengths.
        let variance = |a: f64, b: f64| a * b / (a + b).powi(2);
        let mut information = vec![vec![0.0; strengths.len()]; strengths.len()];
        for (player, &own) in strengths.iter().enumerate() {
            information[player][player] = PRIOR_GAMES * variance(own, 1.0);
            for (opponent, &other) in strengths.iter().enumerate() {
                let share = self.games[player][opponent] * variance(own, other);
                information[player][player] += share;
                information[player][opponent] -= share;
            }
        }
        information
    }
}

/// Multiplies all strengths by a factor that brings the draws against the imaginary player near their
/// greatest likelihood: a step of Newton's method. Other games say nothing of this factor, so the iteration
/// alone finds it in as many sweeps as a player has games, and more.
fn rescale(strengths: &mut [f64]) {
    let expected = strengths.iter().map(|strength| strength / (strength + 1.0));
    let (slope, curvature) = expected.fold((0.0, 0.0), |(slope, curvature), expected| {
        let variance = expected * (1.0 - expected);
        (slope + PRIOR_POINTS - PRIOR_GAMES * expected, curvature + PRIOR_GAMES * variance)
    });
    let factor = (slope / curvature).clamp(-LONGEST_STEP, LONGEST_STEP).exp();
    strengths.iter_mut().for_each(|strength| *strength *= factor);
}

/// The inverse of a positive definite matrix, by the method of Gauss and Jordan. Such a matrix needs no
/// exchange of rows.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for pivot in 0..size {
        let factor = 1.0 / matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|value| *value *= factor);
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|&(place, _)| place != pivot) {
            let factor = std::mem::take(&mut row[pivot]);
            row.iter_mut().zip(&pivot_row).for_each(|(value, above)| *value -= factor * above);
        }
    }
    matrix
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::tournament::statistics::score_of;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    fn assert_near(value: f64, expected: f64) {
        assert!((value - expected).abs() <= 0.05, "{value} is not {expected}");
    }

    fn assert_rating(rating: Option<Estimate>, elo: f64, error: f64) {
        let rating = rating.unwrap();
        assert_near(rating.elo, elo);
        assert_near(rating.low, elo - error);
        assert_near(rating.high, elo + error);
    }

    /// Player 1 has 3.5 of 4 against player 0, and player 2 has 0.5. By symmetry player 0 has strength 1,
    /// and with the draw against the imaginary player 4/5 = a / (a + 1), so a = 4 for player 1, and 1/4
    /// for player 2: 400 log10(4) = 240.82 Elo.
    ///
    /// The variance of each game is 0.8 * 0.2 = 0.16, and that of the imaginary one of player 0 is 0.25.
    /// The information is 4 * 0.16 * 2 + 0.25 = 1.53 for player 0, 5 * 0.16 = 0.8 for the others, and
    /// -0.64 between player 0 and each other. Its inverse: 1 / (1.53 - 2 * 0.64^2 / 0.8) = 1.976285 for
    /// player 0, 1.25 + 0.64 * 1.976285 = 2.514822 for the others, 0.8 * 1.976285 = 1.581028 between them
    /// and player 0, and 1.264822 between them. Its rows have the means 1.712780 and 1.786891, and it has
    /// 1.762187. So the variances of the differences to the mean are 0.312912 and 0.703227, and the
    /// errors 1.959964 * 173.7178 * 0.559385 = 190.46 and 285.52.
    #[test]
    fn a_gauntlet_worked_by_hand() {
        let meetings = [((0, 1), tally(0, 1, 3)), ((0, 2), tally(3, 1, 0))];
        let [first, second, third] = ratings(3, &meetings).try_into().unwrap();
        assert_rating(first, 0.0, 190.46);
        assert_rating(second, 240.82, 285.52);
        assert_rating(third, -240.82, 285.52);
    }

    /// At the greatest likelihood each player is expected to have the points that it has. Here the mean
    /// of the logarithms is nearly that of the imaginary player, so its draw can be left out.
    #[test]
    fn the_ratings_explain_the_points() {
        let meetings = [
            ((0, 1), tally(500, 300, 200)),
            ((0, 2), tally(350, 200, 450)),
            ((1, 3), tally(100, 500, 400)),
            ((2, 3), tally(700, 200, 100)),
        ];
        let elos: Vec<f64> = ratings(4, &meetings).iter().map(|it| it.unwrap().elo).collect();
        assert_near(elos.iter().sum(), 0.0);
        for player in 0..4 {
            let (mut points, mut expected) = (0.0, 0.0);
            for &((first, second), tally) in &meetings {
                let (opponent, tally) = match player {
                    _ if player == first => (second, tally),
                    _ if player == second => (first, tally.reversed()),
                    _ => continue,
                };
                points += tally.points();
                expected += tally.games() as f64 * score_of(elos[player] - elos[opponent]);
            }
            assert!((points - expected).abs() < 0.5, "{player}: {points}, expected {expected}");
        }
    }

    /// The weak opponents of player 0 and the strong ones of player 1 do not count for or against them.
    #[test]
    fn opponents_count() {
        let weak_and_strong =
            [((0, 1), tally(40, 0, 60)), ((0, 2), tally(90, 0, 10)), ((1, 3), tally(30, 0, 70))];
        let ratings = ratings(4, &weak_and_strong).into_iter().flatten().collect::<Vec<_>>();
        // Player 0 has 130 of 200 points, player 1 has 90.
        assert!(ratings[1].elo > ratings[0].elo);
        assert!(ratings[3].elo > ratings[1].elo);
        assert!(ratings[0].elo > ratings[2].elo);
    }

    /// 20.5 of 21 with the draw: a / (a + b) is not 1. The two strengths are a and 1 / a.
    #[test]
    fn a_player_who_won_all_games_has_a_finite_rating() {
        let ratings = ratings(3, &[((0, 2), tally(20, 0, 0))]);
        let (best, worst) = (ratings[0].unwrap(), ratings[2].unwrap());
        assert!((200.0..600.0).contains(&best.elo), "{best}");
        assert_near(best.elo, -worst.elo);
        assert!(best.low > 0.0 && best.high.is_finite(), "{best}");
        assert_eq!(ratings[1], None, "without a game");
        assert_eq!(super::ratings(2, &[((0, 1), Tally::default())]), [None, None]);
    }

    #[test]
    fn more_games_make_the_interval_narrow() {
        let width = |games: u64| {
            let meetings = [((0, 1), tally(games, 0, games)), ((1, 2), tally(games, 0, games))];
            let rating = ratings(3, &meetings)[0].unwrap();
            rating.high - rating.low
        };
        let (some, many) = (width(100), width(10_000));
        assert!((9.0..11.0).contains(&(some / many)), "{some}, {many}");
    }
}
