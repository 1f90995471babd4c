//! Notation against shakmaty on random games of both variants.

use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Chess;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::variant::ThreeCheck as ReferenceThreeCheck;

use trebuchet::board::{Position, Rules};
use trebuchet::notation::{parse_move, san};
use trebuchet::variants::{Standard, ThreeCheck};

/// Plays random games on both boards; every legal move's SAN must be the reference's, and each of
/// its spellings must be read back as that move.
fn compare<R: Rules, P: shakmaty::Position + Clone + Default>(seed: u64, games: usize) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut compared = 0;
    for _ in 0..games {
        let mut pos = Position::<R>::start();
        let mut reference = P::default();
        for _ in 0..200 {
            let legal = pos.legal_moves();
            if legal.is_empty() {
                break;
            }
            for &mv in legal.iter() {
                let theirs =
                    mv.to_string().parse::<UciMove>().unwrap().to_move(&reference).unwrap();
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
                let coordinates = mv.to_string();
                let long = format!("{}-{}", &coordinates[..2], &coordinates[2..]);
                for text in [&written, &plain, &coordinates, &long] {
                    assert_eq!(parse_move(&pos, text), Ok(mv), "{text} in {}", pos.fen());
                }
                compared += 1;
            }
            let mv = legal[rng.random_range(0..legal.len())];
            let theirs = mv.to_string().parse::<UciMove>().unwrap().to_move(&reference).unwrap();
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
fn only_mate_is_marked_as_mate() {
    let third = Position::<ThreeCheck>::from_fen("4k3/8/8/8/8/8/8/4K2Q w - - 1+3 0 1").unwrap();
    let check = parse_move(&third, "Qh8").unwrap();
    assert_eq!(san(&third, check), "Qh8+");
    let mate = Position::<Standard>::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    assert_eq!(san(&mate, parse_move(&mate, "a1a8").unwrap()), "Ra8#");
}
