//! A training position, packed so that a file can have many millions.

use trebuchet::board::Position;
use trebuchet::eval::MAX_RACE_LEVELS;
use trebuchet::eval::network::architecture::{PieceSquare, SCALE, SideView, output_for};
use trebuchet::types::{Color, Score, Square};
use trebuchet::variants::Variant;

/// One position with its target and the result of its game.
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

/// The length of a position in a file, in bytes.
pub const POSITION_BYTES: usize = 32;
const NO_RESULT: u8 = 3;
/// The numbers of pieces, of two colours and six kinds.
const PIECES: u8 = 12;
/// A target of one point.
const TARGET_ONE: f32 = 65_535.0;

/// The expected points, 0 to 1, for an output of the network: an output of 1, which is 400 centipawns, is
/// worth 0.73 points.
pub fn expected_points(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// The expected points of the side with this score.
pub fn points_of(score: Score) -> f32 {
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
    /// A position with its target, 0 to 1, and the result for the side to move in half points.
    pub fn new<V: Variant>(pos: &Position<V>, target: f32, result: u8) -> TrainingPosition {
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

    /// The position as bytes of a file.
    pub fn to_bytes(self) -> [u8; POSITION_BYTES] {
        let mut bytes = [0; POSITION_BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.target.to_le_bytes());
        let ([own, other], [white, black]) = (self.levels, self.kings);
        bytes[26..].copy_from_slice(&[self.result, self.is_black.into(), own, other, white, black]);
        bytes
    }

    /// The position of such bytes; `None` if they are nonsense.
    pub fn from_bytes(bytes: &[u8; POSITION_BYTES]) -> Option<TrainingPosition> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (&pieces, rest) = rest.split_first_chunk()?;
        let &[low, high, result, side, own, other, white, black] = rest else { return None };
        let occupied = u64::from_le_bytes(*occupied);
        let count = occupied.count_ones() as usize;
        let is_piece = |at: usize| (pieces[at / 2] >> (4 * (at % 2))) & 15 < PIECES;
        let is_sound = count <= 32
            && (0..count).all(is_piece)
            && result <= NO_RESULT
            && side <= 1
            && [own, other].into_iter().all(|level| usize::from(level) < MAX_RACE_LEVELS)
            && [white, black].into_iter().all(|king| king < 64);
        is_sound.then_some(TrainingPosition {
            occupied,
            pieces,
            target: u16::from_le_bytes([low, high]),
            result,
            is_black: side == 1,
            levels: [own, other],
            kings: [white, black],
        })
    }

    /// What the network learns to predict, 0 to 1: the expected points of the side to move, blended with
    /// this share of the result if the position belongs to a game.
    pub fn target(&self, result_share: f32) -> f32 {
        let target = f32::from(self.target) / TARGET_ONE;
        self.result().map_or(target, |result| target + result_share * (result - target))
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

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::types::Piece;
    use trebuchet::variants::ThreeCheck;

    #[test]
    fn a_position_keeps_its_pieces_and_levels() {
        assert_eq!(size_of::<TrainingPosition>(), POSITION_BYTES);
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 1+3 0 1";
        let pos = Position::<ThreeCheck>::from_fen(fen).unwrap();
        let packed = TrainingPosition::new(&pos, 0.25, 2);
        for (share, target) in [(0.0, 0.25), (0.4, 0.55), (1.0, 1.0)] {
            assert!((packed.target(share) - target).abs() < 1e-4);
        }
        let without = TrainingPosition::without_result(&pos, Score::cp(0));
        assert!((without.target(1.0) - 0.5).abs() < 1e-4);
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
    fn bytes_are_read_back_and_nonsense_is_refused() {
        let pos = Position::<ThreeCheck>::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 2+3 0 1").unwrap();
        let packed = TrainingPosition::new(&pos, 0.75, 1);
        let bytes = packed.to_bytes();
        assert_eq!(TrainingPosition::from_bytes(&bytes), Some(packed));
        // 33 pieces, a thirteenth piece, a result, a side, levels, kings.
        for (at, value) in
            [(0, 0xff), (8, 0xc0), (26, 4), (27, 2), (28, 3), (29, 3), (30, 64), (31, 255)]
        {
            let mut bytes = bytes;
            if at == 0 {
                bytes[..5].fill(value);
            }
            bytes[at] = value;
            assert_eq!(TrainingPosition::from_bytes(&bytes), None, "{at}");
        }
    }
}
