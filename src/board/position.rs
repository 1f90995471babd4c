//! The position: a 0x88 mailbox with walls, and bitboards.
//!
//! The mailbox tells what stands on a square, the bitboards where pieces stand.

use super::bitboards::Squares;
use super::castling_rights::{CastlingRooks, ROOK_HOMES};
use super::explosions::Exploded;
use super::{CastlingRights, Hands, Rules};
use crate::types::{CastlingSide, Cell, Color, Key, Move, Outcome, Piece, PieceKind, Square};

/// A position of a game with its history.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Position<R: Rules> {
    /// By 0x88 number. All entries beside the 64 squares are walls.
    pub(super) cells: [Cell; 256],
    /// The number of pieces of each side: all kinds at index 0, one kind at [`PieceKind::index`].
    pub(super) counts: [[u8; 8]; 2],
    /// By [`PieceKind::index`]: the squares of the pieces of a kind, as a bitboard.
    pub(super) by_kind: [u64; 8],
    /// By [`Color::index`]: the squares of the pieces of a side, as a bitboard.
    pub(super) by_color: [u64; 2],
    pub(super) side: Color,
    /// Used in Chess960 only; see [`Position::castling_rook`].
    pub(super) castling_rooks: CastlingRooks,
    pub(super) state: StateInfo<R>,
    /// The state before each move made so far, the oldest first.
    pub(super) history: Vec<StateInfo<R>>,
    /// The men that explosions have taken, the latest last.
    pub(super) exploded: Vec<Exploded>,
    /// The full-move number and the side to move when the position was set up.
    pub(super) first_fullmove: u32,
    pub(super) first_side: Color,
}

/// The part of a position that a move changes and that unmake cannot compute from the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateInfo<R: Rules> {
    pub(super) key: Key,
    pub(super) pawn_key: Key,
    pub(super) non_pawn_keys: [Key; 2],
    /// The variant's own state.
    pub(super) variant: R::State,
    /// The last move; `None` at the start of the game and after a null move.
    pub(super) last_move: Option<Move>,
    /// The captured piece.
    pub(super) captured: Cell,
    pub(super) castling: CastlingRights,
    /// The square behind a pawn that has just made a double push, if the pawn can legally be
    /// captured there.
    pub(super) en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub(super) halfmove_clock: u16,
    /// Plies since the last irreversible move: earlier positions cannot repeat.
    pub(super) reversible: u16,
}

/// Room for a long game, so that making a move seldom allocates.
const HISTORY_CAPACITY: usize = 1024;

impl<R: Rules> Position<R> {
    /// The start position of the variant.
    pub fn start() -> Position<R> {
        Position::from_fen(R::START_FEN).expect("a variant's start position is legal")
    }

    /// The start position with this number; the number is less than [`Rules::START_POSITIONS`].
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
            counts: [[0; 8]; 2],
            by_kind: [0; 8],
            by_color: [0; 2],
            side: Color::White,
            castling_rooks: ROOK_HOMES,
            state: StateInfo {
                key: Key::ZERO,
                pawn_key: Key::ZERO,
                non_pawn_keys: [Key::ZERO; 2],
                variant: R::State::default(),
                last_move: None,
                captured: Cell::EMPTY,
                castling: CastlingRights::NONE,
                en_passant: None,
                halfmove_clock: 0,
                reversible: 0,
            },
            history: Vec::with_capacity(HISTORY_CAPACITY),
            exploded: Vec::new(),
            first_fullmove: 1,
            first_side: Color::White,
        }
    }

    /// Puts a piece on an empty square. The keys stay as they are.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, sq: Square) {
        self.cells[sq.index()] = Cell::of(piece);
        self.toggle_squares(Cell::of(piece), sq.bit());
        self.count_piece(piece, 1);
    }

    /// Adds a piece's squares to its bitboards if they are absent, removes them if they are present.
    #[inline(always)]
    pub(super) fn toggle_squares(&mut self, cell: Cell, squares: u64) {
        self.by_kind[cell.kind_index()] ^= squares;
        self.by_color[cell.color_index()] ^= squares;
    }

    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The contents of a square; the wall for places beside the board.
    #[inline(always)]
    pub fn cell(&self, sq: Square) -> Cell {
        self.cells[sq.index()]
    }

    /// The squares of a rank, 0 to 7, from the a-file on.
    #[inline(always)]
    pub fn rank(&self, rank: u8) -> &[Cell; 8] {
        self.cells[Square::new(0, rank).index()..].first_chunk().expect("a rank has eight squares")
    }

    /// The piece on a square, if there is one.
    pub fn piece_at(&self, sq: Square) -> Option<Piece> {
        self.cell(sq).piece()
    }

    /// The men in hand; `None` in a game without drops.
    #[inline(always)]
    pub fn hands(&self) -> Option<&Hands> {
        if R::HAS_DROPS { R::hands(&self.state.variant) } else { None }
    }

    /// The man that a move of the side to move moves or drops; `None` if the square is empty.
    #[inline(always)]
    pub fn mover(&self, mv: Move) -> Option<Piece> {
        if R::HAS_DROPS
            && let Some(kind) = mv.dropped()
        {
            return Some(Piece::new(self.side, kind));
        }
        self.piece_at(mv.from())
    }

    /// The kind of the man that a move takes, castling excepted, as [`PieceKind::index`]; 0 for none.
    #[inline(always)]
    pub fn victim(&self, mv: Move) -> usize {
        if mv.is_en_passant() { PieceKind::Pawn.index() } else { self.cell(mv.to()).kind_index() }
    }

    /// The square that becomes empty by a move; `None` for a drop.
    #[inline(always)]
    pub fn origin(&self, mv: Move) -> Option<Square> {
        if R::HAS_DROPS && mv.is_drop() { None } else { Some(mv.from()) }
    }

    /// The square of a side's king; meaningless if the king has exploded. It must be royal: see
    /// [`Rules::is_royal`].
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        debug_assert!(R::is_royal(color), "{color} has no royal king");
        let king = self.squares_with(PieceKind::King) & self.squares_of(color);
        Square::from_index64(king.trailing_zeros() as usize)
    }

    /// The square of a side's king if it is royal and on the board.
    pub fn royal_king(&self, color: Color) -> Option<Square> {
        self.pieces(color, PieceKind::King).next().filter(|_| R::is_royal(color))
    }

    /// The square of a side's king; of the other side's if it is not royal; the home of the king if
    /// neither is.
    #[inline(always)]
    pub fn anchor(&self, color: Color) -> Square {
        match (R::is_royal(color), R::is_royal(!color)) {
            (true, _) => self.king(color),
            (false, true) => self.king(!color),
            (false, false) => CastlingSide::king_home(color),
        }
    }

    /// The squares of a side's pieces, as a bitboard.
    #[inline(always)]
    pub fn squares_of(&self, color: Color) -> u64 {
        self.by_color[color.index()]
    }

    /// The squares of both sides' pieces of one kind, as a bitboard.
    #[inline(always)]
    pub fn squares_with(&self, kind: PieceKind) -> u64 {
        self.by_kind[kind.index()]
    }

    /// The squares of all pieces, as a bitboard.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of a side's pieces of one kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> impl Iterator<Item = Square> {
        Squares(self.squares_with(kind) & self.squares_of(color))
    }

    /// All pieces of a side, with their squares.
    #[inline(always)]
    pub fn all_pieces(&self, color: Color) -> impl Iterator<Item = (Square, PieceKind)> {
        Squares(self.squares_of(color)).filter_map(|sq| Some((sq, self.piece_at(sq)?.kind())))
    }

    /// The number of a side's pieces of one kind.
    #[inline(always)]
    pub fn count(&self, color: Color, kind: PieceKind) -> usize {
        usize::from(self.counts[color.index()][kind.index()])
    }

    /// Adds `by` to the number of such pieces: 1 or -1.
    #[inline(always)]
    pub(super) fn count_piece(&mut self, piece: Piece, by: i8) {
        let counts = &mut self.counts[piece.color().index()];
        counts[0] = counts[0].wrapping_add_signed(by);
        let of_kind = &mut counts[piece.kind().index()];
        *of_kind = of_kind.wrapping_add_signed(by);
    }

    /// The number of a side's pieces, king and pawns included.
    #[inline(always)]
    pub fn count_all(&self, color: Color) -> usize {
        usize::from(self.counts[color.index()][0])
    }

    /// The number of pieces on the board, kings and pawns included.
    pub fn total_count(&self) -> usize {
        usize::from(self.counts[0][0] + self.counts[1][0])
    }

    /// Has the side nothing but its king?
    #[inline(always)]
    pub fn is_bare(&self, color: Color) -> bool {
        self.counts[color.index()][0] == 1
    }

    /// Does the side have a piece besides a royal king and pawns?
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        let royal = usize::from(R::is_royal(color));
        self.count_all(color) > royal + self.count(color, PieceKind::Pawn)
    }

    /// The Zobrist key: pieces, side to move, castling rights, en passant, and the variant's state.
    pub fn key(&self) -> Key {
        self.state.key
    }

    /// The Zobrist key of the pawns alone.
    pub fn pawn_key(&self) -> Key {
        self.state.pawn_key
    }

    /// The Zobrist key of a side's pieces without its pawns.
    pub fn non_pawn_key(&self, color: Color) -> Key {
        self.state.non_pawn_keys[color.index()]
    }

    /// The variant's own state.
    pub fn state(&self) -> &R::State {
        &self.state.variant
    }

    /// The en passant square, if a capture there is legal.
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.state.halfmove_clock)
    }

    /// The full-move number of the next move, as in PGN.
    pub fn fullmove_number(&self) -> u32 {
        self.first_fullmove + (self.history.len() as u32 + self.first_side as u32) / 2
    }

    /// The number of moves made since the position was set up.
    pub fn ply_count(&self) -> usize {
        self.history.len()
    }

    /// The last move, if one was made since the position was set up. `None` after a null move.
    pub fn last_move(&self) -> Option<Move> {
        self.state.last_move
    }

    /// The end of the game by the variant's own rules, such as a third check.
    #[inline(always)]
    pub fn variant_outcome(&self) -> Option<Outcome> {
        R::variant_outcome(self)
    }
}
