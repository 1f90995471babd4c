//! Pictures of the pieces: the set cburnett by Colin M.L. Burnett, GPL version 2 or later.

use trebuchet::types::{Color, Piece, PieceKind};

/// The width and height of a picture, in its own units.
pub const PIECE_SIZE: u32 = 45;

/// The picture of a piece as SVG elements, without the element `svg` around them.
pub fn piece_elements(piece: Piece) -> &'static str {
    let file = match (piece.color(), piece.kind()) {
        (Color::White, PieceKind::Pawn) => include_str!("pieces/wP.svg"),
        (Color::White, PieceKind::Knight) => include_str!("pieces/wN.svg"),
        (Color::White, PieceKind::Bishop) => include_str!("pieces/wB.svg"),
        (Color::White, PieceKind::Rook) => include_str!("pieces/wR.svg"),
        (Color::White, PieceKind::Queen) => include_str!("pieces/wQ.svg"),
        (Color::White, PieceKind::King) => include_str!("pieces/wK.svg"),
        (Color::Black, PieceKind::Pawn) => include_str!("pieces/bP.svg"),
        (Color::Black, PieceKind::Knight) => include_str!("pieces/bN.svg"),
        (Color::Black, PieceKind::Bishop) => include_str!("pieces/bB.svg"),
        (Color::Black, PieceKind::Rook) => include_str!("pieces/bR.svg"),
        (Color::Black, PieceKind::Queen) => include_str!("pieces/bQ.svg"),
        (Color::Black, PieceKind::King) => include_str!("pieces/bK.svg"),
    };
    let inner = file.split_once('>').map_or("", |(_, rest)| rest);
    inner.rsplit_once("</svg>").map_or("", |(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_its_own_picture() {
        let mut seen = Vec::new();
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let elements = piece_elements(Piece::new(color, kind));
                assert!(elements.starts_with('<') && elements.ends_with('>'), "{elements}");
                assert!(!elements.contains("svg") && !seen.contains(&elements), "{elements}");
                seen.push(elements);
            }
        }
    }
}
