//! The key of a position in a book.

use shakmaty::File;
use shakmaty::zobrist::{Zobrist64, ZobristValue};

use super::BookRules;
use crate::board::Position;
use crate::fnv::{FNV_START, fnv_1a};
use crate::shakmaty_types::{as_color, as_role, as_side, as_square};
use crate::types::{CastlingSide, Color, Key, PieceKind, Square};

/// The key of a position in a book.
///
/// In games without a [`BookRules::KEY_NAME`] it is Polyglot's key: random numbers for each piece
/// on its square, each castling right, White to move, and the file of a pawn that has just made a
/// double push if an enemy pawn stands beside it, even if that pawn is pinned. The crate `shakmaty`
/// has the published numbers.
///
/// In every other game, the key is XORed with a hash of that name and, if the game has a
/// state, a blank and the state as in a FEN: `kingofthehill`, `3check 3+3`. The hash is FNV-1a with
/// 64 bits. Men in hand count as a state, written as in a FEN: `crazyhouse QNp`. So a book of one game
/// has no moves in another, and a position of three-check has another key after each check.
///
/// A position set up with an en passant square has it in its key only if a capture there is legal,
/// because the board keeps no other.
#[inline(never)]
pub fn key<R: BookRules>(pos: &Position<R>) -> Key {
    let mut key = Zobrist64::default();
    for color in Color::ALL {
        for (sq, kind) in pos.all_pieces(color) {
            key ^= Zobrist64::zobrist_for_piece(as_square(sq), as_role(kind).of(as_color(color)));
        }
        for side in CastlingSide::ALL {
            if pos.castling().has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(as_color(color), as_side(side));
            }
        }
    }
    if let Some(file) = en_passant_file(pos) {
        key ^= Zobrist64::zobrist_for_en_passant_file(File::new(file.into()));
    }
    if pos.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    Key::new(key.0) ^ game_key(pos)
}

/// The file on which the pawn of the last double push stands, if an enemy pawn stands beside it.
fn en_passant_file<R: BookRules>(pos: &Position<R>) -> Option<u8> {
    if let Some(sq) = pos.en_passant() {
        return Some(sq.file());
    }
    let pushed = pos.last_move().filter(|mv| mv.is_double_push())?.to();
    let us = pos.side_to_move();
    let is_beside =
        |sq: Square| sq.rank() == pushed.rank() && sq.file().abs_diff(pushed.file()) == 1;
    pos.pieces(us, PieceKind::Pawn).any(is_beside).then_some(pushed.file())
}

/// What the game and its state add to Polyglot's key.
fn game_key<R: BookRules>(pos: &Position<R>) -> Key {
    let Some(name) = R::KEY_NAME else { return Key::ZERO };
    let name = fnv_1a(FNV_START, name.bytes());
    let hands = pos.hands().map(ToString::to_string).filter(|hands| !hands.is_empty());
    Key::new(match R::write_state(pos.state()).or(hands) {
        Some(state) => fnv_1a(fnv_1a(name, *b" "), state.bytes()),
        None => name,
    })
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

    use super::*;
    use crate::board::Rules;
    use crate::notation::parse_move;
    use crate::variants::{Chess960, KingOfTheHill, Standard, ThreeCheck};

    fn after<R: Rules>(moves: &str) -> Position<R> {
        let mut pos = Position::start();
        for text in moves.split_whitespace() {
            let mv = parse_move(&pos, text).unwrap();
            pos.make_move(mv);
        }
        pos
    }

    /// The keys that the description of Polyglot's format gives as tests.
    #[test]
    fn keys_are_the_published_ones() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let pos = after::<Standard>(moves);
            assert_eq!(key(&pos).bits(), expected, "{moves}");
            // The same position, set up.
            let set_up = Position::<Standard>::from_fen(&pos.fen()).unwrap();
            assert_eq!(key(&set_up).bits(), expected, "{moves}");
        }
    }

    #[test]
    fn a_pinned_pawn_counts_as_ready_to_take() {
        // With a rook on e8, the pawn on e5 is pinned.
        for (black, en_passant) in [("4r2k", None), ("7k", Square::parse("d6"))] {
            let fen = format!("{black}/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
            let mut pos = Position::<Standard>::from_fen(&fen).unwrap();
            pos.make_move(parse_move(&pos, "d7d5").unwrap());
            assert_eq!(pos.en_passant(), en_passant);
            let fen = pos.fen().replace(" w - - ", " w - d6 ");
            assert_eq!(key(&pos).bits(), key_of_shakmaty(&fen), "{fen}");
        }
    }

    fn key_of_shakmaty(fen: &str) -> u64 {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        let chess: Chess = setup.position(CastlingMode::Chess960).unwrap();
        chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
    }

    /// Random games, every position of them.
    fn compare<R: BookRules>(games: u64) {
        for seed in 0..games {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut pos = Position::<R>::numbered_start(rng.random_range(0..R::START_POSITIONS));
            let fen = pos.fen().parse::<Fen>().unwrap();
            let mut chess: Chess = fen.into_setup().position(CastlingMode::Chess960).unwrap();
            while let Some(&mv) = pos.legal_moves().choose(&mut rng) {
                let code = shakmaty::uci::UciMove::from_ascii(uci(&pos, mv).as_bytes()).unwrap();
                let theirs = code.to_move(&chess).unwrap();
                pos.make_move(mv);
                chess.play_unchecked(theirs);
                let expected = chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0;
                assert_eq!(key(&pos).bits(), expected, "{}", pos.fen());
                if pos.ply_count() == 120 {
                    break;
                }
            }
        }
    }

    /// The move as UCI writes it in Chess960.
    fn uci<R: Rules>(pos: &Position<R>, mv: crate::types::Move) -> String {
        match mv.castling_side() {
            Some(side) => format!("{}{}", mv.from(), pos.castling_rook(pos.side_to_move(), side)),
            None => mv.to_string(),
        }
    }

    #[test]
    fn keys_are_those_of_another_program() {
        compare::<Standard>(100);
        compare::<Chess960>(100);
    }

    #[test]
    fn every_game_has_keys_of_its_own() {
        let chess = key(&Position::<Standard>::start());
        assert_eq!(key(&Position::<Chess960>::start()), chess, "the same rules");
        let hill = key(&Position::<KingOfTheHill>::start());
        assert_eq!((hill ^ chess).bits(), 0x673e_02e5_ea00_2835);
        let fens = ["3+3", "2+3", "3+2", "1+1"].map(|counters| {
            format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {counters} 0 1")
        });
        let added =
            fens.map(|fen| (key(&Position::<ThreeCheck>::from_fen(&fen).unwrap()) ^ chess).bits());
        let expected = [
            0x3c01_ddf8_488e_9d6d,
            0x336c_a4f8_43b7_b7f2,
            0x3c01_dcf8_488e_9bba,
            0x4cbf_29f8_51df_55f1,
        ];
        assert_eq!(added, expected);
    }
}
