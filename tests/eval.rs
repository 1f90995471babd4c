//! The evaluation: symmetric, the same as its trace says, and right about plain things.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::board::{Position, Rules};
use trebuchet::eval::{EvalRules, Evaluator, Weights, terms};
use trebuchet::for_variant;
use trebuchet::variants::{Standard, ThreeCheck, Variant, VariantId};

/// The position with colours exchanged and the board turned upside down.
fn flipped(fen: &str) -> String {
    let swap_case = |text: &str| -> String {
        let swap = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(swap).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let placement: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling = swap_case(fields[2]);
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let rest = fields[4..].iter().map(|field| match field.split_once('+') {
        Some((white, black)) => format!("{black}+{white}"),
        None => (*field).to_owned(),
    });
    let rest: Vec<String> = rest.collect();
    format!("{} {side} {castling} {en_passant} {}", placement.join("/"), rest.join(" "))
}

/// Walks through seeded random games and shows each position.
fn random_games<V: Variant>(games: u64, mut look: impl FnMut(&Position<V>)) {
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut pos = Position::<V>::start();
        while pos.outcome().is_none() {
            look(&pos);
            let moves = pos.legal_moves();
            pos.make_move(*moves.choose(&mut rng).expect("the game goes on"));
        }
    }
}

fn score<V: EvalRules>(fen: &str) -> i32 {
    Evaluator::new().evaluate(&Position::<V>::from_fen(fen).unwrap()).value()
}

fn is_symmetric<V: Variant>() {
    let mut evaluator = Evaluator::<V>::new();
    random_games::<V>(40, |pos| {
        let turned = Position::from_fen(&flipped(&pos.fen())).unwrap();
        let both = [evaluator.evaluate(pos), evaluator.evaluate(&turned)];
        assert_eq!(both[0], both[1], "{}", pos.fen());
    });
}

#[test]
fn colours_are_treated_alike() {
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => is_symmetric::<V>()));
}

fn is_mirrored<V: Variant>() {
    let mut evaluator = Evaluator::<V>::new();
    random_games::<V>(20, |pos| {
        let fen = pos.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<String> =
            fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
        let mirrored = format!("{} {} - - {}", ranks.join("/"), fields[1], fields[4..].join(" "));
        let mirrored = Position::from_fen(&mirrored).unwrap();
        assert_eq!(evaluator.evaluate(pos), evaluator.evaluate(&mirrored), "{fen}");
    });
}

#[test]
fn left_and_right_are_treated_alike() {
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => is_mirrored::<V>()));
}

fn is_traced<V: Variant>() {
    let weights = Weights::parse(V::WEIGHTS, V::STAGES).unwrap();
    let mut evaluator = Evaluator::<V>::new();
    random_games::<V>(20, |pos| {
        let expected = evaluator.evaluate(pos).value();
        assert_eq!(evaluator.trace(pos).score(&weights), expected, "{}", pos.fen());
    });
}

#[test]
fn a_trace_times_the_weights_is_the_score() {
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => is_traced::<V>()));
}

/// Notes the values that count in some position of random games.
fn note_counted<V: Variant>(counted: &mut [bool]) {
    let evaluator = Evaluator::<V>::new();
    random_games::<V>(40, |pos| {
        let trace = evaluator.trace(pos);
        for counts in [&trace.worth, &trace.danger[0], &trace.danger[1]] {
            for (counted, times) in counted.iter_mut().zip(counts) {
                *counted |= *times != 0;
            }
        }
    });
}

#[test]
fn every_term_counts_in_some_game() {
    let mut counted = vec![false; terms::VALUE_COUNT];
    for &id in VariantId::ALL {
        for_variant!(id, V => note_counted::<V>(&mut counted));
    }
    for term in terms::TERMS {
        let mut places = (0..term.count(1)).map(|index| term.at(index));
        assert!(places.any(|place| counted[place]), "{}", term.name);
    }
}

#[test]
fn the_built_in_weights_are_complete_and_written_as_they_were() {
    fn check<V: Variant>() {
        let weights = Weights::parse(V::WEIGHTS, V::STAGES).unwrap();
        assert_eq!(weights.write_into(V::WEIGHTS, V::STAGES).unwrap(), V::WEIGHTS);
    }
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => check::<V>()));
}

/// Only what the side to move has of being on move counts: the tempo, and what it adds to its
/// attack on the king.
#[test]
fn the_start_position_is_worth_the_move() {
    fn check<V: EvalRules>() {
        let weights = Weights::parse(V::WEIGHTS, V::STAGES).unwrap();
        let tempo = weights.value(terms::TEMPO.at(0)).middle();
        let score = score::<V>(V::START_FEN);
        assert!(score > 0 && (score - tempo).abs() <= 10, "{} {score} {tempo}", V::NAME);
    }
    check::<Standard>();
    check::<ThreeCheck>();
}

#[test]
fn a_queen_more_is_worth_more_than_seven_pawns() {
    let fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(score::<Standard>(fen) > 700);
    assert!(score::<ThreeCheck>(fen) > 600);
    assert!(score::<Standard>(&fen.replace(" w ", " b ")) < -700);
}

#[test]
fn checks_given_count() {
    let with = |checks: &str| score::<ThreeCheck>(&ThreeCheck::START_FEN.replace("3+3", checks));
    assert!(with("1+3") > with("2+3") + 150);
    assert!(with("2+3") > with("3+3") + 150);
    assert!(with("3+3") > with("3+2") + 150);
    assert!(with("3+2") > with("3+1") + 150);
    assert!(with("1+2") > with("2+2") && with("2+2") > with("2+1"));
}

#[test]
fn pawns_near_their_goal_count() {
    let passed = score::<Standard>("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1");
    let farther = score::<Standard>("7k/8/4P3/8/8/8/8/4K3 w - - 0 1");
    assert!(farther > passed + 50);
    let doubled = score::<Standard>("4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1");
    let side_by_side = score::<Standard>("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1");
    assert!(side_by_side > doubled);
}

#[test]
fn a_bare_king_hunted_by_queen_and_rook_is_in_danger() {
    let safe = "r4rk1/pp3ppp/2n5/8/8/2N5/PP3PPP/R2Q1RK1 w - - 0 1";
    let bare = "r4r1k/pp6/2n5/8/8/2N5/PP3PPP/R2Q1RK1 w - - 0 1";
    assert!(score::<Standard>(bare) > score::<Standard>(safe) + 3 * 105 - 50);
    assert!(score::<ThreeCheck>(bare) > score::<ThreeCheck>(safe) + 3 * 115 - 50);
}

#[test]
fn some_endgames_of_standard_chess_are_drawn() {
    // A knight alone wins nothing; in three-check it still may.
    assert!(score::<Standard>("8/8/4k3/8/8/3NK3/8/8 w - - 0 1").abs() < 40);
    assert!(score::<ThreeCheck>("8/8/4k3/8/8/3NK3/8/8 w - - 3+3 0 1") > 150);
    // Neither do two, nor a bishop against a rook's pawn's owner alone.
    assert!(score::<Standard>("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1").abs() < 40);
    // A rook against a bishop is hardly more.
    assert!(score::<Standard>("8/8/4k3/4b3/8/3RK3/8/8 w - - 0 1").abs() < 80);
    // Bishops of opposite colours.
    let same = score::<Standard>("8/3b4/4k3/8/3PP3/3BK3/8/8 w - - 0 1");
    let opposite = score::<Standard>("8/4b3/4k3/8/3PP3/3BK3/8/8 w - - 0 1");
    assert!(opposite < same * 2 / 3, "{opposite} {same}");
}

#[test]
fn the_score_has_limits() {
    let fen = "QQQQQQQQ/QQQQQQQ1/8/8/8/8/8/K6k b - - 0 1";
    let score = score::<Standard>(fen);
    assert!((-20_000..-10_000).contains(&score), "{score}");
}
