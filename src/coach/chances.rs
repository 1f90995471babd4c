//! Scores as chances, and the accuracy of a player.

use crate::types::Score;

/// How fast a lead in centipawns raises the chances. Lichess fitted it to games of people.
const SLOPE: f64 = 0.003_682_08;

/// From this lead on, in centipawns, a side is winning.
pub(super) const WINNING_LEAD: i32 = 300;

/// Is the other side winning?
pub(super) fn is_lost(score: Score) -> bool {
    score.value() <= -WINNING_LEAD
}

/// The share of the points that a player with this score can expect among people, 0 to 1; a draw
/// counts half. A forced win is 1, a forced loss 0.
pub fn win_chances(score: Score) -> f64 {
    if score.is_win() {
        1.0
    } else if score.is_loss() {
        0.0
    } else {
        1.0 / (1.0 + (-SLOPE * f64::from(score.value())).exp())
    }
}

/// How well a player has played, in percent: the mean over the player's moves, each judged by what
/// it lost in chances (0 to 1). `None` without a move. The curve of a single move is Lichess's.
pub fn accuracy(losses: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for loss in losses {
        let percent = 103.1668 * (-4.354 * loss.max(0.0)).exp() - 3.1669;
        sum += percent.clamp(0.0, 100.0);
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_fair_and_end_at_certainty() {
        assert_eq!(win_chances(Score::ZERO), 0.5);
        let ahead = win_chances(Score::cp(100));
        assert!((ahead - 0.591).abs() < 0.001, "{ahead}");
        assert!((ahead + win_chances(Score::cp(-100)) - 1.0).abs() < 1e-12);
        assert_eq!(win_chances(Score::win_in(5)), 1.0);
        assert_eq!(win_chances(Score::loss_in(4)), 0.0);
        assert_eq!(win_chances(Score::table_win(9)), 1.0);
    }

    #[test]
    fn accuracy_is_a_mean_of_moves() {
        assert_eq!(accuracy([]), None);
        let perfect = accuracy([0.0, 0.0]).unwrap();
        assert!((perfect - 99.999_9).abs() < 0.001, "{perfect}");
        let mixed = accuracy([0.0, 1.0]).unwrap();
        assert!((mixed - 50.0).abs() < 0.01, "{mixed}");
        let tenth = accuracy([0.1]).unwrap();
        assert!((tenth - 63.58).abs() < 0.01, "{tenth}");
    }
}
