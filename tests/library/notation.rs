//! Notation against shakmaty on random games of every variant.

use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::variant::ThreeCheck as ReferenceThreeCheck;
use shakmaty::{CastlingMode, Chess, FromSetup};

use trebuchet::board::{Position, Rules};
use trebuchet::notation::{coordinate, parse_move, san};
use trebuchet::protocol::dialect::MoveText;
use trebuchet::variants::{Chess960, Standard, ThreeCheck};

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
                assert_eq!(
                    written.ends_with(['+', '#']),
                    plus.suffix.is_some(),
                    "{written} in {}",
                    pos.fen()
                );
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
fn only_mate_is_marked_as_mate() {
    let third = Position::<ThreeCheck>::from_fen("4k3/8/8/8/8/8/8/4K2Q w - - 1+3 0 1").unwrap();
    let check = parse_move(&third, "Qh8").unwrap();
    assert_eq!(san(&third, check), "Qh8+");
    let mate = Position::<Standard>::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    assert_eq!(san(&mate, parse_move(&mate, "a1a8").unwrap()), "Ra8#");
}
