//! What the parts of one evaluation share: the position, the weights, and who listens.

use super::tables::Tables;
use super::tapered::Tapered;
use super::trace::Sink;
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Square};

/// One evaluation at work.
pub struct View<'a, R: Rules, S: Sink> {
    pub pos: &'a Position<R>,
    pub tables: &'a Tables,
    pub sink: S,
    /// By colour: how the squares are turned so that the own king stands on files a to d and the
    /// own back rank comes last.
    turn: [usize; 2],
    /// By colour: where the own king stands, for [`Tables::piece_square`].
    home: [KingHome; 2],
}

/// Where a king stands, as far as its pieces care.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum KingHome {
    /// On the two middle files of its first two ranks.
    Centre = 0,
    Wing = 1,
    Abroad = 2,
}

impl KingHome {
    pub const COUNT: usize = 3;

    fn of(king: Square, us: Color) -> KingHome {
        match (king.rank_for(us), king.file()) {
            (0 | 1, 3 | 4) => KingHome::Centre,
            (0 | 1, _) => KingHome::Wing,
            _ => KingHome::Abroad,
        }
    }
}

impl<'a, R: Rules, S: Sink> View<'a, R, S> {
    pub fn new(pos: &'a Position<R>, tables: &'a Tables, sink: S) -> Self {
        let turn = Color::ALL.map(|us| {
            let mirror = if pos.king(us).file() >= 4 { 7 } else { 0 };
            let flip = if us == Color::White { 56 } else { 0 };
            mirror ^ flip
        });
        let home = Color::ALL.map(|us| KingHome::of(pos.king(us), us));
        View { pos, tables, sink, turn, home }
    }

    /// The value at this place of the weights, so many times, for `owner`.
    #[inline(always)]
    pub fn worth(&mut self, owner: Color, place: usize, times: i32) -> Tapered {
        if S::RECORDS {
            self.sink.worth(owner, place, times);
        }
        self.tables.weights.value(place) * times
    }

    /// As [`View::worth`], for the danger to the king of `owner`.
    #[inline(always)]
    pub fn danger(&mut self, owner: Color, place: usize, times: i32) -> Tapered {
        if S::RECORDS {
            self.sink.danger(owner, place, times);
        }
        self.tables.weights.value(place) * times
    }

    /// A piece's material and the worth of its square.
    #[inline(always)]
    pub fn piece_square(&mut self, owner: Color, kind: PieceKind, sq: Square) -> Tapered {
        let square = (sq.index64() ^ self.turn[owner.index()]) & 63;
        let home = self.home[owner.index()];
        if S::RECORDS {
            for place in Tables::parts(home, kind, square) {
                self.sink.worth(owner, place, 1);
            }
        }
        self.tables.piece_square(home, kind, square)
    }
}
