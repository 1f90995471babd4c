//! Move histories: what finished nodes teach about moves.
//!
//! They say how often a move has caused a cutoff. The butterfly history is indexed by side, from and
//! to; the capture history by piece, target and victim; the continuation history by the move itself
//! and the move made one, two or four plies before.
//!
//! Entries are updated with "gravity": the nearer an entry is to its limit, the smaller the step
//! towards it.
//!
//! Imports `board`. It never searches; the worker owns one set per thread and shares none.

use crate::board::{Position, Rules};
use crate::types::{Color, Depth, Move, Piece, PieceKind};

use super::params::Params;

/// Entries lie within ± this.
const LIMIT: i32 = 16_384;
pub const PIECE_SQUARES: usize = 12 * 64;

/// A piece and the square it moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    #[inline(always)]
    pub fn of(piece: Piece, mv: Move) -> PieceTo {
        PieceTo((piece.index12() * 64 + mv.to_index64()) as u16)
    }

    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The moves one, two and four plies before a node. `None` stands for a null move or the time before
/// the root.
pub type PreviousMoves = [Option<PieceTo>; 3];

/// A value that is updated with gravity.
#[derive(Clone, Copy, Default)]
pub struct HistoryEntry(i16);

impl HistoryEntry {
    #[inline(always)]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the entry by about `bonus`; by less if that brings it closer to the limit.
    #[inline(always)]
    pub fn update(&mut self, bonus: i32, limit: i32) {
        let bonus = bonus.clamp(-limit, limit);
        self.0 += (bonus - self.get() * bonus.abs() / limit) as i16;
    }
}

/// The move histories of one thread.
pub struct Histories {
    butterfly: Box<[[HistoryEntry; 4096]]>,
    captures: Box<[[HistoryEntry; 8]]>,
    continuation: Box<[[HistoryEntry; PIECE_SQUARES]]>,
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            butterfly: vec![[HistoryEntry(0); 4096]; 2].into(),
            captures: vec![[HistoryEntry(0); 8]; PIECE_SQUARES].into(),
            continuation: vec![[HistoryEntry(0); PIECE_SQUARES]; PIECE_SQUARES].into(),
        }
    }

    /// The histories of the quiet moves of a node.
    #[inline(always)]
    pub fn of_quiets(&self, side: Color, previous: &PreviousMoves) -> QuietHistory<'_> {
        let row = |previous: Option<PieceTo>| match previous {
            Some(previous) => &self.continuation[previous.index()],
            None => &NO_ROW,
        };
        QuietHistory { butterfly: &self.butterfly[side.index()], rows: previous.map(row) }
    }

    /// The history of a capture or promotion, within ± 16384.
    #[inline(always)]
    pub fn noisy<R: Rules>(&self, pos: &Position<R>, mv: Move) -> i32 {
        let Some((row, victim)) = capture_index(pos, mv) else { return 0 };
        self.captures[row][victim].get()
    }

    /// Learns that `mv` caused a cutoff at this depth and that the moves in `tried` did not.
    pub fn learn_cutoff<R: Rules>(
        &mut self,
        pos: &Position<R>,
        previous: &PreviousMoves,
        mv: Move,
        tried: &TriedMoves,
        depth: Depth,
        params: &Params,
    ) {
        let bonus = (params.history_bonus * depth - params.history_bonus_base)
            .clamp(0, params.history_bonus_max);
        let malus = (params.history_malus * depth).min(params.history_malus_max);
        if mv.is_noisy() {
            self.update_noisy(pos, mv, bonus);
        } else {
            self.update_quiet(pos, previous, mv, bonus);
            for quiet in tried.quiet() {
                self.update_quiet(pos, previous, quiet, -malus);
            }
        }
        for noisy in tried.noisy() {
            self.update_noisy(pos, noisy, -malus);
        }
    }

    fn update_quiet<R: Rules>(
        &mut self,
        pos: &Position<R>,
        previous: &PreviousMoves,
        mv: Move,
        bonus: i32,
    ) {
        let entry = &mut self.butterfly[pos.side_to_move().index()][mv.from_to_index()];
        entry.update(bonus, LIMIT);
        let Some(piece) = pos.piece_at(mv.from()) else { return };
        let now = PieceTo::of(piece, mv);
        for previous in previous.iter().flatten() {
            self.continuation[previous.index()][now.index()].update(bonus, LIMIT);
        }
    }

    fn update_noisy<R: Rules>(&mut self, pos: &Position<R>, mv: Move, bonus: i32) {
        if let Some((row, victim)) = capture_index(pos, mv) {
            self.captures[row][victim].update(bonus, LIMIT);
        }
    }
}

/// The parts of the histories that hold the quiet moves of one node.
pub struct QuietHistory<'a> {
    butterfly: &'a [HistoryEntry; 4096],
    rows: [&'a [HistoryEntry; PIECE_SQUARES]; 3],
}

/// Stands for the continuation history where there is no previous move.
static NO_ROW: [HistoryEntry; PIECE_SQUARES] = [HistoryEntry(0); PIECE_SQUARES];

impl QuietHistory<'_> {
    /// The history of a quiet move: a sum within ± 4 times 16384.
    #[inline(always)]
    pub fn get<R: Rules>(&self, pos: &Position<R>, mv: Move) -> i32 {
        let Some(piece) = pos.piece_at(mv.from()) else { return 0 };
        let now = PieceTo::of(piece, mv).index();
        let [first, second, fourth] = self.rows.map(|row| row[now].get());
        self.butterfly[mv.from_to_index()].get() + first + second + fourth
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

/// The kind of piece that a move captures, as [`PieceKind::index`]; 0 for none.
pub fn victim(pos: &Position<impl Rules>, mv: Move) -> usize {
    if mv.is_en_passant() { PieceKind::Pawn.index() } else { pos.cell(mv.to()).kind_index() }
}

/// The indices of a capture or promotion in the capture history.
#[inline(always)]
fn capture_index<R: Rules>(pos: &Position<R>, mv: Move) -> Option<(usize, usize)> {
    let piece = pos.piece_at(mv.from())?;
    Some((PieceTo::of(piece, mv).index(), victim(pos, mv)))
}

/// The room of each of the two lists of [`TriedMoves`].
const TRIED_CAPACITY: usize = 32;

/// The moves of a node that were searched without a cutoff, quiet and noisy. A list that is full
/// ignores further moves.
pub struct TriedMoves {
    lists: [[Option<Move>; TRIED_CAPACITY]; 2],
    lens: [usize; 2],
}

impl TriedMoves {
    pub fn new() -> TriedMoves {
        TriedMoves { lists: [[None; TRIED_CAPACITY]; 2], lens: [0; 2] }
    }

    pub fn push(&mut self, mv: Move, is_noisy: bool) {
        let list = usize::from(is_noisy);
        if let Some(slot) = self.lists[list].get_mut(self.lens[list]) {
            *slot = Some(mv);
            self.lens[list] += 1;
        }
    }

    pub fn quiet(&self) -> impl Iterator<Item = Move> {
        self.lists[0].iter().map_while(|&mv| mv)
    }

    pub fn noisy(&self) -> impl Iterator<Item = Move> {
        self.lists[1].iter().map_while(|&mv| mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_an_entry_within_its_limit() {
        let mut entry = HistoryEntry(0);
        entry.update(1000, LIMIT);
        assert_eq!(entry.get(), 1000);
        entry.update(1000, LIMIT);
        assert_eq!(entry.get(), 1939);
        for _ in 0..10_000 {
            entry.update(LIMIT + 5, LIMIT);
        }
        assert_eq!(entry.get(), LIMIT);
        entry.update(-2000, LIMIT);
        assert_eq!(entry.get(), LIMIT - 4000);
    }
}
