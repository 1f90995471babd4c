//! Static exchange evaluation (SEE): what a move gains when both sides go on taking on its target
//! with their least valuable piece and may stop at any time.
//!
//! Imports `board`. It makes no moves.
//!
//! The attackers of the target are a bitboard. When one of them has captured, a slider behind it comes to
//! them, so batteries count. Pins are ignored.

use crate::board::bitboards::{self, Squares, more_than_one};
use crate::board::{Position, Rules};
use crate::types::{Color, Move, PieceKind, Square};

/// Piece values by [`PieceKind::index`], in centipawns; 0 for no piece. The king needs no value: it
/// captures only what is not defended.
pub const VALUES: [i32; 8] = [0, 100, 310, 320, 500, 950, 0, 0];

/// The king captures last: it has the greatest index of all kinds.
const KING: usize = PieceKind::King.index();

/// What a move gains by promoting a pawn, in centipawns; 0 if it does not.
#[inline(always)]
pub fn promotion_gain(mv: Move) -> i32 {
    mv.promotion().map_or(0, |kind| VALUES[kind.index()] - VALUES[PieceKind::Pawn.index()])
}

/// Does a legal move gain at least this many centipawns, by static exchange evaluation?
pub fn gains_at_least<R: Rules>(pos: &Position<R>, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let (from, to) = (pos.origin(mv), mv.to());
    let mover = pos.mover(mv).map_or(0, |piece| piece.kind().index());
    let on_target = mv.promotion().map_or(mover, |kind| kind.index());
    let gain = VALUES[pos.victim(mv)] + promotion_gain(mv) - threshold;
    if gain < 0 {
        return false;
    }
    // By how much the side that has just captured exceeds its goal if it loses that piece, too.
    let mut balance = gain - VALUES[on_target];
    if balance >= 0 && on_target != KING {
        return true;
    }
    let us = pos.side_to_move();
    let passed = mv.is_en_passant().then(|| Square::new(to.file(), mv.from().rank()));
    if passed.is_none() {
        // The first recapture often decides.
        let Some(kind) = pos.least_attacker(to, !us, from.unwrap_or(to)) else { return true };
        if kind != PieceKind::King && -balance > VALUES[kind.index()] {
            return false;
        }
    }
    let mut attackers = Attackers::new(pos, to, [from, passed]);
    let mut side = !us;
    while let Some(kind) = attackers.take_least(pos, side) {
        balance = -balance - 1 - VALUES[kind];
        if balance >= 0 {
            // The other side has lost the exchange, unless a king has captured a defended piece.
            if kind != KING || !attackers.has_any(pos, !side) {
                side = !side;
            }
            break;
        }
        side = !side;
    }
    // `side` cannot capture with profit: it has lost the exchange.
    side != us
}

/// The pieces that attack one square.
struct Attackers {
    target: usize,
    /// The squares with a piece that has not captured yet.
    occupied: u64,
    /// The squares of the pieces that can capture next, of both sides.
    able: u64,
    /// The squares of the sliders that attack the target on an empty board.
    aiming: u64,
}

impl Attackers {
    /// `gone`: squares that count as empty.
    fn new<R: Rules>(pos: &Position<R>, target: Square, gone: [Option<Square>; 2]) -> Attackers {
        let gone = gone.into_iter().flatten().fold(0, |gone, sq| gone | sq.bit());
        let aiming = pos.sliders_to(target);
        let (target, occupied) = (target.index64(), pos.occupied() & !gone);
        let pawns = Color::ALL
            .map(|color| bitboards::PAWN_ORIGINS[color.index()][target] & pos.squares_of(color));
        let reached = bitboards::union(bitboards::bishop(target, occupied))
            | bitboards::union(bitboards::rook(target, occupied));
        let able = (pawns[0] | pawns[1]) & pos.squares_with(PieceKind::Pawn)
            | bitboards::KNIGHT[target] & pos.squares_with(PieceKind::Knight)
            | bitboards::KING[target] & pos.squares_with(PieceKind::King)
            | reached & aiming;
        Attackers { target, occupied, able: able & occupied, aiming }
    }

    /// Adds the sliders whose path the last capture has cleared. There is seldom one to look at.
    #[inline(always)]
    fn add_uncovered(&mut self) {
        for slider in Squares(self.aiming & self.occupied & !self.able) {
            if bitboards::BETWEEN[self.target][slider.index64()] & self.occupied == 0 {
                self.able |= slider.bit();
            }
        }
    }

    /// Removes the side's least valuable attacker and returns its kind. Of equal ones, that on the first line in
    /// the order of [`bitboards::RAYS`].
    fn take_least<R: Rules>(&mut self, pos: &Position<R>, side: Color) -> Option<usize> {
        let ours = self.able & pos.squares_of(side);
        if ours == 0 {
            return None;
        }
        let is_able = |&kind: &PieceKind| ours & pos.squares_with(kind) != 0;
        let kind = PieceKind::ALL.into_iter().find(is_able)?;
        let mut least = ours & pos.squares_with(kind);
        if more_than_one(least) && kind != PieceKind::Knight {
            let on_line = |line: usize| least & bitboards::RAYS[line][self.target];
            least = (0..8).map(on_line).find(|&least| least != 0)?;
        }
        self.occupied &= !(least & least.wrapping_neg());
        self.able &= self.occupied;
        // What stands behind it on its line can capture now.
        self.add_uncovered();
        Some(kind.index())
    }

    fn has_any<R: Rules>(&self, pos: &Position<R>, side: Color) -> bool {
        self.able & pos.squares_of(side) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::Standard;

    /// The exact gain of a move, found by asking for every threshold.
    fn gain(fen: &str, text: &str) -> i32 {
        let pos: Position<Standard> = Position::from_fen(fen).unwrap();
        let legal = pos.legal_moves();
        let mv = *legal.iter().find(|mv| mv.to_string() == text).expect("a legal move");
        (-2000..=2000).rev().find(|&threshold| gains_at_least(&pos, mv, threshold)).unwrap()
    }

    #[test]
    fn exchanges_are_counted_to_their_end() {
        let [_, pawn, knight, bishop, rook, queen, ..] = VALUES;
        for (fen, mv, expected) in [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn - rook),
            ("4k3/8/4p3/3n4/4P3/8/8/3RK3 w - - 0 1", "e4d5", knight),
            ("4k3/8/4p3/3n4/8/4N3/8/4K3 w - - 0 1", "e3d5", 0),
            // Batteries: rook behind rook against a rook behind a queen.
            ("3qk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn - rook),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn),
            // Of two queens, that on the first line by direction captures first: here the one on d1, so the bishop on
            // g2 captures last, and the exchange must end after the first recapture.
            ("3rk3/3r4/8/3p3r/8/4NQ2/6B1/3QK3 w - - 0 1", "e3d5", pawn - knight),
            // A bishop behind a pawn.
            ("4k3/8/4p3/3p4/4P3/5B2/8/4K3 w - - 0 1", "e4d5", pawn),
            // The king may take what is left alone, and not what is protected.
            ("8/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn - rook),
            ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn),
            ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2", pawn),
            // En passant, promotion, and moves that take nothing.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", queen - pawn),
            ("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", rook + queen - pawn),
            ("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -pawn),
            ("4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1", "c3d5", -knight),
            ("4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1", "c3b5", -knight),
            ("4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1", "c3e4", 0),
            ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
            // Knight and bishop fight for a protected pawn.
            ("4k3/2n5/8/3p4/8/2N5/6B1/4K3 w - - 0 1", "c3d5", pawn),
            ("4k3/2n1b3/5b2/3p4/8/2N5/6B1/4K3 w - - 0 1", "c3d5", pawn),
            ("4k3/2n5/4p3/3p4/8/2N5/6B1/4K3 w - - 0 1", "g2d5", pawn - bishop),
        ] {
            assert_eq!(gain(fen, mv), expected, "{fen} {mv}");
        }
    }
}
