//! Training positions, packed so that many millions fit into memory.

use crate::tuning::datagen::store::StoredGame;
use crate::tuning::selection::{IllegalMove, Selection};
use trebuchet::board::{FenError, Position};
use trebuchet::eval::network::architecture::{PieceSquare, SCALE, SideView, output_for};
use trebuchet::fnv::{FNV_START, fnv_1a};
use trebuchet::types::{Color, Score, Square};
use trebuchet::variants::Variant;

/// One position with its target and the result of its game, in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    /// The occupied squares, by [`Square::index64`].
    occupied: u64,
    /// The pieces on them in this order, four bits each: [`index12`](trebuchet::types::Piece::index12).
    pieces: [u8; 16],
    /// What the network learns to predict: the expected points of the side to move, 0 to 65,535.
    target: u16,
    /// The result for the side to move in half points: 0 to 2, or [`NO_RESULT`].
    result: u8,
    /// Is Black to move?
    is_black: bool,
    /// The race levels of the side to move and of the other.
    levels: [u8; 2],
    /// The squares of White's and of Black's king, by [`Square::index64`].
    kings: [u8; 2],
}

const NO_RESULT: u8 = 3;
/// A target of one point.
const TARGET_ONE: f32 = 65_535.0;

/// The expected points, 0 to 1, for an output of the network: an output of 1, which is 400 centipawns, is
/// worth 0.73 points.
pub fn expected_points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// The expected points of the side with this score.
fn points_of(score: Score) -> f32 {
    expected_points(score.value() as f32 / SCALE as f32)
}

/// The inputs of a network for one position.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// For the side to move and the other side, the inputs that are on.
    pub sides: [[u16; 32]; 2],
    /// How many there are for each side.
    pub count: usize,
    /// Which output counts.
    pub output: usize,
}

impl TrainingPosition {
    fn new<V: Variant>(pos: &Position<V>, target: f32, result: u8) -> TrainingPosition {
        let (mut occupied, mut pieces, mut count) = (0, [0; 16], 0);
        for square in Square::all() {
            if let Some(piece) = pos.piece_at(square).filter(|_| count < 32) {
                occupied |= 1 << square.index64();
                pieces[count / 2] |= (piece.index12() as u8) << (4 * (count % 2));
                count += 1;
            }
        }
        let us = pos.side_to_move();
        TrainingPosition {
            occupied,
            pieces,
            target: (target * TARGET_ONE).round() as u16,
            result,
            is_black: us == Color::Black,
            levels: [us, !us].map(|side| V::race_level(pos.state(), side) as u8),
            kings: Color::ALL.map(|side| pos.anchor(side).index64() as u8),
        }
    }

    /// A position that belongs to no game.
    pub fn without_result<V: Variant>(pos: &Position<V>, score: Score) -> TrainingPosition {
        TrainingPosition::new(pos, points_of(score), NO_RESULT)
    }

    /// All that is known of the position, its target included.
    fn bytes(&self) -> impl Iterator<Item = u8> {
        let rest = [self.result, self.is_black.into()];
        let rest = rest.into_iter().chain(self.levels).chain(self.kings);
        let target = self.target.to_le_bytes();
        self.occupied.to_le_bytes().into_iter().chain(self.pieces).chain(target).chain(rest)
    }

    /// What the network learns to predict: the expected points of the side to move, 0 to 1.
    pub fn target(&self) -> f32 {
        f32::from(self.target) / TARGET_ONE
    }

    /// The same position with the result of its game as the target, if it belongs to one.
    pub fn with_result_alone(&self) -> TrainingPosition {
        let target = self.result().map_or(self.target, |points| (points * TARGET_ONE) as u16);
        TrainingPosition { target, ..*self }
    }

    /// The points of the side to move: 0, 0.5 or 1. `None` for a position of no game.
    pub fn result(&self) -> Option<f32> {
        (self.result != NO_RESULT).then(|| f32::from(self.result) / 2.0)
    }

    /// The race levels of the side to move and of the other.
    pub fn levels(&self) -> [usize; 2] {
        self.levels.map(usize::from)
    }

    pub fn inputs(&self) -> Inputs {
        let us = if self.is_black { Color::Black } else { Color::White };
        let king = |side: Color| Square::from_index64(self.kings[side.index()].into());
        let [own_view, other_view] = [us, !us].map(|side| SideView::new(side, king(side)));
        let [mut own, mut other] = [[0; 32]; 2];
        let (mut left, mut count) = (self.occupied, 0);
        for pair in self.pieces {
            for piece in [pair & 15, pair >> 4] {
                if left == 0 {
                    break;
                }
                let place = PieceSquare::from_indices(piece.into(), left.trailing_zeros() as usize);
                own[count] = place.input(own_view) as u16;
                other[count] = place.input(other_view) as u16;
                count += 1;
                left &= left - 1;
            }
        }
        let sides = [own, other];
        Inputs { sides, count, output: output_for(count) }
    }
}

/// A number that tells these positions, in this order, from others.
pub fn fingerprint(positions: &[TrainingPosition]) -> u64 {
    fnv_1a(FNV_START, positions.iter().flat_map(TrainingPosition::bytes))
}

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
    use trebuchet::types::Piece;
    use trebuchet::variants::{Standard, ThreeCheck};

    #[test]
    fn a_position_keeps_its_pieces_and_levels() {
        assert_eq!(size_of::<TrainingPosition>(), 32);
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 1+3 0 1";
        let pos = Position::<ThreeCheck>::from_fen(fen).unwrap();
        let packed = TrainingPosition::new(&pos, 0.25, 2);
        assert!((packed.target() - 0.25).abs() < 1e-4);
        assert_eq!((packed.result(), packed.levels()), (Some(1.0), [0, 2]));
        let inputs = packed.inputs();
        assert_eq!((inputs.count, inputs.output), (32, 7));
        for (index, side) in [Color::Black, Color::White].into_iter().enumerate() {
            let view = SideView::new(side, pos.anchor(side));
            let mut expected: Vec<u16> = Color::ALL
                .into_iter()
                .flat_map(|color| pos.all_pieces(color).map(move |(at, kind)| (color, at, kind)))
                .map(|(color, at, kind)| {
                    PieceSquare::new(Piece::new(color, kind), at).input(view) as u16
                })
                .collect();
            let mut found = inputs.sides[index].to_vec();
            expected.sort();
            found.sort();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn other_positions_have_another_fingerprint() {
        let at = |fen: &str, target, result| {
            TrainingPosition::new(&Position::<ThreeCheck>::from_fen(fen).unwrap(), target, result)
        };
        let [first, second] = ["4k3/8/8/8/8/8/8/R3K3 w - -", "4k3/8/8/8/8/8/8/N3K3 w - -"];
        let first = |rest| format!("{first} {rest} 0 1");
        let base = at(&first("3+3"), 0.5, 1);
        let others = [
            at(&first("3+2"), 0.5, 1),
            at(&first("3+3").replace(" w ", " b "), 0.5, 1),
            at(&first("3+3"), 0.75, 1),
            at(&first("3+3"), 0.5, 2),
            at(&first("3+3").replace("4k3", "3k4"), 0.5, 1),
            at(&format!("{second} 3+3 0 1"), 0.5, 1),
        ];
        for other in others {
            assert_ne!(fingerprint(&[base]), fingerprint(&[other]), "{other:?}");
            assert_ne!(fingerprint(&[base, other]), fingerprint(&[other, base]), "{other:?}");
        }
        assert_eq!(fingerprint(&[base, base]), fingerprint(&[base; 2]));
        assert_ne!(fingerprint(&[base]), fingerprint(&[base; 2]));
    }

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
            positions.iter().map(|position| (position.target(), position.result())).collect();
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
