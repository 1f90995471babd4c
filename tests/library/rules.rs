//! The ends of chess, three-check and King of the Hill, repetition, and the dialects of FEN.

use trebuchet::board::{FenError, Position, PositionError, Rules, Setup};
use trebuchet::notation::{MoveError, parse_move};
use trebuchet::types::{Color, Outcome, Piece, PieceKind, Reason, Square};
use trebuchet::variants::{ChecksLeft, KingOfTheHill, Standard, ThreeCheck};

fn play<R: Rules>(pos: &mut Position<R>, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = pos.legal_moves().iter().copied().find(|mv| mv.to_string() == text);
        pos.make_move(mv.unwrap_or_else(|| panic!("{text} is legal in {pos:?}")));
    }
}

fn standard(fen: &str) -> Position<Standard> {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn three_check(fen: &str) -> Position<ThreeCheck> {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn left(pos: &Position<ThreeCheck>) -> (u8, u8) {
    (pos.state().of(Color::White), pos.state().of(Color::Black))
}

#[test]
fn mate_and_stalemate_end_the_game() {
    let mut pos = Position::<Standard>::start();
    play(&mut pos, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(pos.outcome(), Some(Outcome::win(Color::Black, Reason::Checkmate)));
    let pos = standard("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::Stalemate)));
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut pos = Position::<Standard>::start();
    play(&mut pos, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!((pos.repetitions(), pos.outcome()), (1, None));
    play(&mut pos, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(pos.repetitions(), 2);
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::Repetition)));
    pos.unmake_move();
    assert_eq!(pos.outcome(), None);
}

/// The search looks for repetitions since its root, or for three occurrences in the whole game.
#[test]
fn one_repetition_since_the_root_counts_for_the_search() {
    let mut pos = Position::<Standard>::start();
    play(&mut pos, "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(pos.repetitions(), 1);
    assert!(pos.is_repetition_for_search(0) && pos.is_repetition_for_search(2));
    assert!(!pos.is_repetition_for_search(3), "the position came before the root");
    play(&mut pos, "g1f3 g8f6 f3g1 f6g8");
    assert!(pos.is_repetition_for_search(7), "the third occurrence");
    pos.unmake_move();
    assert!(pos.is_repetition_for_search(5) && !pos.is_repetition_for_search(6));
}

#[test]
fn a_null_move_passes_and_ends_all_repetitions() {
    let mut pos = standard("4k3/8/8/8/1pP5/8/8/4K1N1 b - c3 7 30");
    let before = pos.clone();
    pos.make_null_move();
    assert_eq!(pos.fen(), "4k3/8/8/8/1pP5/8/8/4K1N1 w - - 8 31");
    assert_eq!(pos.key(), standard(&pos.fen()).key());
    pos.unmake_null_move();
    assert_eq!((pos.fen(), pos.key()), (before.fen(), before.key()));

    let mut pos = Position::<Standard>::start();
    for mv in ["g1f3", "f3g1", "g1f3", "f3g1"] {
        play(&mut pos, mv);
        assert_eq!(pos.repetitions(), 0);
        pos.make_null_move();
    }
    assert_eq!(pos.key(), Position::<Standard>::start().key());
    assert_eq!(pos.repetitions(), 0, "no game comes here");
}

#[test]
fn a_diagram_has_white_below() {
    let fen = "4k3/8/8/8/8/8/P7/4K2R w K - 0 1";
    let lines = [
        "8 . . . . k . . .",
        "7 . . . . . . . .",
        "6 . . . . . . . .",
        "5 . . . . . . . .",
        "4 . . . . . . . .",
        "3 . . . . . . . .",
        "2 P . . . . . . .",
        "1 . . . . K . . R",
        "  a b c d e f g h",
        fen,
    ];
    assert_eq!(standard(fen).to_string(), lines.join("\n"));
}

#[test]
fn a_square_is_attacked_twice_by_two_pieces() {
    let d5 = Square::parse("d5").unwrap();
    for (fen, is_attacked, is_attacked_twice) in [
        ("4k3/8/8/8/8/8/8/K7 w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/3R4/K7 w - - 0 1", true, false),
        // The second rook stands behind the first one.
        ("4k3/8/8/8/8/3R4/3R4/K7 w - - 0 1", true, false),
        ("4k3/8/8/8/8/3R4/6B1/K7 w - - 0 1", true, true),
        ("4k3/8/8/8/2P5/3K4/8/R7 w - - 0 1", true, false),
        ("4k3/8/8/8/2PK4/8/8/R7 w - - 0 1", true, true),
        ("4k3/8/8/8/2P1P3/8/8/K7 w - - 0 1", true, true),
        ("4k3/8/2n2b2/8/8/3R4/6B1/1K6 b - - 0 1", true, true),
    ] {
        let pos = standard(fen);
        let found = (pos.is_attacked(d5, Color::White), pos.is_attacked_twice(d5, Color::White));
        assert_eq!(found, (is_attacked, is_attacked_twice), "{fen}");
        assert!(!pos.is_attacked(d5, Color::Black), "{fen}");
    }
}

#[test]
fn attacks_are_the_squares_that_are_attacked() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "4k3/8/8/8/8/8/8/K7 w - - 0 1",
    ] {
        let pos = standard(fen);
        for color in Color::ALL {
            let attacks = pos.attacks(color);
            let attacked =
                (0..64).map(Square::from_index64).filter(|&sq| pos.is_attacked(sq, color));
            assert_eq!(attacked.fold(0, |all, sq| all | sq.bit()), attacks, "{fen} {color}");
        }
    }
}

#[test]
fn lost_castling_rights_make_another_position() {
    let mut pos = standard("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    play(&mut pos, "h1g1 e8d8 g1h1 d8e8");
    assert_eq!(pos.repetitions(), 0);
    play(&mut pos, "h1g1 e8d8 g1h1 d8e8");
    assert_eq!(pos.repetitions(), 1);
}

#[test]
fn checks_given_in_between_make_another_position() {
    let mut pos = three_check("4k3/8/8/8/8/8/4R3/4K3 b - - 3+3 0 1");
    assert_eq!(left(&pos), (3, 3));
    play(&mut pos, "e8d8 e2d2 d8e8 d2e2");
    assert_eq!((pos.repetitions(), left(&pos)), (0, (1, 3)));
}

#[test]
fn fifty_moves_are_a_draw_but_mate_comes_first() {
    let mut pos = standard("8/8/8/4k3/8/8/3R4/4K3 w - - 98 80");
    play(&mut pos, "e1e2");
    assert_eq!(pos.outcome(), None);
    play(&mut pos, "e5f5");
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::FiftyMoves)));
    let mut pos = standard("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    play(&mut pos, "a1a8");
    assert_eq!(pos.outcome(), Some(Outcome::win(Color::White, Reason::Checkmate)));
}

#[test]
fn material_that_cannot_mate() {
    for (fen, dead) in [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", true),
        ("8/8/4k1b1/8/8/3KB3/8/8 w - - 0 1", false),
        ("8/8/4k3/6b1/8/3KB3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/4B3/3K2B1/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3KB3/5B2/8 w - - 0 1", false),
        ("8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K1R2/8/8 w - - 0 1", false),
    ] {
        assert_eq!(standard(fen).is_insufficient_material(), dead, "{fen}");
        let bare = fen == "8/8/4k3/8/8/3K4/8/8 w - - 0 1";
        assert_eq!(three_check(fen).is_insufficient_material(), bare, "{fen}");
    }
}

#[test]
fn the_third_check_wins_at_once() {
    let mut pos = Position::<ThreeCheck>::start();
    play(&mut pos, "e2e4 e7e5 f1c4 f8c5 c4f7");
    assert_eq!((left(&pos), pos.outcome()), ((2, 3), None));
    play(&mut pos, "e8f7 d1h5 g7g6");
    assert_eq!(left(&pos), (1, 3));
    play(&mut pos, "h5g6");
    assert_eq!(left(&pos), (0, 3));
    assert_eq!(
        pos.outcome(),
        Some(Outcome::win(Color::White, Reason::Variant("gives third check")))
    );
    assert!(pos.legal_moves().is_empty(), "the game is over");
    pos.unmake_move();
    assert_eq!((left(&pos), pos.outcome()), ((1, 3), None));
}

#[test]
fn a_double_check_counts_once() {
    let mut pos = three_check("4k3/8/8/8/4N3/8/8/K3R3 w - - 3+3 0 1");
    play(&mut pos, "e4f6");
    assert_eq!(left(&pos), (2, 3));
}

#[test]
fn a_third_check_outranks_every_draw() {
    let mut pos = three_check("7k/8/8/8/8/8/R7/K7 w - - 1+3 99 80");
    play(&mut pos, "a2h2");
    assert_eq!(
        pos.outcome(),
        Some(Outcome::win(Color::White, Reason::Variant("gives third check")))
    );
}

fn king_of_the_hill(fen: &str) -> Position<KingOfTheHill> {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn hill_win(winner: Color) -> Option<Outcome> {
    Some(Outcome::win(winner, Reason::Variant("reaches the hill")))
}

#[test]
fn a_king_on_the_hill_wins_at_once() {
    let mut pos = Position::<KingOfTheHill>::start();
    play(&mut pos, "e2e4 a7a6 e1e2 a6a5 e2e3 a5a4");
    assert_eq!(pos.outcome(), None);
    play(&mut pos, "e3d4");
    assert_eq!(pos.outcome(), hill_win(Color::White));
    assert!(pos.legal_moves().is_empty(), "the game is over");
    pos.unmake_move();
    assert_eq!(pos.outcome(), None);
    assert!(!pos.legal_moves().is_empty());
}

#[test]
fn the_hill_is_d4_e4_d5_and_e5() {
    for square in Square::all() {
        let mut setup = Setup::<KingOfTheHill>::empty();
        setup.pieces[square.index64()] = Some(Piece::new(Color::Black, PieceKind::King));
        let corner = Square::parse(if square.rank() < 4 { "a8" } else { "a1" }).unwrap();
        setup.pieces[corner.index64()] = Some(Piece::new(Color::White, PieceKind::King));
        let pos = Position::try_from(setup).unwrap();
        let expected = match square.to_string().as_str() {
            "d4" | "e4" | "d5" | "e5" => hill_win(Color::Black),
            _ => None,
        };
        assert_eq!(pos.outcome(), expected, "{square}");
    }
}

#[test]
fn the_hill_outranks_stalemate_and_the_fifty_moves() {
    let mut pos = king_of_the_hill("k7/8/1Q6/8/8/4K3/8/8 w - - 99 80");
    play(&mut pos, "e3d4");
    assert_eq!(pos.outcome(), hill_win(Color::White));
    // Without the hill the same move ends the game as a draw.
    let mut pos = standard("k7/8/1Q6/8/8/4K3/8/8 w - - 98 80");
    play(&mut pos, "e3d4");
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::Stalemate)));
    let mut pos = standard("k7/8/8/8/8/4K3/8/5Q2 w - - 99 80");
    play(&mut pos, "e3d4");
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::FiftyMoves)));
}

#[test]
fn a_king_may_not_step_onto_an_attacked_square_of_the_hill() {
    let pos = king_of_the_hill("3r3k/8/8/8/8/4K3/8/8 w - - 0 1");
    assert_eq!(parse_move(&pos, "e3d4"), Err(MoveError::LeavesKingInCheck));
    assert!(parse_move(&pos, "e3e4").is_ok());
}

#[test]
fn a_king_in_check_may_flee_to_the_hill() {
    let mut pos = king_of_the_hill("4r2k/8/8/8/8/4K3/8/8 w - - 0 1");
    assert!(pos.in_check());
    assert_eq!(parse_move(&pos, "e3e4"), Err(MoveError::LeavesKingInCheck));
    play(&mut pos, "e3d4");
    assert_eq!(pos.outcome(), hill_win(Color::White));
}

#[test]
fn bare_kings_play_on_in_king_of_the_hill() {
    let fen = "7k/8/8/8/8/4K3/8/8 b - - 0 1";
    assert_eq!(king_of_the_hill(fen).outcome(), None);
    assert_eq!(standard(fen).outcome(), Some(Outcome::draw(Reason::InsufficientMaterial)));
}

#[test]
fn king_of_the_hill_keeps_mate_stalemate_and_the_draw_rules() {
    let mut pos = Position::<KingOfTheHill>::start();
    play(&mut pos, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(pos.outcome(), Some(Outcome::win(Color::Black, Reason::Checkmate)));
    let pos = king_of_the_hill("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::Stalemate)));
    let mut pos = king_of_the_hill("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
    play(&mut pos, "a1a2");
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::FiftyMoves)));
    let mut pos = Position::<KingOfTheHill>::start();
    play(&mut pos, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(pos.outcome(), Some(Outcome::draw(Reason::Repetition)));
}

#[test]
fn check_counters_are_read_in_all_four_places() {
    let board = "4k3/8/8/8/8/8/4R3/4K3";
    for (rest, expected) in [
        ("b - - 2+3 5 9", (2, 3)),
        ("b - - 5 9 +1+0", (2, 3)),
        ("b - 2+3 - 5 9", (2, 3)),
        ("b - - 5 9", (2, 3)),
        ("b - - 3+3 5 9", (3, 3)),
        ("b - - +0+2 5 9", (3, 1)),
    ] {
        let pos = three_check(&format!("{board} {rest}"));
        assert_eq!(left(&pos), expected, "{rest}");
        let written = format!("{board} b - - {}+{} 5 9", expected.0, expected.1);
        assert_eq!(pos.fen(), written);
    }
    assert_eq!(left(&three_check("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), (3, 3));
}

#[test]
fn counters_make_the_key() {
    let key = |fen: &str| three_check(fen).key();
    let board = "4k3/8/8/8/8/8/3R4/4K3 w - -";
    let keys: Vec<_> = ["3+3", "2+3", "3+2", "1+3", "3+1", "2+2", "1+2", "2+1", "1+1"]
        .iter()
        .map(|counters| key(&format!("{board} {counters} 0 1")))
        .collect();
    for (i, a) in keys.iter().enumerate() {
        assert!(keys[i + 1..].iter().all(|b| a != b), "key {i} stands alone");
    }
}

#[test]
fn bad_fens_are_refused_with_a_reason() {
    let counters = |text: &str| FenError::State(text.to_owned());
    for (fen, error) in [
        ("", FenError::FieldCount(0)),
        ("4k3/8/8/8/8/8/8/4K3 w", FenError::FieldCount(2)),
        ("4k3/8/8/8/8/8/8/4K3 w -", FenError::FieldCount(3)),
        ("8/8/8/8/8/8/8/8 w - - 0 1", FenError::Position(PositionError::Kings(Color::White))),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", FenError::Position(PositionError::Kings(Color::White))),
        ("4k3/8/8/8/8/8/8/KK6 w - - 0 1", FenError::Position(PositionError::Kings(Color::White))),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", FenError::Position(PositionError::PawnRank)),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", FenError::Side("x".into())),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", FenError::Castling("X".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", FenError::EnPassant("e9".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", FenError::Number("x".into())),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", FenError::Number("-1".into())),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", FenError::Position(PositionError::OpponentInCheck)),
        ("4k3/8/8/8/8/8/8/3Q3K w - - 3+3 0 1", FenError::FieldCount(7)),
        (
            "4k3/8/8/NNNNNNNN/8/NNNN4/8/NNNN3K w - - 0 1",
            FenError::Position(PositionError::PieceCount(Color::White)),
        ),
    ] {
        assert_eq!(Position::<Standard>::from_fen(fen).unwrap_err(), error, "{fen}");
    }
    for placement in [
        "4k3/8/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/4K3",
        "4k4/8/8/8/8/8/8/4K3",
        "9/8/8/8/8/8/8/8",
        "4k3/8/8/8/8/8/8/4K2z",
    ] {
        let fen = format!("{placement} w - - 0 1");
        assert!(
            matches!(Position::<Standard>::from_fen(&fen), Err(FenError::Placement(_))),
            "{fen}"
        );
    }
    for text in ["0+0", "4+3", "+4+0", "3+", "1+1+1", "+0+0+0", "33+1"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {text} 0 1");
        assert_eq!(Position::<ThreeCheck>::from_fen(&fen).unwrap_err(), counters(text), "{fen}");
    }
    for (fields, count) in [("w 3+3", 3), ("w - - 3+3 2+2 0 1", 8), ("w - - 3+3 0 1 1", 8)] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 {fields}");
        let error = Position::<ThreeCheck>::from_fen(&fen).unwrap_err();
        assert_eq!(error, FenError::FieldCount(count), "{fen}");
    }
    assert_eq!(ChecksLeft::new(0, 0), None);
}

#[test]
fn en_passant_is_kept_only_where_a_capture_is_legal() {
    let mut pos = Position::<Standard>::start();
    play(&mut pos, "e2e4");
    assert_eq!(pos.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    play(&mut pos, "a7a6 e4e5 d7d5");
    assert_eq!(pos.en_passant().map(|sq| sq.to_string()).as_deref(), Some("d6"));
    // Both pawns leave the rank at once: the king would stand in the rook's line.
    let pos = standard("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1");
    assert_eq!(pos.en_passant(), None);
    let without = standard("8/8/8/K2pP2r/8/8/8/7k w - - 0 1");
    assert_eq!(pos.key(), without.key());
}
