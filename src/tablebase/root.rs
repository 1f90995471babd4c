//! Which root moves keep the result of a position, and make progress under the fifty-move rule.

use std::cmp::Ordering;

use super::{SyzygyTables, TableResult};
use crate::board::{FIFTY_MOVES, Position, Rules};
use crate::types::Move;

/// What the tables say about moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootAdvice {
    /// The moves, the best first; never empty.
    pub moves: Vec<RankedMove>,
    /// Do the best moves make progress, too? Only DTZ tables tell.
    pub makes_progress: bool,
}

/// A move of the root as the tables see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub mv: Move,
    /// Greater for a better move. Where moves rank alike, the tables leave the choice to the search.
    pub rank: i32,
    /// The result after the move with best play, for the side that makes it.
    pub result: TableResult,
}

/// The rank of a move that wins, or loses, whatever the halfmove clock is. Ranks near half of it
/// depend on the clock, and 0 is a draw.
const CERTAIN: i32 = 1 << 20;
const UNCERTAIN: i32 = CERTAIN / 2;

impl RootAdvice {
    /// By DTZ tables. Moves that win in time rank alike, so that the search can choose among them. As
    /// soon as a position has repeated, or if no move surely wins in time, the shortest distance ranks
    /// first. In lost positions, a move that may reach the fifty-move rule ranks first.
    pub(super) fn by_distance<R: Rules>(
        tables: &SyzygyTables,
        pos: &Position<R>,
        moves: &[Move],
    ) -> Option<RootAdvice> {
        if !tables.has_dtz() {
            return None;
        }
        let clock = pos.halfmove_clock() as i32;
        let limit = FIFTY_MOVES as i32;
        let has_repeated = pos.has_repeated();
        let rank = |child: &Position<R>| {
            if is_mated(child) {
                return Some(CERTAIN);
            }
            let distance = if is_drawn(child) {
                0
            } else if child.halfmove_clock() == 0 {
                match tables.result(child)? {
                    TableResult::Loss => 1,
                    TableResult::BlessedLoss => limit + 1,
                    TableResult::CursedWin => -limit - 1,
                    TableResult::Win => -1,
                    _ => 0,
                }
            } else {
                let after = -tables.distance(child)?;
                after + after.signum()
            };
            Some(match distance.cmp(&0) {
                Ordering::Greater if distance + clock < limit && !has_repeated => CERTAIN,
                Ordering::Greater => UNCERTAIN - (distance + clock),
                Ordering::Equal => 0,
                // The opponent may need twice the distance.
                Ordering::Less if clock - 2 * distance < limit => -CERTAIN,
                Ordering::Less => -UNCERTAIN + (clock - distance),
            })
        };
        let result = |rank: i32| match rank {
            rank if rank >= UNCERTAIN - limit => TableResult::Win,
            1.. => TableResult::CursedWin,
            0 => TableResult::Draw,
            rank if rank > limit - UNCERTAIN => TableResult::BlessedLoss,
            _ => TableResult::Loss,
        };
        RootAdvice::by_rank(pos, moves, rank, result, true)
    }

    /// By WDL tables alone.
    pub(super) fn by_result<R: Rules>(
        tables: &SyzygyTables,
        pos: &Position<R>,
        moves: &[Move],
    ) -> Option<RootAdvice> {
        let rank = |child: &Position<R>| {
            if is_mated(child) {
                return Some(CERTAIN);
            }
            let result = if is_drawn(child) { TableResult::Draw } else { tables.result(child)? };
            Some(match result {
                TableResult::Loss | TableResult::LossIn(_) => 2,
                TableResult::BlessedLoss => 1,
                TableResult::Draw => 0,
                TableResult::CursedWin => -1,
                TableResult::Win | TableResult::WinIn(_) => -2,
            })
        };
        let result = |rank: i32| match rank {
            2.. => TableResult::Win,
            1 => TableResult::CursedWin,
            0 => TableResult::Draw,
            -1 => TableResult::BlessedLoss,
            _ => TableResult::Loss,
        };
        RootAdvice::by_rank(pos, moves, rank, result, false)
    }

    /// The moves by their ranks; equal ones keep their order. `None` if the rank of a move is not known, or without
    /// moves.
    fn by_rank<R: Rules>(
        pos: &Position<R>,
        moves: &[Move],
        rank: impl Fn(&Position<R>) -> Option<i32>,
        result: impl Fn(i32) -> TableResult,
        makes_progress: bool,
    ) -> Option<RootAdvice> {
        let mut child = pos.clone();
        let rank_move = |&mv: &Move| {
            child.make_move(mv);
            let rank = rank(&child);
            child.unmake_move();
            rank.map(|rank| RankedMove { mv, rank, result: result(rank) })
        };
        let mut moves: Vec<RankedMove> = moves.iter().map(rank_move).collect::<Option<_>>()?;
        moves.sort_by_key(|entry| -entry.rank);
        (!moves.is_empty()).then_some(RootAdvice { moves, makes_progress })
    }
}

fn is_mated<R: Rules>(pos: &Position<R>) -> bool {
    pos.in_check() && pos.count_legal_moves() == 0
}

/// Has the game ended with a draw?
fn is_drawn<R: Rules>(pos: &Position<R>) -> bool {
    pos.outcome().is_some_and(|outcome| outcome.winner.is_none())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::notation::parse_move;
    use crate::variants::Standard;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

    /// A rook wins, by its moves in 29 plies (2 moves), 31 (6 moves) or 33 (7 moves). Black loses in 26
    /// plies (2 moves), 28 (1 move) or 30 (5 moves).
    fn rook(side: char, clock: usize) -> Position<Standard> {
        Position::from_fen(&format!("8/8/8/3k4/8/8/8/KR6 {side} - - {clock} 90")).unwrap()
    }

    /// How many moves are best, and the result.
    fn advice(pos: &Position<Standard>) -> (usize, TableResult) {
        let tables = SyzygyTables::open_all(&[Path::new(FOLDER)]).unwrap();
        let advice = RootAdvice::by_distance(&tables, pos, &pos.legal_moves()).unwrap();
        let best = advice.moves[0];
        (advice.moves.iter().filter(|entry| entry.rank == best.rank).count(), best.result)
    }

    #[test]
    fn moves_that_win_by_the_99th_ply_of_the_clock_are_alike() {
        for (clock, moves, result) in [
            (0, 15, TableResult::Win),
            (66, 15, TableResult::Win),
            (67, 8, TableResult::Win),
            (68, 8, TableResult::Win),
            (69, 2, TableResult::Win),
            (70, 2, TableResult::Win),
            (71, 2, TableResult::Win),
            (72, 2, TableResult::CursedWin),
        ] {
            assert_eq!(advice(&rook('w', clock)), (moves, result), "{clock}");
        }
    }

    #[test]
    fn the_shortest_win_is_played_after_a_repetition() {
        assert_eq!(advice(&rook('w', 4)), (15, TableResult::Win));
        let mut pos = rook('w', 0);
        for text in ["Rc1", "Ke5", "Rb1", "Kd5"] {
            pos.make_move(parse_move(&pos, text).unwrap());
        }
        assert_eq!(advice(&pos), (2, TableResult::Win));
    }

    #[test]
    fn the_longest_defence_is_played_when_it_may_reach_the_fifty_move_rule() {
        for (clock, moves, result) in [
            (0, 8, TableResult::Loss),
            (39, 8, TableResult::Loss),
            (40, 5, TableResult::Loss),
            (70, 5, TableResult::Loss),
            (71, 5, TableResult::BlessedLoss),
        ] {
            assert_eq!(advice(&rook('b', clock)), (moves, result), "{clock}");
        }
    }
}
