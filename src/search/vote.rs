//! The vote of the threads: which of their results is the search's.
//!
//! Threads that search the same root end in different iterations and with different moves. Each thread
//! votes for its best move; its vote counts more the deeper it has searched and the better it thinks of
//! the move. The idea and its weights come from Stockfish. Pure arithmetic on finished results.

use std::cmp::Reverse;

use crate::types::Depth;

use super::root::RootMove;

/// What a thread has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The last finished iteration, in plies.
    pub depth: Depth,
    /// The best move with its score and line.
    pub best: RootMove,
}

/// The weight of a vote for the worst score, in centipawns.
const LEAST_WEIGHT: i64 = 14;

/// The index of the result that counts. The first one is the main thread's, which wins ties. A win that is
/// found decides alone, the nearest one first.
///
/// # Panics
/// If there is no result.
pub fn elect(results: &[Found]) -> usize {
    let score = |found: &Found| found.best.score.value();
    let best_score = results.iter().max_by_key(|found| score(found)).expect("there is a result");
    if best_score.best.score.is_win() {
        let is_best = |found: &Found| score(found) == score(best_score);
        return results.iter().position(is_best).unwrap_or(0);
    }
    let worst = results.iter().map(score).min().unwrap_or(0);
    let weight = |found: &Found| {
        (i64::from(score(found) - worst) + LEAST_WEIGHT) * i64::from(found.depth.max(1))
    };
    let votes =
        |mv| -> i64 { results.iter().filter(|found| found.best.mv == mv).map(weight).sum() };
    // Of those with the elected move, the result with the greatest weight has the best line.
    let rank = |&index: &usize| {
        let found: &Found = &results[index];
        (votes(found.best.mv), weight(found), Reverse(index))
    };
    (0..results.len()).max_by_key(rank).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Move, MoveKind, Score, Square};

    fn found(to: &str, depth: Depth, score: Score) -> Found {
        let square = |name| Square::parse(name).unwrap();
        let mv = Move::new(square("a1"), square(to), MoveKind::Quiet);
        let best = RootMove { mv, score, previous: score, pv: vec![mv], nodes: 0, seldepth: depth };
        Found { depth, best }
    }

    fn cp(value: i32) -> Score {
        Score::cp(value)
    }

    #[test]
    fn one_thread_decides_alone() {
        assert_eq!(elect(&[found("b1", 9, cp(-30))]), 0);
    }

    #[test]
    fn equal_threads_leave_it_to_the_main_one() {
        assert_eq!(elect(&[found("b1", 9, cp(20)), found("c1", 9, cp(20))]), 0);
        assert_eq!(elect(&[found("b1", 9, cp(20)), found("b1", 9, cp(20))]), 0);
    }

    #[test]
    fn depth_score_and_number_count() {
        assert_eq!(elect(&[found("b1", 9, cp(20)), found("c1", 10, cp(20))]), 1, "deeper");
        assert_eq!(elect(&[found("b1", 9, cp(20)), found("c1", 9, cp(21))]), 1, "better");
        // 9 * 24 votes against 2 * 8 * 14.
        let two = [found("b1", 9, cp(30)), found("c1", 8, cp(20)), found("c1", 8, cp(20))];
        assert_eq!(elect(&two), 1, "two against one");
        let line = [found("b1", 8, cp(20)), found("b1", 9, cp(20)), found("c1", 8, cp(20))];
        assert_eq!(elect(&line), 1, "the deeper line of the elected move");
    }

    #[test]
    fn the_nearest_win_decides() {
        let (far, near) = (Score::win_in(9), Score::win_in(5));
        let results = [found("b1", 30, far), found("b1", 30, far), found("c1", 8, near)];
        assert_eq!(elect(&results), 2);
        assert_eq!(elect(&[found("b1", 30, cp(900)), found("c1", 8, near)]), 1);
        // Who sees that a move loses does not vote for it with weight.
        let lost = [found("b1", 12, Score::loss_in(6)), found("c1", 9, cp(-200))];
        assert_eq!(elect(&lost), 1);
    }
}
