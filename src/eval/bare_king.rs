//! Standard chess against a bare king: drives it to the edge, where it can be mated ("mop-up
//! evaluation", Slate and Atkin 1977), or brings a pawn that wins nearer to its promotion.
//!
//! No other evaluation is asked in such a position. It knows only whether the win can be forced; how far
//! away mate is, the search must find.

use super::king_pawn;
use crate::board::{Position, Rules};
use crate::types::{Color, PieceKind, Score, Square};
use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};

/// What the certain win adds to the material.
const WIN: i32 = 400;
/// What the pieces are worth: so much that taking the last man of the weak side seldom costs anything. On average the
/// network gives less to a side that is winning against a king with one or two men; there a pawn is nearly a queen.
const PAWN: i32 = 900;
const MINOR: i32 = 600;
const ROOK: i32 = 1000;
const QUEEN: i32 = 1800;
/// What each step of a pawn is worth that wins alone.
const STEP: i32 = 20;
/// What each step of the bare king towards the edge is worth, and each step of the other king towards it.
const EDGE: i32 = 20;
const NEAR: i32 = 8;

/// The score from the side to move, in centipawns, if one side has a bare king and the other has pieces
/// that can force mate, or one pawn that wins.
#[inline(always)]
pub fn score<R: Rules>(pos: &Position<R>) -> Option<Score> {
    let us = pos.side_to_move();
    if pos.is_bare(!us) {
        winning_score(pos, us)
    } else if pos.is_bare(us) {
        winning_score(pos, !us).map(|score| -score)
    } else {
        None
    }
}

#[cold]
fn winning_score<R: Rules>(pos: &Position<R>, strong: Color) -> Option<Score> {
    let count = |kind| pos.count(strong, kind) as i32;
    let bishops_on = |is_light| pos.pieces(strong, Bishop).any(|at| at.is_light() == is_light);
    let has_both_bishops = bishops_on(true) && bishops_on(false);
    let has_heavy_pieces = count(Queen) + count(Rook) > 0;
    let has_bishop_and_knight = count(Bishop) > 0 && count(Knight) > 0;
    if !(has_heavy_pieces || has_both_bishops || has_bishop_and_knight) {
        return winning_pawn(pos, strong);
    }
    let material = PAWN * count(Pawn)
        + MINOR * (count(Knight) + count(Bishop))
        + ROOK * count(Rook)
        + QUEEN * count(Queen);
    let (king, bare_king) = (pos.king(strong), pos.king(!strong));
    let needs_corner = !has_heavy_pieces && !has_both_bishops;
    let edge = match needs_corner {
        false => centre_distance(bare_king),
        // Bishop and knight mate only in a corner that the bishop reaches.
        true => 2 * corner_nearness(bare_king, bishops_on(true)),
    };
    let near = 7 - i32::from(king.distance(bare_king));
    let score = Score::cp(WIN + material + EDGE * edge + NEAR * near);
    Some(score.min(Score::EVAL_LIMIT))
}

/// The score of king and pawn alone, if they win. It is below that of a queen.
fn winning_pawn<R: Rules>(pos: &Position<R>, strong: Color) -> Option<Score> {
    let pawn = pos.pieces(strong, Pawn).next()?;
    let wins = pos.count_all(strong) == 2 && king_pawn::is_won(pos, strong);
    wins.then(|| Score::cp(WIN + PAWN + STEP * i32::from(pawn.rank_for(strong))))
}

/// The steps to the centre along the ranks and files: 0 to 6.
fn centre_distance(square: Square) -> i32 {
    let steps = |line: u8| i32::from(if line < 4 { 3 - line } else { line - 4 });
    steps(square.file()) + steps(square.rank())
}

/// How near a square is to the corners of this colour: 0 on the diagonal between the others, 7 in the
/// corners.
fn corner_nearness(square: Square, is_light: bool) -> i32 {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    if is_light { (file - rank).abs() } else { (7 - file - rank).abs() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::Standard;

    fn score_of(fen: &str) -> Option<i32> {
        score(&Position::<Standard>::from_fen(fen).unwrap()).map(Score::value)
    }

    #[test]
    fn only_pieces_that_can_force_mate_have_a_score() {
        for (fen, wins) in [
            ("8/8/3k4/8/8/8/4K3/7R w - - 0 1", true),
            ("8/8/3k4/8/8/8/4K3/7Q w - - 0 1", true),
            ("8/8/3k4/8/8/8/4K3/5BN1 w - - 0 1", true),
            ("8/8/3k4/8/8/8/4K3/5BB1 w - - 0 1", true),
            ("8/8/3k4/8/8/8/4K3/4B1B1 w - - 0 1", false),
            ("8/8/3k4/8/8/8/4K3/5NN1 w - - 0 1", false),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("8/8/8/3k4/8/8/4P3/4K3 w - - 0 1", false),
            ("8/8/3kp3/8/8/8/4K3/7R w - - 0 1", false),
        ] {
            assert_eq!(score_of(fen).is_some_and(|score| score > 500), wins, "{fen}");
            let black = fen.replace(" w ", " b ");
            assert_eq!(score_of(&black), score_of(fen).map(|score| -score), "{fen}");
        }
    }

    #[test]
    fn the_centre_is_as_far_from_one_edge_as_from_the_other() {
        let along_a_file =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|rank| centre_distance(Square::new(3, rank)));
        let along_a_rank =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|file| centre_distance(Square::new(file, 4)));
        assert_eq!([along_a_file, along_a_rank], [[3, 2, 1, 0, 0, 1, 2, 3]; 2]);
        assert_eq!(centre_distance(Square::new(0, 0)), 6);
    }

    #[test]
    fn the_bare_king_is_driven_to_the_edge_and_to_the_right_corner() {
        let better =
            |better: &str, worse: &str| assert!(score_of(better) > score_of(worse), "{better}");
        better("3k4/8/8/8/8/8/4K3/7R w - - 0 1", "8/8/8/3k4/8/8/4K3/7R w - - 0 1");
        better("k7/8/2K5/8/8/8/8/7R w - - 0 1", "k7/8/8/8/8/8/4K3/7R w - - 0 1");
        // A bishop on light squares mates on a8.
        better("k7/8/2K5/8/8/8/8/4NB2 w - - 0 1", "7k/8/5K2/8/8/8/8/4NB2 w - - 0 1");
        better("3k4/8/2K5/8/8/8/8/4NB2 w - - 0 1", "5k2/8/6K1/8/8/8/8/4NB2 w - - 0 1");
    }
}
