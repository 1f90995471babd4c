//! Our types as those of the crate `shakmaty`, which Syzygy tables and the keys of books need.

use shakmaty::Role;

use crate::types::{CastlingSide, Color, PieceKind, Square};

pub fn as_square(sq: Square) -> shakmaty::Square {
    shakmaty::Square::new(sq.index64() as u32)
}

pub const fn as_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

pub const fn as_side(side: CastlingSide) -> shakmaty::CastlingSide {
    match side {
        CastlingSide::King => shakmaty::CastlingSide::KingSide,
        CastlingSide::Queen => shakmaty::CastlingSide::QueenSide,
    }
}

pub const fn as_role(kind: PieceKind) -> Role {
    match kind {
        PieceKind::Pawn => Role::Pawn,
        PieceKind::Knight => Role::Knight,
        PieceKind::Bishop => Role::Bishop,
        PieceKind::Rook => Role::Rook,
        PieceKind::Queen => Role::Queen,
        PieceKind::King => Role::King,
    }
}
