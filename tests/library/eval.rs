//! The classic evaluation is symmetric, equals its trace times the weights, and is right about simple
//! positions. A variant can add its own terms. To the network of chess, a missing pawn is worth a pawn.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::board::fen::placement;
use trebuchet::board::{Position, Rules};
use trebuchet::eval::classic::{Classic, Tapered, Weights, WeightsError, terms};
use trebuchet::eval::{EvalRules, Evaluator, ExtraTerm, built_in_network};
use trebuchet::for_variant;
use trebuchet::notation::Epd;
use trebuchet::types::{Color, Piece, PieceKind, Square};
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
    let (board, hands) = board_and_hands(fields[0]);
    let placement: Vec<String> = board.split('/').rev().map(swap_case).collect();
    let hands = swap_case(hands);
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling = swap_case(fields[2]);
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let rest = fields[4..].iter().map(|field| match field.split_once('+') {
        Some((white, black)) => format!("{black}+{white}"),
        None => (*field).to_owned(),
    });
    let rest: Vec<String> = rest.collect();
    let placement = placement.join("/");
    format!("{placement}{hands} {side} {castling} {en_passant} {}", rest.join(" "))
}

/// Splits the first field of a FEN before the brackets around the men in hand.
fn board_and_hands(placement: &str) -> (&str, &str) {
    placement.split_at(placement.find('[').unwrap_or(placement.len()))
}

/// The position with colours exchanged and left and right exchanged. There is no castling.
fn swapped(fen: &str) -> String {
    let upside_down = flipped(fen);
    let (placement, rest) = upside_down.split_once(' ').unwrap();
    let (board, hands) = board_and_hands(placement);
    let ranks: Vec<String> = board.split('/').rev().map(reversed).collect();
    format!("{}{hands} {rest}", ranks.join("/"))
}

/// A rank from right to left. The mark of a promoted man stays behind its letter.
fn reversed(rank: &str) -> String {
    let mut text = String::new();
    for letter in rank.chars() {
        let at = if letter == '~' { 1 } else { 0 };
        text.insert(at, letter);
    }
    text
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
    Classic::new().evaluate(&Position::<V>::from_fen(fen).unwrap()).value()
}

/// Exchanges the colours as the game's start position allows it.
fn is_symmetric<V: Variant>() {
    let placement = |fen: &str| fen.split(' ').next().map(str::to_owned);
    let start = V::start_fen(0);
    let turn =
        [flipped, swapped].into_iter().find(|turn| placement(&turn(&start)) == placement(&start));
    // The sides of some games differ.
    let Some(turn) = turn else { return };
    let mut evaluator = Classic::<V>::new();
    random_games::<V>(40, |pos| {
        let turned = Position::from_fen(&turn(&pos.fen())).unwrap();
        let both = [evaluator.evaluate(pos), evaluator.evaluate(&turned)];
        assert_eq!(both[0], both[1], "{}", pos.fen());
    });
}

#[test]
fn colours_are_treated_alike() {
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => is_symmetric::<V>()));
}

fn is_mirrored<V: Variant>() {
    let mut evaluator = Classic::<V>::new();
    random_games::<V>(20, |pos| {
        let fen = pos.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let (board, hands) = board_and_hands(fields[0]);
        let ranks: Vec<String> = board.split('/').map(reversed).collect();
        let (ranks, rest) = (ranks.join("/"), fields[4..].join(" "));
        let mirrored = format!("{ranks}{hands} {} - - {rest}", fields[1]);
        let mirrored = Position::from_fen(&mirrored).unwrap();
        assert_eq!(evaluator.evaluate(pos), evaluator.evaluate(&mirrored), "{fen}");
    });
}

#[test]
fn left_and_right_are_treated_alike() {
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => is_mirrored::<V>()));
}

fn is_traced<V: Variant>() {
    let weights = Weights::parse::<V>(V::WEIGHTS).unwrap();
    let mut evaluator = Classic::<V>::new();
    random_games::<V>(20, |pos| {
        let expected = evaluator.evaluate(pos).value();
        assert_eq!(evaluator.trace(pos).score(&weights), expected, "{}", pos.fen());
    });
}

#[test]
fn a_trace_times_the_weights_is_the_score() {
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => is_traced::<V>()));
}

/// Marks the weights that count in at least one position of random games.
fn mark_counted<V: Variant>(counted: &mut [bool]) {
    let evaluator = Classic::<V>::new();
    random_games::<V>(40, |pos| {
        let trace = evaluator.trace(pos);
        for counts in [&trace.counts, &trace.danger[0], &trace.danger[1]] {
            for (counted, count) in counted.iter_mut().zip(counts) {
                *counted |= *count != 0;
            }
        }
    });
}

#[test]
fn every_term_counts_in_some_game() {
    let mut counted = vec![false; terms::VALUE_COUNT];
    for &id in VariantId::ALL {
        for_variant!(id, V => mark_counted::<V>(&mut counted));
    }
    for term in terms::TERMS {
        let mut indices = (0..term.len(1)).map(|number| term.at(number));
        assert!(indices.any(|index| counted[index]), "{}", term.name);
    }
}

#[test]
fn the_built_in_weights_are_complete_and_written_as_they_were() {
    fn check<V: Variant>() {
        let weights = Weights::parse::<V>(V::WEIGHTS).unwrap();
        assert_eq!(weights.write_into::<V>(V::WEIGHTS).unwrap(), V::WEIGHTS);
    }
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => check::<V>()));
}

/// Only two terms count in the start position: the tempo, and what the side to move adds to its
/// attack on the king.
#[test]
fn the_start_position_is_worth_a_tempo() {
    fn check<V: EvalRules>() {
        let weights = Weights::parse::<V>(V::WEIGHTS).unwrap();
        let tempo = weights.value(terms::TEMPO.at(0)).middle();
        let score = score::<V>(V::START_FEN);
        assert!(score > 0 && (score - tempo).abs() <= 10, "{} {score} {tempo}", V::NETWORK_GAME);
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

/// The rook can give check on e1.
#[test]
fn a_check_is_safe_if_no_man_but_the_king_could_take() {
    let checks = |fen: &str| {
        let trace = Classic::<Standard>::new().trace(&Position::from_fen(fen).unwrap());
        let count = |term: terms::Term| trace.danger[Color::White.index()][term.at(0)];
        [terms::DANGER_CHECK_ROOK, terms::DANGER_CHECK_UNSAFE].map(count)
    };
    assert_eq!(checks("4r1k1/8/8/8/8/8/8/6K1 w - - 0 1"), [1, 0]);
    assert_eq!(checks("4r1k1/8/8/8/8/8/8/R5K1 w - - 0 1"), [0, 1]);
    // Beside the king, a rook that nothing protects is taken.
    assert_eq!(checks("5rk1/8/8/8/8/8/8/6K1 w - - 0 1"), [0, 1]);
    assert_eq!(checks("5rk1/8/8/1b6/8/8/8/6K1 w - - 0 1"), [1, 0]);
}

#[test]
fn some_endgames_of_standard_chess_are_drawn() {
    // A knight alone cannot win; in three-check it can.
    assert!(score::<Standard>("8/8/4k3/8/8/3NK3/8/8 w - - 0 1").abs() < 40);
    assert!(score::<ThreeCheck>("8/8/4k3/8/8/3NK3/8/8 w - - 3+3 0 1") > 150);
    // Two knights alone cannot win.
    assert!(score::<Standard>("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1").abs() < 40);
    // A rook rarely wins against a bishop.
    assert!(score::<Standard>("8/8/4k3/4b3/8/3RK3/8/8 w - - 0 1").abs() < 80);
    // Bishops of opposite colours.
    let same = score::<Standard>("8/3b4/4k3/8/3PP3/3BK3/8/8 w - - 0 1");
    let opposite = score::<Standard>("8/4b3/4k3/8/3PP3/3BK3/8/8 w - - 0 1");
    assert!(opposite < same * 2 / 3, "{opposite} {same}");
}

#[test]
fn the_score_has_limits() {
    let fen = "QQQQQQQQ/QQQRRRR1/8/8/8/8/8/K6k b - - 0 1";
    let score = score::<Standard>(fen);
    assert!((-20_000..-10_000).contains(&score), "{score}");
}

/// A game with its own term: the king wants to reach the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct KingsMarch;

impl Rules for KingsMarch {
    type State = ();
    const START_FEN: &'static str = Standard::START_FEN;
}

impl EvalRules for KingsMarch {
    const WEIGHTS: &'static str = concat!(
        include_str!("../../variants/standard/eval.params"),
        "king_to_centre = 400:400 300:300 200:200 0:0\nking_on_rim = 0:-50\n"
    );
    const NETWORK_GAME: &'static str = "";
    const HAS_DRAWN_ENDGAMES: bool = true;
    const EXTRA_TERMS: &'static [ExtraTerm] =
        &[ExtraTerm::new("king_to_centre", 4), ExtraTerm::new("king_on_rim", 1)];

    fn count_extra_terms(
        pos: &Position<KingsMarch>,
        us: Color,
        add: &mut impl FnMut(usize, usize, i32),
    ) {
        let king = pos.king(us);
        let steps = [king.file(), king.rank_for(us)].map(|n| if n < 4 { 3 - n } else { n - 4 });
        let distance = usize::from(steps[0].max(steps[1]));
        add(0, distance, 1);
        add(1, 0, i32::from(distance == 3));
    }
}

#[test]
fn a_variant_adds_terms_of_its_own() {
    // Both kings on the rim; White's king in the centre; Black's king there, with Black to move.
    for (fen, expected) in [
        ("k7/8/8/8/8/8/PP6/K7 w - - 0 1", 0),
        ("k7/8/8/8/3K4/8/PP6/8 w - - 0 1", 400 + 50),
        ("8/pp6/8/3k4/8/8/8/K7 b - - 0 1", 400 + 50),
        ("8/pp6/8/3k4/8/2K5/8/8 b - - 0 1", 400 - 300),
    ] {
        let difference = score::<KingsMarch>(fen) - score::<Standard>(fen);
        assert_eq!(difference, expected, "{fen}");
    }
}

#[test]
fn added_terms_are_read_written_and_traced_like_all_others() {
    let mut weights = Weights::parse::<KingsMarch>(KingsMarch::WEIGHTS).unwrap();
    assert_eq!(weights.write_into::<KingsMarch>(KingsMarch::WEIGHTS).unwrap(), KingsMarch::WEIGHTS);
    let pos = Position::<KingsMarch>::from_fen("k7/8/8/8/3K4/8/PP6/8 w - - 0 1").unwrap();
    let mut classic = Classic::<KingsMarch>::new();
    let (trace, score) = (classic.trace(&pos), classic.evaluate(&pos).value());
    assert_eq!(trace.score(&weights), score);
    // The only weight of 400 is that of a king in the centre, which counts once for White.
    let index = (0..terms::VALUE_COUNT)
        .find(|&index| weights.value(index) == Tapered::new(400, 400))
        .expect("the term has an index");
    assert_eq!(trace.counts[index], 1);
    weights.set_value(index, Tapered::new(410, 410));
    assert_eq!(trace.score(&weights), score + 10);
    let text = weights.write_into::<KingsMarch>(KingsMarch::WEIGHTS).unwrap();
    assert!(text.contains("king_to_centre = 410:410 300:300"));
    // Other variants reject the term, and this one requires it.
    assert!(matches!(
        Weights::parse::<Standard>(KingsMarch::WEIGHTS),
        Err(WeightsError::UnknownTerm { name, .. }) if name == "king_to_centre"
    ));
    assert_eq!(
        Weights::parse::<KingsMarch>(Standard::WEIGHTS),
        Err(WeightsError::Missing { name: "king_to_centre" })
    );
}

#[test]
fn every_term_of_a_variant_has_its_own_name() {
    fn check<V: Variant>() {
        for term in V::EXTRA_TERMS {
            assert!(terms::TERMS.iter().all(|common| common.name != term.name), "{}", term.name);
        }
    }
    VariantId::ALL.iter().for_each(|&id| for_variant!(id, V => check::<V>()));
}

/// What the network of chess takes a pawn to be worth, in centipawns: one pawn, drawn by seed, is taken from the
/// board of each balanced opening.
fn worths_of_a_pawn() -> Vec<i32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut evaluator = Evaluator::<Standard>::new(built_in_network::<Standard>());
    let worth = |epd: Epd| {
        let pos = Position::<Standard>::from_fen(&epd.fen).unwrap();
        let color = *Color::ALL.choose(&mut rng)?;
        let pawns: Vec<Square> = pos.pieces(color, PieceKind::Pawn).collect();
        let gone = *pawns.choose(&mut rng)?;
        let stays = |sq| pos.piece_at(sq).filter(|_| sq != gone).map(Piece::fen_letter);
        let (_, rest) = epd.fen.split_once(' ')?;
        let without = Position::from_fen(&format!("{} {rest}", placement(stays))).ok()?;
        let loss =
            evaluator.evaluate_alone(&pos).value() - evaluator.evaluate_alone(&without).value();
        (!without.in_check()).then_some(if pos.side_to_move() == color { loss } else { -loss })
    };
    Epd::parse_file(VariantId::Standard.openings()).map(Result::unwrap).filter_map(worth).collect()
}

/// Labels from short searches once made pawns too cheap. In an opening, a missing pawn often opens a line, so it is
/// worth less than later.
#[test]
fn to_the_network_of_chess_a_missing_pawn_is_worth_a_pawn() {
    let mut worths = worths_of_a_pawn();
    let count = worths.len();
    assert!(count > 900);
    worths.sort_unstable();
    let mean = worths.iter().sum::<i32>() / count as i32;
    assert!((60..=130).contains(&mean), "mean {mean}");
    let cheap = worths.partition_point(|&worth| worth < 30);
    assert!(cheap < count / 4, "{cheap} of {count} below 30 centipawns");
    assert!(worths.partition_point(|&worth| worth < 0) < count / 20);
}
