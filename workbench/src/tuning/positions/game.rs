//! The positions of a game that are for training, and their targets.

use super::position::{TrainingPosition, points_of};
use crate::tuning::datagen::store::StoredGame;
use crate::tuning::selection::{IllegalMove, Selection};
use trebuchet::board::{FenError, Position};
use trebuchet::types::Color;
use trebuchet::variants::Variant;

/// The targets of a game's positions, from the side to move: TD(lambda) of temporal difference learning
/// (Sutton 1988). A target is the position's own score with the share 1 - lambda, and the target of the
/// next position with the share lambda; the game's result stands at its end.
fn targets(game: &StoredGame, first: Color, lambda: f32) -> Vec<f32> {
    let side = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
    let mut next = points_of_result(game.winner, side(game.moves.len()));
    let mut targets: Vec<f32> = Vec::with_capacity(game.moves.len());
    for best in game.moves.iter().rev() {
        next = (1.0 - lambda) * points_of(best.score) + lambda * (1.0 - next);
        targets.push(next);
    }
    targets.reverse();
    targets
}

/// The points of a side at the end of a game.
fn points_of_result(winner: Option<Color>, side: Color) -> f32 {
    match winner {
        None => 0.5,
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
    }
}

/// Adds the positions of a game that are for training, up to the first move that is illegal. Returns that
/// move. `visit` sees each of them, and may add more. `lambda`, 0 to 1, is the share of what
/// follows in the target of a position.
///
/// # Errors
/// If the FEN of the game's first position is bad.
pub fn add_game<V: Variant>(
    positions: &mut Vec<TrainingPosition>,
    game: &StoredGame,
    selection: Selection,
    lambda: f32,
    mut visit: impl FnMut(&Position<V>, &mut Vec<TrainingPosition>),
) -> Result<Option<IllegalMove>, FenError> {
    let first = Position::<V>::from_fen(&game.fen)?.side_to_move();
    let targets = targets(game, first, lambda);
    selection.visit(game, |pos, ply, _| {
        let result = 2.0 * points_of_result(game.winner, pos.side_to_move());
        positions.push(TrainingPosition::new(pos, targets[ply], result as u8));
        visit(pos, positions);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::selfplay::ScoredMove;
    use trebuchet::types::Score;
    use trebuchet::variants::Standard;

    #[test]
    fn only_quiet_and_undecided_positions_are_taken() {
        let start = Position::<Standard>::start();
        let mut pos = start.clone();
        let mut moves = Vec::new();
        for (text, score) in [("e4", 20), ("d5", -30), ("exd5", 40), ("Qxd5", -50), ("Nc3", 9000)] {
            let mv = trebuchet::notation::parse_move(&pos, text).unwrap();
            moves.push(ScoredMove { mv, score: Score::cp(score) });
            pos.make_move(mv);
        }
        let winner = Some(Color::White);
        let game = StoredGame { number: 0, fen: start.fen(), winner, moves };
        let mut positions = Vec::new();
        let selection = Selection::default();
        assert_eq!(
            add_game::<Standard>(&mut positions, &game, selection, 0.0, |_, _| ()),
            Ok(None)
        );
        let kept: Vec<(f32, Option<f32>)> =
            positions.iter().map(|position| (position.target(0.0), position.result())).collect();
        let expected = [(20, Some(1.0)), (-30, Some(0.0))];
        assert_eq!(kept.len(), expected.len());
        for ((target, result), (score, expected)) in kept.into_iter().zip(expected) {
            assert!((target - points_of(Score::cp(score))).abs() < 1e-4, "{target}");
            assert_eq!(result, expected);
        }
    }

    #[test]
    fn a_target_blends_what_follows() {
        let start = Position::<Standard>::start();
        let mv = start.legal_moves()[0];
        let game = |winner, scores: &[i32]| StoredGame {
            number: 0,
            fen: start.fen(),
            winner,
            moves: scores.iter().map(|&cp| ScoredMove { mv, score: Score::cp(cp) }).collect(),
        };
        let lost = game(Some(Color::Black), &[0, 400, 0]);
        let near = |found: Vec<f32>, expected: [f32; 3]| {
            let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-3;
            assert!(found.iter().zip(&expected).all(is_near), "{found:?}");
        };
        near(targets(&lost, Color::White, 0.0), [0.5, 0.731, 0.5]);
        near(targets(&lost, Color::White, 1.0), [0.0, 1.0, 0.0]);
        // 0.25; 0.731 / 2 + 0.75 / 2; 0.5 / 2 + (1 - 0.7405) / 2.
        near(targets(&lost, Color::White, 0.5), [0.3797, 0.7405, 0.25]);
        near(targets(&game(None, &[0; 3]), Color::Black, 0.9), [0.5; 3]);
    }
}
