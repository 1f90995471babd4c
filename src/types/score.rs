//! Scores in centipawns, seen from the side to move.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use super::{Color, Depth, Ply};

/// A score in centipawns, from the side to move. A score of `MATE - n` is a forced win in `n`
/// plies, by mate or by an end of the game that the variant adds; its negative is a forced loss.
///
/// A score of `TABLE_WIN - n` is a win by the endgame tables after `n` plies, at an unknown distance
/// from the end. So the bands are, from above: forced ends, wins by the tables, evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Score(i32);

/// The length of the longest line that a search follows, in plies.
pub const MAX_PLY: Ply = 128;

impl Score {
    pub const ZERO: Score = Score(0);
    /// The side to move has won.
    pub const MATE: Score = Score(32_000);
    /// Greater than any score that a search returns.
    pub const INFINITE: Score = Score(32_001);
    /// A score of at least this is a forced win whose distance is known.
    const KNOWN_END: Score = Score(Score::MATE.0 - 2 * MAX_PLY as i32);
    /// The position is won by the endgame tables.
    pub const TABLE_WIN: Score = Score(31_000);
    /// A score of at least this is a win, a score of at most its negative a loss: forced, or by the
    /// endgame tables.
    pub const DECISIVE: Score = Score(Score::TABLE_WIN.0 - 2 * MAX_PLY as i32);
    /// The greatest static evaluation.
    pub const EVAL_LIMIT: Score = Score(20_000);

    /// The score of this many centipawns.
    #[inline]
    pub const fn cp(centipawns: i32) -> Score {
        Score(centipawns)
    }

    /// The number of centipawns.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The score of a forced win in this many plies.
    #[inline]
    pub const fn win_in(plies: Ply) -> Score {
        Score(Score::MATE.0 - plies as i32)
    }

    /// The score of a forced loss in this many plies.
    #[inline]
    pub const fn loss_in(plies: Ply) -> Score {
        Score(plies as i32 - Score::MATE.0)
    }

    /// The score of a forced end of the game in this many full moves, which the side to move wins or loses: the
    /// inverse of [`Score::moves_to_end`]. More than `MAX_PLY` moves are a win by the endgame tables.
    pub const fn forced_end(moves: u64, wins: bool) -> Score {
        match (moves <= MAX_PLY as u64, wins) {
            (true, true) => Score::win_in((2 * moves as Ply).saturating_sub(1)),
            (true, false) => Score::loss_in(2 * moves as Ply),
            (false, true) => Score::TABLE_WIN,
            (false, false) => Score(-Score::TABLE_WIN.0),
        }
    }

    /// The score of a position after this many plies that is won by the endgame tables.
    #[inline]
    pub const fn table_win(plies: Ply) -> Score {
        Score(Score::TABLE_WIN.0 - plies as i32)
    }

    /// The same score from White's side, if it is seen from this side; and the other way round.
    pub const fn for_white(self, side: Color) -> Score {
        match side {
            Color::White => self,
            Color::Black => Score(-self.0),
        }
    }

    /// Is it a win, forced or by the endgame tables?
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::DECISIVE.0
    }

    /// Is it a loss, forced or by the endgame tables?
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::DECISIVE.0
    }

    /// Is it a win or a loss, forced or by the endgame tables?
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Is it a forced end of the game whose distance is known?
    #[inline]
    pub const fn is_known_end(self) -> bool {
        self.0 >= Score::KNOWN_END.0 || self.0 <= -Score::KNOWN_END.0
    }

    /// Is it a forced end of the game that a search of this depth in plies found at no more than half of it? Then it
    /// is the shortest one, if not quite always.
    pub const fn is_settled_at(self, depth: Depth) -> bool {
        self.is_known_end() && depth >= 2 * (Score::MATE.0 - self.0.abs())
    }

    /// The number of full moves to a forced end of the game: positive if the side to move wins,
    /// negative if it loses. `Score::win_in(1)` is 1 move from the end. The score may also be seen from
    /// the side not to move: `-Score::win_in(1)` is -1.
    pub const fn moves_to_end(self) -> Option<i32> {
        if !self.is_known_end() {
            None
        } else if self.0 > 0 {
            Some((Score::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-((Score::MATE.0 + self.0 + 1) / 2))
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add for Score {
    type Output = Score;
    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Score) {
        self.0 -= other.0;
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline]
    fn mul(self, factor: i32) -> Score {
        Score(self.0 * factor)
    }
}

impl Div<i32> for Score {
    type Output = Score;
    #[inline]
    fn div(self, divisor: i32) -> Score {
        Score(self.0 / divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_the_end_count_moves() {
        assert_eq!(Score::win_in(1).moves_to_end(), Some(1));
        assert_eq!(Score::win_in(3).moves_to_end(), Some(2));
        assert_eq!(Score::loss_in(2).moves_to_end(), Some(-1));
        assert_eq!(Score::loss_in(0).moves_to_end(), Some(0));
        // Seen from the side not to move.
        assert_eq!((-Score::win_in(1)).moves_to_end(), Some(-1));
        assert_eq!((-Score::win_in(3)).moves_to_end(), Some(-2));
        assert_eq!((-Score::loss_in(2)).moves_to_end(), Some(1));
        assert_eq!(Score::cp(500).moves_to_end(), None);
        assert_eq!(Score::table_win(0).moves_to_end(), None);
        for moves in 1..=MAX_PLY as i32 {
            let count = moves as u64;
            assert_eq!(Score::forced_end(count, true).moves_to_end(), Some(moves));
            assert_eq!(Score::forced_end(count, false).moves_to_end(), Some(-moves));
        }
        assert_eq!(
            [true, false].map(|wins| Score::forced_end(0, wins)),
            [Score::MATE, -Score::MATE]
        );
        let too_long = [true, false].map(|wins| Score::forced_end(u64::MAX, wins));
        assert_eq!(too_long, [Score::TABLE_WIN, -Score::TABLE_WIN]);
    }

    #[test]
    fn wins_by_the_tables_lie_between_forced_ends_and_evaluations() {
        let plies = 2 * MAX_PLY;
        assert!(Score::EVAL_LIMIT < Score::table_win(plies) && Score::table_win(plies).is_win());
        assert!(Score::table_win(0) < Score::win_in(plies) && (-Score::table_win(7)).is_loss());
        assert!(Score::win_in(plies).is_known_end() && !Score::table_win(0).is_known_end());
    }
}
