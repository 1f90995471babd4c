//! The board side of a game, for any variant.

use std::any::Any;

use crate::board::{FenError, Hands, PositionError};
use crate::book::{Book, BookMove};
use crate::coach::{Assessment, HeatMap, Line, Opinion, Prospect};
use crate::notation::MoveError;
use crate::types::{Color, Move, Outcome, Piece, Ply, Score, Square};
use crate::variants::VariantId;

/// The piece on each square, by [`Square::index64`].
pub type Pieces = [Option<Piece>; 64];

/// A session refuses moves after this ply, so that a game cannot fill the memory. No real game is so
/// long.
pub const LONGEST_GAME: Ply = 10_000;

/// A position with the moves that led to it. It answers questions about the rules and never chooses
/// a move.
pub trait Game: Any + Send {
    fn variant(&self) -> VariantId;
    /// A copy of the position and its history.
    fn fork(&self) -> Box<dyn Game>;

    // The position.

    fn side_to_move(&self) -> Color;
    fn fen(&self) -> String;
    fn piece_at(&self, square: Square) -> Option<Piece>;
    /// The man that a move of the side to move moves or drops; `None` if the square is empty.
    fn mover(&self, mv: Move) -> Option<Piece> {
        match mv.dropped() {
            Some(kind) => Some(Piece::new(self.side_to_move(), kind)),
            None => self.piece_at(mv.from()),
        }
    }
    /// The piece on each square.
    fn pieces(&self) -> Pieces {
        let mut pieces = [None; 64];
        for square in Square::all() {
            pieces[square.index64()] = self.piece_at(square);
        }
        pieces
    }
    /// The variant's own state in words for people, such as the checks given so far.
    fn describe_state(&self) -> Option<String>;
    /// The men in hand, in a game with drops.
    fn hands(&self) -> Option<Hands>;
    /// The squares that the last move has emptied by an explosion, as a bitboard.
    fn exploded(&self) -> u64;
    fn legal_moves(&self) -> Vec<Move>;
    /// Is the side to move in check?
    fn is_in_check(&self) -> bool;
    /// How the game has ended by the rules, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The legal move that a text means, in coordinate notation or SAN.
    ///
    /// # Errors
    /// A [`MoveError`] that says why the text is not a legal move.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError>;
    /// A move in the coordinate notation of CECP, which writes castling in Chess960 as `O-O`.
    fn coordinate(&self, mv: Move) -> String;
    /// In Chess960, the square of the rook with which a legal move castles: there the user of a GUI
    /// may drop the king.
    fn castling_rook(&self, mv: Move) -> Option<Square>;
    /// A legal move in SAN.
    fn san(&self, mv: Move) -> String;
    /// The moves that a book has in this position, the heaviest first.
    fn book_moves(&self, book: &Book) -> Vec<BookMove>;

    /// Can this side still win? See [`Rules::can_win`](crate::board::Rules::can_win).
    fn can_win(&self, color: Color) -> bool;
    /// How contested each square is.
    fn heat_map(&self) -> HeatMap;
    /// What becomes of the man of a legal move.
    fn prospect(&self, mv: Move) -> Prospect;
    /// The position in words; `score` is what a search has found, from the side to move.
    fn opinion(&self, score: Score) -> Opinion;
    /// Why a legal move is good, the strongest reason first; `score` is its score from the mover's
    /// side, if a search has found one.
    fn reasons(&self, mv: Move, score: Option<Score>) -> Vec<String>;
    /// Judges a legal move by the best lines before it and after it; see [`crate::coach::assess`].
    fn assess(&self, lines: &[Line], mv: Move, lines_after: &[Line]) -> Assessment;
    /// The nodes of a search by whose lines the coach judges.
    fn study_nodes(&self) -> u64;

    // The history.

    /// Plays a legal move.
    fn play(&mut self, mv: Move);
    /// Takes back the last move and returns it. `None` if no move was played since the start or
    /// since the position was set up.
    fn undo(&mut self) -> Option<Move>;
    /// The number of moves played since the start or since the position was set up.
    fn ply_count(&self) -> Ply;
    /// The FEN of the position before the first of these moves.
    fn start_fen(&self) -> String;

    /// Is this a start position of the variant, before the first move?
    fn is_at_start(&self) -> bool {
        let (variant, fen) = (self.variant(), self.fen());
        (0..variant.start_positions()).any(|number| variant.start_fen(number) == fen)
    }

    // Other positions. Each of these forgets the history.

    /// Goes back to the start position of the variant.
    fn reset(&mut self);
    /// Sets up a position.
    ///
    /// # Errors
    /// A [`FenError`] if the FEN is not a legal position; the game then stays as it was.
    fn set_board(&mut self, fen: &str) -> Result<(), FenError>;
    /// Gives the move to a side. No pawn can be taken en passant then.
    ///
    /// # Errors
    /// If the side not to move would be in check; the game then stays as it was.
    fn set_side_to_move(&mut self, color: Color) -> Result<(), PositionError>;
    /// Sets up pieces. Kings and rooks on their home squares may castle.
    ///
    /// # Errors
    /// If this is not a legal position; the game then stays as it was.
    fn set_pieces(&mut self, pieces: &Pieces, side_to_move: Color) -> Result<(), PositionError>;
}
