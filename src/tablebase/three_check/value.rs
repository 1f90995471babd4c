//! The value of a position in one byte: who wins, and in how many plies.

/// A win, a draw or a loss for the side to move, with the distance to the end of the game in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckValue {
    /// The side to move wins in this many plies.
    Win(u16),
    Draw,
    /// The side to move loses in this many plies; 0 if it is mated.
    Loss(u16),
}

/// A [`CheckValue`] in a byte. 0 is a draw, other numbers are one more than the distance: the side to
/// move wins at an odd distance, because it makes the last move itself, and loses at an even one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Code(pub u8);

impl Code {
    pub const DRAW: Code = Code(0);
    pub const MATED: Code = Code(1);
    /// Marks an index without a legal position.
    pub const ILLEGAL: Code = Code(255);
    /// The greatest code of a win or a loss: 253 plies.
    pub const GREATEST: u8 = 254;

    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 & 1 == 0 && self.0 != 0
    }

    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 & 1 == 1 && self.0 != Code::ILLEGAL.0
    }

    /// The value; that of an illegal position has no meaning.
    pub const fn value(self) -> CheckValue {
        match self.0 {
            0 => CheckValue::Draw,
            code if code & 1 == 0 => CheckValue::Win(code as u16 - 1),
            code => CheckValue::Loss(code as u16 - 1),
        }
    }
}

/// What the moves of a position lead to. Collects the values of the positions after the moves and
/// gives the value before them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choices {
    any: bool,
    draws: bool,
    /// The code of the quickest win, before the move; 0 for none.
    win: u8,
    /// The code of the longest resistance, after the move.
    longest: u8,
}

impl Choices {
    /// Adds a move that wins at once by the third check.
    #[inline(always)]
    pub fn add_third_check(&mut self) {
        self.any = true;
        self.win = 2;
    }

    /// Adds a move by the value of the position after it, for the opponent.
    #[inline(always)]
    pub fn add(&mut self, after: Code) {
        self.any = true;
        if after.is_loss() {
            let win = after.0 + 1;
            if self.win == 0 || win < self.win {
                self.win = win;
            }
        } else if after.is_win() {
            self.longest = self.longest.max(after.0);
        } else {
            self.draws = true;
        }
    }

    /// Is there no move so far?
    pub const fn is_empty(&self) -> bool {
        !self.any
    }

    /// The win that is known so far, if there is one.
    pub const fn win(&self) -> Option<Code> {
        if self.win == 0 { None } else { Some(Code(self.win)) }
    }

    /// Is there a move that does not lose?
    pub const fn saves(&self) -> bool {
        self.win != 0 || self.draws
    }

    /// The code of the longest resistance, after the move; 0 for none.
    pub const fn longest(&self) -> u8 {
        self.longest
    }

    /// The value if no other moves exist.
    pub fn value(&self, in_check: bool) -> Code {
        match self.win() {
            _ if !self.any && in_check => Code::MATED,
            Some(win) => win,
            None if !self.any || self.draws => Code::DRAW,
            None => Code(self.longest.saturating_add(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_to_move_chooses_the_quickest_win_and_the_longest_resistance() {
        let value = |after: &[u8]| {
            let mut choices = Choices::default();
            after.iter().for_each(|&code| choices.add(Code(code)));
            choices.value(false).value()
        };
        assert_eq!(value(&[1, 7, 0, 4]), CheckValue::Win(1));
        assert_eq!(value(&[4, 0, 8]), CheckValue::Draw);
        assert_eq!(value(&[4, 8, 2]), CheckValue::Loss(8));
        assert_eq!(value(&[]), CheckValue::Draw);
        assert_eq!(Choices::default().value(true).value(), CheckValue::Loss(0));
    }
}
