//! The best lines of a position, collected from the reports of a search, and as they are shown.

use crate::board::Position;
use crate::search::{Bound, Observer, Progress, RootStatus};
use crate::types::{Depth, Move, MoveKind, PieceKind, Score};

use super::rules::CoachRules;

/// A line of moves with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Seen from the side that makes the first move.
    pub score: Score,
    /// The depth to which the line was searched, in plies.
    pub depth: Depth,
    /// At least one move.
    pub moves: Vec<Move>,
}

impl Line {
    /// See [`Score::is_settled_at`].
    fn is_settled(&self) -> bool {
        self.score.is_settled_at(self.depth)
    }
}

/// The score before a move, if its player has this score after it: an end of the game is one ply further away.
pub fn before_move(score: Score) -> Score {
    Score::cp(score.value() - one_ply(score))
}

/// The score after a move, if its player has this score before it: an end of the game is one ply nearer.
pub(super) fn after_move(score: Score) -> Score {
    Score::cp(score.value() + one_ply(score))
}

/// By how much a score changes with each ply towards the end of the game; 0 if that is unknown.
fn one_ply(score: Score) -> i32 {
    if score.is_known_end() { score.value().signum() } else { 0 }
}

/// The moves of a line with a queen for each promoted man that is taken at once: then the choice makes no difference.
pub(super) fn with_queens<V: CoachRules>(start: &Position<V>, moves: &[Move]) -> Vec<Move> {
    let (mut shown, mut pos) = (moves.to_vec(), start.clone());
    for (index, &mv) in moves.iter().enumerate() {
        if !pos.legal_moves().contains(&mv) {
            break;
        }
        let taker = moves.get(index + 1).filter(|next| mv.is_promotion() && next.to() == mv.to());
        if let Some(taker) = taker {
            let kind = MoveKind::promotion(PieceKind::Queen, mv.is_capture());
            let queen = Move::new(mv.from(), mv.to(), kind);
            let after = pos.after(queen);
            if after.legal_moves().contains(taker) {
                shown[index] = queen;
            }
        }
        pos.make_move(mv);
    }
    shown
}

/// Collects the best lines of one search (MultiPV).
///
/// The lines are those of the last iteration that found all of them: scores of different depths are
/// not comparable.
#[derive(Clone, Debug)]
pub struct BestLines {
    wanted: usize,
    /// The lines of the iteration that runs.
    current: Vec<Line>,
    /// The lines of the last iteration that found all of them.
    complete: Vec<Line>,
}

impl BestLines {
    /// For a search that reports this many lines in each iteration: as many as were asked for, but no
    /// more than there are legal moves.
    pub fn new(wanted: usize) -> BestLines {
        BestLines { wanted, current: Vec::new(), complete: Vec::new() }
    }

    /// Are all lines forced ends of the game that a deeper search would find again?
    pub fn are_settled(&self) -> bool {
        !self.complete.is_empty() && self.complete.iter().all(Line::is_settled)
    }

    /// The lines at the end of the search, the best one first. `choice` is the line that the search has
    /// chosen: an unfinished iteration may have changed its mind, so this move comes first.
    pub fn finish(self, choice: Option<Line>) -> Vec<Line> {
        let mut lines = if self.complete.is_empty() { self.current } else { self.complete };
        let Some(choice) = choice.filter(|choice| !choice.moves.is_empty()) else { return lines };
        match lines.iter().position(|line| line.moves[0] == choice.moves[0]) {
            Some(place) => lines[..=place].rotate_right(1),
            None => lines.insert(0, choice),
        }
        lines.truncate(self.wanted);
        lines
    }
}

impl Observer for BestLines {
    fn line(&mut self, progress: Progress) {
        let Progress { score, depth, pv: moves, bound, line, .. } = progress;
        if bound != Bound::Exact || moves.is_empty() {
            return;
        }
        if line == 0 {
            self.current.clear();
        }
        if line == self.current.len() {
            self.current.push(Line { score, depth, moves });
        }
        if self.current.len() == self.wanted {
            self.complete.clone_from(&self.current);
        }
    }

    fn root(&mut self, _: RootStatus) {}
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::notation::parse_move;
    use crate::types::Square;
    use crate::variants::Standard;

    fn mv(from: &str, to: &str) -> Move {
        let square = |name| Square::parse(name).unwrap();
        Move::new(square(from), square(to), MoveKind::Quiet)
    }

    fn report(lines: &mut BestLines, depth: Depth, line: usize, first: Move, score: i32) {
        lines.line(Progress {
            depth,
            seldepth: depth,
            score: Score::cp(score),
            bound: Bound::Exact,
            time: Duration::ZERO,
            nodes: 0,
            tablebase_hits: 0,
            hashfull: 0,
            line,
            pv: vec![first],
        });
    }

    fn seen(lines: Vec<Line>) -> Vec<(String, i32, Depth)> {
        let line = |line: Line| (line.moves[0].to_string(), line.score.value(), line.depth);
        lines.into_iter().map(line).collect()
    }

    #[test]
    fn the_last_complete_iteration_counts() {
        let (a, b, c) = (mv("a2", "a3"), mv("b2", "b3"), mv("c2", "c3"));
        let mut lines = BestLines::new(2);
        report(&mut lines, 1, 0, a, 30);
        // Without a complete iteration, what there is must do.
        assert_eq!(seen(lines.clone().finish(None)), [("a2a3".to_owned(), 30, 1)]);
        report(&mut lines, 1, 1, b, 20);
        report(&mut lines, 2, 0, b, 50);
        let complete = [("a2a3".to_owned(), 30, 1), ("b2b3".to_owned(), 20, 1)];
        assert_eq!(seen(lines.clone().finish(None)), complete);
        // The search has changed its mind: its choice comes first.
        let choice = |mv| Some(Line { score: Score::cp(50), depth: 2, moves: vec![mv] });
        let [first, second] = complete;
        assert_eq!(seen(lines.clone().finish(choice(b))), [second, first.clone()]);
        assert_eq!(seen(lines.finish(choice(c))), [("c2c3".to_owned(), 50, 2), first]);
    }

    #[test]
    fn a_promoted_man_that_is_taken_at_once_is_a_queen() {
        let pos = Position::<Standard>::from_fen("6nk/5P2/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let shown = |text: &str| {
            let (mut end, mut moves) = (pos.clone(), Vec::new());
            for text in text.split(' ') {
                moves.push(parse_move(&end, text).unwrap());
                end.make_move(moves[moves.len() - 1]);
            }
            let shown: Vec<String> =
                with_queens(&pos, &moves).iter().map(Move::to_string).collect();
            shown.join(" ")
        };
        assert_eq!(shown("fxg8=R+ Kxg8 Ke2"), "f7g8q h8g8 e1e2");
        assert_eq!(shown("fxg8=B Kg7 Ke2"), "f7g8b h8g7 e1e2");
        assert_eq!(shown("Ke2 Kg7 fxg8=N Kxg8"), "e1e2 h8g7 f7g8q g7g8");
    }

    #[test]
    fn forced_ends_settle_a_search() {
        let (a, b) = (mv("a2", "a3"), mv("b2", "b3"));
        let mut lines = BestLines::new(2);
        assert!(!lines.are_settled());
        report(&mut lines, 6, 0, a, Score::win_in(3).value());
        report(&mut lines, 6, 1, b, 20);
        assert!(!lines.are_settled());
        report(&mut lines, 7, 0, a, Score::win_in(3).value());
        report(&mut lines, 7, 1, b, Score::win_in(5).value());
        assert!(!lines.are_settled());
        report(&mut lines, 10, 0, a, Score::win_in(3).value());
        report(&mut lines, 10, 1, b, Score::win_in(5).value());
        assert!(lines.are_settled());
    }
}
