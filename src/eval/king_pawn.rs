//! King and pawn against king: which positions are won.
//!
//! A bitbase of 24 KiB, made by retrograde analysis when it is first asked, in less than a millisecond: a search
//! asks first, on its clock. The pawn is White's, and stands on the files a to d: other positions are mirrored.

use std::sync::LazyLock;

use crate::board::bitboards::{KING, Squares, east, pawn_attacks, west};
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Square, Step};

/// Does the side with one pawn win against this bare king? There must be nothing else on the board.
pub fn is_won<R: Rules>(pos: &Position<R>, strong: Color) -> bool {
    let Some(pawn) = pos.pieces(strong, PieceKind::Pawn).next() else { return false };
    let mirror_file = pawn.file() > 3;
    let seen = |square: Square| {
        let file = if mirror_file { 7 - square.file() } else { square.file() };
        Square::new(file, square.rank_for(strong))
    };
    let [king, bare_king] = [strong, !strong].map(|color| seen(pos.king(color)));
    let won = BITBASE.won(pos.side_to_move() == strong, seen(pawn), king);
    bare_king.is_in(won)
}

static BITBASE: LazyLock<Bitbase> = LazyLock::new(Bitbase::new);

/// The squares of the pawn: on the files a to d and the ranks 2 to 7.
const PAWN_SQUARES: usize = 24;

/// The squares of the bare king on which a position is won, as bitboards: by the squares of pawn and king, if the side
/// with the pawn is to move, and if the bare king is.
struct Bitbase {
    strong_moves: Vec<u64>,
    bare_moves: Vec<u64>,
}

impl Bitbase {
    /// Finds the won positions from the promotions backwards.
    fn new() -> Bitbase {
        let none = vec![0; PAWN_SQUARES * 64];
        let mut found = Bitbase { strong_moves: none.clone(), bare_moves: none };
        // A pawn's positions depend on each other, and on those of pawns that are further.
        for rank in (1..7).rev() {
            for pawn in (0..4).map(|file| Square::new(file, rank)) {
                while found.extend(pawn) {}
            }
        }
        found
    }

    /// Finds won positions by one more move. Returns whether there are new ones.
    fn extend(&mut self, pawn: Square) -> bool {
        let mut has_grown = false;
        for king in (0..64).map(Square::from_index64).filter(|&king| king != pawn) {
            let at = place(pawn, king);
            let strong_moves = self.won_by_a_move(pawn, king);
            has_grown |= strong_moves != self.strong_moves[at];
            self.strong_moves[at] = strong_moves;
            let bare_moves = self.lost_by_all_moves(pawn, king);
            has_grown |= bare_moves != self.bare_moves[at];
            self.bare_moves[at] = bare_moves;
        }
        has_grown
    }

    /// Where the side with the pawn, which is to move, has a move that wins.
    fn won_by_a_move(&self, pawn: Square, king: Square) -> u64 {
        let lost = |pawn: Square, king: Square| self.bare_moves[place(pawn, king)];
        let mut won = Squares(KING[king.index64()])
            .filter(|&to| to != pawn)
            .fold(0, |won, to| won | lost(pawn, to));
        let is_free = |square: &Square| *square != king;
        if let Some(next) = pawn.step(Step::NORTH).filter(is_free) {
            let leap = next.step(Step::NORTH).filter(|leap| next.rank() == 2 && is_free(leap));
            let by_pawn = if next.rank() < 7 {
                lost(next, king) | leap.map_or(0, |leap| lost(leap, king))
            } else if king.distance(next) == 1 {
                !0
            } else {
                // The new queen, or rook where the queen would stalemate, wins if it is not taken at once.
                !KING[next.index64()]
            };
            won |= by_pawn & !next.bit();
        }
        // The bare king is not in check where the other side is to move.
        won & possible(pawn, king) & !pawn_attacks(Color::White, pawn.bit())
    }

    /// Where the bare king is to move and has moves, and all of them lose.
    fn lost_by_all_moves(&self, pawn: Square, king: Square) -> u64 {
        // It may take the pawn: that is no won position.
        let targets = !KING[king.index64()] & !king.bit() & !pawn_attacks(Color::White, pawn.bit());
        let saved = targets & !self.strong_moves[place(pawn, king)];
        possible(pawn, king) & neighbours(targets) & !neighbours(saved)
    }

    fn won(&self, strong_moves: bool, pawn: Square, king: Square) -> u64 {
        let won = if strong_moves { &self.strong_moves } else { &self.bare_moves };
        won[place(pawn, king)]
    }
}

/// The place of a pawn and its king in a [`Bitbase`].
fn place(pawn: Square, king: Square) -> usize {
    (usize::from(pawn.rank() - 1) * 4 + usize::from(pawn.file())) * 64 + king.index64()
}

/// Where the bare king may stand.
fn possible(pawn: Square, king: Square) -> u64 {
    !KING[king.index64()] & !king.bit() & !pawn.bit()
}

/// The squares a king's step away from one of these.
fn neighbours(squares: u64) -> u64 {
    let beside = west(squares) | east(squares);
    let columns = squares | beside;
    beside | columns << 8 | columns >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::Standard;

    #[test]
    fn known_positions_are_won_or_drawn() {
        for (fen, wins) in [
            // A king on the sixth rank before its pawn wins, whoever moves.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            // The opposition decides.
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", false),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", true),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
            // The rule of the square.
            ("8/8/8/7k/P7/8/8/7K w - - 0 1", true),
            ("8/8/8/5k2/P7/8/8/7K w - - 0 1", true),
            ("8/8/8/5k2/P7/8/8/7K b - - 0 1", false),
            // A rook pawn.
            ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", false),
            ("8/1k6/8/P7/8/8/8/K7 w - - 0 1", false),
            ("8/1K4k1/8/P7/8/8/8/8 w - - 0 1", true),
        ] {
            let is_won =
                |fen: &str, strong| is_won(&Position::<Standard>::from_fen(fen).unwrap(), strong);
            assert_eq!(is_won(fen, Color::White), wins, "{fen}");
            // Black in White's place, and the wings exchanged.
            let parts: Vec<&str> = fen.split(' ').collect();
            let swap = |c: char| match c.is_uppercase() {
                true => c.to_ascii_lowercase(),
                false => c.to_ascii_uppercase(),
            };
            let board: String = parts[0].chars().rev().map(swap).collect();
            let side = if parts[1] == "w" { "b" } else { "w" };
            let turned = format!("{board} {side} - - 0 1");
            assert_eq!(is_won(&turned, Color::Black), wins, "{turned}");
        }
    }

    /// A count over Syzygy's table of this ending gives the same numbers.
    #[test]
    fn as_many_positions_are_won_as_in_syzygys_table() {
        let count = |won: &[u64]| won.iter().map(|squares| squares.count_ones()).sum::<u32>();
        let counts = [&BITBASE.strong_moves, &BITBASE.bare_moves].map(|won| count(won));
        assert_eq!(counts, [62_480, 48_802]);
    }
}
