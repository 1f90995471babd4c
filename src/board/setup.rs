//! A position as fields, as a FEN lists them.
//!
//! A [`Setup`] need not be legal. [`Position::try_from`] is the only place that checks what a legal
//! position is.

use super::{Position, Rules};
use crate::types::{CastlingSide, Color, Piece, PieceKind, Square};

/// The fields of a position. They can be changed freely before they become a [`Position`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup<R: Rules> {
    /// By [`Square::index64`].
    pub pieces: [Option<Piece>; 64],
    pub side_to_move: Color,
    /// By colour and [`CastlingSide`]: the square of the rook with which the side may castle,
    /// `None` without the right.
    pub castling_rooks: [[Option<Square>; 2]; 2],
    /// The square behind a pawn that has just made a double push.
    pub en_passant: Option<Square>,
    /// The variant's own state; `None` if a FEN does not tell it. See [`Rules::state_if_missing`].
    pub state: Option<R::State>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The full-move number of the next move, from 1, as in PGN.
    pub fullmove_number: u32,
}

/// The most pieces of a side in chess, the king included.
pub const MOST_PIECES: usize = 16;

/// The most queens and pawns of a side. In a game there are at most nine; eleven allow three queens
/// beside eight pawns, as in some games with odds. With this limit no position has more moves than a
/// [`crate::types::MoveList`] holds: `tests/library/move_bound.rs` has the proof.
pub const MOST_QUEENS_AND_PAWNS: usize = 11;

/// Why a setup is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    #[error("{0} needs exactly one king")]
    Kings(Color),
    #[error("{0} has too many pieces")]
    PieceCount(Color),
    #[error("{0} has too many queens and pawns")]
    QueenCount(Color),
    #[error("a pawn stands on the first or last rank")]
    PawnRank,
    #[error("the side that is not to move is in check")]
    OpponentInCheck,
    /// For a game with more than sixteen men of a side.
    #[error("more moves are possible than the engine can list")]
    MoveCount,
    /// For a game with men in hand.
    #[error("there are more than 32 men on the board and in hand")]
    MenInHand,
    /// For a side without a royal king.
    #[error("{0} plays without a king")]
    NoKing(Color),
    /// For a game without checks.
    #[error("a side is in check")]
    InCheck,
    /// For a game without pawns.
    #[error("there is a pawn on the board")]
    Pawn,
}

impl<R: Rules> Setup<R> {
    /// An empty board with White to move.
    pub fn empty() -> Setup<R> {
        Setup {
            pieces: [None; 64],
            side_to_move: Color::White,
            castling_rooks: [[None; 2]; 2],
            en_passant: None,
            state: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The piece on a square, if there is one.
    pub fn piece_at(&self, sq: Square) -> Option<Piece> {
        self.pieces[sq.index64()]
    }

    /// The square of a side's king; of one of them if there are several.
    pub fn king(&self, color: Color) -> Option<Square> {
        Square::all().find(|&sq| self.holds(sq, color, PieceKind::King))
    }

    /// The square of the king with which a side castles, if one stands where it can castle from in this game.
    pub(super) fn castling_king(&self, color: Color) -> Option<Square> {
        let home = CastlingSide::king_home(color);
        match R::CHESS960_CASTLING {
            true => self.king(color).filter(|king| king.rank() == color.back_rank()),
            false => Some(home).filter(|&sq| self.holds(sq, color, PieceKind::King)),
        }
    }

    /// Grants the castling rights of every king and rook on their home squares in standard chess.
    pub fn allow_castling_at_home(&mut self) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let home = side.rook_home(color);
                let stands = self.holds(CastlingSide::king_home(color), color, PieceKind::King)
                    && self.holds(home, color, PieceKind::Rook);
                self.castling_rooks[color.index()][side.index()] = stands.then_some(home);
            }
        }
    }

    pub(super) fn holds(&self, sq: Square, color: Color, kind: PieceKind) -> bool {
        self.piece_at(sq) == Some(Piece::new(color, kind))
    }

    /// Is this castling right possible: do king and rook stand where they can castle from in this
    /// game?
    fn is_castling_possible(&self, color: Color, side: CastlingSide, rook: Square) -> bool {
        let Some(king) = self.castling_king(color).filter(|_| R::may_castle(color)) else {
            return false;
        };
        let is_beside = match side {
            CastlingSide::King => rook.file() > king.file(),
            CastlingSide::Queen => rook.file() < king.file(),
        };
        let is_home = if R::CHESS960_CASTLING {
            rook.rank() == king.rank() && is_beside
        } else {
            rook == side.rook_home(color)
        };
        // A promoted rook has not stood there from the start.
        let is_promoted = self.hands().is_some_and(|hands| hands.is_promoted(rook));
        is_home && self.holds(rook, color, PieceKind::Rook) && !is_promoted
    }

    /// Checks what can be checked without the rules of attack.
    fn check(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let stands = |kind| Square::all().filter(move |&sq| self.holds(sq, color, kind));
            if R::is_royal(color) && stands(PieceKind::King).count() != 1 {
                return Err(PositionError::Kings(color));
            }
            let may_stand = |sq: Square| match sq.rank_for(color) {
                0 => R::has_back_rank_pawns(color),
                rank => rank < 7,
            };
            if !stands(PieceKind::Pawn).all(may_stand) {
                return Err(PositionError::PawnRank);
            }
            let all = self.pieces.iter().flatten().filter(|piece| piece.color() == color);
            let most = R::MOST_MEN[color.index()];
            if all.count() > most {
                return Err(PositionError::PieceCount(color));
            }
            // A game with more men must count the moves itself.
            let most = if most == MOST_PIECES { MOST_QUEENS_AND_PAWNS } else { most };
            if stands(PieceKind::Queen).count() + stands(PieceKind::Pawn).count() > most {
                return Err(PositionError::QueenCount(color));
            }
        }
        Ok(())
    }
}

impl<R: Rules> TryFrom<Setup<R>> for Position<R> {
    type Error = PositionError;

    /// A position without history. Castling rights without king or rook in place are dropped, and
    /// so is an en passant square where no capture is legal.
    #[inline(never)]
    fn try_from(setup: Setup<R>) -> Result<Position<R>, PositionError> {
        setup.check()?;
        let mut pos = Position::empty();
        for sq in Square::all() {
            if let Some(piece) = setup.piece_at(sq) {
                pos.put(piece, sq);
            }
        }
        pos.side = setup.side_to_move;
        pos.first_side = setup.side_to_move;
        if pos.is_king_attacked(!pos.side) {
            return Err(PositionError::OpponentInCheck);
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = setup.castling_rooks[color.index()][side.index()]
                    && setup.is_castling_possible(color, side, rook)
                {
                    pos.state.castling = pos.state.castling.with(color, side);
                    pos.castling_rooks[color.index()][side.index()] = rook;
                }
            }
        }
        pos.state.halfmove_clock = setup.halfmove_clock;
        pos.first_fullmove = setup.fullmove_number.max(1);
        let checker = pos.in_check().then_some(!pos.side);
        pos.state.variant = setup.state.unwrap_or_else(|| R::state_if_missing(checker));
        let (key, pawn_key, non_pawn_keys) = pos.computed_keys();
        pos.state.key = key;
        pos.state.pawn_key = pawn_key;
        pos.state.non_pawn_keys = non_pawn_keys;
        if let Some(sq) = setup.en_passant {
            pos.restore_en_passant(sq);
        }
        R::check_position(&pos)?;
        Ok(pos)
    }
}

impl<R: Rules> Position<R> {
    /// The fields of this position, without its history.
    pub fn setup(&self) -> Setup<R> {
        let mut setup = Setup::empty();
        for sq in Square::all() {
            setup.pieces[sq.index64()] = self.piece_at(sq);
        }
        setup.side_to_move = self.side_to_move();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let rook = self.castling_rook(color, side);
                setup.castling_rooks[color.index()][side.index()] =
                    self.castling().has(color, side).then_some(rook);
            }
        }
        setup.en_passant = self.en_passant();
        setup.state = Some(*self.state());
        setup.halfmove_clock = self.halfmove_clock() as u16;
        setup.fullmove_number = self.fullmove_number();
        setup
    }

    /// Sets the en passant square if a pawn has just passed it and a capture there is legal.
    fn restore_en_passant(&mut self, sq: Square) {
        let them = !self.side;
        let (from, to) = (sq + -them.forward(), sq + them.forward());
        if sq.rank_for(self.side) == 5
            && self.cell(to).holds(them, PieceKind::Pawn)
            && self.cell(sq).is_empty()
            && self.cell(from).is_empty()
        {
            self.allow_en_passant(from, to);
        }
    }
}
