//! A position set up piece by piece: what a FEN says, as fields.
//!
//! A [`Setup`] may hold anything; [`Position::try_from`] is the one place that says what a legal
//! position is.

use super::castling_rights::ROOK_HOMES;
use super::{Position, Rules};
use crate::types::{CastlingSide, Color, Piece, PieceKind, Square};

/// The fields of a position, changed freely before they become a [`Position`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup<R: Rules> {
    /// By [`Square::index64`].
    pub pieces: [Option<Piece>; 64],
    pub side_to_move: Color,
    /// By colour and [`CastlingSide`]: the square of the rook with which the side may castle.
    pub castling_rooks: [[Option<Square>; 2]; 2],
    /// The square behind a pawn that has just gone two.
    pub en_passant: Option<Square>,
    /// What the variant counts; `None` where a FEN does not say. See [`Rules::state_unless_told`].
    pub state: Option<R::State>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the next move, from 1, as PGN counts.
    pub fullmove_number: u32,
}

/// Why a setup is no legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    #[error("{0} needs exactly one king")]
    Kings(Color),
    #[error("{0} has more than sixteen pieces")]
    PieceCount(Color),
    #[error("a pawn stands on the first or last rank")]
    PawnRank,
    #[error("the side not on move is in check")]
    OpponentInCheck,
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

    /// What stands on a square.
    pub fn piece_at(&self, sq: Square) -> Option<Piece> {
        self.pieces[sq.index64()]
    }

    /// The square of a side's king, or of one of them.
    pub fn king(&self, color: Color) -> Option<Square> {
        Square::all().find(|&sq| self.holds(sq, color, PieceKind::King))
    }

    /// Allows every castling for which king and rook stand at home, as in chess.
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

    /// Can the castling be kept: do king and rook stand where this game lets them castle from?
    fn is_castling_possible(&self, color: Color, side: CastlingSide, rook: Square) -> bool {
        let Some(king) = self.king(color) else { return false };
        let is_beside = match side {
            CastlingSide::King => rook.file() > king.file(),
            CastlingSide::Queen => rook.file() < king.file(),
        };
        let is_home = if R::CHESS960_CASTLING {
            king.rank() == color.back_rank() && rook.rank() == king.rank() && is_beside
        } else {
            king == CastlingSide::king_home(color) && rook == side.rook_home(color)
        };
        is_home && self.holds(rook, color, PieceKind::Rook)
    }

    fn check(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let stands = |kind| Square::all().filter(move |&sq| self.holds(sq, color, kind));
            if stands(PieceKind::King).count() != 1 {
                return Err(PositionError::Kings(color));
            }
            if stands(PieceKind::Pawn).any(|sq| matches!(sq.rank(), 0 | 7)) {
                return Err(PositionError::PawnRank);
            }
            if self.pieces.iter().flatten().filter(|piece| piece.color() == color).count() > 16 {
                return Err(PositionError::PieceCount(color));
            }
        }
        Ok(())
    }
}

impl<R: Rules> TryFrom<Setup<R>> for Position<R> {
    type Error = PositionError;

    /// The position that begins here, without a history. Castling rights without king or rook in
    /// their places and an en passant square on which nothing can legally be taken are dropped.
    fn try_from(setup: Setup<R>) -> Result<Position<R>, PositionError> {
        setup.check()?;
        let mut pos = Position::empty();
        // Piece ids follow the order of a FEN.
        for rank in (0..8).rev() {
            for file in 0..8 {
                let sq = Square::new(file, rank);
                if let Some(piece) = setup.piece_at(sq)
                    && !pos.add_piece(piece, sq)
                {
                    return Err(PositionError::PieceCount(piece.color()));
                }
            }
        }
        pos.side = setup.side_to_move;
        pos.first_side = setup.side_to_move;
        if pos.is_attacked(pos.king(!pos.side), pos.side) {
            return Err(PositionError::OpponentInCheck);
        }
        pos.castling_rooks = ROOK_HOMES;
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
        pos.state.variant = setup.state.unwrap_or_else(|| R::state_unless_told(checker));
        let (key, pawn_key, non_pawn_keys) = pos.computed_keys();
        pos.state.key = key;
        pos.state.pawn_key = pawn_key;
        pos.state.non_pawn_keys = non_pawn_keys;
        if let Some(sq) = setup.en_passant {
            pos.restore_en_passant(sq);
        }
        Ok(pos)
    }
}

impl<R: Rules> Position<R> {
    /// The fields of this position; the history is not among them.
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

    /// Allows en passant on a square if the pawn that passed it stands there and a capture is legal.
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
