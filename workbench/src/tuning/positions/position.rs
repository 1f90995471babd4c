//! A training position, packed so that a file can have many millions.

use gradient::{Inputs, MEN};
use trebuchet::board::{Hands, Position};
use trebuchet::eval::MAX_RACE_LEVELS;
use trebuchet::eval::network::architecture::{Feature, SCALE, SideView, output_for};
use trebuchet::types::{Color, Piece, Score, Square};
use trebuchet::variants::Variant;

/// One position with its target and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    /// The occupied squares, by [`Square::index64`].
    occupied: u64,
    /// The pieces on them in this order, then the men in hand, four bits each:
    /// [`index12`](trebuchet::types::Piece::index12).
    pieces: [u8; MEN / 2],
    /// What the network learns to predict: the expected points of the side to move, 0 to 65,535.
    target: u16,
    /// White's and Black's king by [`Square::index64`], six bits each. White's byte has the result for the side
    /// to move above them, in half points: 0 to 2, or [`NO_RESULT`]. Black's byte has [`IS_BLACK`] and
    /// [`LOOKS_FROM_WHITE`].
    kings: [u8; 2],
    /// The race levels of the side to move, and those of the other, four bits each.
    levels: u8,
    /// The number of men in hand.
    in_hand: u8,
}

/// The length of a position in a file, in bytes.
pub const POSITION_BYTES: usize = 40;
const NO_RESULT: u8 = 3;
/// The numbers of pieces, of two colours and six kinds.
const PIECES: u8 = 12;
/// The number of a king within its side.
const KING: u8 = 5;
/// The bits of a king's square.
const SQUARE: u8 = 63;
/// The shift of the result.
const RESULT: u8 = 6;
/// Black is to move.
const IS_BLACK: u8 = 1 << 6;
/// Both sides look at the board from White's side.
const LOOKS_FROM_WHITE: u8 = 1 << 7;
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

impl TrainingPosition {
    /// A position with its target, 0 to 1, and the result for the side to move in half points. Men beyond
    /// [`MEN`] are left out; no game has them.
    pub fn new<V: Variant>(pos: &Position<V>, target: f32, result: u8) -> TrainingPosition {
        let (mut occupied, mut pieces, mut count, mut in_hand) = (0, [0; MEN / 2], 0, 0);
        let mut put = |piece: Piece| {
            if let Some(pair) = pieces.get_mut(count / 2) {
                *pair |= (piece.index12() as u8) << (4 * (count % 2));
                count += 1;
                return true;
            }
            false
        };
        for square in Square::all() {
            if pos.piece_at(square).is_some_and(&mut put) {
                occupied |= square.bit();
            }
        }
        if let Some(hands) = V::hands(pos.state()) {
            for (color, kind) in Hands::places() {
                for _ in 0..hands.count(color, kind) {
                    in_hand += u8::from(put(Piece::new(color, kind)));
                }
            }
        }
        let us = pos.side_to_move();
        let [mut white, mut black] = Color::ALL.map(|side| pos.anchor(side).index64() as u8);
        white |= result << RESULT;
        if us == Color::Black {
            black |= IS_BLACK;
        }
        if V::looks_from(Color::Black) == Color::White {
            black |= LOOKS_FROM_WHITE;
        }
        let [own, other] = [us, !us].map(|side| V::race_level(pos.state(), side) as u8);
        TrainingPosition {
            occupied,
            pieces,
            target: (target * TARGET_ONE).round() as u16,
            kings: [white, black],
            levels: own | other << 4,
            in_hand,
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
        bytes[8..34].copy_from_slice(&self.pieces);
        bytes[34..36].copy_from_slice(&self.target.to_le_bytes());
        let [white, black] = self.kings;
        bytes[36..].copy_from_slice(&[white, black, self.levels, self.in_hand]);
        bytes
    }

    /// The position of such bytes; `None` if they are nonsense.
    pub fn from_bytes(bytes: &[u8; POSITION_BYTES]) -> Option<TrainingPosition> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (&pieces, rest) = rest.split_first_chunk()?;
        let &[low, high, white, black, levels, in_hand] = rest else { return None };
        let position = TrainingPosition {
            occupied: u64::from_le_bytes(*occupied),
            pieces,
            target: u16::from_le_bytes([low, high]),
            kings: [white, black],
            levels,
            in_hand,
        };
        let on_board = position.occupied.count_ones() as usize;
        let men = on_board + usize::from(in_hand);
        let is_sound = men <= MEN
            && (0..men).all(|at| position.piece(at) < PIECES)
            && (on_board..men).all(|at| position.piece(at) % 6 != KING)
            && position.levels().into_iter().all(|level| level < MAX_RACE_LEVELS);
        is_sound.then_some(position)
    }

    /// The number of the piece at this place of the list.
    fn piece(&self, at: usize) -> u8 {
        self.pieces[at / 2] >> (4 * (at % 2)) & 15
    }

    /// What the network learns to predict, 0 to 1: the expected points of the side to move, blended with
    /// this share of the result if the position belongs to a game.
    pub fn target(&self, result_share: f32) -> f32 {
        let target = f32::from(self.target) / TARGET_ONE;
        self.result().map_or(target, |result| target + result_share * (result - target))
    }

    /// The points of the side to move: 0, 0.5 or 1. `None` for a position of no game.
    pub fn result(&self) -> Option<f32> {
        let result = self.kings[0] >> RESULT;
        (result != NO_RESULT).then(|| f32::from(result) / 2.0)
    }

    /// The race levels of the side to move and of the other.
    pub fn levels(&self) -> [usize; 2] {
        [self.levels & 15, self.levels >> 4].map(usize::from)
    }

    /// How the side to move and the other side look at the board.
    fn views(&self) -> [SideView; 2] {
        let has = |flag: u8| self.kings[1] & flag != 0;
        let us = if has(IS_BLACK) { Color::Black } else { Color::White };
        [us, !us].map(|side| {
            let king = Square::from_index64((self.kings[side.index()] & SQUARE).into());
            let looks_from = if has(LOOKS_FROM_WHITE) { Color::White } else { side };
            SideView::new(side, looks_from, king)
        })
    }

    pub fn inputs(&self) -> Inputs {
        let views = self.views();
        let mut sides = [[0; MEN]; 2];
        let mut left = self.occupied;
        let on_board = left.count_ones() as usize;
        for count in 0..on_board {
            let feature =
                Feature::from_indices(self.piece(count).into(), left.trailing_zeros() as usize);
            for (side, view) in sides.iter_mut().zip(views) {
                side[count] = feature.board_input(view) as u16;
            }
            left &= left - 1;
        }
        let count = on_board + usize::from(self.in_hand);
        let mut others = 0;
        for at in on_board..count {
            // Men of one kind stand side by side.
            let is_another = at > on_board && self.piece(at) == self.piece(at - 1);
            others = if is_another { others + 1 } else { 0 };
            let man = Piece::from_index12(self.piece(at).into());
            let feature = Feature::in_hand(man.color(), man.kind(), others);
            for (side, view) in sides.iter_mut().zip(views) {
                side[at] = feature.hand_input(view) as u16;
            }
        }
        Inputs { sides, count, levels: self.levels(), output: output_for(on_board) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::board::Rules;
    use trebuchet::eval::network::Network;
    use trebuchet::eval::network::architecture::{Hidden, INPUTS};
    use trebuchet::variants::{Antichess, Crazyhouse, Horde, RacingKings, ThreeCheck};

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
        assert_eq!(TrainingPosition::from_bytes(&packed.to_bytes()), Some(packed));
        let inputs = packed.inputs();
        assert_eq!((inputs.count, inputs.output), (32, 7));
        for (index, side) in [Color::Black, Color::White].into_iter().enumerate() {
            let view = SideView::new(side, side, pos.anchor(side));
            let mut expected: Vec<u16> = Color::ALL
                .into_iter()
                .flat_map(|color| pos.all_pieces(color).map(move |(at, kind)| (color, at, kind)))
                .map(|(color, at, kind)| {
                    Feature::on_square(Piece::new(color, kind), at).board_input(view) as u16
                })
                .collect();
            let mut found = inputs.sides[index][..inputs.count].to_vec();
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
        // 53 men on the board, a thirteenth piece, levels, 53 men with those in hand.
        for (at, value) in [(0, 0xff), (8, 0xc0), (38, 3), (38, 0x30), (39, 50)] {
            let mut bytes = bytes;
            if at == 0 {
                bytes[..7].fill(value);
            }
            bytes[at] = value;
            assert_eq!(TrainingPosition::from_bytes(&bytes), None, "{at}");
        }
        // A king in hand.
        let mut bytes = bytes;
        bytes[9] |= 5 << 4;
        bytes[39] = 1;
        assert_eq!(TrainingPosition::from_bytes(&bytes), None);
    }

    /// Are the inputs those that a network of the engine adds up? A part of the inputs has a weight of one at a
    /// time, each for a neuron of its own.
    fn assert_inputs_are_those_of_the_engine<V: Variant>(fen: &str) {
        let pos = Position::<V>::from_fen(fen).unwrap();
        let inputs = TrainingPosition::new(&pos, 0.5, 1).inputs();
        let width = Hidden::H128.neurons();
        for (index, side) in [pos.side_to_move(), !pos.side_to_move()].into_iter().enumerate() {
            for start in (0..INPUTS).step_by(width) {
                let mut network = Network::zero(Hidden::H128);
                let mut numbers = vec![0; INPUTS * width];
                (start..INPUTS.min(start + width))
                    .for_each(|input| numbers[input * width + input - start] = 1);
                network.set_numbers(true, numbers);
                let found = network.neurons(&pos, side);
                let found: Vec<i16> = found.iter().flat_map(|block| block.0).collect();
                let mut expected = vec![0; width];
                inputs.sides[index][..inputs.count]
                    .iter()
                    .filter_map(|&input| usize::from(input).checked_sub(start))
                    .filter(|&neuron| neuron < width)
                    .for_each(|neuron| expected[neuron] += 1);
                assert_eq!(found, expected, "{fen}, inputs from {start}");
            }
        }
    }

    #[test]
    fn the_inputs_are_those_of_the_engine_in_every_game() {
        assert_inputs_are_those_of_the_engine::<Crazyhouse>(
            "r5k1/8/8/8/8/8/8/4K2R[BBNPPPPPPPPPbbnnpp] w K - 0 20",
        );
        assert_inputs_are_those_of_the_engine::<RacingKings>(RacingKings::START_FEN);
        assert_inputs_are_those_of_the_engine::<RacingKings>("8/8/8/2k5/8/8/5K2/qr3R1Q b - - 0 9");
        assert_inputs_are_those_of_the_engine::<Horde>(Horde::START_FEN);
        assert_inputs_are_those_of_the_engine::<Antichess>(Antichess::START_FEN);
    }
}
