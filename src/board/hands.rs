//! The men in hand, for games in which captured men change sides and are dropped.

use std::fmt;

use super::zobrist;
use crate::types::{Color, Key, Move, Piece, PieceKind, Square};

/// The men that both sides can drop, and the promoted men on the board: these become pawns when they are
/// captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hands {
    /// By colour and [`PieceKind::index`].
    counts: [[u8; 6]; 2],
    /// The squares of the promoted men, as a bitboard.
    promoted: u64,
}

/// One more than the most men of one kind that a hand can hold, which is more than there are in a game.
const MOST: usize = 32;

/// By colour and [`PieceKind::index`]: the keys of the numbers of men in hand.
static COUNT_KEYS: [[[u64; MOST]; 6]; 2] = {
    let mut keys = [[[0; MOST]; 6]; 2];
    let mut i = 0;
    while i < 12 {
        keys[i / 6][i % 6] = zobrist::numbers(0x0002_ba4d + 0x0101_0101 * i as u64);
        // An empty hand changes no key.
        keys[i / 6][i % 6][0] = 0;
        i += 1;
    }
    keys
};
/// By [`Square::index64`]: the key of a promoted man.
static PROMOTED_KEYS: [u64; 64] = zobrist::numbers(0x9404_07ed);

impl Hands {
    /// The kinds that a hand can hold, the most valuable first.
    pub const KINDS: [PieceKind; 5] =
        [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn];

    /// The number of men of this kind in a side's hand; 0 for kings.
    #[inline(always)]
    pub fn count(&self, color: Color, kind: PieceKind) -> usize {
        self.counts[color.index()].get(kind.index()).map_or(0, |&count| usize::from(count))
    }

    /// All places for men in hand: both colours and all kinds.
    pub fn places() -> impl Iterator<Item = (Color, PieceKind)> {
        Color::ALL.into_iter().flat_map(|color| Hands::KINDS.map(|kind| (color, kind)))
    }

    /// What a man of this kind on this square becomes in the hand of its captor.
    #[inline(always)]
    pub fn kind_in_hand(&self, kind: PieceKind, sq: Square) -> PieceKind {
        if self.is_promoted(sq) { PieceKind::Pawn } else { kind }
    }

    /// The number of men in both hands.
    pub fn total_count(&self) -> usize {
        self.counts.as_flattened().iter().map(|&count| usize::from(count)).sum()
    }

    /// Is the man on this square a promoted pawn?
    #[inline(always)]
    pub fn is_promoted(&self, sq: Square) -> bool {
        sq.is_in(self.promoted)
    }

    /// The men of a side as letters, the most valuable first: `QNPP` for White, `qnpp` for Black.
    pub fn letters(&self, color: Color) -> String {
        let letter = |kind: PieceKind| match color {
            Color::White => kind.letter(),
            Color::Black => kind.letter().to_ascii_lowercase(),
        };
        Hands::KINDS
            .into_iter()
            .flat_map(|kind| std::iter::repeat_n(letter(kind), self.count(color, kind)))
            .collect()
    }

    /// Puts men into the hands: `Qnp`; nothing for no text or `-`. Returns `None` if a letter is no man that a
    /// hand can hold.
    pub(super) fn read(&mut self, text: &str) -> Option<()> {
        let letters = if text == "-" { "" } else { text };
        letters.chars().try_for_each(|letter| {
            let piece = Piece::from_fen_letter(letter)?;
            self.put_in(piece.color(), piece.kind()).then_some(())
        })
    }

    /// Adds a man to a hand. Returns false if it is a king or the hand is full.
    #[must_use]
    pub(super) fn put_in(&mut self, color: Color, kind: PieceKind) -> bool {
        match self.counts[color.index()].get_mut(kind.index()) {
            Some(count) if usize::from(*count) + 1 < MOST => {
                *count += 1;
                true
            }
            _ => false,
        }
    }

    /// Takes a man out of a hand, which must hold one of this kind.
    pub(super) fn take_out(&mut self, color: Color, kind: PieceKind) {
        self.counts[color.index()][kind.index()] -= 1;
    }

    /// Marks the man on a square as a promoted pawn.
    pub(super) fn promote(&mut self, sq: Square) {
        self.promoted |= sq.bit();
    }

    /// Notes the move of a man from one square to another and what it captured.
    pub(super) fn note_move(&mut self, mv: Move, us: Color, captured: Option<PieceKind>) {
        let (from, to) = (mv.from(), mv.to());
        if let Some(kind) = captured {
            let is_put = self.put_in(us, self.kind_in_hand(kind, to));
            debug_assert!(is_put, "a full hand");
        }
        let is_promoted = mv.is_promotion() || self.is_promoted(from);
        self.promoted &= !(from.bit() | to.bit());
        if is_promoted {
            self.promote(to);
        }
    }

    /// The part of the Zobrist key that hands and promoted men give.
    pub fn key(&self) -> Key {
        let mut key = 0;
        for (counts, keys) in self.counts.iter().zip(&COUNT_KEYS) {
            for (&count, keys) in counts.iter().zip(keys) {
                key ^= keys[usize::from(count)];
            }
        }
        let mut promoted = self.promoted;
        while promoted != 0 {
            key ^= PROMOTED_KEYS[promoted.trailing_zeros() as usize];
            promoted &= promoted - 1;
        }
        Key::new(key)
    }
}

/// As in a FEN: White's men, then Black's.
impl fmt::Display for Hands {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Color::ALL.into_iter().try_for_each(|color| f.write_str(&self.letters(color)))
    }
}

/// Splits the first field of a FEN into the placement and the men in hand: `…[Qnp]` or `…/Qnp` with a ninth
/// rank.
pub(super) fn split(field: &str) -> (&str, &str) {
    if let Some((placement, hand)) = field.strip_suffix(']').and_then(|text| text.split_once('[')) {
        return (placement, hand);
    }
    match field.match_indices('/').nth(7) {
        Some((at, _)) => (&field[..at], &field[at + 1..]),
        None => (field, ""),
    }
}
