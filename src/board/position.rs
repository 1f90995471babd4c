//! The position: a mailbox with walls, and the list of pieces.
//!
//! Every piece has an id that it keeps for the whole game: White's are 0..16, Black's 16..32, the
//! kings are 0 and 16. A capture clears the id's bit in the masks, taking it back sets it again, so
//! make and unmake restore the lists exactly, order included.

use super::castling_rights::{CastlingRooks, ROOK_HOMES};
use super::{CastlingRights, Rules};
use crate::types::{Cell, Color, Key, Move, Outcome, Piece, PieceKind, Square};

/// A position of a game with its history.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Position<R: Rules> {
    /// By 0x88 number; all that is not one of the 64 squares is wall.
    pub(super) cells: [Cell; 256],
    /// Square to piece id; meaningful where a piece stands.
    pub(super) id_at: [u8; 128],
    /// Piece id to square; meaningful while the piece is alive.
    pub(super) square_at: [Square; 32],
    /// The ids alive, as bits: of any kind under 0, else by [`PieceKind::index`].
    pub(super) alive: [u32; 7],
    /// How many pieces each side has: of any kind under 0, else by [`PieceKind::index`].
    pub(super) counts: [[u8; 8]; 2],
    pub(super) side: Color,
    /// Used in Chess960 only; see [`Position::castling_rook`].
    pub(super) castling_rooks: CastlingRooks,
    pub(super) state: StateInfo<R>,
    /// The states before each move made so far, the oldest first.
    pub(super) history: Vec<StateInfo<R>>,
    /// The full-move number and the side to move of the position the game was set up with.
    pub(super) first_fullmove: u32,
    pub(super) first_side: Color,
}

/// All that a move changes and cannot compute back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateInfo<R: Rules> {
    pub(super) key: Key,
    pub(super) pawn_key: Key,
    pub(super) non_pawn_keys: [Key; 2],
    /// What the variant counts.
    pub(super) variant: R::State,
    /// The move that led here; `None` at the start of the game and after a null move.
    pub(super) last_move: Option<Move>,
    /// What it took, and the id of that.
    pub(super) captured: Cell,
    pub(super) captured_id: u8,
    pub(super) castling: CastlingRights,
    /// The square behind a pawn that has just gone two, if it can legally be taken there.
    pub(super) en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub(super) halfmove_clock: u16,
    /// Plies that could be part of a repetition: since the last move that cannot come back.
    pub(super) reversible: u16,
}

/// Room for the longest line of search on top of a long game, so that making a move never allocates
/// in a search.
const HISTORY_CAPACITY: usize = 1024;

impl<R: Rules> Position<R> {
    /// The position a game begins from.
    pub fn start() -> Position<R> {
        Position::from_fen(R::START_FEN).expect("a variant's start position is legal")
    }

    /// The start position with this number, below [`Rules::START_POSITIONS`].
    pub fn numbered_start(number: usize) -> Position<R> {
        Position::from_fen(&R::start_fen(number)).expect("a variant's start positions are legal")
    }

    pub(super) fn empty() -> Position<R> {
        let mut cells = [Cell::WALL; 256];
        for sq in Square::all() {
            cells[sq.index()] = Cell::EMPTY;
        }
        Position {
            cells,
            id_at: [0; 128],
            square_at: [Square::A1; 32],
            alive: [0; 7],
            counts: [[0; 8]; 2],
            side: Color::White,
            castling_rooks: ROOK_HOMES,
            state: StateInfo {
                key: Key::ZERO,
                pawn_key: Key::ZERO,
                non_pawn_keys: [Key::ZERO; 2],
                variant: R::State::default(),
                last_move: None,
                captured: Cell::EMPTY,
                captured_id: 0,
                castling: CastlingRights::NONE,
                en_passant: None,
                halfmove_clock: 0,
                reversible: 0,
            },
            history: Vec::with_capacity(HISTORY_CAPACITY),
            first_fullmove: 1,
            first_side: Color::White,
        }
    }

    /// Puts a new piece on an empty square; false if its side has no room for it. The king gets the
    /// first id of its colour.
    #[must_use]
    pub(super) fn add_piece(&mut self, piece: Piece, sq: Square) -> bool {
        let base = 16 * piece.color().index() as u8;
        let id = if piece.kind() == PieceKind::King {
            base
        } else {
            let taken = self.alive[0] >> base & 0xffff | 1;
            base + (!taken).trailing_zeros() as u8
        };
        if id >= base + 16 || self.alive[0] & 1 << id != 0 {
            return false;
        }
        self.cells[sq.index()] = Cell::of(piece);
        self.id_at[sq.index()] = id;
        self.square_at[id as usize] = sq;
        self.alive[0] |= 1 << id;
        self.alive[piece.kind().index()] |= 1 << id;
        self.count_piece(piece, 1);
        true
    }

    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// What stands on a square; the wall beside the board.
    #[inline(always)]
    pub fn cell(&self, sq: Square) -> Cell {
        self.cells[sq.index()]
    }

    /// The piece on a square of the board.
    pub fn piece_at(&self, sq: Square) -> Option<Piece> {
        self.cell(sq).piece()
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.square_at[16 * color.index()]
    }

    /// The ids of a side's pieces.
    #[inline(always)]
    pub(crate) fn ids(&self, color: Color) -> Ids {
        self.id_mask(0, color)
    }

    /// The ids of a side's pieces that are not pawns, the king's included.
    #[inline(always)]
    pub(crate) fn piece_ids(&self, color: Color) -> Ids {
        let pawns = self.alive[PieceKind::Pawn.index()];
        Ids((self.alive[0] & !pawns) & 0xffff << (16 * color.index()))
    }

    /// The ids of a side's pieces of one kind.
    #[inline(always)]
    pub(crate) fn ids_of(&self, color: Color, kind: PieceKind) -> Ids {
        self.id_mask(kind.index(), color)
    }

    #[inline(always)]
    fn id_mask(&self, index: usize, color: Color) -> Ids {
        Ids(self.alive[index] & 0xffff << (16 * color.index()))
    }

    /// The ids of a side's bishops, rooks and queens.
    #[inline(always)]
    pub(crate) fn slider_ids(&self, color: Color) -> Ids {
        let [.., bishops, rooks, queens, _] = self.alive;
        Ids((bishops | rooks | queens) & 0xffff << (16 * color.index()))
    }

    #[inline(always)]
    pub(crate) fn square_of(&self, id: u8) -> Square {
        self.square_at[id as usize & 31]
    }

    /// The id of the piece on an occupied square.
    #[inline(always)]
    pub(crate) fn id_on(&self, sq: Square) -> u8 {
        self.id_at[sq.index() & 127]
    }

    /// The squares of a side's pieces of one kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> impl Iterator<Item = Square> {
        self.ids_of(color, kind).map(|id| self.square_of(id))
    }

    /// All pieces of a side, with their squares.
    #[inline(always)]
    pub fn all_pieces(&self, color: Color) -> impl Iterator<Item = (Square, PieceKind)> {
        self.ids(color).filter_map(|id| {
            let sq = self.square_of(id);
            Some((sq, self.piece_at(sq)?.kind()))
        })
    }

    /// How many pieces of one kind a side has.
    #[inline(always)]
    pub fn count(&self, color: Color, kind: PieceKind) -> usize {
        usize::from(self.counts[color.index()][kind.index()])
    }

    /// Counts a piece that comes (1) or goes (-1).
    #[inline(always)]
    pub(super) fn count_piece(&mut self, piece: Piece, by: i8) {
        let counts = &mut self.counts[piece.color().index()];
        counts[0] = counts[0].wrapping_add_signed(by);
        let of_kind = &mut counts[piece.kind().index()];
        *of_kind = of_kind.wrapping_add_signed(by);
    }

    /// How many pieces are on the board, kings and pawns included.
    pub fn total_count(&self) -> usize {
        usize::from(self.counts[0][0] + self.counts[1][0])
    }

    /// Has the side a piece besides king and pawns?
    pub fn has_pieces(&self, color: Color) -> bool {
        usize::from(self.counts[color.index()][0]) > 1 + self.count(color, PieceKind::Pawn)
    }

    /// The key of the whole position: pieces, side to move, rights, and the variant's state.
    pub fn key(&self) -> Key {
        self.state.key
    }

    /// The key of the pawns alone.
    pub fn pawn_key(&self) -> Key {
        self.state.pawn_key
    }

    /// The key of a side's pieces without its pawns.
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.state.non_pawn_keys[color.index()]
    }

    /// What the variant counts.
    pub fn state(&self) -> &R::State {
        &self.state.variant
    }

    /// The square on which a pawn may be taken en passant, if one legally can be.
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.state.halfmove_clock)
    }

    /// The number of the move about to be played, as PGN counts.
    pub fn fullmove_number(&self) -> u32 {
        self.first_fullmove + (self.history.len() as u32 + self.first_side as u32) / 2
    }

    /// The number of moves made since the position was set up.
    pub fn ply_count(&self) -> usize {
        self.history.len()
    }

    /// The move that led here, if one did since the position was set up.
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The moves made since the position was set up.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.history.iter().skip(1).chain([&self.state]).filter_map(|state| state.last_move)
    }

    /// The end that the variant adds to the usual ones, such as a third check.
    #[inline(always)]
    pub fn variant_outcome(&self) -> Option<Outcome> {
        R::outcome(self)
    }
}

/// A set of piece ids, and the iterator over it, the lowest first.
#[derive(Clone, Copy)]
pub(crate) struct Ids(pub(super) u32);

impl Iterator for Ids {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(id)
    }

    #[inline(always)]
    fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}
