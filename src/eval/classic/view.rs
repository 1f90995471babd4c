//! What the parts of one evaluation share: the position, the weights, and the recorder of the
//! weights that were counted.

use super::tables::{KingHome, Tables};
use super::tapered::Tapered;
use crate::board::{Position, Rules};
use crate::eval::rules::EvalRules;
use crate::types::{Color, PieceKind, Square};

/// Records which weights an evaluation counts. Play uses `()`, which records nothing and costs
/// nothing; the tuner uses a `Trace`.
pub trait Recorder {
    /// Does it record anything? If not, cached parts of the evaluation may be used.
    const RECORDS: bool;
    /// The weight at `index` was added `count` times to the score of `owner`.
    fn add(&mut self, owner: Color, index: usize, count: i32);
    /// The weight at `index` was added `count` times to the danger to the king of `owner`.
    fn add_danger(&mut self, owner: Color, index: usize, count: i32);
}

impl Recorder for () {
    const RECORDS: bool = false;
    #[inline(always)]
    fn add(&mut self, _: Color, _: usize, _: i32) {}
    #[inline(always)]
    fn add_danger(&mut self, _: Color, _: usize, _: i32) {}
}

/// One evaluation in progress.
pub struct View<'a, V: Rules, R: Recorder> {
    pub pos: &'a Position<V>,
    pub recorder: R,
    tables: &'a Tables,
    /// By colour: XORed with [`Square::index64`], turns the board so that the own king (without
    /// one, the enemy's) stands on files a to d and the rank behind the own side comes last. Without
    /// kings, left and right count as the same.
    turn: [usize; 2],
    /// By colour: where the own king stands.
    home: [KingHome; 2],
}

impl<'a, V: EvalRules, R: Recorder> View<'a, V, R> {
    pub fn new(pos: &'a Position<V>, tables: &'a Tables, recorder: R) -> Self {
        let turn = Color::ALL.map(|us| {
            let has_anchor = V::is_royal(us) || V::is_royal(!us);
            let mirror = if has_anchor && pos.anchor(us).file() >= 4 { 7 } else { 0 };
            let flip = if V::looks_from(us) == Color::White { 56 } else { 0 };
            mirror ^ flip
        });
        let home = Color::ALL.map(|us| match V::is_royal(us) {
            true => KingHome::of(pos.king(us), V::looks_from(us)),
            false => KingHome::Centre,
        });
        View { pos, recorder, tables, turn, home }
    }
}

impl<V: Rules, R: Recorder> View<'_, V, R> {
    /// `count` times the weight at `index`, which counts for `owner`.
    #[inline(always)]
    pub fn add(&mut self, owner: Color, index: usize, count: i32) -> Tapered {
        if R::RECORDS {
            self.recorder.add(owner, index, count);
        }
        self.tables.weights.value(index) * count
    }

    /// As [`View::add`], for the danger to the king of `owner`.
    #[inline(always)]
    pub fn add_danger(&mut self, owner: Color, index: usize, count: i32) -> Tapered {
        if R::RECORDS {
            self.recorder.add_danger(owner, index, count);
        }
        self.tables.weights.value(index) * count
    }

    /// A piece's material and the worth of its square.
    #[inline(always)]
    pub fn piece_square(&mut self, owner: Color, kind: PieceKind, sq: Square) -> Tapered {
        let mut square = (sq.index64() ^ self.turn[owner.index()]) & 63;
        if !V::is_royal(owner) && !V::is_royal(!owner) && sq.file() >= 4 {
            // No king tells left from right.
            square ^= 7;
        }
        let home = self.home[owner.index()];
        if R::RECORDS {
            for index in Tables::parts(home, kind, square) {
                self.recorder.add(owner, index, 1);
            }
        }
        self.tables.piece_square(home, kind, square)
    }
}
