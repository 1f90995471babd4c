//! The entries of a book, and how they write moves.

use super::BookRules;
use crate::board::Position;
use crate::types::{Move, PieceKind};

/// One move of one position: 16 bytes of a file, all numbers big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position; see [`super::key()`].
    pub key: u64,
    /// The move; see [`code`].
    pub code: u16,
    /// How good the move is, compared with the other moves of the position. A move of weight 0 is
    /// not to be played.
    pub weight: u16,
    /// For programs that learn. Trebuchet writes 0 and ignores it.
    pub learn: u32,
}

impl Entry {
    /// The size of an entry in bytes.
    pub const SIZE: usize = 16;

    pub fn from_bytes(bytes: &[u8; Entry::SIZE]) -> Entry {
        let [k @ .., c0, c1, w0, w1, l0, l1, l2, l3] = *bytes;
        Entry {
            key: u64::from_be_bytes(k),
            code: u16::from_be_bytes([c0, c1]),
            weight: u16::from_be_bytes([w0, w1]),
            learn: u32::from_be_bytes([l0, l1, l2, l3]),
        }
    }

    pub fn to_bytes(self) -> [u8; Entry::SIZE] {
        let mut bytes = [0; Entry::SIZE];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }
}

/// A legal move as a book writes it. Bits 0 to 5 are the square it goes to, bits 6 to 11 the square
/// it comes from, both counted from a1 = 0, b1 = 1 to h8 = 63; bits 12 to 14 are the promotion piece,
/// 1 for a knight to 4 for a queen, and 5 for the king of Antichess. Castling is the king's move onto its
/// own rook. A drop, which Polyglot's format does not know, has bit 15 set, and instead of the square it
/// comes from the kind of man: 1 for a pawn to 5 for a queen.
pub fn code<R: BookRules>(pos: &Position<R>, mv: Move) -> u16 {
    let to = match mv.castling_side() {
        Some(side) => pos.castling_rook(pos.side_to_move(), side),
        None => mv.to(),
    };
    plain_code(mv, to.index64())
}

/// The code of a move with another target.
fn plain_code(mv: Move, to: usize) -> u16 {
    let promotion = match mv.promotion() {
        None => 0,
        Some(PieceKind::Knight) => 1,
        Some(PieceKind::Bishop) => 2,
        Some(PieceKind::Rook) => 3,
        Some(PieceKind::Queen) => 4,
        Some(_) => 5,
    };
    let drop = usize::from(mv.is_drop());
    (to | mv.from_index64() << 6 | promotion << 12 | drop << 15) as u16
}

/// The legal move that a book means; `None` if there is no such legal move. Outside Chess960,
/// castling may also be the king's move to its target, as some programs write it.
pub fn move_of_code<R: BookRules>(pos: &Position<R>, legal: &[Move], written: u16) -> Option<Move> {
    let is_meant = |mv: &Move| code(pos, *mv) == written;
    let is_target = |mv: &Move| {
        !R::CHESS960_CASTLING && mv.is_castling() && plain_code(*mv, mv.to().index64()) == written
    };
    let found = legal.iter().find(|mv| is_meant(mv));
    found.or_else(|| legal.iter().find(|mv| is_target(mv))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;
    use crate::notation::parse_move;
    use crate::variants::{Antichess, Chess960, Crazyhouse, Standard};

    #[test]
    fn entries_are_big_endian() {
        let bytes =
            [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0x01, 0x02, 0, 0, 0, 9];
        let entry = Entry::from_bytes(&bytes);
        let expected = Entry { key: 0x463b_9618_1691_fc9c, code: 0x031c, weight: 258, learn: 9 };
        assert_eq!(entry, expected);
        assert_eq!(entry.to_bytes(), bytes);
        let pos = Position::<Standard>::start();
        assert_eq!(code(&pos, parse_move(&pos, "e2e4").unwrap()), 0x031c);
    }

    fn there_and_back<R: BookRules>(fen: &str) -> Vec<u16> {
        let pos = Position::<R>::from_fen(fen).unwrap();
        let legal = pos.legal_moves();
        let codes: Vec<u16> = legal.iter().map(|&mv| code(&pos, mv)).collect();
        for (&mv, &written) in legal.iter().zip(&codes) {
            assert_eq!(move_of_code(&pos, &legal, written), Some(mv), "{fen} {mv}");
        }
        codes
    }

    #[test]
    fn every_move_is_read_as_it_is_written() {
        let castling = there_and_back::<Standard>("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        // e1h1 and e1a1.
        assert!(castling.contains(&0x0107) && castling.contains(&0x0100));
        assert!(!castling.contains(&0x0106) && !castling.contains(&0x0102));
        let promotion = there_and_back::<Standard>("1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
        assert!([0x1c38, 0x2c38, 0x3c38, 0x4c38].iter().all(|code| promotion.contains(code)));
        let kings = there_and_back::<Antichess>("8/P7/8/8/8/8/7p/8 w - - 0 1");
        assert!(kings.contains(&0x4c38) && kings.contains(&0x5c38));
        for number in [0, 200, 518, 959] {
            there_and_back::<Chess960>(&Chess960::start_fen(number));
        }
        // The queen moves from f1 to f3, or another one comes from the hand.
        let drops = there_and_back::<Crazyhouse>("4k3/8/8/8/8/8/8/4KQ2[QP] w - - 0 1");
        assert!(drops.contains(&0x0155) && drops.contains(&0x8155));
        // The king stands beside its rook: g1 is a plain move, h1 is castling.
        let codes = there_and_back::<Chess960>("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
        assert!(codes.contains(&0x0147) && codes.contains(&0x0146));
    }

    #[test]
    fn castling_by_the_target_is_read_and_nonsense_is_not() {
        let pos = Position::<Standard>::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let legal = pos.legal_moves();
        let read = |written| move_of_code(&pos, &legal, written).map(|mv| mv.to_string());
        assert_eq!(read(0x0106).as_deref(), Some("e1g1"));
        assert_eq!(read(0x0102).as_deref(), Some("e1c1"));
        // a1a1, e2e4, a promotion of the king, and a bit that no move uses.
        for written in [0, 0x031c, 0x4105, 0x8105, u16::MAX] {
            assert_eq!(read(written), None, "{written:#x}");
        }
    }
}
