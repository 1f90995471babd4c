//! King and pawn against king: which positions are won.
//!
//! A bitbase of 24 KiB, made by retrograde analysis when it is first asked. The pawn is White's, and stands on the
//! files a to d: other positions are mirrored.

use std::sync::LazyLock;

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
    BITBASE.is_won(&Placement {
        strong_moves: pos.side_to_move() == strong,
        king: seen(pos.king(strong)),
        bare_king: seen(pos.king(!strong)),
        pawn: seen(pawn),
    })
}

static BITBASE: LazyLock<Bitbase> = LazyLock::new(Bitbase::new);

/// Two sides to move, 64 squares of each king, and 24 of the pawn.
const PLACEMENTS: usize = 2 * 64 * 64 * 24;

/// A position: White has the pawn.
#[derive(Clone, Copy)]
struct Placement {
    strong_moves: bool,
    king: Square,
    bare_king: Square,
    /// On the files a to d and the ranks 2 to 7.
    pawn: Square,
}

impl Placement {
    fn index(&self) -> usize {
        let pawn = usize::from(self.pawn.rank() - 1) * 4 + usize::from(self.pawn.file());
        let kings = self.king.index64() * 64 + self.bare_king.index64();
        (pawn * 64 * 64 + kings) * 2 + usize::from(self.strong_moves)
    }

    fn of_index(index: usize) -> Placement {
        let (pawn, kings) = (index / (2 * 64 * 64), index / 2 % (64 * 64));
        Placement {
            strong_moves: index % 2 == 1,
            king: Square::from_index64(kings / 64),
            bare_king: Square::from_index64(kings % 64),
            pawn: Square::new((pawn % 4) as u8, (pawn / 4) as u8 + 1),
        }
    }

    fn is_legal(&self) -> bool {
        let is_apart = self.king.distance(self.bare_king) > 1;
        let takes_king = self.strong_moves && attacks(self.pawn, self.bare_king);
        is_apart && !takes_king && self.king != self.pawn && self.bare_king != self.pawn
    }

    /// Is it won, as far as is known?
    fn is_won(&self, known: &Bitbase) -> bool {
        if self.strong_moves { self.has_winning_move(known) } else { self.has_lost(known) }
    }

    fn has_winning_move(&self, known: &Bitbase) -> bool {
        let after = Placement { strong_moves: false, ..*self };
        let is_free = |square| square != self.king && square != self.bare_king;
        let by_king = steps(self.king).any(|king| {
            let after = Placement { king, ..after };
            after.is_legal() && known.is_won(&after)
        });
        let Some(next) = self.pawn.step(Step::NORTH).filter(|&next| is_free(next)) else {
            return by_king;
        };
        if next.rank() == 7 {
            // The new queen, or rook where the queen would stalemate, wins if it is not taken at once.
            let is_safe = self.bare_king.distance(next) > 1 || self.king.distance(next) == 1;
            return by_king || is_safe;
        }
        let leap = next.step(Step::NORTH).filter(|&leap| next.rank() == 2 && is_free(leap));
        by_king
            || [Some(next), leap]
                .into_iter()
                .flatten()
                .any(|pawn| known.is_won(&Placement { pawn, ..after }))
    }

    /// Is every move of the bare king lost, and is there one? A stalemate is a draw.
    fn has_lost(&self, known: &Bitbase) -> bool {
        let mut moves = steps(self.bare_king)
            .filter(|&to| self.king.distance(to) > 1 && !attacks(self.pawn, to))
            .map(|bare_king| Placement { strong_moves: true, bare_king, ..*self })
            .peekable();
        // After a capture of the pawn the kings are alone: `is_won` knows no such position.
        moves.peek().is_some() && moves.all(|after| known.is_won(&after))
    }
}

fn steps(from: Square) -> impl Iterator<Item = Square> {
    Step::ROYAL.into_iter().filter_map(move |step| from.step(step))
}

/// Does the pawn attack this square?
fn attacks(pawn: Square, square: Square) -> bool {
    square.rank() == pawn.rank() + 1 && square.file().abs_diff(pawn.file()) == 1
}

/// The won positions.
struct Bitbase(Vec<u64>);

impl Bitbase {
    /// Finds the won positions from the promotions backwards.
    fn new() -> Bitbase {
        let mut won = Bitbase(vec![0; PLACEMENTS / 64]);
        let mut open: Vec<Placement> =
            (0..PLACEMENTS).map(Placement::of_index).filter(Placement::is_legal).collect();
        loop {
            let before = open.len();
            open.retain(|placement| {
                let is_won = placement.is_won(&won);
                if is_won {
                    won.0[placement.index() / 64] |= 1 << (placement.index() % 64);
                }
                !is_won
            });
            if open.len() == before {
                return won;
            }
        }
    }

    fn is_won(&self, placement: &Placement) -> bool {
        let index = placement.index();
        self.0[index / 64] >> (index % 64) & 1 != 0
    }
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
        let count = |strong_moves| {
            let placements = (0..PLACEMENTS).map(Placement::of_index);
            placements.filter(|at| at.strong_moves == strong_moves && BITBASE.is_won(at)).count()
        };
        assert_eq!([count(true), count(false)], [62_480, 48_802]);
    }
}
