//! What earlier nodes teach about moves and about the evaluation.
//!
//! Move histories say how often a move has caused a cutoff: the butterfly history by side, from and
//! to; the capture history by piece, target and victim; the continuation history by the move made
//! one, two or four plies before. The correction history says by how much searches have differed
//! from the static evaluation, by the pawns, by each side's pieces, and by the last moves.
//!
//! Every entry moves by "gravity": the nearer it is to its limit, the less it moves further out.

use crate::board::{Position, Rules};
use crate::types::{Color, Depth, Key, Move, Piece, PieceKind, Score};

use super::params::Params;

/// Move histories lie within ± this.
const HISTORY_LIMIT: i32 = 16_384;
/// Corrections lie within ± this.
const CORRECTION_LIMIT: i32 = 1024;
const CORRECTION_ENTRIES: usize = 16_384;
const PIECE_SQUARES: usize = 12 * 64;

/// A piece and the square it moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    #[inline(always)]
    pub fn of(piece: Piece, mv: Move) -> PieceTo {
        PieceTo((piece.index12() * 64 + mv.to_index64()) as u16)
    }

    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The moves one, two and four plies before a node, where there were any.
pub type Before = [Option<PieceTo>; 3];

/// One entry of a table.
#[derive(Clone, Copy, Default)]
struct Entry(i16);

impl Entry {
    #[inline(always)]
    fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the entry by about `bonus`, less the nearer it is to the limit.
    #[inline(always)]
    fn update(&mut self, bonus: i32, limit: i32) {
        let bonus = bonus.clamp(-limit, limit);
        self.0 += (bonus - self.get() * bonus.abs() / limit) as i16;
    }
}

/// All histories of one thread.
pub struct Histories {
    butterfly: Box<[[Entry; 4096]]>,
    captures: Box<[[Entry; 8]]>,
    continuation: Box<[[Entry; PIECE_SQUARES]]>,
    pawn_correction: Correction,
    piece_corrections: [Correction; 2],
    move_correction: Box<[[Entry; PIECE_SQUARES]]>,
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            butterfly: vec![[Entry(0); 4096]; 2].into(),
            captures: vec![[Entry(0); 8]; PIECE_SQUARES].into(),
            continuation: vec![[Entry(0); PIECE_SQUARES]; PIECE_SQUARES].into(),
            pawn_correction: Correction::new(),
            piece_corrections: [Correction::new(), Correction::new()],
            move_correction: vec![[Entry(0); PIECE_SQUARES]; PIECE_SQUARES].into(),
        }
    }

    /// What is known about the quiet moves of a node.
    #[inline(always)]
    pub fn of_quiets(&self, side: Color, before: &Before) -> QuietHistory<'_> {
        let row = |before: Option<PieceTo>| match before {
            Some(before) => &self.continuation[before.index()],
            None => &NO_ROW,
        };
        QuietHistory { butterfly: &self.butterfly[side.index()], rows: before.map(row) }
    }

    /// How well a capture or promotion has done, within ± 16384.
    #[inline(always)]
    pub fn noisy<R: Rules>(&self, pos: &Position<R>, mv: Move) -> i32 {
        let Some((row, victim)) = capture_index(pos, mv) else { return 0 };
        self.captures[row][victim].get()
    }

    pub fn update_quiet<R: Rules>(
        &mut self,
        pos: &Position<R>,
        before: &Before,
        mv: Move,
        bonus: i32,
    ) {
        let entry = &mut self.butterfly[pos.side_to_move().index()][mv.from_to_index()];
        entry.update(bonus, HISTORY_LIMIT);
        let Some(piece) = pos.piece_at(mv.from()) else { return };
        let now = PieceTo::of(piece, mv);
        for before in before.iter().flatten() {
            self.continuation[before.index()][now.index()].update(bonus, HISTORY_LIMIT);
        }
    }

    pub fn update_noisy<R: Rules>(&mut self, pos: &Position<R>, mv: Move, bonus: i32) {
        if let Some((row, victim)) = capture_index(pos, mv) {
            self.captures[row][victim].update(bonus, HISTORY_LIMIT);
        }
    }

    /// What is to be added to the static evaluation of a position.
    pub fn correction<R: Rules>(
        &self,
        pos: &Position<R>,
        before: &Before,
        params: &Params,
    ) -> Score {
        let us = pos.side_to_move();
        let pieces =
            |color: Color| self.piece_corrections[color.index()].entry(us, pos.non_pawn_key(color));
        let mut sum = self.pawn_correction.entry(us, pos.pawn_key()) * params.correction_pawns
            + (pieces(Color::White) + pieces(Color::Black)) * params.correction_pieces;
        if let [Some(last), Some(own), _] = before {
            let entry = self.move_correction[own.index()][last.index()].get();
            sum += entry * params.correction_move;
        }
        Score::cp(sum / CORRECTION_LIMIT)
    }

    /// Learns that a search of this depth gave `error` more than the corrected evaluation.
    pub fn update_correction<R: Rules>(
        &mut self,
        pos: &Position<R>,
        before: &Before,
        depth: Depth,
        error: Score,
    ) {
        let us = pos.side_to_move();
        let bonus = (error.value() * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        self.pawn_correction.update(us, pos.pawn_key(), bonus);
        for color in Color::ALL {
            self.piece_corrections[color.index()].update(us, pos.non_pawn_key(color), bonus);
        }
        if let [Some(last), Some(own), _] = before {
            let entry = &mut self.move_correction[own.index()][last.index()];
            entry.update(bonus, CORRECTION_LIMIT);
        }
    }
}

/// The rows of the histories that concern the quiet moves of one node.
pub struct QuietHistory<'a> {
    butterfly: &'a [Entry; 4096],
    rows: [&'a [Entry; PIECE_SQUARES]; 3],
}

/// Where there was no move before.
static NO_ROW: [Entry; PIECE_SQUARES] = [Entry(0); PIECE_SQUARES];

impl QuietHistory<'_> {
    /// How well a quiet move has done, within ± 4 times 16384.
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

/// Corrections by side to move and by some key of the position.
struct Correction(Box<[[Entry; CORRECTION_ENTRIES]]>);

impl Correction {
    fn new() -> Correction {
        Correction(vec![[Entry(0); CORRECTION_ENTRIES]; 2].into())
    }

    fn entry(&self, side: Color, key: Key) -> i32 {
        self.0[side.index()][key.bits() as usize % CORRECTION_ENTRIES].get()
    }

    fn update(&mut self, side: Color, key: Key, bonus: i32) {
        let entry = &mut self.0[side.index()][key.bits() as usize % CORRECTION_ENTRIES];
        entry.update(bonus, CORRECTION_LIMIT);
    }
}

/// What a move takes: 0 for nothing, else [`PieceKind::index`].
pub fn victim(pos: &Position<impl Rules>, mv: Move) -> usize {
    if mv.is_en_passant() { PieceKind::Pawn.index() } else { pos.cell(mv.to()).kind_index() }
}

/// The place of a capture or promotion in the capture history.
#[inline(always)]
fn capture_index<R: Rules>(pos: &Position<R>, mv: Move) -> Option<(usize, usize)> {
    let piece = pos.piece_at(mv.from())?;
    Some((PieceTo::of(piece, mv).index(), victim(pos, mv)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_an_entry_within_its_limit() {
        let mut entry = Entry(0);
        entry.update(1000, HISTORY_LIMIT);
        assert_eq!(entry.get(), 1000);
        entry.update(1000, HISTORY_LIMIT);
        assert_eq!(entry.get(), 1939);
        for _ in 0..10_000 {
            entry.update(HISTORY_LIMIT + 5, HISTORY_LIMIT);
        }
        assert_eq!(entry.get(), HISTORY_LIMIT);
        entry.update(-2000, HISTORY_LIMIT);
        assert_eq!(entry.get(), HISTORY_LIMIT - 4000);
    }
}
