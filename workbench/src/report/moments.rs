//! The critical moments of a game: the moves from which its players can learn most.

use super::annotation::AnnotatedGame;

/// The greatest number of moments of a game.
const MOST: usize = 8;
/// The least loss of a critical moment, as a share of the chances.
const LEAST_LOSS: f64 = 0.05;

/// The moves that gave most away, in the order of the game, by their index: at most eight, and each at
/// least 5 % of the chances.
pub fn critical_moments(game: &AnnotatedGame) -> Vec<usize> {
    let losses = game.plies.iter().map(|ply| ply.judgement.loss);
    greatest(&losses.collect::<Vec<f64>>())
}

/// The most instructive moments.
const MOST_INSTRUCTIVE: usize = 3;
/// A mistake whose punishment is known teaches as much as one that loses this much more.
const NAMED: f64 = 0.15;

/// The critical moments from which most can be learnt, in the order of the game: at most three, those that gave most
/// away, but rather those whose punishment is known.
pub fn instructive_moments(game: &AnnotatedGame) -> Vec<usize> {
    let worth = |index: usize| {
        let ply = &game.plies[index];
        lesson(ply.judgement.loss, ply.punishment.is_some())
    };
    let mut moments = critical_moments(game);
    moments.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
    moments.truncate(MOST_INSTRUCTIVE);
    moments.sort_unstable();
    moments
}

/// What a moment is worth as a lesson.
fn lesson(loss: f64, is_named: bool) -> f64 {
    loss + if is_named { NAMED } else { 0.0 }
}

fn greatest(losses: &[f64]) -> Vec<usize> {
    let mut moments: Vec<usize> =
        (0..losses.len()).filter(|&index| losses[index] >= LEAST_LOSS).collect();
    // Of equal losses the earlier ones come first: the sort is stable.
    moments.sort_by(|&a, &b| losses[b].total_cmp(&losses[a]));
    moments.truncate(MOST);
    moments.sort_unstable();
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_win_teaches_more_than_a_lost_tempo() {
        assert!(lesson(0.4, false) > lesson(0.06, true));
        assert!(lesson(0.3, true) > lesson(0.4, false));
    }

    #[test]
    fn the_greatest_losses_are_moments_in_the_order_of_the_game() {
        assert_eq!(greatest(&[]), [0; 0]);
        assert_eq!(greatest(&[0.0, 0.3, 0.049, 0.05, 1.0]), [1, 3, 4]);
        let mut losses = vec![0.1; 10];
        losses[9] = 0.2;
        assert_eq!(greatest(&losses), [0, 1, 2, 3, 4, 5, 6, 9]);
    }
}
