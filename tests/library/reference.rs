//! Random games of every variant, played in step with a reference implementation of the rules, and random
//! set-up positions: the same legal moves, the same end of the game, the same FEN and the same notation at every ply.

use std::ops::Range;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::variant::{
    Antichess as TheirAntichess, Atomic as TheirAtomic, Crazyhouse as TheirCrazyhouse,
    Horde as TheirHorde, KingOfTheHill as TheirKingOfTheHill, RacingKings as TheirRacingKings,
    ThreeCheck as TheirThreeCheck,
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _};

use trebuchet::board::{Checks, Position, Rules};
use trebuchet::movegen::Legality;
use trebuchet::notation::{parse_move, san};
use trebuchet::protocol::dialect::MoveText;
use trebuchet::types::Color::{Black, White};
use trebuchet::types::PieceKind::Bishop;
use trebuchet::types::{CastlingSide, Move, MoveKind, Outcome, Reason};
use trebuchet::variants::{
    Antichess, Atomic, Chess960, Crazyhouse, Horde, KingOfTheHill, RacingKings, Standard,
    ThreeCheck,
};

const GAMES: usize = 400;
/// The games of the long test.
const MANY_GAMES: usize = 2_000;
const MAX_PLIES: usize = 300;

const fn mode<R: Rules>() -> CastlingMode {
    if R::CHESS960_CASTLING { CastlingMode::Chess960 } else { CastlingMode::Standard }
}

fn their_moves<R: Rules, P: shakmaty::Position>(pos: &P) -> Vec<String> {
    let mut moves: Vec<String> =
        pos.legal_moves().iter().map(|m| m.to_uci(mode::<R>()).to_string()).collect();
    moves.sort();
    moves
}

fn our_moves<R: Rules>(pos: &Position<R>) -> Vec<String> {
    let mut moves: Vec<String> =
        pos.legal_moves().iter().map(|&mv| MoveText::of(pos, mv).uci).collect();
    moves.sort();
    moves
}

/// The men in hand may stand in any order.
fn with_sorted_hands(fen: &str) -> String {
    let Some((placement, rest)) = fen.split_once('[') else { return fen.to_owned() };
    let (hands, rest) = rest.split_once(']').expect("a bracket is closed");
    let mut letters: Vec<char> = hands.chars().collect();
    letters.sort_unstable();
    format!("{placement}[{}]{rest}", String::from_iter(letters))
}

/// Their verdict, where they have one: they leave repetition and fifty moves to the caller.
fn their_outcome<P: shakmaty::Position>(pos: &P) -> Option<Option<shakmaty::Color>> {
    pos.outcome().known().map(|outcome| outcome.winner())
}

fn our_outcome(outcome: Option<Outcome>) -> Option<Option<shakmaty::Color>> {
    let outcome = outcome?;
    if matches!(outcome.reason, Reason::Repetition | Reason::FiftyMoves) {
        return None;
    }
    Some(outcome.winner.map(|winner| match winner {
        White => shakmaty::Color::White,
        Black => shakmaty::Color::Black,
    }))
}

/// The FEN with `-` as its fourth field.
fn without_en_passant(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    [&fields[..3], &["-"], &fields[4..]].concat().join(" ")
}

/// Plays random games and compares every position; returns how many were compared.
fn play<R: Rules, P: shakmaty::Position + FromSetup + Clone>(seed: u64, games: usize) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut positions = 0;
    for _ in 0..games {
        let start = R::start_fen(rng.random_range(0..R::START_POSITIONS));
        let mut ours = Position::<R>::from_fen(&start).expect("a start position is legal");
        let mut theirs: P = start.parse::<Fen>().unwrap().into_position(mode::<R>()).unwrap();
        for _ in 0..MAX_PLIES {
            let fen = ours.fen();
            let setup = theirs.to_setup(EnPassantMode::Legal);
            let their_fen = Fen::try_from(setup).expect("their setup is legal").to_string();
            // After the end of the game, they know no square of a capture en passant.
            let our_fen = if ours.variant_outcome().is_some() {
                without_en_passant(&fen)
            } else {
                fen.clone()
            };
            assert_eq!(with_sorted_hands(&our_fen), with_sorted_hands(&their_fen));
            assert_eq!(our_moves(&ours), their_moves::<R, P>(&theirs), "{fen}");
            // A side's two bishops on one colour are a draw to them; we do not claim it, since XBoard
            // does not know it.
            let two_bishops = [White, Black].iter().any(|&color| ours.count(color, Bishop) > 1);
            let our_outcome = our_outcome(ours.outcome());
            let their_outcome = their_outcome(&theirs)
                .filter(|winner| winner.is_some() || our_outcome.is_some() || !two_bishops);
            assert_eq!(our_outcome, their_outcome, "{fen}");
            check_pseudo_legality(&ours, &mut rng);
            positions += 1;
            let moves = ours.legal_moves();
            let Some(&mv) = moves.choose(&mut rng) else { break };
            // Their verdict without a repetition is not the end for us, so go on as they do.
            let uci: shakmaty::uci::UciMove =
                MoveText::of(&ours, mv).uci.parse().expect("a UCI move");
            let their_move = uci.to_move(&theirs).expect("a move legal to us is legal to them");
            check_checks(&mut ours);
            assert_eq!(ours.fen(), fen, "taking back restores the position");
            let text = san(&ours, mv);
            let their_text = SanPlus::from_move(theirs.clone(), their_move).to_string();
            // They leave out the letter of a pawn that is dropped.
            assert_eq!(
                text.strip_prefix("P@").unwrap_or(&text),
                their_text.trim_start_matches('@'),
                "{fen}"
            );
            for text in [text, their_text] {
                assert_eq!(parse_move(&ours, &text), Ok(mv), "{fen} {text}");
            }
            ours.make_move(mv);
            theirs.play_unchecked(their_move);
            ours.verify();
        }
        let last = ours.fen();
        // A king that has exploded cannot be set up.
        if ours.variant_outcome().is_none() {
            let again = Position::<R>::from_fen(&last).expect("our own FEN is legal");
            assert_eq!((again.key(), again.fen()), (ours.key(), last));
        }
        for _ in 0..ours.ply_count() {
            ours.unmake_move();
        }
        assert_eq!(ours.fen(), start);
        assert_eq!(ours.key(), Position::<R>::from_fen(&start).unwrap().key());
    }
    positions
}

/// Whether a move gives check is known before it is made.
fn check_checks<R: Rules>(pos: &mut Position<R>) {
    let fen = pos.fen();
    let checks = Checks::default();
    for &mv in pos.legal_moves().iter() {
        let gives_check = pos.gives_check(mv);
        assert_eq!(checks.gives_check(pos, mv), gives_check, "{fen} {mv}");
        pos.make_move(mv);
        assert_eq!(gives_check, pos.in_check(), "{fen} {mv}");
        pos.unmake_move();
    }
}

/// The first field of a FEN: men on squares of their own, which count from a8 to h1, and others on random
/// squares.
fn placement(placed: &[(usize, char)], others: &[char], rng: &mut impl Rng) -> String {
    let mut cells = ['1'; 64];
    for &(at, letter) in placed {
        cells[at] = letter;
    }
    for &letter in others {
        let empty: Vec<usize> = (0..64).filter(|&at| cells[at] == '1').collect();
        cells[*empty.choose(rng).expect("an empty square")] = letter;
    }
    let ranks: Vec<String> = cells.chunks(8).map(String::from_iter).collect();
    ranks.join("/")
}

/// A number of men of these kinds, which may occur often.
fn choose_men(kinds: &str, number: Range<usize>, rng: &mut impl Rng) -> Vec<char> {
    let kinds: Vec<char> = kinds.chars().collect();
    let number = rng.random_range(number);
    (0..number).map(|_| *kinds.choose(rng).expect("a kind")).collect()
}

/// The position on both sides, unless one of them refuses it.
fn set_up<R: Rules, P: shakmaty::Position + FromSetup>(fen: &str) -> Option<(Position<R>, P)> {
    let ours = Position::from_fen(fen).ok()?;
    let theirs = ours.fen().parse::<Fen>().expect("our own FEN").into_position(mode::<R>()).ok()?;
    Some((ours, theirs))
}

/// Noise taken for a move is legal exactly when it is among the legal moves, and the parts of the
/// generation add up to the whole.
fn check_pseudo_legality<R: Rules>(pos: &Position<R>, rng: &mut Xoshiro256PlusPlus) {
    let legality = Legality::new(pos);
    assert_eq!(legality.in_check(), pos.in_check());
    let moves = pos.legal_moves();
    for &mv in moves.iter() {
        assert!(pos.is_legal(mv, &legality), "{pos:?} {mv}");
    }
    for _ in 0..20 {
        let from = moves.first().map_or(0, |mv| mv.bits() & 0x3f);
        let near = rng.random::<u16>() & !0x3f | from;
        if let Some(mv) = Move::from_bits(near) {
            assert_eq!(pos.is_legal(mv, &legality), moves.contains(&mv), "{pos:?} {mv} {near:x}");
        }
    }
    let us = pos.side_to_move();
    for side in CastlingSide::ALL {
        let (from, to) = (pos.castling_king(us), side.king_target(us));
        let mv = Move::new(from, to, MoveKind::castling(side));
        assert_eq!(pos.is_legal(mv, &legality), moves.contains(&mv), "{pos:?} {mv}");
    }
    let (mut noisy, mut quiet) = (Vec::new(), Vec::new());
    pos.visit_noisy_moves(&legality, |mv| noisy.push(mv));
    pos.visit_quiet_moves(&legality, |mv| quiet.push(mv));
    let mut parts = [noisy.as_slice(), &quiet].concat();
    parts.sort_unstable_by_key(|mv| mv.bits());
    assert_eq!(parts, moves.clone().sorted().to_vec(), "{pos:?}");
    assert!(noisy.iter().all(|mv| mv.is_capture() || mv.is_promotion()));
    assert!(quiet.iter().all(|mv| !mv.is_capture() && !mv.is_promotion()));
    assert_eq!(pos.count_legal_moves(), moves.len() as u64);
}

#[test]
fn standard_chess_agrees_with_the_reference() {
    assert!(play::<Standard, Chess>(1, GAMES) > 20_000);
}

#[test]
fn three_check_agrees_with_the_reference() {
    assert!(play::<ThreeCheck, TheirThreeCheck>(2, GAMES) > 5_000);
}

#[test]
fn king_of_the_hill_agrees_with_the_reference() {
    assert!(play::<KingOfTheHill, TheirKingOfTheHill>(3, GAMES) > 20_000);
}

#[test]
fn chess960_agrees_with_the_reference() {
    assert!(play::<Chess960, Chess>(4, GAMES) > 20_000);
}

#[test]
fn racing_kings_agrees_with_the_reference() {
    assert!(play::<RacingKings, TheirRacingKings>(5, GAMES) > 10_000);
}

#[test]
fn horde_agrees_with_the_reference() {
    assert!(play::<Horde, TheirHorde>(6, GAMES) > 20_000);
}

#[test]
fn antichess_agrees_with_the_reference() {
    assert!(play::<Antichess, TheirAntichess>(7, GAMES) > 10_000);
}

#[test]
fn atomic_agrees_with_the_reference() {
    assert!(play::<Atomic, TheirAtomic>(8, GAMES) > 10_000);
}

/// Kings touch or part by castling in many of these positions.
#[test]
fn castling_in_atomic_chess_agrees_with_the_reference() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let at_home = [(56, 'R'), (60, 'K'), (63, 'R')];
    let mut castlings = 0;
    for _ in 0..5_000 {
        // On the third or second rank.
        let king = (rng.random_range(40..56), 'k');
        let others = choose_men("QRBNPqrbnp", 0..5, &mut rng);
        let fen = format!(
            "{} w KQ - 0 1",
            placement(&[&at_home[..], &[king]].concat(), &others, &mut rng)
        );
        let Some((mut ours, theirs)) = set_up::<Atomic, TheirAtomic>(&fen) else { continue };
        assert_eq!(our_moves(&ours), their_moves::<Atomic, _>(&theirs), "{fen}");
        check_checks(&mut ours);
        for mv in theirs.legal_moves().into_iter().filter(|mv| mv.is_castle()) {
            let text = SanPlus::from_move(theirs.clone(), mv).to_string();
            assert_eq!(san(&ours, parse_move(&ours, &text).unwrap()), text, "{fen}");
            castlings += 1;
        }
    }
    assert!(castlings > 1_000, "{castlings}");
}

#[test]
fn crazyhouse_agrees_with_the_reference() {
    assert!(play::<Crazyhouse, TheirCrazyhouse>(9, GAMES / 10) > 4_000);
}

#[test]
#[ignore = "two thousand games of each variant, a minute"]
fn many_games_agree_with_the_reference() {
    play::<Standard, Chess>(11, MANY_GAMES);
    play::<ThreeCheck, TheirThreeCheck>(12, MANY_GAMES);
    play::<KingOfTheHill, TheirKingOfTheHill>(13, MANY_GAMES);
    play::<Chess960, Chess>(14, MANY_GAMES);
    play::<RacingKings, TheirRacingKings>(15, MANY_GAMES);
    play::<Antichess, TheirAntichess>(17, MANY_GAMES);
    play::<Atomic, TheirAtomic>(18, MANY_GAMES);
    play::<Horde, TheirHorde>(16, MANY_GAMES);
    play::<Crazyhouse, TheirCrazyhouse>(19, MANY_GAMES / 10);
}

/// Compares who can still win with few men on the board, by the rules of the variant and of the reference.
fn compare_winners<R: Rules, P: shakmaty::Position + FromSetup>(
    seed: u64,
    kings: &str,
    white: &str,
    black: &str,
) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut compared = 0;
    for _ in 0..10_000 {
        let mut men: Vec<char> = kings.chars().collect();
        men.extend(choose_men(white, 0..5, &mut rng));
        men.extend(choose_men(black, 0..5, &mut rng));
        let fen = format!("{} w - - 0 1", placement(&[], &men, &mut rng));
        let Some((ours, theirs)) = set_up::<R, P>(&fen) else { continue };
        for (color, their_color) in
            [(White, shakmaty::Color::White), (Black, shakmaty::Color::Black)]
        {
            let can_win = !theirs.has_insufficient_material(their_color);
            assert_eq!(R::can_win(&ours, color), can_win, "{fen} {color}");
        }
        compared += 1;
    }
    compared
}

#[test]
fn sides_that_can_win_agree_with_the_reference() {
    // Often without the men that always can.
    for (seed, (white, black)) in
        [("BN", "bnq"), ("BBNRQP", "bbnrqp"), ("B", "bbnrqp")].into_iter().enumerate()
    {
        let seed = 31 + seed as u64;
        assert!(compare_winners::<Standard, Chess>(seed, "Kk", white, black) > 4_000);
        assert!(compare_winners::<ThreeCheck, TheirThreeCheck>(seed, "Kk", white, black) > 4_000);
        assert!(compare_winners::<Atomic, TheirAtomic>(seed, "Kk", white, black) > 4_000);
        assert!(compare_winners::<Horde, TheirHorde>(seed, "k", white, black) > 4_000);
    }
    for (seed, white) in [(41, "BN"), (42, "BNR"), (43, "BNRQP")] {
        assert!(compare_winners::<Horde, TheirHorde>(seed, "k", white, "bnrqp") > 4_000);
    }
}

/// Every set-up position of the suites reads the same on both sides.
#[test]
fn set_up_positions_agree_with_the_reference() {
    let root = env!("CARGO_MANIFEST_DIR");
    let read = |folder: &str| {
        std::fs::read_to_string(format!("{root}/variants/{folder}/perft.epd")).expect("a suite")
    };
    let fens = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
        lines.filter_map(|line| line.split(';').next()).map(|fen| fen.trim().to_owned()).collect()
    };
    for fen in fens(&read("standard")) {
        let theirs: Chess = fen
            .parse::<Fen>()
            .expect("a FEN")
            .into_position(CastlingMode::Standard)
            .unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(
            our_moves(&Position::<Standard>::from_fen(&fen).unwrap()),
            their_moves::<Standard, _>(&theirs)
        );
    }
    for fen in fens(&read("three_check")) {
        let theirs: TheirThreeCheck = fen
            .parse::<Fen>()
            .expect("a FEN")
            .into_position(CastlingMode::Standard)
            .unwrap_or_else(|e| panic!("{fen}: {e}"));
        let ours = Position::<ThreeCheck>::from_fen(&fen).unwrap();
        assert_eq!(our_moves(&ours), their_moves::<ThreeCheck, _>(&theirs), "{fen}");
        let epd = Epd::try_from(theirs.to_setup(EnPassantMode::Legal)).expect("legal").to_string();
        assert!(ours.fen().starts_with(&epd), "{} begins with {epd}", ours.fen());
    }
}
