//! Changes to a position by way of its FEN.

use crate::types::{Color, Piece, Square};

use super::Pieces;

/// The FEN with another side to move and without an en passant square.
pub fn with_side_to_move(fen: &str, color: Color) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[1] = side_letter(color);
    fields[3] = "-";
    fields.join(" ")
}

/// The FEN of these pieces. It claims every right to castle; reading it drops the impossible ones.
pub fn of_pieces(pieces: &Pieces, side_to_move: Color) -> String {
    let letter = |square: Square| pieces[square.index64()].map_or('1', Piece::fen_letter);
    let rank = |rank| (0..8).map(|file| letter(Square::new(file, rank))).collect::<String>();
    let board: Vec<String> = (0..8).rev().map(rank).collect();
    format!("{} {} KQkq - 0 1", board.join("/"), side_letter(side_to_move))
}

const fn side_letter(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}
