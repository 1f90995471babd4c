//! Notation against shakmaty on random games of every variant.

use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::variant::{
    KingOfTheHill as ReferenceKingOfTheHill, ThreeCheck as ReferenceThreeCheck,
};
use shakmaty::{CastlingMode, Chess, FromSetup};

use trebuchet::board::{Position, Rules};
use trebuchet::notation::{coordinate, parse_move, san};
use trebuchet::protocol::dialect::MoveText;
use trebuchet::variants::{Chess960, KingOfTheHill, Standard, ThreeCheck};

/// Plays random games on both boards; every legal move's SAN must be the reference's, and each of
/// its spellings must be read back as that move.
fn compare<R: Rules, P: shakmaty::Position + FromSetup + Clone>(seed: u64, games: usize) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut compared = 0;
    for _ in 0..games {
        let start = R::start_fen(rng.random_range(0..R::START_POSITIONS));
        let mut pos = Position::<R>::from_fen(&start).unwrap();
        let mode =
            if R::CHESS960_CASTLING { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut reference: P = start.parse::<Fen>().unwrap().into_position(mode).unwrap();
        for _ in 0..200 {
            let legal = pos.legal_moves();
            if legal.is_empty() {
                break;
            }
            for &mv in legal.iter() {
                let coordinates = MoveText::of(&pos, mv).uci;
                let theirs = coordinates.parse::<UciMove>().unwrap().to_move(&reference).unwrap();
                let plain = San::from_move(&reference, theirs).to_string();
                let written = san(&pos, mv);
                assert_eq!(written.trim_end_matches(['+', '#']), plain, "{}", pos.fen());
                let plus = SanPlus::from_move(reference.clone(), theirs);
                assert_eq!(written, plus.to_string(), "{}", pos.fen());
                let long = format!("{}-{}", &coordinates[..2], &coordinates[2..]);
                let cecp = coordinate::<R>(mv);
                for text in [&written, &plain, &coordinates, &long, &cecp] {
                    assert_eq!(parse_move(&pos, text), Ok(mv), "{text} in {}", pos.fen());
                }
                compared += 1;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            let coordinates = MoveText::of(&pos, mv).uci;
            let theirs = coordinates.parse::<UciMove>().unwrap().to_move(&reference).unwrap();
            reference.play_unchecked(theirs);
            pos.make_move(mv);
        }
    }
    compared
}

#[test]
fn san_is_the_reference_in_chess() {
    assert!(compare::<Standard, Chess>(1, 60) > 100_000);
}

#[test]
fn san_is_the_reference_in_three_check() {
    assert!(compare::<ThreeCheck, ReferenceThreeCheck>(2, 120) > 50_000);
}

#[test]
fn san_is_the_reference_in_chess960() {
    assert!(compare::<Chess960, Chess>(4, 60) > 100_000);
}

#[test]
fn san_is_the_reference_in_king_of_the_hill() {
    assert!(compare::<KingOfTheHill, ReferenceKingOfTheHill>(5, 60) > 50_000);
}

/// Each spelling of the move must be read as the same move, and is written in this one way.
fn assert_written<R: Rules>(fen: &str, spellings: &[&str], written: &str) {
    let pos = Position::<R>::from_fen(fen).unwrap();
    for text in spellings {
        assert_eq!(san(&pos, parse_move(&pos, text).unwrap()), written, "{text}");
    }
}

#[test]
fn moves_that_win_are_marked_in_every_game() {
    let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";
    let ra8 = ["Ra8", "Ra8+", "Ra8#", "a1a8"];
    assert_written::<Standard>(&format!("{back_rank} 0 1"), &ra8, "Ra8#");
    // A third check, with and without mate, and a second one.
    assert_written::<ThreeCheck>(&format!("{back_rank} 1+3 0 1"), &ra8, "Ra8#");
    let third = "4k3/8/8/8/8/8/8/4K2Q w - - 1+3 0 1";
    assert_written::<ThreeCheck>(third, &["Qh8", "Qh8+", "Qh8#", "h1h8"], "Qh8#");
    assert_written::<ThreeCheck>(&third.replace("1+3", "2+3"), &["Qh8#"], "Qh8+");
    // The king reaches the hill.
    let hill = "4k3/8/8/8/8/3K4/8/8 w - - 0 1";
    assert_written::<KingOfTheHill>(hill, &["Kd4", "Kd4+", "Kd4#", "d3d4"], "Kd4#");
    assert_written::<KingOfTheHill>(hill, &["Kc4"], "Kc4");
}

#[test]
fn a_piece_is_told_from_others_by_as_little_of_its_square_as_possible() {
    let knight = |fen: &str, text: &str, written: &str| {
        assert_written::<Standard>(fen, &[text, written], written);
    };
    knight("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "g1f3", "Nf3");
    knight("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "g1f3", "Ngf3");
    knight("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g1f3", "N1f3");
    // One on the same file and one on the same rank; a second one elsewhere changes nothing.
    knight("k7/8/8/6N1/8/8/K7/4N1N1 w - - 0 1", "g1f3", "Ng1f3");
    knight("k7/8/8/6N1/8/8/K2N4/4N1N1 w - - 0 1", "g1f3", "Ng1f3");
    knight("k7/8/8/6N1/8/8/K2N4/4N1N1 w - - 0 1", "d2f3", "Ndf3");
    knight("k7/8/8/6N1/8/8/K2N4/6N1 w - - 0 1", "g5f3", "N5f3");
}
