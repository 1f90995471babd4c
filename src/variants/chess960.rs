//! Chess960, also called Fischer random chess: the rules of chess, with one of 960 arrangements of
//! the pieces on the back rank. After castling, king and rook stand on the same squares as in
//! standard chess.

use crate::board::{EndgameTables, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::EvalRules;
use crate::search::SearchRules;
use crate::types::PieceKind::{self, Bishop, King, Knight, Queen, Rook};

use super::Names;
use super::standard::Standard;

/// Chess960.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chess960;

impl Rules for Chess960 {
    type State = ();
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const START_POSITIONS: usize = 960;
    const CHESS960_CASTLING: bool = true;
    const ENDGAME_TABLES: EndgameTables = EndgameTables::Syzygy;

    fn start_fen(number: usize) -> String {
        let black: String =
            start_array(number).iter().map(|kind| kind.letter().to_ascii_lowercase()).collect();
        let white = black.to_ascii_uppercase();
        format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
    }
}

/// The back rank from the a-file to the h-file, by R. Scharnagl's number, 0 to 959. The number
/// gives the squares of the bishops, then of the queen and of the knights among the free squares;
/// the rest gets rook, king, rook. 518 is the arrangement of standard chess.
fn start_array(number: usize) -> [PieceKind; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut array = [None; 8];
    array[2 * (number % 4) + 1] = Some(Bishop);
    array[2 * (number / 4 % 4)] = Some(Bishop);
    let free = |array: &[Option<PieceKind>; 8]| -> Vec<usize> {
        (0..8).filter(|&file| array[file].is_none()).collect()
    };
    array[free(&array)[number / 16 % 6]] = Some(Queen);
    let (first, second) = KNIGHTS[number / 96 % 10];
    let files = free(&array);
    array[files[first]] = Some(Knight);
    array[files[second]] = Some(Knight);
    for (file, kind) in free(&array).into_iter().zip([Rook, King, Rook]) {
        array[file] = Some(kind);
    }
    array.map(|kind| kind.unwrap_or(Rook))
}

impl BookRules for Chess960 {
    /// Where a game of chess and one of Chess960 reach the same position, the rules are the same.
    const KEY_NAME: Option<&'static str> = None;
    const REPERTOIRE: &'static str = include_str!("../../variants/chess960/repertoire.tsv");
}

/// Evaluated as standard chess.
impl EvalRules for Chess960 {
    const WEIGHTS: &'static str = Standard::WEIGHTS;
    const NETWORK: Option<&'static [u8]> = Standard::NETWORK;
    const NETWORK_GAME: &'static str = Standard::NAME;
    const HAS_DRAWN_ENDGAMES: bool = true;
}

impl SearchRules for Chess960 {}

impl CoachRules for Chess960 {}

impl Names for Chess960 {
    const NAME: &'static str = "fischerandom";
    const UCI_NAME: &'static str = "chess";
    const OTHER_NAMES: &'static [&'static str] =
        &["960", "fischerrandom", "fischerrandomchess", "frc", "freestyle", "wildfr"];
    const TITLE: &'static str = "Chess960";
    const RULES: &'static str = "The rules of chess. The pieces on the back rank start in one of 960 \
        arrays, the same for both sides: the king between the rooks, the bishops on squares of both \
        colours. After castling, king and rook stand on the same squares as in chess.";
    /// In games that it does not know, xboard castles wrongly from these start positions.
    const LESSON: Option<&'static str> = None;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Position;
    use crate::types::{CastlingSide, Color};

    #[test]
    fn numbers_name_the_published_arrays() {
        for (number, array) in [(0, "bbqnnrkr"), (518, "rnbqkbnr"), (959, "rkrnnqbb")] {
            assert!(Chess960::start_fen(number).starts_with(array), "{number}");
        }
    }

    #[test]
    fn all_arrays_differ_and_may_castle_on_both_sides() {
        let fens: HashSet<String> = (0..960).map(Chess960::start_fen).collect();
        assert_eq!(fens.len(), 960);
        for fen in fens {
            let pos = Position::<Chess960>::from_fen(&fen).unwrap();
            assert_eq!(pos.fen(), fen);
            for side in CastlingSide::ALL {
                assert!(Color::ALL.iter().all(|&color| pos.castling().has(color, side)), "{fen}");
            }
        }
    }
}
