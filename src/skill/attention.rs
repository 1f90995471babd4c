//! Which moves a person overlooks.
//!
//! What a person overlooks once, they overlook in the whole thinking: the same move of the same piece
//! is either seen in every position or in none. Moves differ in how hard they are to see: a capture
//! on the square of the last move is easy to see, a bishop that comes back along a long diagonal or
//! a discovered check is not.

use crate::board::{Checks, Position, zobrist};
use crate::eval::EvalRules;
use crate::types::{Color, Move, PieceKind, Ply, Square};

/// A chance that no move exceeds: even the hardest move is seen now and then.
const GREATEST_CHANCE: f64 = 0.9;
/// From this distance on, in king's moves, a move is long.
const LONG_MOVE: u8 = 4;

/// What a person sees while they think about one move.
#[derive(Clone, Copy, Debug)]
pub struct Attention {
    seed: u64,
    /// See [`super::Skill::oversight`].
    oversight: f64,
}

impl Attention {
    /// The attention of a person who overlooks moves with this chance. The seed decides which.
    pub const fn new(oversight: f64, seed: u64) -> Attention {
        Attention { seed, oversight }
    }

    /// Does the person overlook a legal move, `ply` plies ahead?
    pub fn overlooks<V: EvalRules>(
        &self,
        pos: &Position<V>,
        checks: &Checks,
        mv: Move,
        ply: Ply,
    ) -> bool {
        let chance = self.oversight * difficulty(pos, checks, mv) * (1.0 + 0.15 * ply as f64);
        chance > 0.0 && self.draw(pos, mv) < chance.min(GREATEST_CHANCE)
    }

    /// A number from 0 to 1 that belongs to this move of this piece.
    fn draw<V: EvalRules>(&self, pos: &Position<V>, mv: Move) -> f64 {
        let piece = pos.mover(mv).map_or(0, |piece| piece.index12() as u64);
        unit(mix(self.seed ^ (piece << 16 | u64::from(mv.bits()))))
    }
}

/// How hard a move is to see: 1 for the usual move, less for an easier one, 0 for a move that is
/// always seen.
fn difficulty<V: EvalRules>(pos: &Position<V>, checks: &Checks, mv: Move) -> f64 {
    let last = pos.last_move();
    if mv.is_capture() && last.is_some_and(|last| last.to() == mv.to()) {
        return 0.0;
    }
    let us = pos.side_to_move();
    let to = mv.to();
    // A drop comes from nowhere: it is neither long nor backwards.
    let from = pos.origin(mv).unwrap_or(to);
    let kind = pos.mover(mv).map_or(PieceKind::Pawn, |piece| piece.kind());
    let mut factor = if mv.is_noisy() { 0.6 } else { 1.2 };
    if kind != PieceKind::King && !mv.is_promotion() && from.distance(to) >= LONG_MOVE {
        factor *= if is_diagonal(from, to) { 2.0 } else { 1.4 };
    }
    if kind == PieceKind::Knight {
        factor *= 1.2;
    }
    if goes_back(V::looks_from(us), from, to) {
        factor *= 1.4;
    }
    if checks.gives_check(pos, mv) {
        factor *= if checks.gives_discovered_check(pos, mv) { 2.5 } else { 0.7 };
    }
    factor
}

fn is_diagonal(from: Square, to: Square) -> bool {
    from.file() != to.file() && from.rank() != to.rank()
}

/// Does a move go towards the side of the board from which its player looks?
fn goes_back(looks_from: Color, from: Square, to: Square) -> bool {
    match looks_from {
        Color::White => to.rank() < from.rank(),
        Color::Black => to.rank() > from.rank(),
    }
}

/// Mixes the bits of a number.
pub fn mix(seed: u64) -> u64 {
    let [bits] = zobrist::numbers(seed);
    bits
}

/// The bits as a number from 0 to 1.
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{RacingKings, Standard, Variant};

    /// How many of 1000 people overlook a move.
    fn overlooked(fen: &str, moves: &[&str], mv: &str, oversight: f64) -> usize {
        overlooked_in::<Standard>(fen, moves, mv, oversight)
    }

    fn overlooked_in<V: Variant>(fen: &str, moves: &[&str], mv: &str, oversight: f64) -> usize {
        let mut pos: Position<V> = Position::from_fen(fen).unwrap();
        let find = |pos: &Position<V>, text: &str| {
            pos.legal_moves().iter().copied().find(|mv| mv.to_string() == text).unwrap()
        };
        for text in moves {
            let mv = find(&pos, text);
            pos.make_move(mv);
        }
        let (mv, checks) = (find(&pos, mv), Checks::default());
        let sees = |seed| !Attention::new(oversight, seed).overlooks(&pos, &checks, mv, 1);
        1000 - (0..1000).filter(|&seed| sees(seed)).count()
    }

    #[test]
    fn hard_moves_are_overlooked_more_often() {
        // A short and a long move of the bishop, and the long one back.
        let fen = "4k3/8/8/8/8/8/1B6/4K3 w - - 0 1";
        let near = overlooked(fen, &[], "b2c3", 0.2);
        let far = overlooked(fen, &[], "b2g7", 0.2);
        assert!((200..350).contains(&near) && (450..650).contains(&far), "{near} {far}");
        let back = overlooked("4k3/6B1/8/8/8/8/8/4K3 w - - 0 1", &[], "g7b2", 0.2);
        assert!(back > far, "{back} {far}");
        // A check by the rook itself, and one that the bishop opens.
        let direct = overlooked("4k3/8/8/8/8/8/R7/4K3 w - - 0 1", &[], "a2a8", 0.2);
        let discovered = overlooked("4k3/8/8/8/4B3/8/8/K3R3 w - - 0 1", &[], "e4d5", 0.2);
        assert!(direct < 300 && discovered > 550, "{direct} {discovered}");
    }

    #[test]
    fn both_sides_of_racing_kings_go_forward_alike() {
        let overlooked = |fen, mv| overlooked_in::<RacingKings>(fen, &[], mv, 0.3);
        let black = "8/8/8/8/8/4K3/8/k7 b - - 0 1";
        let (forward, back) =
            (overlooked(black, "a1a2"), overlooked("8/8/8/8/8/4K3/k7/8 b - - 0 1", "a2a1"));
        assert!(forward + 50 < back, "{forward} {back}");
    }

    #[test]
    fn a_piece_that_has_just_captured_is_never_overlooked() {
        let fen = "3qk3/8/8/3p4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(overlooked(fen, &["d1d5"], "d8d5", 0.9), 0);
        assert!(overlooked(fen, &["e1e2"], "d5d4", 0.9) > 800);
        // A capture elsewhere is overlooked like any other long move.
        assert!(overlooked(fen, &[], "d1d5", 0.9) > 300);
    }

    #[test]
    fn a_person_who_overlooks_nothing_sees_all() {
        assert_eq!(overlooked("4k3/6B1/8/8/8/8/8/4K3 w - - 0 1", &[], "g7b2", 0.0), 0);
    }
}
